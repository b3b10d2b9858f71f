import { describe, expect, test } from "bun:test";
import { chmodSync, existsSync } from "node:fs";
import { join } from "node:path";
import { machines } from "../../../src/platform/sandbox/linux/syscalls.ts";
import { people, sharedPerson, startPerson } from "../../support/sandbox-person.ts";
import { aliveWith, hasEnded, newToken } from "../../support/shell.ts";
import { until } from "../../support/until.ts";

const connect = (address: string) =>
  `perl -MSocket -e 'socket(S, PF_UNIX, SOCK_STREAM, 0); print connect(S, pack_sockaddr_un(${address})) ? "in" : "out"'`;

for (const kind of people) {
  describe(`as ${kind}`, () => {
    const ready = sharedPerson(kind);

    test("[PO-8] [SA-unix-socket] services that listen on the disk or without a name there cannot be talked to", async () => {
      await using person = await startPerson(kind);
      const paths = [join(person.workspace, "a.sock"), join(person.home, "b.sock")];
      const abstract = `coder-${newToken()}`;
      const servers = [...paths, `\0${abstract}`].map((unix) => Bun.listen({ unix, socket: { data() {} } }));
      for (const path of paths) chmodSync(path, 0o777);
      const tries = [...paths.map((path) => `"${path}"`), `"\\0${abstract}"`].map(connect).join("; echo; ");
      expect((await person.run({ command: tries, free: true })).stdout).toBe("in\nin\nin");
      expect((await person.run(tries)).stdout).toBe("out\nout\nout");
      for (const server of servers) server.stop(true);
    });

    test("[PO-8] [SA-unix-socket] neither can one that listens under a name from the folder it stands in", async () => {
      await using person = await startPerson(kind);
      await using service = await startPerson(kind);
      // It ends without whoever started it, and without the folder: a test run may be killed.
      const listen = `perl -MSocket -e 'socket(S, PF_UNIX, SOCK_STREAM, 0); bind(S, pack_sockaddr_un("rel.sock")); listen(S, 9); until (-e "stop" or !kill(0, ${service.pid}) or !-d "${person.home}") { select(undef, undef, undef, 0.01) }'`;
      const serving = service.run({ command: listen, free: true, workspace: person.home });
      await until("it listens", () => existsSync(join(person.home, "rel.sock")));
      const command = connect(`"${join(person.home, "rel.sock")}"`);
      const tries = [await person.run({ command, free: true }), await person.run(command)];
      person.write(join(person.home, "stop"), "");
      await serving;
      expect(tries.map(({ stdout }) => stdout)).toEqual(["in", "out"]);
    });

    test("[PO-8] sockets of its own work inside", async () => {
      const person = await ready();
      const script = `
        use Socket; socket(L, PF_UNIX, SOCK_STREAM, 0); bind(L, pack_sockaddr_un("/tmp/own.sock")); listen(L, 1);
        if (!fork) { socket(C, PF_UNIX, SOCK_STREAM, 0); connect(C, pack_sockaddr_un("/tmp/own.sock")); syswrite(C, "hi"); exit }
        accept(S, L); sysread(S, $x, 2);
        socket(T, PF_INET, SOCK_STREAM, 0); bind(T, pack_sockaddr_in(0, INADDR_LOOPBACK)); listen(T, 1);
        socket(U, PF_INET, SOCK_STREAM, 0); print $x, connect(U, getsockname(T)) ? " loopback" : $!;`;
      expect((await person.run(`rm -f /tmp/own.sock; perl -e '${script}'`)).stdout).toBe("hi loopback");
    });

    test("[PO-8] [SA-network] [SA-dns] neither connections nor name lookups get out, unless the network is allowed", async () => {
      const person = await ready();
      let packets = 0;
      const udp = await Bun.udpSocket({ hostname: "127.0.0.1", socket: { data: () => void packets++ } });
      const tcp = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
      const tries = `echo x > /dev/udp/127.0.0.1/${udp.port}; echo x > /dev/tcp/127.0.0.1/${tcp.port} && echo in`;
      const off = await person.run(tries);
      expect({ stdout: off.stdout, packets }).toEqual({ stdout: "", packets: 0 });
      const lookup = await person.run(
        "getent hosts name.example || { echo 'Could not resolve host: name.example' >&2; exit 6; }",
      );
      expect(lookup).toMatchObject({ exitCode: 6, blamed: expect.stringContaining("the sandbox has no network") });
      const on = await person.run({ command: tries, network: true });
      expect(on.stdout).toBe("in\n");
      await until("the packet is there", () => packets === 1);
      udp.close();
      tcp.stop(true);
    });

    test("[PO-8] [SA-environment] what starts the sandbox loads no library of the workspace, and the command does", async () => {
      await using before = await startPerson(kind);
      const libraries = join(before.workspace, "lib");
      await using person = await startPerson(kind, { LD_LIBRARY_PATH: libraries });
      for (const name of ["libselinux.so.1", "libcap.so.2", "libpcre2-8.so.0"])
        before.write(join(libraries, name), "no library");
      const command = { command: "echo $LD_LIBRARY_PATH", workspace: before.workspace };
      for (const loopback of [{}, { loopback: newToken() }])
        expect(await person.run({ ...command, ...loopback })).toMatchObject({ stdout: `${libraries}\n`, exitCode: 0 });
    });

    test("[PO-8] [SA-proc-others] [SA-proc-others] other processes can be neither seen nor signalled", async () => {
      const person = await ready();
      const pids = `${person.pid} ${process.pid}`;
      const { stdout } = await person.run(
        `for pid in ${pids}; do ls -d /proc/$pid; cat /proc/$pid/environ; kill -9 $pid; done 2>/dev/null; kill -9 -1; true`,
      );
      expect(stdout).toBe("");
      expect(hasEnded(person.pid)).toBe(false);
      expect((await person.run("ls /proc | grep -c '^[0-9]'")).stdout).toMatch(/^[1-6]\n$/);
    });

    test("[PO-8] [SA-setsid] a daemon ends with its command", async () => {
      const person = await ready();
      const token = newToken();
      const run = await person.run(
        `setsid -f sleep 3${token}; (setsid nohup sleep 3${token} >/dev/null 2>&1 &) ; echo done`,
      );
      expect(run).toMatchObject({ stdout: "done\n", exitCode: 0, unstopped: [] });
      await until("nothing is left", () => aliveWith(token).length === 0);
    });

    test("[PO-8] [SA-syscall] calls that reach past the sandbox are refused", async () => {
      const person = await ready();
      const number = machines[process.arch]?.number;
      if (number === undefined) throw new Error(`no numbers for ${process.arch}`);
      const newUser = 0x10000000;
      const calls: readonly (readonly [what: string, call: string, errno: number])[] = [
        ["trace me", `${number.ptrace}, 0, 0, 0, 0`, 1],
        ["read another's memory", `${number.process_vm_readv}, 1, 0, 0, 0, 0, 0`, 1],
        ["mount", `${number.mount}, 0, 0, 0, 0, 0`, 1],
        ["unmount", `${number.umount2}, 0, 0`, 1],
        ["new namespace", `${number.unshare}, ${newUser}`, 1],
        ["child in a new namespace", `${number.clone}, ${newUser | 17}, 0, 0, 0, 0`, 1],
        ["join a namespace", `${number.setns}, 0, 0`, 1],
        ["the new clone", `${number.clone3}, 0, 0`, 38],
        ["rings", `${number.io_uring_setup}, 1, 0`, 38],
        ["keys", `${number.keyctl}, 0, 0, 0, 0, 0`, 1],
        ["programs in the kernel", `${number.bpf}, 0, 0, 0`, 1],
        ["counters", `${number.perf_event_open}, 0, 0, 0, 0, 0`, 1],
        ["faults", `${number.userfaultfd}, 0`, 1],
        ["no randomness", `${number.personality}, 0x0040000`, 1],
        ["kernel messages", `${number.syslog}, 10, 0, 0`, 1],
        ["raw packets", `${number.socket}, 17, 3, 0`, 97],
        ["hypervisor", `${number.socket}, 40, 1, 0`, 97],
        ["audit", `${number.socket}, 16, 3, 9`, 97],
        ["crypto", `${number.socket}, 38, 5, 0`, 97],
        ...(process.arch === "x64" ? ([["the second door", `${0x40000000 + 39}`, 38]] as const) : []),
      ];
      const script = calls.map(([, call]) => `$! = 0; syscall(${call}); print $! + 0, "\n";`).join(" ");
      const { stdout } = await person.run(`perl -e '${script.replaceAll("'", "")}'`);
      const told = stdout.split("\n").map(Number);
      expect(calls.map(([what], at) => [what, told[at]])).toEqual(calls.map(([what, , errno]) => [what, errno]));
    });

    test("[PO-8] [SA-syscall] it leaves no file or folder behind with the rights of its owner or group", async () => {
      const person = await ready();
      const modes = ["4755", "2755", "6755", "u+s", "g+s", "ug+s", "+s"].map(
        (mode) => `chmod ${mode} a; chmod ${mode} e`,
      );
      const number = machines[process.arch]?.number;
      const calls = [
        'sysopen(F, "d", 0101, 04777)',
        'sysopen(F, "g", 0101, 02777)',
        'mkdir("h", 02777)',
        `syscall(${number?.mkdirat}, -100, "i", 02777)`,
        `syscall(${number?.mknodat}, -100, "j", 0102777, 0)`,
        `syscall(${number?.fchmodat}, -100, "a", 02755)`,
        `syscall(${number?.fchmodat2}, -100, "a", 06755, 0)`,
        'open(F, "<", "a"); chmod(02755, *F)',
      ];
      const tries = `cp /bin/true a; mkdir e; ${modes.join("; ")}; install -m 4755 /bin/true b; install -m 2755 /bin/true c; mkdir -m 2755 f; install -d -m 2755 k; perl -e 'umask 0; ${calls.join("; ")}'; find . -perm /6000`;
      const all = await person.run(
        `mkdir /tmp/set && cd /tmp/set && ${tries}; cd - >/dev/null; mkdir set && cd set && ${tries}`,
      );
      expect(all.stdout).toBe("");
      expect((await person.run("cd set && chmod 1777 e && chmod 640 a && stat -c %a a e")).stdout).toBe("640\n1777\n");
    });

    test("[PO-8] ordinary calls are answered: addresses, threads, children", async () => {
      const person = await ready();
      const number = machines[process.arch]?.number;
      const script = `$! = 0; syscall(${number?.socket}, 16, 3, 0); print $! + 0; print fork ? wait > 0 : exit;`;
      expect((await person.run(`perl -e '${script}'`)).stdout).toBe("01");
    });

    test("[PO-8] [SA-tty-injection] nothing can be typed into its terminal", async () => {
      const person = await ready();
      const typed = `$c = "x"; $! = 0; ioctl(STDIN, 0x5412, $c); print $! + 0`;
      const run = await person.run({ command: `test -t 0 && test -t 1 && perl -e '${typed}'`, isTerminal: true });
      expect(run.stdout.trim()).toBe("1");
    });

    test("[PO-8] nothing gives more rights: no capabilities, no set-user-id", async () => {
      const person = await ready();
      const { stdout } = await person.run(
        "grep -E '^(Cap...|NoNewPrivs|Seccomp):' /proc/self/status | cut -f2 | sort -u",
      );
      expect(stdout).toBe("0000000000000000\n1\n2\n");
    });
  });
}

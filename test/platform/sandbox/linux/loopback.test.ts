import { describe, expect, test } from "bun:test";
import { chmodSync, existsSync, readdirSync, readFileSync, readlinkSync, symlinkSync } from "node:fs";
import { type Person, people, sharedPerson, startPerson } from "../../../support/sandbox-person.ts";
import { hasEnded, newToken, untilFile } from "../../../support/shell.ts";
import { until } from "../../../support/until.ts";

/** As soon as somebody listens. */
const fetched = (url: string): string => `until curl -s ${url}; do [ -d "$PWD" ] || exit 99; sleep 0.02; done`;
const python = "/usr/bin/python3";
const nodeServer = (port: number): string =>
  `node -e 'require("http").createServer((q, r) => r.end("from node\\n")).listen(${port}, "127.0.0.1")'`;
const netOf = "readlink /proc/self/ns/net";

for (const kind of people) {
  describe(`as ${kind}`, () => {
    const ready = sharedPerson(kind);

    test("[PO-8] a server started in a job is reached by the next command, and gone when the job is stopped", async () => {
      const person = await ready();
      person.write(`${person.workspace}/page.txt`, "served\n");
      const loopback = newToken();
      const serve = { command: `${python} -m http.server 8123 --bind 127.0.0.1`, goesOn: true, loopback };
      expect((await person.run(serve)).started).toBe(true);
      const get = { command: fetched("http://localhost:8123/page.txt"), loopback };
      expect(await person.run(get)).toMatchObject({ exitCode: 0, stdout: "served\n" });
      const other = { command: "curl -s --max-time 5 http://127.0.0.1:8123/page.txt", loopback: newToken() };
      expect((await person.run(other)).exitCode).toBe(7);
      const after = { ...other, loopback, endsJobs: true };
      expect((await person.run(after)).exitCode).toBe(7);
    });

    test("[PO-8] the same holds for a server of node, over IPv6 and for sockets without a place on the disk", async () => {
      const person = await ready();
      const loopback = newToken();
      const six = nodeServer(8124).replace("127.0.0.1", "::1");
      await person.run({ command: six, goesOn: true, loopback });
      expect((await person.run({ command: fetched("http://[::1]:8124/"), loopback })).stdout).toBe("from node\n");
      const name = `"\\0coder-${newToken()}"`;
      const perl = (script: string): string => `perl -MSocket -e 'socket(S, PF_UNIX, SOCK_STREAM, 0); ${script}'`;
      const listen = perl(`bind(S, pack_sockaddr_un(${name})); listen(S, 9); open F, ">up"; close F; sleep 100`);
      await person.run({ command: listen, goesOn: true, loopback });
      const connect = `${untilFile("up")}; ${perl(`print connect(S, pack_sockaddr_un(${name})) ? "in" : "out"`)}`;
      expect((await person.run({ command: connect, loopback })).stdout).toBe("in");
      expect((await person.run({ command: connect, loopback: newToken() })).stdout).toBe("out");
      await person.run({ command: "rm up", endsJobs: true });
    });

    test("[PO-8] [SA-network] neither the machine's loopback nor its sockets without a place on the disk are in it", async () => {
      const person = await ready();
      const abstract = `coder-${newToken()}`;
      const tcp = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
      const unix = Bun.listen({ unix: `\0${abstract}`, socket: { data() {} } });
      const script = `socket(S, PF_UNIX, SOCK_STREAM, 0); print connect(S, pack_sockaddr_un("\\0${abstract}")) ? "in" : "out"`;
      const tries = `echo x > /dev/tcp/127.0.0.1/${tcp.port} && echo in; perl -MSocket -e '${script}'`;
      expect((await person.run({ command: tries, free: true })).stdout).toBe("in\nin");
      expect((await person.run({ command: tries, loopback: newToken() })).stdout).toBe("out");
      tcp.stop(true);
      unix.stop(true);
    });

    test("[PO-8] [SA-syscall] in the shared network a command has no rights over it, nor over who else is there", async () => {
      const person = await ready();
      const loopback = newToken();
      await person.run({ command: "exec sleep 1000", goesOn: true, loopback });
      const look = `ls /proc | grep -c '^[0-9]'; ls -l /proc/self/fd | grep -c 'net:\\|user:'
        grep -h 'CapEff\\|NoNewPrivs\\|^Seccomp:' /proc/self/status | tr '\\n\\t' ', '
        nsenter --net=/proc/self/ns/net true 2>/dev/null || unshare -n true 2>/dev/null || unshare -Ur true 2>/dev/null || echo refused
        ip link set lo down 2>/dev/null || echo 0 > /proc/sys/net/ipv4/ip_default_ttl || echo kept; kill -9 -1`;
      const { stdout } = await person.run({ command: look, loopback });
      const [processes, descriptors, ...said] = stdout.split("\n");
      expect(Number(processes)).toBeLessThan(8);
      expect([descriptors, ...said]).toEqual([
        "0",
        "CapEff: 0000000000000000,NoNewPrivs: 1,Seccomp: 2,refused",
        "kept",
        "",
      ]);
      const alone = await person.run({ command: look });
      expect(alone.stdout.split("\n").slice(1)).toEqual(stdout.split("\n").slice(1));
      await person.run({ command: "true", endsJobs: true });
    });

    test("[PO-8] without nsenter, or with one that fails, each command has a loopback of its own", async () => {
      for (const body of [null, "#!/bin/sh\nexit 1\n"]) {
        await using place = await startPerson(kind);
        const bin = `${place.home}/bin`;
        for (const name of ["bwrap", "bash", "readlink", "true", "sleep"]) symlinked(place, bin, name);
        if (body !== null) chmodSync(place.write(`${bin}/nsenter`, body), 0o755);
        await using person = await startPerson(kind, { PATH: bin });
        const own = { workspace: place.workspace, home: place.home, loopback: "a" };
        // The first goes on: the number of a network that has ended is given to another one.
        await person.run({ ...own, command: `${netOf} > net; exec sleep 1000`, goesOn: true });
        await until("the first has begun", () => textOf(`${place.workspace}/net`).endsWith("\n"));
        const other = await person.run({ ...own, command: `: && ${netOf}` });
        expect(other.exitCode).toBe(0);
        const nets = [textOf(`${place.workspace}/net`), other.stdout, `${readlinkSync("/proc/self/ns/net")}\n`];
        expect(new Set(nets).size).toBe(3);
        await person.run({ ...own, command: ":", endsJobs: true });
      }
    });

    test("[PO-8] the network ends with the task, or with the last job that lives in it", async () => {
      const person = await ready();
      const held = (): number => networksOf(person.pid).length;
      const before = held();
      const loopback = newToken();
      const first = await person.run({ command: netOf, loopback });
      expect((await person.run({ command: netOf, loopback })).stdout).toBe(first.stdout);
      expect(held()).toBe(before + 1);
      await person.run({ command: "true", loopback, isLast: true });
      expect(held()).toBe(before);
      await person.run({ command: `exec ${nodeServer(8125)}`, goesOn: true, loopback, isLast: true });
      expect(held()).toBe(before + 1);
      const next = { command: fetched("http://127.0.0.1:8125/"), loopback, isLast: true };
      expect((await person.run(next)).stdout).toBe("from node\n");
      await person.run({ command: "true", endsJobs: true });
      expect(held()).toBe(before);
    });

    test("[PO-8] [CAN-4] kill -9 leaves neither a process nor the network", async () => {
      const person = await startPerson(kind);
      const loopback = newToken();
      const job = await person.run({ command: "exec sleep 1000", goesOn: true, loopback });
      const { stdout } = await person.run({ command: netOf, loopback });
      expect(hasEnded(job.pid)).toBe(false);
      process.kill(person.pid, "SIGKILL");
      await until("the job is gone", () => hasEnded(job.pid));
      await until("nobody is in the network", () => !everyNetwork().includes(stdout.trim()));
      await person[Symbol.asyncDispose]();
    });
  });
}

function symlinked(person: Person, bin: string, name: string): void {
  // Makes the folder, too.
  person.write(`${bin}/none`, "");
  symlinkSync(Bun.which(name) ?? name, `${bin}/${name}`);
}

/** As descriptors of a process. */
function networksOf(pid: number): readonly string[] {
  return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    const target = linkOf(`/proc/${pid}/fd/${fd}`);
    return target.startsWith("net:") ? [target] : [];
  });
}

function everyNetwork(): readonly string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => linkOf(`/proc/${pid}/ns/net`));
}

function textOf(path: string): string {
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return ""; // It has ended.
  }
}

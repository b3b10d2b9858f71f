import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { people, sharedPerson } from "../../support/sandbox-person.ts";

const env = {
  GITHUB_TOKEN: "t0ken",
  OPENAI_API_KEY: "k3y",
  DATABASE_URL: "postgres://me:pa55@localhost/x",
  SSH_AUTH_SOCK: "/nowhere/agent.sock",
  LD_PRELOAD: "",
  MY_SETTING: "kept",
};

for (const kind of people) {
  describe(`as ${kind}`, () => {
    const ready = sharedPerson(kind, env);

    test("[PO-8] [SA-write-outside] nothing outside of workspace and temp can be written", async () => {
      const person = await ready();
      const targets = ["/etc/coder-x", "/usr/coder-x", "/var/tmp/coder-x", "~/x", "~/.bashrc", "/coder-x", "/sys/x"];
      const command = targets.map((path) => `(echo x > ${path}) 2>/dev/null && echo ${path}`).join("; ");
      const { stdout } = await person.run(`${command}; echo in > inside; cat inside`);
      expect(stdout).toBe("in\n");
      expect(["/etc/coder-x", "/var/tmp/coder-x", join(person.home, "x")].filter(existsSync)).toEqual([]);
      expect(readFileSync(join(person.workspace, "inside"), "utf8")).toBe("in\n");
    });

    test("[PO-8] [SA-syscall] nothing of the kernel's can be written, by root neither", async () => {
      const person = await ready();
      const own = "-path '/proc/[0-9]*' -o -path /proc/self -o -path /proc/thread-self";
      const { stdout } = await person.run(
        `find /proc /sys \\( ${own} \\) -prune -o -type f -writable -print 2>/dev/null`,
      );
      // These belong to its own namespaces, or change nothing.
      const isHarmless = (path: string) =>
        /^\/proc\/(?:pressure\/|sys\/(?:fs\/mqueue\/|kernel\/(?:auto_msgmni|msg|sem$|shm|ns_last_pid|pid_max)))/.test(
          path,
        );
      const found = stdout.split("\n").filter((path) => path !== "");
      expect(kind === "root" ? found : found.filter((path) => !isHarmless(path))).toEqual([]);
      const { stdout: free } = await person.run({
        command: "find /proc/sys /proc/sysrq-trigger -writable",
        free: true,
      });
      expect(free.includes("core_pattern")).toBe(kind === "root");
    });

    test("[PO-8] [SA-write-outside] the only folders that can be written are its own", async () => {
      const person = await ready();
      const { stdout } = await person.run(
        "find / -maxdepth 4 -path /proc -prune -o -type d -writable -print 2>/dev/null",
      );
      const isOwn = (path: string) =>
        path.startsWith(person.workspace) || /^\/(?:tmp|dev\/shm|dev\/pts|dev)(?:\/|$)/.test(path);
      expect(stdout.split("\n").filter((path) => path !== "" && !isOwn(path))).toEqual([]);
    });

    test("[PO-9] [SA-own-settings] a home of ours deep inside the workspace cannot be put elsewhere with its folders", async () => {
      const person = await ready();
      const coderHome = join(person.workspace, "cfg/deep/h");
      await person.run({ command: "mkdir -p cfg/deep/h real/h && ln -s real/h linked", free: true });
      const swap = "mv cfg old; mv cfg/deep cfg/d; mkdir -p cfg/deep/h; echo bad > cfg/deep/h/config.json";
      const { exitCode } = await person.run({ command: `${swap}; ls old cfg/d`, coderHome });
      expect([exitCode, existsSync(join(coderHome, "config.json"))]).toEqual([2, false]);
      const named = join(person.workspace, "linked");
      const relink = "rm linked; mkdir linked; echo bad > linked/config.json";
      await person.run({ command: relink, coderHome: join(person.workspace, "real/h"), coderHomeNamed: named });
      expect([readlinkSync(named), existsSync(join(named, "config.json"))]).toEqual(["real/h", false]);
    });

    test("[PO-8] temp is private, and the same from one command to the next", async () => {
      const person = await ready();
      const name = `coder-temp-${person.pid}`;
      await person.run(`echo kept > /tmp/${name}`);
      expect((await person.run(`cat $TMPDIR/${name}`)).stdout).toBe("kept\n");
      expect(existsSync(join("/tmp", name))).toBe(false);
    });

    test("[PO-8] a command that only reads can write nothing but temp", async () => {
      const person = await ready();
      const run = await person.run({ command: "touch new; touch /tmp/new && echo temp", readOnly: true });
      expect(run.stdout).toBe("temp\n");
      expect(run.stderr).toContain("Read-only file system");
      expect(existsSync(join(person.workspace, "new"))).toBe(false);
    });

    test("[PO-8] [SA-symlink-out] a link that leads out can be made and not written through", async () => {
      const person = await ready();
      person.write(join(person.home, "notes"), "mine\n");
      symlinkSync(person.home, join(person.workspace, "way-out"));
      const tries = "ln -s ~/notes link; echo x > link; echo x > way-out/notes; rm -f way-out/notes; mkdir way-out/new";
      const run = await person.run(`${tries}; readlink link; cat link`);
      expect(run.stdout).toBe(`${person.home}/notes\n`);
      expect(readFileSync(join(person.home, "notes"), "utf8")).toBe("mine\n");
      expect(existsSync(join(person.home, "new"))).toBe(false);
    });

    test("[PO-8] [SA-hard-link] no hard link leads out, nor to a protected file", async () => {
      const person = await ready();
      person.write(join(person.home, "notes"), "mine\n");
      person.write(join(person.workspace, ".envrc"), "theirs\n");
      const run = await person.run("ln ~/notes a; ln .envrc b; ln /etc/passwd c; ls a b c 2>/dev/null");
      expect(run.stdout).toBe("");
    });

    test("[PO-8] [SA-secrets] keys, logins and our own folder cannot be seen", async () => {
      const person = await ready();
      const { home, coderHome } = person;
      const places = [".ssh/id_x", ".aws/credentials", ".netrc", ".config/gh/hosts.yml", ".bash_history"];
      const files = [...places.map((path) => join(home, path)), join(coderHome, "config.json")];
      for (const path of files) person.write(path, "hidden words");
      const all = [...files, ...(kind === "root" ? ["/etc/shadow"] : [])];
      const { stdout } = await person.run(`cat ${all.join(" ")} 2>/dev/null; grep -rs 'hidden words' ~ ; true`);
      expect(stdout).toBe("");
    });

    test("[PO-8] [SA-secrets] secrets and doors in the environment are not passed on, settings are", async () => {
      const person = await ready();
      const names = Object.keys(env).join(" ");
      const { stdout } = await person.run(`for name in ${names}; do printenv $name; done; printenv HOME`);
      expect(stdout).toBe(`kept\n${person.home}\n`);
      const free = await person.run({ command: "printenv GITHUB_TOKEN OPENAI_API_KEY", free: true });
      expect(free.stdout).toBe("t0ken\n");
    });

    test("[PO-8] added folders can be written", async () => {
      const person = await ready();
      const added = join(person.home, "added");
      mkdirSync(added);
      person.own(added);
      await person.run({ command: `echo x > ${added}/new; echo x > ${added}/.zshrc`, addDirs: [added] });
      expect(readdirSync(added).sort()).toEqual([".zshrc.set-aside", "new"]);
    });
  });
}

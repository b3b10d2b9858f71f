// What a command sees that was proved to only read, and runs because of the paths it was judged by.
import { describe, expect, test } from "bun:test";
import { chmodSync, copyFileSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { people, sharedPerson, startPerson } from "../../../support/sandbox-person.ts";

for (const kind of people) {
  describe(`as ${kind}`, () => {
    const ready = sharedPerson(kind);

    test("[PO-4] [SA-check-then-use] of the machine there are programs and libraries, and nothing of people or services", async () => {
      await using person = await startPerson(kind);
      person.write(join(person.home, "notes"), "mine");
      person.write(join(dirname(person.home), "beside"), "mine");
      const places = [
        "/etc/passwd",
        "/etc/hostname",
        "/etc/hosts",
        "/etc/fstab",
        "/var/log",
        "/var/lib",
        "/opt",
        "/srv",
        "/mnt",
        "/boot",
      ];
      const own = [join(person.home, "notes"), join(dirname(person.home), "beside"), person.coderHome];
      const command = [...places, ...own].map((path) => `ls -d ${path}`).join("; ");
      expect((await person.run({ command, narrow: true })).stdout).toBe("");
      expect((await person.run({ command: "ls /etc /usr/local", narrow: true })).stdout).not.toMatch(
        /shadow|passwd|ssh|share/,
      );
    });

    test("[PO-4] programs that are proved to only read work in it", async () => {
      await using person = await startPerson(kind);
      person.write(join(person.workspace, "a.json"), '{"a": [1, 2]}\n');
      person.write(join(person.workspace, "src/b.txt"), "two\none\n");
      await person.run({
        command: "git init -q && git -c user.name=a -c user.email=a@b commit -q --allow-empty -m one",
        free: true,
      });
      const lines = {
        "cat a.json | wc -l": "1",
        "sort src/b.txt | head -n 1": "one",
        "awk 'NR == 1 { print $1 }' src/b.txt": "two",
        "sed -n 2p src/b.txt": "one",
        "grep -rn one src": "src/b.txt:2:one",
        "find . -name b.txt": "./src/b.txt",
        "git log --format=%s": "one",
        "git status --short": "?? a.json\n?? src/",
        "date -d @0 -u +%Y": "1970",
        "perl -e 'print 1'": "1",
        "diff <(cat a.json) a.json && echo same": "same",
        "touch x /x /tmp/y; ls x /x": "",
      };
      for (const [command, output] of Object.entries(lines)) {
        const { stdout } = await person.run({ command, narrow: true });
        expect([command, stdout.trim()]).toEqual([command, output]);
      }
    });

    test("[PO-4] where the shell lies in a folder that is not shown, the whole machine is", async () => {
      await using first = await startPerson(kind);
      const folders = Array.from({ length: 9 }, (_, n) => join(dirname(first.home), `bin${n}`));
      for (const folder of folders) first.write(join(folder, "x"), "");
      const last = join(folders.at(-1) ?? "", "bash");
      copyFileSync("/bin/bash", last);
      chmodSync(last, 0o755);
      await using person = await startPerson(kind, { PATH: `${folders.join(":")}:/usr/bin:/bin` });
      const run = await person.run({
        command: "echo $BASH; ls -d /etc/passwd",
        narrow: true,
        workspace: first.workspace,
      });
      expect(run.stdout).toContain("/etc/passwd\n");
    });

    test("[PO-4] [SA-check-then-use] of a command that names its files only these are there, under the names it uses", async () => {
      await using person = await startPerson(kind);
      const at = (path: string) => join(person.workspace, path);
      for (const path of ["a", "sub/b", "sub/c", "deep/er/d"]) person.write(at(path), `<${path}>`);
      symlinkSync("sub", at("link"));
      const judged = { paths: [at("a"), at("sub/b"), at("deep")], links: [{ path: at("link"), target: "sub" }] };
      const command = "cat a sub/b link/b deep/er/d; cat sub/c link/c; readlink link; ls";
      const run = await person.run({ command, narrow: true, judged });
      expect(run.stdout).toBe("<a><sub/b><sub/b><deep/er/d>sub\na\ndeep\nlink\nsub\n");
    });

    test("[PO-4] [SA-check-then-use] it is not started when one of them became something else", async () => {
      const person = await ready();
      const at = (path: string) => join(person.workspace, path);
      mkdirSync(at("sub"));
      writeFileSync(at("sub/passwd"), "ours");
      const judged = { paths: [at("sub/passwd")], links: [] };
      expect((await person.run({ command: "cat sub/passwd", narrow: true, judged })).stdout).toBe("ours");
      renameSync(at("sub"), at("was"));
      symlinkSync("/etc", at("sub"));
      const run = await person.run({ command: "cat sub/passwd", narrow: true, judged });
      expect(run).toMatchObject({ started: false, stdout: "", stderr: "E_CONFLICT" });
      rmSync(at("sub"));
    });
  });
}

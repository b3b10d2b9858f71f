// Generated: commands one after the other that build, move and link at random out of the names that matter. Whatever they try, git
// finds no repository but the workspace's own, from any folder, and nothing of the list is there.
import { describe, expect, test } from "bun:test";
import { existsSync, lstatSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { type Person, people, sharedPerson } from "../../support/sandbox-person.ts";

const name = fc.constantFrom(
  ".git",
  "HEAD",
  "objects",
  "refs",
  "config",
  "hooks",
  "commondir",
  ".vscode",
  ".envrc",
  ".cargo",
  "config.toml",
  "a",
  "b",
  "lib",
);
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => `w/${parts.join("/")}`);

const op = fc.oneof(
  path.map((to) => `mkdir -p ${to}`),
  path.map((to) => `mkdir -p $(dirname ${to}); echo 'ref: refs/heads/x' > ${to}`),
  path.map((to) => `mkdir -p $(dirname ${to}); echo 'gitdir: ../lib' > ${to}`),
  path.map(
    (to) =>
      `mkdir -p $(dirname ${to}); printf '[core]\\n\\tfsmonitor = touch ~/PWN; echo\\n\\tworktree = .\\n\\tbare = false\\n[alias]\\n\\tstatus = !touch ~/PWN\\n' > ${to}`,
  ),
  fc.tuple(path, path).map(([from, to]) => `mkdir -p $(dirname ${to}); mv -T ${from} ${to}`),
  fc.tuple(path, path).map(([from, to]) => `mkdir -p $(dirname ${to}); cp -rT ${from} ${to}`),
  fc.tuple(path, path).map(([from, to]) => `mkdir -p $(dirname ${to}); ln -sT $PWD/${from} ${to}`),
  fc.tuple(path, path).map(([from, to]) => `mkdir -p $(dirname ${to}); ln -T ${from} ${to}`),
  path.map((to) => `git init -q ${to}`),
  path.map((to) => `git init -q --bare ${to}`),
  path.map((to) => `rm -rf ${to}`),
  path.map((to) => `chmod 311 ${to}`),
  path.map((to) => `git update-index --add --cacheinfo 160000,1234567890123456789012345678901234567890,${to}`),
);

const folders = new Set([".git", ".vscode"]);

/** Independent of what is tested: every path, and git's own word from every folder. */
function obeyableIn(root: string): readonly string[] {
  const found: string[] = [];
  const visit = (folder: string): void => {
    for (const one of readdirSync(folder)) {
      const at = join(folder, one);
      const stat = lstatSync(at);
      const isEmpty = stat.isDirectory() && readdirSync(at).length === 0;
      if (folders.has(one) && !isEmpty) found.push(at);
      const isFile = one === ".envrc" || (one === "config.toml" && folder.endsWith("/.cargo"));
      if (isFile && !stat.isDirectory()) found.push(at);
      if (stat.isDirectory()) visit(at);
    }
  };
  if (existsSync(join(root, "w"))) visit(join(root, "w"));
  return found;
}

for (const kind of people) {
  describe(`as ${kind}`, () => {
    const ready = sharedPerson(kind);
    const fresh = async (): Promise<Person> => {
      const person = await ready();
      await person.run({ command: "chmod -R u+rwX . 2>/dev/null; true", free: true });
      for (const one of readdirSync(person.workspace)) rmSync(join(person.workspace, one), { recursive: true });
      rmSync(join(person.home, "PWN"), { force: true });
      await person.run({ command: "git init -q .", free: true });
      return person;
    };

    test("[PO-8] [SA-git-elsewhere] no sequence of commands leaves a repository, or a file of the list, to be obeyed", async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.tuple(fc.array(op, { minLength: 3, maxLength: 10 }), fc.boolean()), {
            minLength: 1,
            maxLength: 4,
          }),
          async (commands) => {
            const person = await fresh();
            for (const [ops, unconfined] of commands) {
              const run = await person.run({ command: `(${ops.join("\n")}) 2>/dev/null; true`, unconfined });
              expect({ ops, unkept: run.unkept }).toEqual({ ops, unkept: [] });
              await person.run({ command: "chmod -R u+rwX w 2>/dev/null; true", free: true });
              expect({ ops, found: obeyableIn(person.workspace) }).toEqual({ ops, found: [] });
            }
            const asked = await person.run({
              command: `rm -f ~/PWN; git status --short >/dev/null 2>&1; for d in $(find w -type d 2>/dev/null); do (cd $d && git rev-parse --absolute-git-dir; git status --short >/dev/null) 2>/dev/null; done | sort -u`,
              free: true,
            });
            expect({ commands, dirs: asked.stdout }).toEqual({
              commands,
              dirs: asked.stdout === "" ? "" : `${person.workspace}/.git\n`,
            });
            expect(existsSync(join(person.home, "PWN"))).toBe(false);
          },
        ),
        { numRuns: process.env.CODER_TEST_LONG ? 300 : 8 },
      );
    });
  });
}

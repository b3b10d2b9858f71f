import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Person, people, startPerson } from "../../support/sandbox-person.ts";

const git = "git -c user.name=a -c user.email=a@b.invalid -c protocol.file.allow=always -c commit.gpgsign=false";
/** What a day of work does, in the order in which each needs what came before. */
const work = [
  ...["echo one > a.txt && git add a.txt && $GIT commit -qm one", "echo two > a.txt && $GIT commit -qam two"],
  ...["$GIT commit -q --amend -m three", "git switch -qc topic", "echo three > a.txt && $GIT commit -qam four"],
  ...["echo x > a.txt && $GIT stash -q && git stash pop -q && git checkout -q a.txt", "git switch -q -"],
  ...["$GIT merge -q --no-edit topic", "git branch -qd topic", "$GIT tag -a v1 -m v1", "git tag -d v1 > /dev/null"],
  ...[
    "$GIT rebase -q HEAD~1",
    "git reset -q --hard HEAD~1",
    "git status --porcelain",
    "git fsck --no-dangling 2>/dev/null",
  ],
].join(" && ");
const day = `GIT='${git}'; set -e; ${work}; git log --format=%s`;

/** A repository of this person, with a worktree and a submodule. */
async function repository(person: Person): Promise<{ main: string; tree: string; other: string; sub: string }> {
  const [main, library] = [join(person.home, "main"), join(person.home, "library")];
  const make = (at: string): string =>
    `git init -q ${at} && cd ${at} && git config core.logAllRefUpdates true && echo 0 > a.txt && git add . && ${git} commit -qm zero`;
  const steps = [
    `(${make(library)})`,
    make(main),
    `${git} submodule --quiet add ../library libs/sub && ${git} commit -qm sub`,
    "git pack-refs --all && git worktree add -q ../tree && git worktree add -q ../other",
    "(cd libs/sub && git pack-refs --all)",
  ];
  const made = await person.run({ command: `set -e; ${steps.join("; ")}`, free: true, workspace: person.home });
  expect(made).toMatchObject({ exitCode: 0 });
  return { main, tree: join(person.home, "tree"), other: join(person.home, "other"), sub: join(main, "libs/sub") };
}

for (const kind of people) {
  describe(`as ${kind}`, () => {
    test("[PO-8] git works in a worktree, in a submodule, and in both of them from the repository they belong to", async () => {
      await using person = await startPerson(kind);
      const { main, tree, sub } = await repository(person);
      const ended = { exitCode: 0, planted: [], restored: [] };
      const inTree = await person.run({ command: day, workspace: tree });
      expect(inTree).toMatchObject({ ...ended, stdout: "three\none\nsub\nzero\n" });
      expect(await person.run({ command: day, workspace: sub })).toMatchObject({
        ...ended,
        stdout: "three\none\nzero\n",
      });
      const below = await person.run({ command: `cd libs/sub && ${day}`, workspace: main });
      expect(below).toMatchObject(ended);
      const record = `${git} commit -qam recorded && git log -1 --format=%s`;
      expect(await person.run({ command: record, workspace: main })).toMatchObject({ ...ended, stdout: "recorded\n" });
      const look =
        "git log -1 --format=%s tree && git -C ../tree status --porcelain && git -C libs/sub status --porcelain";
      expect((await person.run({ command: look, free: true, workspace: main })).stdout).toBe("three\n");
    });

    test("[PO-8] a worktree in a folder of its repository can be worked in", async () => {
      await using person = await startPerson(kind);
      const { main } = await repository(person);
      await person.run({ command: "git worktree add -q inner", free: true, workspace: main });
      const ran = await person.run({ command: `cd inner && ${day}`, workspace: main });
      expect(ran).toMatchObject({ exitCode: 0, planted: [], restored: [] });
      const own = await person.run({ command: day, workspace: join(main, "inner") });
      expect(own).toMatchObject({ exitCode: 0, planted: [], restored: [] });
    });

    test("[PO-8] [SA-git-config] [SA-git-elsewhere] there neither hooks nor config can be made or changed, nor another worktree", async () => {
      await using person = await startPerson(kind);
      const { main, tree, sub } = await repository(person);
      const common = join(main, ".git");
      const places = [
        ...["config", "hooks/pre-commit", "HEAD", "index", "worktrees/other/HEAD", "worktrees/new/HEAD"],
        ...["worktrees/tree/commondir", "worktrees/tree/gitdir", "modules/libs/sub/config", "modules/libs/sub/HEAD"],
      ].map((name) => join(common, name));
      const before = places.map(textOf);
      const attack = places.map((path) => `echo evil > ${path}; rm -f ${path}; mv evil ${path}`).join("; ");
      const swaps = ["hooks", "worktrees", "modules", "worktrees/other"].map(
        (name) => `mv ${common}/${name} ${common}/x`,
      );
      await person.run({ command: `echo evil > evil; ${attack}; ${swaps.join("; ")}`, workspace: tree });
      expect(places.map(textOf)).toEqual(before);
      const led = await person.run({ command: `echo ${tree} > ${common}/commondir`, workspace: tree });
      expect(led.planted).toEqual([join(common, "commondir")]);
      expect(existsSync(join(common, "commondir"))).toBe(false);
      const own = join(common, "modules/libs/sub");
      const moduleAttack = `echo evil > ${own}/config; echo evil > ${own}/hooks/post-commit; git config core.pager evil`;
      for (const workspace of [sub, main]) {
        const config = textOf(join(own, "config"));
        await person.run({
          command: `${moduleAttack}; cd ${sub}; git config core.pager evil; mv ${own} ${own}2`,
          workspace,
        });
        expect(textOf(join(own, "config"))).toBe(config);
        expect(existsSync(join(own, "hooks/post-commit"))).toBe(false);
        expect(existsSync(`${own}2`)).toBe(false);
      }
      const status = await person.run({ command: "git status --porcelain", free: true, workspace: tree });
      expect(status).toMatchObject({ exitCode: 0 });
    });

    test("[PO-8] [SA-git-elsewhere] a .git file that leads to a repository which does not lead back gives nothing to write", async () => {
      await using person = await startPerson(kind);
      const { main, tree } = await repository(person);
      for (const target of [
        join(main, ".git"),
        join(main, ".git/worktrees/other"),
        join(main, ".git/modules/libs/sub"),
      ]) {
        person.write(join(person.workspace, ".git"), `gitdir: ${target}\n`);
        const { stdout } = await person.run(`touch ${target}/mark ${main}/.git/mark && echo written`);
        expect([stdout, existsSync(join(target, "mark"))]).toEqual(["", false]);
      }
      // The worktree that it was is still one of its own.
      expect((await person.run({ command: "git rev-parse HEAD", workspace: tree })).exitCode).toBe(0);
    });

    test("[PO-8] [SA-git-config] a rebase that waits there runs nothing, and what leads to other objects is set aside", async () => {
      await using person = await startPerson(kind);
      const { main, tree, sub } = await repository(person);
      const folders = [".git/worktrees/tree", ".git/modules/libs/sub", ".git"].map((name) => join(main, name));
      for (const [at, workspace] of [tree, sub, tree].entries()) {
        const folder = folders[at] ?? "";
        const list = join(folder, "rebase-merge/git-rebase-todo");
        const plant = `mkdir -p ${folder}/rebase-merge ${folder}/objects/info; echo 'exec touch evil' > ${list}; echo /x > ${folder}/objects/info/alternates`;
        const { restored, planted } = await person.run({ command: plant, workspace });
        expect([existsSync(list), existsSync(join(folder, "objects/info/alternates"))]).toEqual([false, false]);
        expect([...planted, ...restored]).toContain(list);
      }
      const rebase = `rm -r ${folders[0]}/rebase-merge ${folders[2]}/rebase-merge; git switch -qc side && echo 1 > b && git add b && ${git} commit -qm b && GIT_SEQUENCE_EDITOR='sed -i 1s/pick/edit/' ${git} rebase -qi HEAD~1`;
      expect(await person.run({ command: rebase, workspace: tree })).toMatchObject({ exitCode: 0, planted: [] });
      expect(await person.run({ command: `${git} rebase --continue`, workspace: tree })).toMatchObject({ exitCode: 0 });
    });

    test("[PO-8] [SA-git-config] hooks that the shared config takes from the files of a worktree are kept there too", async () => {
      await using person = await startPerson(kind);
      const { main, tree } = await repository(person);
      await person.run({ command: "git config core.hooksPath tools/hooks", free: true, workspace: main });
      person.write(join(tree, "tools/hooks/pre-commit"), "#!/bin/sh\n");
      await person.run({ command: "echo evil > tools/hooks/pre-commit; mv tools tools2", workspace: tree });
      expect(textOf(join(tree, "tools/hooks/pre-commit"))).toBe("#!/bin/sh\n");
    });
  });
}

function textOf(path: string): string | null {
  return existsSync(path) ? readFileSync(path, "latin1") : null;
}

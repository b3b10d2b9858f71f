// What a command leaves behind must not be run by the person's next `git status`.
import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { type Person, people, sharedPerson } from "../../support/sandbox-person.ts";

const identity = "-c user.email=a@b -c user.name=a";

/** Code that leaves a mark when git runs it for the person. In a command it would leave none: the home is read-only there. */
const evil = (home: string): string => `touch ${home}/PWN; echo`;

/** Each makes git run code for whoever looks at the repository; `vendor/lib` is nothing but a name. */
const plants: Readonly<Record<string, (home: string) => string>> = {
  "a gitlink to a new repository with fsmonitor": (home) =>
    `git init -q vendor/lib; git -C vendor/lib ${identity} commit -q --allow-empty -m x; git -C vendor/lib config core.fsmonitor '${evil(home)}'; git update-index --add --cacheinfo 160000,$(git -C vendor/lib rev-parse HEAD),vendor/lib`,
  "a gitlink whose repository lies elsewhere": (home) =>
    `mkdir -p vendor/lib; git init -q --bare store; git -C store ${identity} commit-tree $(git -C store write-tree) -m x > id; git -C store update-ref refs/heads/master $(cat id); git -C store config core.bare false; git -C store config core.worktree ../vendor/lib; git -C store read-tree --empty; git -C store config core.fsmonitor '${evil(home)}'; echo 'gitdir: ../../store' > vendor/lib/.git; git update-index --add --cacheinfo 160000,$(cat id),vendor/lib`,
  "a gitlink through a link": (home) =>
    `git init -q real; git -C real ${identity} commit -q --allow-empty -m x; git -C real config core.fsmonitor '${evil(home)}'; mkdir -p vendor/lib; ln -s ../../real/.git vendor/lib/.git; git update-index --add --cacheinfo 160000,$(git -C real rev-parse HEAD),vendor/lib`,
  "a repository that was put together under another name": (home) =>
    `git init -q vendor/made; git -C vendor/made ${identity} commit -q --allow-empty -m x; git -C vendor/made config core.fsmonitor '${evil(home)}'; mv vendor/made vendor/lib; git update-index --add --cacheinfo 160000,$(git -C vendor/lib rev-parse HEAD),vendor/lib`,
  "a repository out of an archive": (home) =>
    `git init -q stage/lib; git -C stage/lib ${identity} commit -q --allow-empty -m x; git -C stage/lib config core.fsmonitor '${evil(home)}'; git -C stage/lib rev-parse HEAD > id; tar -C stage -cf a.tar lib; rm -rf stage; mkdir -p vendor; tar -C vendor -xf a.tar; git update-index --add --cacheinfo 160000,$(cat id),vendor/lib`,
  "a repository in a folder that git ignores": (home) =>
    `echo node_modules > .gitignore; git init -q node_modules/lib; git -C node_modules/lib ${identity} commit -q --allow-empty -m x; git -C node_modules/lib config core.fsmonitor '${evil(home)}'; git update-index --add --cacheinfo 160000,$(git -C node_modules/lib rev-parse HEAD),node_modules/lib`,
  "a repository that only has its place": (home) =>
    `git init -q vendor/lib; git -C vendor/lib config core.fsmonitor '${evil(home)}'; echo x > vendor/lib/x`,
  "a repository with a longer path than is looked at": (home) =>
    `p=vendor; for i in $(seq 20); do p=$p/$(printf 'd%.0s' {1..190}); done; p=$p/vendor$(printf 'e%.0s' {1..80})/lib; git init -q --template= $p; git -C $p ${identity} commit -q --allow-empty -m x; git -C $p config core.fsmonitor '${evil(home)}'; git update-index --add --cacheinfo 160000,$(git -C $p rev-parse HEAD),$p`,
  "a clone with a hook": (home) =>
    `git ${identity} clone -q . vendor/lib; printf '#!/bin/sh\\n${evil(home)}\\n' > vendor/lib/.git/hooks/post-index-change; chmod +x vendor/lib/.git/hooks/post-index-change`,
  "a worktree that takes its config from elsewhere": (home) =>
    `git worktree add -q vendor/lib 2>/dev/null; git init -q --bare evil; cp -r .git/objects evil; git -C evil config core.bare false; git -C evil config core.fsmonitor '${evil(home)}'; echo ../../../evil > .git/worktrees/lib/commondir`,
  "a bare repository among ordinary files": (home) =>
    `mkdir -p vendor/lib; git init -q --bare vendor/lib; git -C vendor/lib config core.pager '${evil(home)}'; git -C vendor/lib config core.bare false; git -C vendor/lib config core.worktree ..; git -C vendor/lib config core.fsmonitor '${evil(home)}'`,
};

/** Everything that a shell prompt or an editor asks git, in every folder there is. */
const looks = `for d in $(find . -maxdepth 3 \\( -name .git -o -name objects -o -name refs -o -name hooks -o -name info \\) -prune -o -type d -print); do (cd $d && git status --short; git diff --stat; git -p log -1; git submodule status) >/dev/null 2>&1; done; true`;

for (const kind of people) {
  describe(`as ${kind}`, () => {
    const ready = sharedPerson(kind);
    const fresh = async (): Promise<Person> => {
      const person = await ready();
      for (const name of readdirSync(person.workspace)) rmSync(join(person.workspace, name), { recursive: true });
      rmSync(join(person.home, "PWN"), { force: true });
      const init = `git init -q . && echo a > a && git add a && git ${identity} commit -qm one`;
      await person.run({ command: init, free: true });
      return person;
    };
    const isRun = ({ home }: Person): boolean => existsSync(join(home, "PWN"));

    for (const [what, plant] of Object.entries(plants)) {
      test(`[PO-8] [SA-git-elsewhere] ${what} runs nothing, in the sandbox and without one`, async () => {
        for (const unconfined of [false, true]) {
          const person = await fresh();
          const run = await person.run({ command: `${plant(person.home)}; rm -f ${person.home}/PWN`, unconfined });
          await person.run({ command: looks, free: true });
          expect({ isRun: isRun(person), unconfined }).toEqual({ isRun: false, unconfined });
          expect(run.planted.map((path) => relative(person.workspace, path)).join(" ")).toMatch(
            /vendor|node_modules|real/,
          );
          expect(run.unkept).toEqual([]);
          expect(run.blamed).toContain("renamed to NAME.set-aside");
        }
      });
    }

    test("[PO-8] the attacks of this file are real: where they are allowed, git runs the code", async () => {
      const survived: string[] = [];
      for (const [what, plant] of Object.entries(plants)) {
        const person = await fresh();
        await person.run({ command: `${plant(person.home)}; rm -f ${person.home}/PWN`, free: true });
        await person.run({ command: looks, free: true });
        if (!isRun(person)) survived.push(what);
      }
      expect(survived).toEqual([]);
    });

    test("[PO-8] a hook that exists and may not be run stays so, and one that is changed is as it was", async () => {
      const person = await fresh();
      const hook = join(person.workspace, "sub/.git/hooks/pre-commit");
      await person.run({ command: `git init -q sub; echo mine > ${hook}; chmod 644 ${hook}`, free: true });
      for (const unconfined of [false, true]) {
        const run = await person.run({
          command: `chmod +x ${hook}; echo evil >> sub/.git/hooks/post-merge`,
          unconfined,
        });
        expect(run.restored).toEqual([hook]);
        expect(run.planted).toEqual([join(person.workspace, "sub/.git/hooks/post-merge")]);
        const changed = await person.run({ command: `echo evil >> ${hook}`, unconfined });
        expect([changed.planted, changed.restored, readFileSync(hook, "utf8")]).toEqual([[hook], [hook], "mine\n"]);
      }
    });

    test("[PO-8] work in a repository inside this one goes on: commits, branches and what git notes of them", async () => {
      const person = await fresh();
      await person.run({
        command: `git init -q sub && git -C sub ${identity} commit -q --allow-empty -m x`,
        free: true,
      });
      const work = `cd sub; echo 1 > f; git add f; git ${identity} commit -qm two; git switch -qc next; git config branch.next.description told; git stash list; git log --oneline | wc -l`;
      for (const unconfined of [false, true]) {
        const run = await person.run({ command: work.replace("next", `next-${unconfined}`), unconfined });
        expect([run.planted, run.restored, run.exitCode]).toEqual([[], [], 0]);
      }
    });

    test("[PO-8] [SA-git-config] the config of an inner repository is put back, whatever names a program in it", async () => {
      const person = await fresh();
      await person.run({ command: "git init -q deep/in/sub", free: true });
      const config = join(person.workspace, "deep/in/sub/.git/config");
      const before = readFileSync(config, "utf8");
      const settings = [
        ...["core.fsmonitor /x", "core.hooksPath /x", "core.pager x", "alias.st '!x'", "include.path ../../evil"],
        ...["filter.a.smudge x", "diff.external x", "core.sshCommand x", "remote.origin.url ext::x", "core.worktree /"],
        ...["url./x.insteadOf /y", "credential.helper '!x'", "merge.a.driver x", "uploadpack.packObjectsHook x"],
      ];
      for (const [at, setting] of settings.entries()) {
        const run = await person.run({ command: `git config -f ${config} ${setting}`, unconfined: at % 2 === 0 });
        expect([setting, run.restored, readFileSync(config, "utf8")]).toEqual([setting, [config], before]);
      }
      const worktree = await person.run(
        "echo x > deep/in/sub/.git/config.worktree; echo ../x > deep/in/sub/.git/commondir",
      );
      expect(worktree.planted.map((path) => path.slice(path.lastIndexOf("/") + 1)).sort()).toEqual([
        "commondir",
        "config.worktree",
      ]);
    });

    test("[PO-8] [SA-git-config] hooks and config that an inner repository takes from its files are kept too", async () => {
      const person = await fresh();
      const made =
        "git init -q sub; git -C sub config core.hooksPath ci; git -C sub config include.path ../conf; git -C sub config core.fsmonitor './tools/fs.sh 2'";
      await person.run({ command: made, free: true });
      for (const name of ["ci/pre-commit", "conf", "tools/fs.sh", "other.sh"])
        person.write(join(person.workspace, "sub", name), "mine\n");
      const spoil =
        "cd sub; for f in ci/pre-commit conf tools/fs.sh other.sh; do echo evil > $f; done; echo evil > ci/post-merge";
      for (const unconfined of [false, true]) {
        const run = await person.run({ command: spoil, unconfined });
        const names = (paths: readonly string[]) =>
          paths.map((path) => relative(join(person.workspace, "sub"), path)).sort();
        expect(names(run.restored)).toEqual(["ci/pre-commit", "conf", "tools/fs.sh"]);
        expect(names(run.planted)).toContain("ci/post-merge");
        expect(readFileSync(join(person.workspace, "sub/other.sh"), "utf8")).toBe("evil\n");
      }
    });

    test("[PO-8] a rebase that the person did not begin runs nothing when they go on with it", async () => {
      const person = await fresh();
      const { home, workspace } = person;
      const plant = `mkdir .git/rebase-merge; cd .git/rebase-merge; git rev-parse HEAD | tee onto > orig-head; echo refs/heads/master > head-name; echo 'exec touch ${home}/PWN' > git-rebase-todo; touch done interactive`;
      for (const unconfined of [false, true]) {
        const run = await person.run({ command: plant, unconfined });
        expect(run.planted).toEqual([join(workspace, ".git/rebase-merge/git-rebase-todo")]);
        await person.run({ command: `git ${identity} rebase --continue; true`, free: true });
        expect(isRun(person)).toBe(false);
        rmSync(join(workspace, ".git/rebase-merge"), { recursive: true, force: true });
      }
    });

    test("[PO-8] repositories that are made and removed by the same command are nobody's business", async () => {
      const person = await fresh();
      const run = await person.run(
        `for i in 1 2 3; do git init -q tmp/r$i; git -C tmp/r$i ${identity} commit -q --allow-empty -m x; done; git -C tmp/r2 log --oneline | wc -l; rm -rf tmp; git init -q --bare b; rm -rf b`,
      );
      expect([run.stdout, run.planted, run.exitCode]).toEqual(["1\n", [], 0]);
    });

    test("[PO-8] the workspace's own repository comes back when a command without a sandbox moved it away", async () => {
      const person = await fresh();
      const { workspace } = person;
      const moves = ["mv .git store", "mv .git store; mkdir .git", "mv .git store; echo gitdir: store > .git"];
      for (const move of moves) {
        const run = await person.run({
          command: `${move}; git -C store config core.fsmonitor x; true`,
          unconfined: true,
        });
        expect(run.restored).toContain(join(workspace, ".git"));
        expect(existsSync(join(workspace, "store"))).toBe(false);
        const now = await person.run({ command: "git log --oneline | wc -l; git config core.fsmonitor", free: true });
        expect(now.stdout).toBe("1\n");
        for (const name of readdirSync(workspace)) if (name.includes("set-aside")) rmSync(join(workspace, name));
      }
    });

    test("[PO-8] a command that the person allowed to makes repositories, also beside a job that may not", async () => {
      const person = await fresh();
      const { workspace } = person;
      await person.run({ command: "git init -q sub", free: true });
      expect(existsSync(join(workspace, "sub/.git/HEAD"))).toBe(true);
      const allowed = [join(workspace, "lib/.git")];
      const run = await person.run({ command: "git init -q lib; git init -q other", allowed });
      expect(run.planted).toEqual([join(workspace, "other/.git")]);
      expect(existsSync(join(workspace, "lib/.git/HEAD"))).toBe(true);
    });

    test("[PO-8] what is set aside is all there, and no repository any more, not even for whoever goes there", async () => {
      const person = await fresh();
      const { workspace } = person;
      await person.run(
        `git init -q sub; echo told > sub/.git/description; git -C sub config core.pager '${evil(person.home)}'`,
      );
      expect(readFileSync(join(workspace, "sub/.git.set-aside/description"), "utf8")).toBe("told\n");
      const there = await person.run({ command: "cd sub/.git.set-aside && git rev-parse --git-dir", free: true });
      expect(there.stdout).toBe(`${workspace}/.git\n`);
      person.write(join(workspace, "sub/.git/keep"), "mine\n");
      const again = await person.run("echo gitdir: ../x > sub/.git/gitdir");
      expect(again.planted).toEqual([join(workspace, "sub/.git/gitdir")]);
      expect(readFileSync(join(workspace, "sub/.git/keep"), "utf8")).toBe("mine\n");
    });
  });
}

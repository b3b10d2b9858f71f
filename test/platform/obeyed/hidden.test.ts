// Ways to keep what is planted out of the comparison's sight.
import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Person, people, sharedPerson } from "../../support/sandbox-person.ts";

const identity = "-c user.email=a@b -c user.name=a";

for (const kind of people) {
  describe(`as ${kind}`, () => {
    const ready = sharedPerson(kind);
    /** The person's own folder, made by this. */
    const fresh = async (command: string): Promise<Person> => {
      const person = await ready();
      for (const name of readdirSync(person.workspace)) rmSync(join(person.workspace, name), { recursive: true });
      await person.run({ command, free: true });
      return person;
    };
    const text = ({ workspace }: Person, path: string): string => readFileSync(join(workspace, path), "utf8");

    test("[PO-8] an empty folder called .git inside of what is obeyed hides nothing of it", async () => {
      for (const unconfined of [false, true]) {
        const person = await fresh("mkdir -p sub/.vscode; echo old > sub/.vscode/settings.json");
        const command =
          "mkdir sub/.vscode/.git; echo evil > sub/.vscode/tasks.json; echo evil > sub/.vscode/settings.json";
        const run = await person.run({ command, unconfined });
        expect(text(person, "sub/.vscode/settings.json")).toBe("old\n");
        expect(readdirSync(join(person.workspace, "sub/.vscode"))).not.toContain("tasks.json");
        expect(run.planted.map((path) => path.slice(person.workspace.length + 1)).toSorted()).toEqual([
          "sub/.vscode/settings.json",
          "sub/.vscode/tasks.json",
        ]);
      }
    });

    test("[PO-8] a hook is found among more files than anybody has hooks", async () => {
      for (const unconfined of [false, true]) {
        const person = await fresh(
          `git init -q sub && git -C sub config core.hooksPath tools && mkdir sub/tools && echo old > sub/tools/pre-push`,
        );
        const command =
          "cd sub/tools; touch $(seq 600); echo evil > pre-push; printf '#!/bin/sh\\n' > pre-commit; chmod +x pre-commit";
        const run = await person.run({ command, unconfined });
        expect(text(person, "sub/tools/pre-push")).toBe("old\n");
        expect(readdirSync(join(person.workspace, "sub/tools"))).not.toContain("pre-commit");
        expect(run.planted).toContain(join(person.workspace, "sub/tools/pre-commit"));
      }
    });

    test("[PO-8] a strategy that leads to a program of the project is not left for who goes on with a rebase or a pick", async () => {
      for (const unconfined of [false, true]) {
        const person = await fresh(`git init -q . && git ${identity} commit -q --allow-empty -m one`);
        const command = `mkdir -p .git/sequencer .git/rebase-merge git-merge-a; echo a/evil > .git/rebase-merge/strategy; printf '[options]\\n\\tstrategy = a/evil\\n' > .git/sequencer/opts`;
        await person.run({ command, unconfined });
        expect(readdirSync(join(person.workspace, ".git/sequencer"))).toEqual(["opts.set-aside"]);
        expect(readdirSync(join(person.workspace, ".git/rebase-merge"))).toEqual(["strategy.set-aside"]);
      }
    });

    test("[PO-8] a rebase with a strategy of git's own stops and goes on in the sandbox", async () => {
      const make = `git init -q . && echo 1 > f && git add f && git ${identity} commit -qm 1 && git switch -qc b && echo 2 > f && git ${identity} commit -qam 2 && git switch -q - && echo 3 > f && git ${identity} commit -qam 3`;
      const person = await fresh(make);
      const first = await person.run({ command: `git ${identity} rebase -s ort b; git ${identity} status | head -1` });
      expect(first.planted).toEqual([]);
      const next = `echo 4 > f && git add f && GIT_EDITOR=true git ${identity} rebase --continue && git log --format=%s`;
      const second = await person.run({ command: next });
      expect(second.planted).toEqual([]);
      expect(second.stdout).toContain("3\n2\n1");
    });

    test("[PO-8] no link stays in a folder of git's through which the person's next commit would write elsewhere", async () => {
      for (const unconfined of [false, true]) {
        const person = await fresh(`git init -q . && git ${identity} commit -q --allow-empty -m one`);
        const shell = join(person.home, ".bashrc");
        person.write(shell, "mine\n");
        const plant = [
          `ln -sf ${shell} .git/COMMIT_EDITMSG`,
          `ln -sf ${shell} .git/logs/HEAD`,
          `ln -sf ${shell} .git/logs/refs/heads/$(git symbolic-ref --short HEAD)`,
        ];
        const run = await person.run({ command: `${plant.join("; ")}; echo evil > .git/MERGE_MSG`, unconfined });
        expect(run.planted).toHaveLength(3);
        await person.run({ command: `GIT_EDITOR=true git ${identity} commit -q --allow-empty`, free: true });
        expect(readFileSync(shell, "utf8")).toBe("mine\n");
        const moved = await person.run({ command: `mv .git/logs kept; ln -s ../kept .git/logs`, unconfined });
        expect(moved.planted).toEqual([join(person.workspace, ".git/logs")]);
      }
    });

    test("[PO-8] no remote is left in the places that git knew before its config", async () => {
      for (const unconfined of [false, true]) {
        const person = await fresh(`git init -q . && git ${identity} commit -q --allow-empty -m one`);
        const command = `mkdir -p .git/remotes .git/branches; echo 'URL: /x' > .git/remotes/origin; echo /x > .git/branches/other`;
        const run = await person.run({ command, unconfined });
        const names = run.planted.map((path) => path.slice(person.workspace.length + 1)).toSorted();
        expect(names).toEqual([".git/branches/other", ".git/remotes/origin"]);
        const seen = await person.run({ command: "git ls-remote --get-url origin", free: true });
        expect(seen.stdout).toBe("origin\n");
      }
    });
  });
}

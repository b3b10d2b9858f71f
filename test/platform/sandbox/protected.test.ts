import { describe, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { protectedNames } from "../../../src/contract/path/protected.ts";
import { type Person, people, sharedPerson, startPerson } from "../../support/sandbox-person.ts";
import { untilFile } from "../../support/shell.ts";
import { until } from "../../support/until.ts";

/** They lie in git's own folder and run nothing; see `powerless`. */
const powerless = new Set([".git/info/attributes", ".git/objects/info/alternates", ".git/config.worktree"]);
const names = protectedNames.filter(({ path }) => !powerless.has(path));
const spelled = (path: string): string =>
  ({ jenkinsfile: "Jenkinsfile", "library/launchagents": "Library/LaunchAgents" })[path] ?? path;
const fileIn = ({ path, kind }: (typeof names)[number]): string =>
  kind === "file" ? spelled(path) : `${spelled(path)}/x`;

for (const kind of people) {
  describe(`as ${kind}`, () => {
    const ready = sharedPerson(kind);
    const fresh = async (): Promise<Person> => {
      const person = await ready();
      for (const name of readdirSync(person.workspace)) rmSync(join(person.workspace, name), { recursive: true });
      return person;
    };
    const withGit = async (): Promise<Person> => {
      const person = await fresh();
      await person.run({ command: "git init -q . && git config user.email a@b && git config user.name a", free: true });
      return person;
    };

    test("[PO-8] [SA-protected-missing] no protected file that does not exist comes to be, in the foreground", async () => {
      const person = await fresh();
      const { workspace } = person;
      const makeAll = names.map(fileIn).map((file) => `mkdir -p ${dirname(file)}; echo evil > ${file}`);
      const run = await person.run(`(${makeAll.join("; ")}) 2>/dev/null; echo done`);
      expect(run.blamed).toContain("other programs run automatically");
      expect(names.map(fileIn).filter((file) => existsSync(join(workspace, file)))).toEqual([]);
      expect(readdirSync(workspace).some((name) => name.endsWith(".set-aside"))).toBe(true);
    });

    test("[PO-8] [SA-protected-missing] a background job cannot make them, and leaves no trace of that", async () => {
      const person = await withGit();
      const { workspace } = person;
      const before = readdirSync(workspace);
      const tries = [".vscode/tasks.json", ".bashrc", ".github/workflows/ci.yml", ".git/hooks/pre-commit", ".coder/x"];
      const make = tries.map((file) => `mkdir -p $(dirname ${file}); echo evil > ${file}`).join("; ");
      const run = await person.run({ command: `(${make}) 2>/dev/null; echo tried`, background: true });
      expect(run.stdout).toBe("tried\n");
      expect(readdirSync(workspace)).toEqual(before);
      expect(readdirSync(join(workspace, ".git", "hooks")).filter((name) => !name.endsWith(".sample"))).toEqual([]);
    });

    test("[PO-8] [SA-protected-existing] protected files that exist cannot be changed, removed or replaced", async () => {
      const person = await withGit();
      const files = names.map(fileIn).filter((file) => !["commondir", "gitdir"].some((name) => file.endsWith(name)));
      for (const file of files.filter((path) => path !== ".git/config"))
        person.write(join(person.workspace, file), "mine\n");
      const config = readFileSync(join(person.workspace, ".git", "config"), "utf8");
      const spoil = `for f in ${files.join(" ")}; do echo evil > $f; rm -rf $f; mv $f gone; mv new $f; ln -sf /etc/passwd $f; done`;
      await person.run(`echo evil > new; (${spoil}) 2>/dev/null; true`);
      const spoiled = files.filter(
        (file) => readFileSync(join(person.workspace, file), "utf8") !== (file === ".git/config" ? config : "mine\n"),
      );
      expect(spoiled).toEqual([]);
    });

    test("[PO-8] [SA-protected-existing] a protected file's folder cannot be swapped for another", async () => {
      const person = await withGit();
      person.write(join(person.workspace, ".github", "workflows", "ci.yml"), "mine\n");
      const swap = (folder: string, file: string) =>
        `mv ${folder} ${folder}-old; mkdir -p $(dirname ${file}); echo evil > ${file}; rm -rf ${folder}; ln -s /tmp ${folder}`;
      await person.run(
        `(${swap(".git", ".git/hooks/pre-commit")}; ${swap(".github", ".github/workflows/ci.yml")}) 2>/dev/null; true`,
      );
      expect(readFileSync(join(person.workspace, ".github", "workflows", "ci.yml"), "utf8")).toBe("mine\n");
      expect(readFileSync(join(person.workspace, ".git", "config"), "utf8")).toContain("email = a@b");
      expect(existsSync(join(person.workspace, ".git", "hooks", "pre-commit"))).toBe(false);
      expect(lstatSync(join(person.workspace, ".git")).isDirectory()).toBe(true);
    });

    test("[PO-8] [SA-git-elsewhere] git cannot be led to config and hooks elsewhere", async () => {
      const person = await withGit();
      const plant = "mkdir -p evil/hooks; cp .git/config evil/; echo ../evil > .git/commondir";
      for (const background of [false, true]) {
        const run = await person.run({ command: plant, background });
        expect(run.planted).toEqual([join(person.workspace, ".git", "commondir")]);
        expect(existsSync(join(person.workspace, ".git", "commondir"))).toBe(false);
      }
    });

    test("[PO-8] [SA-git-config] hooks and config that the repository takes from its files are kept too", async () => {
      const person = await withGit();
      await person.run({
        command: "git config core.hooksPath ci/hooks; git config include.path ../shared.conf",
        free: true,
      });
      for (const file of ["ci/hooks/pre-commit", "shared.conf"]) person.write(join(person.workspace, file), "");
      const run = await person.run("echo evil > ci/hooks/pre-commit; echo evil > shared.conf; mv ci cj; ls");
      expect(run.stdout).toBe("ci\nevil\nshared.conf\n".replace("evil\n", ""));
      expect(readFileSync(join(person.workspace, "ci/hooks/pre-commit"), "utf8")).toBe("");
      expect(readFileSync(join(person.workspace, "shared.conf"), "utf8")).toBe("");
    });

    test("[PO-8] a protected link stays the link it is", async () => {
      const person = await fresh();
      person.write(join(person.workspace, "real", "settings.json"), "mine\n");
      symlinkSync("real", join(person.workspace, ".vscode"));
      const run = await person.run("rm .vscode; mkdir .vscode; echo evil > .vscode/tasks.json");
      expect(run.planted).toEqual([join(person.workspace, ".vscode")]);
      expect(lstatSync(join(person.workspace, ".vscode")).isSymbolicLink()).toBe(true);
      expect(existsSync(join(person.workspace, ".vscode", "tasks.json"))).toBe(false);
    });

    test("[PO-8] [SA-protected-existing] what a protected link leads to in a writable folder is kept as well", async () => {
      const person = await withGit();
      const { workspace } = person;
      renameSync(join(workspace, ".git"), join(workspace, "store"));
      symlinkSync("store", join(workspace, ".git"));
      person.write(join(workspace, "conf", "settings.json"), "mine\n");
      symlinkSync("conf", join(workspace, ".vscode"));
      const config = readFileSync(join(workspace, "store", "config"), "utf8");
      const tries = ["store/hooks/pre-commit", "store/config", "conf/settings.json", ".vscode/tasks.json"];
      await person.run(`(${tries.map((file) => `echo evil > ${file}`).join("; ")}; mv store other) 2>/dev/null; true`);
      expect(existsSync(join(workspace, "store", "hooks", "pre-commit"))).toBe(false);
      expect(readFileSync(join(workspace, "store", "config"), "utf8")).toBe(config);
      expect(readdirSync(join(workspace, "conf"))).toEqual(["settings.json"]);
      expect(readFileSync(join(workspace, "conf", "settings.json"), "utf8")).toBe("mine\n");
    });

    test("[PO-8] [SA-git-elsewhere] a repository in a folder of another name, to which a file leads, is kept as well", async () => {
      const person = await fresh();
      const { workspace } = person;
      const make = "git init -q --bare .bare && echo 'gitdir: ./.bare' > .git && rm -r .bare/hooks";
      await person.run({ command: make, free: true });
      const config = readFileSync(join(workspace, ".bare", "config"), "utf8");
      for (const background of [false, true]) {
        const spoil =
          "mkdir .bare/hooks; echo evil > .bare/hooks/post-checkout; echo evil > .bare/config; mv .bare other";
        await person.run({ command: `(${spoil}) 2>/dev/null; true`, background });
        expect(existsSync(join(workspace, ".bare", "hooks"))).toBe(false);
        expect(readFileSync(join(workspace, ".bare", "config"), "utf8")).toBe(config);
      }
    });

    test("[PO-8] [SA-protected-missing] a place that two processes hold is held until both are done", async () => {
      const person = await fresh();
      const { workspace, coderHome } = person;
      await using other = await startPerson(kind);
      const wait = (sign: string, go: string): string => `touch ${sign}; ${untilFile(go)}`;
      const first = person.run(wait("one", "go-one"));
      await until("the first runs", () => existsSync(join(workspace, "one")));
      const plant = "mkdir -p .git .coder; echo evil > .git/config; echo evil > .coder/config.json";
      const command = `${wait("two", "go-two")}; (${plant}) 2>/dev/null; true`;
      const second = other.run({ command, workspace, coderHome });
      await until("the second runs", () => existsSync(join(workspace, "two")));
      person.write(join(workspace, "go-one"), "");
      await first;
      expect(readdirSync(workspace).sort()).toEqual([".coder", ".git", "go-one", "one", "two"]);
      person.write(join(workspace, "go-two"), "");
      await second;
      expect(readdirSync(workspace).sort()).toEqual(["go-one", "go-two", "one", "two"]);
    });

    test("[PO-8] [SA-symlink-out] what is set aside is never something outside that a link leads to", async () => {
      const person = await fresh();
      person.write(join(person.home, "elsewhere", "workflows", "ci.yml"), "mine\n");
      await person.run("ln -s ~/elsewhere .github");
      expect(readdirSync(join(person.home, "elsewhere"))).toEqual(["workflows"]);
      expect(existsSync(join(person.workspace, ".github"))).toBe(false);
    });

    test("[PO-8] a command that makes a protected file is ended for it while it runs", async () => {
      const person = await fresh();
      const run = await person.run("mkdir .idea; echo evil > .idea/x; sleep 1000");
      expect(run.planted).toEqual([join(person.workspace, ".idea")]);
      expect(run.timedOut).toBe(false);
    });

    test("[PO-8] git works: add, commit, branch, stash; its config does not change", async () => {
      const person = await withGit();
      const work =
        "echo 1 > a; git add a; git commit -qm one; git checkout -qb next; echo 2 > a; git stash -q; git log --oneline | wc -l";
      expect(await person.run(work)).toMatchObject({ exitCode: 0, stdout: "1\n", planted: [] });
      const config = await person.run("git config alias.x '!evil'");
      expect(config).toMatchObject({ exitCode: 4, blamed: expect.stringContaining("the sandbox protects files") });
    });

    test("[PO-8] where no repository is, none comes to be, and nothing is left of the attempt", async () => {
      const person = await fresh();
      const run = await person.run("git init .");
      expect(run).toMatchObject({ exitCode: 128, blamed: expect.stringContaining("the sandbox protects files") });
      expect(readdirSync(person.workspace)).toEqual([]);
    });

    test("[PO-8] what the person puts into a held place meanwhile stays", async () => {
      const person = await fresh();
      const running = person.run(`touch started; ${untilFile("seen")}`);
      const { workspace } = person;
      await until("the command runs", () => existsSync(join(workspace, "started")));
      person.write(join(workspace, ".coder", "config.json"), "{}");
      person.write(join(workspace, "seen"), "");
      await running;
      expect(readFileSync(join(workspace, ".coder", "config.json"), "utf8")).toBe("{}");
      expect(readdirSync(workspace).sort()).toEqual([".coder", "seen", "started"]);
    });

    test("[PO-8] [SA-protected-missing] in a folder that we may not write commands run, and make nothing there", async () => {
      const person = await fresh();
      const { workspace } = person;
      // Root could write it all the same: there the places are held.
      chmodSync(workspace, 0o555);
      const run = await person.run("echo ran; chmod u+w .; mkdir -p .git/hooks && echo evil > .git/hooks/x; true");
      chmodSync(workspace, 0o755);
      expect(run.stdout).toBe("ran\n");
      expect(existsSync(join(workspace, ".git"))).toBe(false);
    });

    test("[PO-8] an empty folder with a protected name is left alone", async () => {
      const person = await fresh();
      mkdirSync(join(person.workspace, ".fleet"));
      const run = await person.run("mkdir .zed; true");
      expect({ planted: run.planted, names: readdirSync(person.workspace).sort() }).toEqual({
        planted: [],
        names: [".fleet", ".zed"],
      });
    });
  });
}

// A project folder that was renamed or moved finds its sessions again.
import { describe, expect, test } from "bun:test";
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sh } from "../../platform/changes/ground.ts";
import { Cli, Lines, type Ran } from "../../support/cli.ts";
import { sitDown } from "../../support/pty.ts";
import { pressUntil } from "../../surface/tui/life.ts";

const limit = 120_000;
const identity = "-c user.name=a -c user.email=a@b";

/** A folder beside the workspace of the test, and the program in it. */
class Project {
  readonly path: string;
  private readonly cli: Cli;

  constructor(cli: Cli, name: string) {
    this.cli = cli;
    this.path = join(cli.root, name);
  }

  make(isRepository: boolean): this {
    mkdirSync(this.path);
    writeFileSync(join(this.path, "a.txt"), `${this.path}\n`);
    if (isRepository) sh(`git init -q && git add . && git ${identity} commit -qm first`, this.path);
    return this;
  }

  movedTo(name: string): Project {
    const next = new Project(this.cli, name);
    renameSync(this.path, next.path);
    return next;
  }

  run(...args: readonly string[]): Promise<Ran> {
    return this.cli.run([...args, "--cwd", this.path]);
  }

  task(...args: readonly string[]): Promise<Ran> {
    return this.run("run", ...this.cli.model, "--mode", "auto-edit", ...args);
  }

  async ids(): Promise<readonly string[]> {
    return (JSON.parse((await this.run("sessions", "--json")).out) as { id: string }[]).map(({ id }) => id);
  }
}

const script = [
  [{ calls: [{ tool: "write", input: { path: "b.txt", content: "b\n" } }] }, { text: "first" }],
  [{ text: "second" }],
];

describe("a renamed folder", () => {
  for (const isRepository of [true, false]) {
    test(
      `[PS-3] that is ${isRepository ? "a" : "no"} repository is told which sessions were made in it, and gets them with a yes`,
      async () => {
        using cli = new Cli(script);
        const old = new Project(cli, "old").make(isRepository);
        expect((await old.task("begin")).code).toBe(0);
        const ids = await old.ids();
        const project = old.movedTo("new");
        const stranded = await project.task("--continue", "and now");
        expect([stranded.code, stranded.err]).toEqual([2, expect.stringContaining("coder sessions move --yes")]);
        expect(stranded.err).toContain(old.path);
        expect((await project.run("sessions")).err).toContain("coder sessions move --yes");
        // Looking changes nothing.
        expect((await project.run("sessions", "move")).out).toContain(`from ${old.path}: 1`);
        expect(await project.ids()).toEqual([]);
        expect((await project.run("sessions", "move", "--yes")).code).toBe(0);
        expect(await project.ids()).toEqual(ids);
        const gone = await project.task("--continue", "and now");
        expect([gone.code, gone.out]).toEqual([0, "second\n"]);
        const asked = cli.server.requests.at(-1)?.body.messages.map(({ content }) => String(content)) ?? [];
        expect(asked.some((text) => text.startsWith("begin"))).toBe(true);
        expect(asked.some((text) => text.includes(`moved from ${old.path} to ${project.path}`))).toBe(true);
      },
      limit,
    );
  }

  test(
    "[RB-2] [PS-3] takes back at its new place what was done at the old one",
    async () => {
      using cli = new Cli(script);
      const project = new Project(cli, "old").make(true);
      await project.task("begin");
      const moved = project.movedTo("new");
      await moved.run("sessions", "move", "--yes");
      expect(existsSync(join(moved.path, "b.txt"))).toBe(true);
      const undone = await moved.run("undo", "--mode", "yolo");
      expect([undone.code, existsSync(join(moved.path, "b.txt"))]).toEqual([0, false]);
      expect(readFileSync(join(moved.path, "a.txt"), "utf8")).toBe(`${project.path}\n`);
    },
    limit,
  );

  test(
    "[PS-3] is known by its commits where nothing of ours moved along",
    async () => {
      using cli = new Cli(script);
      const old = new Project(cli, "old").make(true);
      await old.task("begin");
      const project = old.movedTo("new");
      sh("git pack-refs --all && git gc -q", project.path);
      rmSync(join(project.path, ".coder"), { recursive: true });
      expect((await project.run("sessions", "move", "--yes")).out).toContain(": 1");
      expect((await project.ids()).length).toBe(1);
    },
    limit,
  );

  test(
    "[PS-3] whose old name is a link to the new one gets its sessions",
    async () => {
      for (const isRepository of [true, false]) {
        using cli = new Cli(script);
        const old = new Project(cli, "old").make(isRepository);
        await old.task("begin");
        const project = old.movedTo("new");
        symlinkSync(project.path, old.path);
        expect((await project.task("--continue", "and now")).err).toContain("coder sessions move --yes");
        expect((await project.run("sessions", "move", "--yes")).out).toContain(": 1");
        expect((await project.task("--continue", "and now")).out).toBe("second\n");
      }
    },
    limit,
  );

  test(
    "[PS-3] whose old name another project has by now gets its own sessions and not that one's",
    async () => {
      using cli = new Cli([[{ text: "first" }]]);
      const old = new Project(cli, "old").make(true);
      await old.task("begin");
      const mine = await old.ids();
      const project = old.movedTo("new");
      const other = new Project(cli, "old").make(true);
      await other.task("begin");
      const all = await other.ids();
      expect((await project.run("sessions", "move", "--yes")).code).toBe(0);
      expect([await project.ids(), await other.ids()]).toEqual([mine, all.filter((id) => !mine.includes(id))]);
    },
    limit,
  );
});

describe("sessions stay where they are", () => {
  test(
    "[PS-3] when the folder was only copied, and when another repository asks",
    async () => {
      using cli = new Cli(script);
      const old = new Project(cli, "old").make(true);
      await old.task("begin");
      const copy = new Project(cli, "copy");
      cpSync(old.path, copy.path, { recursive: true });
      const other = new Project(cli, "other").make(true);
      for (const project of [copy, other]) {
        expect((await project.run("sessions", "move", "--yes")).out).toContain("No session of this project");
        expect((await project.task("--continue", "on")).err).toContain("this workspace has no session");
      }
      old.movedTo("gone");
      expect((await other.run("sessions", "move", "--yes")).out).toContain("No session of this project");
    },
    limit,
  );

  test(
    "[PS-5] while another process has them open, and with --from while the folder is there",
    async () => {
      using cli = new Cli([{ stallAfter: 0 }]);
      const old = new Project(cli, "old").make(true);
      const child = cli.start(["run", ...cli.model, "--cwd", old.path, "--output", "stream-json", "begin"]);
      await new Lines(child.stdout).event("run.started");
      expect((await new Project(cli, "new").make(true).run("sessions", "move", "--from", old.path, "--yes")).code).toBe(
        2,
      );
      const project = old.movedTo("moved");
      const held = await project.run("sessions", "move", "--from", old.path, "--yes");
      expect([held.code, held.err]).toEqual([8, expect.stringContaining("another process has them open")]);
      expect(await project.ids()).toEqual([]);
      child.kill("SIGKILL");
      await child.exited;
      expect((await project.run("sessions", "move", "--from", old.path, "--yes")).code).toBe(0);
      expect((await project.ids()).length).toBe(1);
    },
    limit,
  );
});

describe("in the terminal", () => {
  test(
    "[PS-3] the person is asked, and --continue opens what was brought along",
    async () => {
      using cli = new Cli(script);
      const old = new Project(cli, "old").make(true);
      await old.task("begin");
      const project = old.movedTo("new");
      {
        await using person = sitDown(cli, [...cli.model, "--cwd", project.path]);
        await person.waitFor("2 No, leave them");
        await pressUntil(person, "2", () => person.screen().includes("> No, leave them"));
        await person.waitFor("> Ask anything");
        person.press("ctrl+d");
        expect(await person.exited).toBe(0);
      }
      expect(await project.ids()).toEqual([]);
      await using person = sitDown(cli, [...cli.model, "--cwd", project.path, "--continue"]);
      await person.waitFor("2 No, leave them");
      await pressUntil(person, "1", () => person.screen().includes("> Yes"));
      await person.waitFor("first");
      expect((await project.ids()).length).toBe(1);
    },
    limit,
  );
});

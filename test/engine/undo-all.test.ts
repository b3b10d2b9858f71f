import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { say } from "../../src/contract/text/catalogue.ts";
import { sh, treeOf } from "../platform/changes/ground.ts";
import { Bench, type Seat } from "../support/engine.ts";

const write = (path: string, content: string) => ({ calls: [{ tool: "write", input: { path, content } }] });
const done = { text: "done" };
const start = "git init -q && git add -A && git -c user.name=a -c user.email=a@b commit -qm first";

/** A repository with a committed file, changed by the person, and one of which git knows nothing. */
function mess(bench: Bench): void {
  bench.file("a.txt", "1\n2\n3\n");
  bench.file("b.txt", "b\n");
  sh(start, bench.workspace);
  bench.file("a.txt", "1\nmine\n3\n");
  sh(
    "chmod 755 b.txt && mkdir -p new/deep && echo n > new/deep/n && chmod 600 new/deep/n && ln -s n new/link",
    bench.workspace,
  );
}

async function answered(seat: Seat, text: string, answer: "yes" | "no"): Promise<readonly string[]> {
  await seat.engine.runInput(text);
  await seat.until((one) => one.kind === "event" && seat.approval() !== null && seat.approval() !== undefined);
  const open = seat.approval();
  seat.engine.answer(open?.callId ?? "", { answer, by: "person" });
  await seat.engine.idle();
  return (open?.reasons ?? []).map((one) => say("en", one));
}

const clean = { "a.txt": "644 1\n2\n3\n", "b.txt": "644 b\n" };
const risk =
  "drops all uncommitted work in the workspace, your own too: 4 files go back to their staged or committed state, or are deleted if git does not know them (/redo restores them)";

describe("[RB-3] /undo --all", () => {
  test("asks once, says what it drops, and drops it; /redo brings all of it back, and the index is never touched", async () => {
    await using bench = new Bench([]);
    mess(bench);
    const tree = treeOf(bench.workspace);
    const index = readFileSync(join(bench.workspace, ".git/index"));
    const seat = bench.open({}, { interactive: true });
    expect((await answered(seat, "/undo --all", "no")).at(-1)).toBe(risk);
    expect(treeOf(bench.workspace)).toEqual(tree);
    expect((await answered(seat, "/undo --all", "yes")).at(-1)).toBe(risk);
    expect(seat.all("approval.answered").length).toBe(2);
    expect(treeOf(bench.workspace)).toEqual(clean);
    await seat.run("/redo");
    expect(seat.all("approval.answered").length).toBe(2);
    expect(treeOf(bench.workspace)).toEqual(tree);
    expect(readFileSync(join(bench.workspace, ".git/index")).equals(index)).toBe(true);
    await seat.run("/redo");
    expect(seat.last("tool.settled").result.output).toStartWith("E_INVALID_ARGS: nothing to redo");
  });

  test("also in a later session of the program: what was dropped is in the store", async () => {
    await using bench = new Bench([]);
    mess(bench);
    const tree = treeOf(bench.workspace);
    const first = bench.open({}, { interactive: true });
    await answered(first, "/undo --all", "yes");
    const { id } = first.engine.state();
    await first.close();
    const later = bench.open({}, { interactive: true });
    await later.engine.resume(id);
    await later.run("/redo");
    expect(treeOf(bench.workspace)).toEqual(tree);
  });

  test("takes the tasks with it of which nothing is left: /undo does not offer them, and a redo gives them back", async () => {
    await using bench = new Bench([
      [write("made.txt", "made\n"), done],
      [write("kept.txt", "kept\n"), done],
    ]);
    mess(bench);
    const seat = bench.open({ mode: "auto-edit" }, { interactive: true });
    await seat.run("first");
    await seat.run("second");
    // What was committed since is not dropped, so it can still be taken back by itself.
    sh("git add kept.txt && git -c user.name=a -c user.email=a@b commit -qm kept", bench.workspace);
    const tree = treeOf(bench.workspace);
    await answered(seat, "/undo --all", "yes");
    expect(seat.last("tool.settled").result.data).toMatchObject({ all: true, redo: false, tasks: ["t1"] });
    expect(treeOf(bench.workspace)).toEqual({ ...clean, "kept.txt": "644 kept\n" });
    await seat.run("/undo");
    expect(seat.last("tool.settled").result.output).toBe('Undone: "second"\nremoved: kept.txt');
    await seat.run("/undo");
    expect(seat.last("tool.settled").result.output).toStartWith("E_INVALID_ARGS: nothing to undo");
    await seat.run("/redo");
    await seat.run("/redo");
    expect(treeOf(bench.workspace)).toEqual(tree);
    await seat.run("/undo 2");
    expect(existsSync(join(bench.workspace, "made.txt"))).toBe(false);
    expect(existsSync(join(bench.workspace, "kept.txt"))).toBe(false);
    expect(readFileSync(join(bench.workspace, "a.txt"), "utf8")).toBe("1\nmine\n3\n");
  });

  test("without a person it is denied, with the mode that would allow it; in that mode it is done", async () => {
    await using bench = new Bench([]);
    mess(bench);
    const tree = treeOf(bench.workspace);
    for (const mode of ["default", "auto-edit"] as const) {
      const seat = bench.open({ mode }, { interactive: false });
      await seat.run("/undo --all");
      const { status, output } = seat.last("tool.settled").result;
      expect([status, output.includes("your own too: 4 files"), output.split("\n").at(-1)]).toEqual([
        "denied",
        true,
        "needs approval, and nobody can be asked here; to allow it, use --mode yolo",
      ]);
    }
    expect(treeOf(bench.workspace)).toEqual(tree);
    const seat = bench.open({ mode: "yolo" }, { interactive: false });
    await seat.run("/undo --all");
    expect(treeOf(bench.workspace)).toEqual(clean);
  });

  test("asks in mode yolo too where a person is there, and does nothing in mode plan", async () => {
    await using bench = new Bench([]);
    mess(bench);
    const yolo = bench.open({ mode: "yolo" }, { interactive: true });
    expect(await answered(yolo, "/undo --all", "no")).toEqual([risk]);
    const plan = bench.open({ mode: "plan" }, { interactive: true });
    await plan.run("/undo --all");
    expect(plan.last("tool.settled").result.status).toBe("denied");
    expect(treeOf(bench.workspace)["a.txt"]).toBe("644 1\nmine\n3\n");
  });

  test("without a repository, or with nothing to drop, says so and asks nobody", async () => {
    await using bench = new Bench([]);
    bench.file("a.txt", "a\n");
    const seat = bench.open({}, { interactive: true });
    await seat.run("/undo --all");
    const { status, output } = seat.last("tool.settled").result;
    expect([status, output.split(":").slice(0, 2)]).toEqual([
      "failed",
      ["E_INVALID_ARGS", " /undo --all is unavailable"],
    ]);
    sh(start, bench.workspace);
    await seat.run("/undo --all");
    expect(seat.last("tool.settled").result.output).toStartWith("E_INVALID_ARGS: nothing to undo");
    expect(seat.all("tool.decided")).toEqual([]);
  });

  test("leaves our own folder alone, wherever it lies", async () => {
    await using bench = new Bench([]);
    const own = join(bench.workspace, "own");
    mkdirSync(own);
    rmSync(bench.home, { recursive: true, force: true });
    symlinkSync(own, bench.home);
    writeFileSync(join(own, "note"), "note\n");
    bench.file("a.txt", "a\n");
    sh("git init -q && git add a.txt && git -c user.name=a -c user.email=a@b commit -qm first", bench.workspace);
    bench.file("a.txt", "b\n");
    bench.file("n.txt", "n\n");
    const seat = bench.open({ mode: "yolo" }, { interactive: false });
    await seat.run("/undo --all");
    expect(seat.last("tool.settled").result.status).toBe("done");
    expect(Object.keys(treeOf(bench.workspace)).filter((name) => !/^own\/(coder|live)/.test(name))).toEqual([
      "a.txt",
      "own",
      "own/note",
    ]);
    await seat.run("/redo");
    expect(readFileSync(join(bench.workspace, "n.txt"), "utf8")).toBe("n\n");
  });
});

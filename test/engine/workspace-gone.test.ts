// A command that takes away the folder it runs in.
import { describe, expect, test } from "bun:test";
import { existsSync, lstatSync, rmSync } from "node:fs";
import { gitStart, settled, sh, treeOf } from "../platform/changes/ground.ts";
import { Bench } from "../support/engine.ts";

const commands = {
  removes: 'rm -rf "$PWD"; echo did',
  moves: 'mv "$PWD" "$PWD.moved"; echo did',
  "replaces by another": 'd="$PWD"; cd ..; mv "$d" "$d.moved"; mkdir "$d"; echo new > "$d/new.txt"; echo did',
  "replaces by a file": 'd="$PWD"; cd ..; rm -rf "$d"; echo file > "$d"; echo did',
} as const;

const clean = `${settled} && ${gitStart} && ${settled}`;
/** What the workspace is when the command begins. */
const grounds = {
  "no repository": "true",
  "a repository of loose objects": clean,
  "a packed repository": `${clean} && git repack -adq && git prune-packed`,
} as const;
const cases = Object.entries(commands).flatMap(([how, command]) =>
  Object.entries(grounds).map(([ground, begin]) => [how, ground, command, begin] as const),
);

describe.each(cases)("a command that %s the workspace folder, %s", (how, _ground, command, begin) => {
  test("[RB-1] [TP-3] [SM-9] keeps its result, is undone, and is named as a risk", async () => {
    await using bench = new Bench([{ text: "done" }]);
    const { workspace } = bench;
    await Bun.write(`${workspace}/a.txt`, "a\n");
    await Bun.write(`${workspace}/deep/er/b.txt`, "b\n");
    sh(begin, workspace);
    await Bun.write(`${workspace}/not-committed.txt`, "n\n");
    const before = treeOf(workspace);
    const seat = bench.open({ mode: "yolo", noSandbox: true });
    await seat.engine.runInput("do it", { call: { tool: "bash", input: { command } } });
    await seat.engine.idle();
    const { result } = seat.last("tool.settled");
    expect([result.status, result.output]).toEqual(["done", expect.stringContaining("did")]);
    expect(seat.all("notice.given").map(({ text }) => text.key)).toContain("summary.workspace_risk");
    const { summary } = seat.last("task.summarized");
    expect(summary.risks.join("\n")).toContain(`removed, moved or replaced the folder ${workspace}`);
    expect(summary.changed_files.map(({ path, change }) => `${change} ${path}`)).toEqual(
      expect.arrayContaining(["delete a.txt", "delete deep/er/b.txt"]),
    );
    // What is no folder is somebody's, and not ours to remove.
    if (how === "replaces by a file") {
      await seat.run("/undo");
      expect(seat.last("tool.settled").result.output).toContain("a.txt");
      expect(lstatSync(workspace).isFile()).toBe(true);
    } else {
      await seat.run("/undo");
      expect(treeOf(workspace)).toEqual(before);
    }
    await seat.engine.runInput("again", { call: { tool: "bash", input: { command: "echo still" } } });
    await seat.engine.idle();
    rmSync(`${workspace}.moved`, { recursive: true, force: true });
    expect(existsSync(workspace)).toBe(true);
  });
});

for (const [ground, begin] of Object.entries(grounds).slice(1)) {
  test(`[RB-1] a confined command that removes all it can of the workspace, ${ground}, is undone file by file`, async () => {
    await using bench = new Bench([{ text: "done" }]);
    const { workspace } = bench;
    await Bun.write(`${workspace}/a.txt`, "a\n");
    await Bun.write(`${workspace}/deep/er/b.txt`, "b\n");
    await Bun.write(`${workspace}/clean.sh`, "rm -rf .git/objects/* a.txt deep\n");
    sh(begin, workspace);
    const seat = bench.open({ mode: "auto-edit" });
    await seat.engine.runInput("do it", { call: { tool: "bash", input: { command: "bash clean.sh" } } });
    await seat.engine.idle();
    expect(existsSync(`${workspace}/a.txt`)).toBe(false);
    const { summary } = seat.last("task.summarized");
    expect(summary.changed_files.map(({ path, change }) => `${change} ${path}`)).toEqual([
      "delete a.txt",
      "delete deep/er/b.txt",
    ]);
    await seat.run("/undo");
    expect([await Bun.file(`${workspace}/a.txt`).text(), await Bun.file(`${workspace}/deep/er/b.txt`).text()]).toEqual([
      "a\n",
      "b\n",
    ]);
  });
}

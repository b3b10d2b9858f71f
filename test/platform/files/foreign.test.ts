// A change of several files that was cut off, and somebody changed one of them before it could be looked at.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { appendFileSync, lstatSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import type { FileStamp } from "../../../src/contract/message.ts";
import type { PlannedChange } from "../../../src/contract/tool.ts";
import { applySteps } from "../../../src/platform/files/change/apply.ts";
import { reconcile, statesOf } from "../../../src/platform/files/change/reconcile.ts";
import { readEntry } from "../../../src/platform/files/entry.ts";
import { makeWorkspace, type Workspace } from "../../tool/workspace.ts";
import { changeIn, optionsFor } from "../changes.ts";

let ws: Workspace;
beforeEach(() => {
  ws = makeWorkspace();
});
afterEach(() => ws[Symbol.dispose]());

const folder = (mode: number): FileStamp => ({ hash: "", size: 0, mode: 0o040000 | mode });

/** One file is changed, one made in a closed folder that is made for it, and a folder makes place for a file. */
function planned(): readonly PlannedChange[] {
  rmSync(ws.root, { recursive: true });
  mkdirSync(ws.root);
  ws.put("a.txt", "a\n");
  ws.put("swap/in.txt", "in\n");
  const made = changeIn(ws, "made/new.txt", "new\n");
  const place = changeIn(ws, "place", "file\n");
  const real = ws.path("made");
  const swap = { path: "swap", real: ws.path("swap"), before: folder(0o755), after: place.change.after };
  return [
    changeIn(ws, "a.txt", "b\n"),
    { change: { path: "made", real, before: null, after: folder(0o750) }, beforeBytes: null, afterBytes: null },
    made,
    changeIn(ws, "swap/in.txt", null),
    { change: swap, beforeBytes: null, afterBytes: place.afterBytes },
  ];
}

const modeOf = (name: string) => readEntry(ws.path(name))?.stamp.mode;

test("[PS-4] [RB-4] whatever it had done by then stays whole: no file is nowhere, no folder has a mode of its own, and each is told", () => {
  const seen = new Set<string>();
  for (let pause = 0; ; pause++) {
    const changes = planned();
    const steps = applySteps(changes, optionsFor(ws));
    let isOver = false;
    for (let count = 0; count <= pause && !isOver; count++) isOver = steps.next().done === true;
    if (isOver) break;
    appendFileSync(ws.path("a.txt"), "the person's\n");
    const all = changes.map(({ change }) => change);
    expect(reconcile(all, optionsFor(ws).tempTag)).toBe("foreign");
    const states = statesOf(all);
    seen.add(states.join(" "));
    expect(ws.text("a.txt")).toMatch(/^[ab]\nthe person's\n$/);
    expect(states.slice(1)).not.toContain("foreign");
    expect(lstatSync(ws.path("swap")).isDirectory()).toBe(states[4] === "untouched");
    expect(modeOf("made")).toBe(states[1] === "applied" ? 0o040750 : undefined);
    const left = readdirSync(ws.root, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".tmp"));
    expect(left).toEqual([]);
  }
  expect(seen.size).toBeGreaterThan(3);
});

import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadFile, showSize } from "../../../src/platform/files/open.ts";
import { type LocatedPath, locate } from "../../../src/platform/files/path.ts";
import { makeWorkspace, told, type Workspace } from "../../tool/workspace.ts";

let ws: Workspace;
beforeEach(() => {
  ws = makeWorkspace();
});
afterEach(() => ws[Symbol.dispose]());

function located(name: string): LocatedPath {
  const found = locate(name, ws.ctx);
  if (!found.ok) throw new Error(told(found));
  return found.value;
}

const answer = (at: LocatedPath): string => {
  const loaded = loadFile(at);
  return loaded.ok ? loaded.value.bytes.toString() : told(loaded);
};

test("[PO-7] a folder that becomes a link after its file was judged leads to no other file", () => {
  const outside = `${ws.root}-outside`;
  mkdirSync(join(outside, "deep"), { recursive: true });
  writeFileSync(join(outside, "deep/a.txt"), "theirs");
  try {
    ws.put("dir/deep/a.txt", "ours");
    const at = located("dir/deep/a.txt");
    expect(answer(at)).toBe("ours");
    renameSync(ws.path("dir"), ws.path("moved"));
    symlinkSync(outside, ws.path("dir"));
    expect(answer(at)).toBe("E_CONFLICT: something else replaced dir/deep/a.txt while it was being opened");
  } finally {
    rmSync(outside, { recursive: true });
  }
});

test("a file that becomes a link or a pipe after it was judged is not opened through", () => {
  ws.put("a.txt", "ours");
  ws.put("b.txt", "other");
  const at = located("a.txt");
  rmSync(ws.path("a.txt"));
  symlinkSync("b.txt", ws.path("a.txt"));
  expect(answer(at)).toStartWith("E_CONFLICT: something else replaced a.txt");
  rmSync(ws.path("a.txt"));
  Bun.spawnSync(["mkfifo", ws.path("a.txt")]);
  expect(answer(at)).toBe("E_INVALID_ARGS: a.txt is a pipe, device or socket, not a file");
  rmSync(ws.path("a.txt"));
  expect(answer(at)).toBe("E_IO: a.txt does not exist");
});

test("a file over 64 MiB is not loaded", () => {
  Bun.spawnSync(["truncate", "-s", "65M", ws.put("big", "")]);
  expect(answer(located("big"))).toStartWith("E_INVALID_ARGS: big is too large for this tool to change (65.0 MiB");
});

test("sizes are shown in units a person reads", () => {
  expect([0, 1023, 1536, 5 * 2 ** 20, 2 ** 30].map(showSize)).toEqual([
    "0 bytes",
    "1023 bytes",
    "1.5 KiB",
    "5.0 MiB",
    "1.0 GiB",
  ]);
});

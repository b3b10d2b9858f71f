import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { isSecretPath } from "../../../src/contract/path/secret-path.ts";
import { applyChanges, applySteps } from "../../../src/platform/files/change/apply.ts";
import { reconcile } from "../../../src/platform/files/change/reconcile.ts";
import { loadFile } from "../../../src/platform/files/open.ts";
import { locate, resolvePath } from "../../../src/platform/files/path.ts";
import { searchText } from "../../../src/platform/search/search.ts";
import { isOwnPath } from "../../../src/policy/paths.ts";
import { list } from "../../../src/tool/search/list.ts";
import { until } from "../../support/until.ts";
import { makeWorkspace, snapshot, type Workspace } from "../../tool/workspace.ts";
import { changeIn, optionsFor } from "../changes.ts";

let ws: Workspace;
let outside = "";

beforeEach(() => {
  ws = makeWorkspace();
  outside = `${ws.root}-outside`;
  mkdirSync(join(outside, "deep"), { recursive: true });
  for (const name of ["f.txt", "deep/f.txt", "only-outside"]) writeFileSync(join(outside, name), "theirs");
  for (const name of ["d/f.txt", "d/deep/f.txt"]) ws.put(name, "ours");
});
afterEach(() => {
  ws[Symbol.dispose]();
  rmSync(outside, { recursive: true, force: true });
});

interface Swapping {
  /** Of the pauses in which it is a folder, the longest. */
  readonly pauseMs: number;
  /** How often it is tried at least. */
  readonly tries: number;
}

/** Another process that makes the folder a link to elsewhere and back. Work goes on until it was both done and refused. */
async function swapping(
  { pauseMs, tries }: Swapping,
  work: () => Promise<boolean>,
): Promise<{ done: number; refused: number }> {
  const paths = [ws.path("d"), ws.path("d.aside"), outside, ws.path("started")];
  const script = `
    const { renameSync, symlinkSync, unlinkSync, writeFileSync } = require("node:fs");
    const [folder, aside, outside, started] = ${JSON.stringify(paths)};
    writeFileSync(started, "");
    // Without the folder or the test it throws or ends.
    while (process.ppid === ${process.pid}) {
      for (const rest = performance.now() + Math.random() * ${pauseMs}; performance.now() < rest; );
      renameSync(folder, aside);
      symlinkSync(outside, folder);
      unlinkSync(folder);
      renameSync(aside, folder);
    }`;
  const argv = [process.execPath, "--no-env-file", "--config=/dev/null", "-e", script];
  const child = Bun.spawn(argv, { stderr: "ignore" });
  const count = { done: 0, refused: 0 };
  const isShort = () => count.done + count.refused < tries || count.done === 0 || count.refused === 0;
  try {
    await until("the other process swaps", () => lstatSync(paths[3] ?? "", { throwIfNoEntry: false }) !== undefined);
    while (isShort()) count[(await work()) ? "done" : "refused"]++;
  } finally {
    child.kill("SIGKILL");
    await child.exited;
  }
  return count;
}

describe("[PO-7] [SA-check-then-use] while a folder is swapped for a link and back without end", () => {
  test("no file of the other side is read, and no name of it is listed", async () => {
    const seen = new Set<string>();
    const count = await swapping({ pauseMs: 0.5, tries: 500 }, async () => {
      for (const name of ["d/f.txt", "d/deep/f.txt"]) {
        const at = locate(name, ws.ctx);
        const loaded = at.ok ? loadFile(at.value) : at;
        if (loaded.ok) seen.add(loaded.value.bytes.toString());
      }
      const listed = await ws.run(list, { path: "d" });
      if (listed.ok) seen.add(listed.value.text);
      return listed.ok;
    });
    expect([...seen].sort()).toEqual(["deep/\nf.txt", "ours"]);
    expect([count.done > 0, count.refused > 0]).toEqual([true, true]);
  });

  test("no line of the other side is found, by ripgrep or without it, from the folder or from above", async () => {
    const place = {
      root: ws.root,
      pattern: "ours|theirs",
      signal: new AbortController().signal,
      timeoutMs: 60_000,
      max: 50,
    };
    const seen = new Set<string>();
    let turn = 0;
    const count = await swapping({ pauseMs: 3, tries: 40 }, async () => {
      turn++;
      const real = turn % 2 === 0 ? ws.path("d") : ws.root;
      const found = await searchText({ ...place, real }, turn % 3 === 0 ? null : undefined);
      if (found.ok) for (const { text } of found.value.found) seen.add(text);
      return found.ok && found.value.found.length > 0;
    });
    expect([...seen]).toEqual(["ours"]);
    expect([count.done > 0, count.refused > 0]).toEqual([true, true]);
  });

  test("nothing is written, made, replaced or removed on the other side", async () => {
    const before = snapshot(outside);
    let turn = 0;
    const count = await swapping({ pauseMs: 4, tries: 300 }, async () => {
      turn++;
      try {
        const changes = [
          changeIn(ws, "d/deep/f.txt", `ours ${turn}`),
          changeIn(ws, `d/deep/fresh-${turn}/new.txt`, "new"),
          changeIn(ws, "d/f.txt", turn % 2 === 0 ? null : "ours"),
        ].filter(({ change }) => change.before?.hash !== change.after?.hash);
        return applyChanges({ changes }, { ...optionsFor(ws), tempTag: `t${turn}` }).ok;
      } catch (error) {
        // The test's own look at the disk met a folder that was just away.
        if (!(error instanceof Error) || !("code" in error)) throw error;
        return false;
      }
    });
    expect(snapshot(outside)).toEqual(before);
    expect([count.done > 0, count.refused > 0]).toEqual([true, true]);
  });
});

describe("[PO-7] [SA-undo-links] what was begun inside is not undone elsewhere", () => {
  test("an empty folder of the other side stays when our own is taken back", () => {
    mkdirSync(join(outside, "made"));
    const changes = [changeIn(ws, "d/made/a.txt", "a"), changeIn(ws, "d/made/b.txt", "b")];
    const steps = applySteps(changes, optionsFor(ws));
    let step = steps.next();
    while (!step.done && step.value !== "changed") step = steps.next();
    // The first is made. Now its folder is elsewhere, and the second fails.
    renameSync(ws.path("d"), ws.path("d.aside"));
    symlinkSync(outside, ws.path("d"));
    rmSync(join(ws.path("d.aside"), "made"), { recursive: true });
    while (!step.done) step = steps.next();
    expect(step.value.ok).toBe(false);
    expect(lstatSync(join(outside, "made")).isDirectory()).toBe(true);
  });

  test("a resume after a kill touches nothing behind a link that took the folder's place", () => {
    const changes = [changeIn(ws, "d/deep/f.txt", "new"), changeIn(ws, "d/f.txt", "new")];
    const steps = applySteps(changes, optionsFor(ws));
    for (let step = steps.next(); !step.done && step.value !== "changed"; ) step = steps.next();
    renameSync(ws.path("d"), ws.path("d.aside"));
    symlinkSync(outside, ws.path("d"));
    const before = snapshot(outside);
    expect(
      reconcile(
        changes.map(({ change }) => change),
        optionsFor(ws).tempTag,
      ),
    ).toBe("foreign");
    expect(snapshot(outside)).toEqual(before);
  });
});

describe("[PO-9] [SA-own-settings] our own files, by whatever name they are reached", () => {
  test("a link, a link to the folder, dots and /proc lead to the real path that is judged", () => {
    const home = `${outside}/home`;
    mkdirSync(home);
    writeFileSync(join(home, "config.json"), "{}");
    symlinkSync(join(home, "config.json"), ws.path("notes.json"));
    symlinkSync(home, ws.path("folder"));
    const names = [
      ...["notes.json", "folder/config.json", "folder/new.db", `../${outside.split("/").at(-1)}/home/config.json`],
      ...[
        `/proc/self/root${home}/config.json`,
        `/proc/self/cwd/../../../../../../../..${home}/x`,
        `${home}/./config.json/`,
      ],
    ];
    const facts = names.map((name) => resolvePath(name, ws.root, []));
    expect(facts.filter(({ real }) => real === null || !isOwnPath(real, realpathSync(home)))).toEqual([]);
    expect(facts.filter(({ inside }) => inside)).toEqual([]);
  });

  test("a write to a hard link of them leaves them as they are", () => {
    const config = join(outside, "config.json");
    writeFileSync(config, "{}");
    linkSync(config, ws.path("notes.json"));
    const applied = applyChanges({ changes: [changeIn(ws, "notes.json", '{"mode":"yolo"}')] }, optionsFor(ws));
    expect([applied.ok, readFileSync(config, "utf8"), ws.text("notes.json")]).toEqual([true, "{}", '{"mode":"yolo"}']);
  });
});

test("[PO-7] what /proc names is judged by where it leads, and a process's own environment is a secret", () => {
  const found = [
    "/proc/self/root/etc/passwd",
    "/proc/self/cwd",
    "/proc/thread-self/environ",
    "/proc/self/fd/../environ",
  ];
  const facts = found.map((path) => resolvePath(path, ws.root, []));
  expect(facts.map(({ inside }) => inside)).toEqual([false, false, false, false]);
  expect(facts.map(({ real }) => isSecretPath(real ?? ""))).toEqual([false, false, true, true]);
});

test("[PO-7] names that only look alike on this disk are different files, and each is judged by its own real path", () => {
  ws.put("caf\u00e9/a.txt", "composed");
  const [composed, apart] = ["caf\u00e9/a.txt", "cafe\u0301/a.txt"].map((path) => resolvePath(path, ws.root, []));
  expect([composed?.exists, apart?.exists, composed?.inside, apart?.inside]).toEqual([true, false, true, true]);
});

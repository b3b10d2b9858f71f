import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import type { FileChange } from "../../src/contract/message.ts";
import type { PlannedChange } from "../../src/contract/tool.ts";
import { applyChanges, applySteps } from "../../src/platform/files/apply.ts";
import { stampOf } from "../../src/platform/files/open.ts";
import { reconcile } from "../../src/platform/files/reconcile.ts";
import { makeWorkspace, snapshot, told, type Workspace } from "../tool/workspace.ts";

let ws: Workspace;
beforeEach(() => {
  ws = makeWorkspace();
});
afterEach(() => ws[Symbol.dispose]());

const options = (): { root: string; addDirs: readonly string[]; tempTag: string } => ({
  root: ws.root,
  addDirs: [],
  tempTag: "s/r1/1/0",
});

/** A change from what is on disk to the given content; `null` deletes. */
function changeTo(name: string, content: string | null): PlannedChange {
  const real = ws.path(name);
  const old = existsSync(real) ? readFileSync(real) : null;
  const mode = old ? lstatSync(real).mode : 0o644;
  const after = content === null ? null : Buffer.from(content);
  const change: FileChange = {
    path: name,
    real,
    before: old && stampOf(old, mode),
    after: after && stampOf(after, mode),
  };
  return { change, beforeBytes: old, afterBytes: after };
}

const apply = (...changes: readonly PlannedChange[]): string => {
  const result = applyChanges({ changes }, options());
  return result.ok ? "ok" : told(result);
};

describe("[TL-1] applying a change", () => {
  test("creates with missing folders, replaces, deletes", () => {
    ws.put("old.txt", "old");
    ws.put("gone.txt", "gone");
    expect(apply(changeTo("a/b/new.txt", "new"), changeTo("old.txt", "changed"), changeTo("gone.txt", null))).toBe(
      "ok",
    );
    expect(snapshot(ws.root)).toEqual({
      a: "755 folder",
      "a/b": "755 folder",
      "a/b/new.txt": "644 new",
      "old.txt": "644 changed",
    });
  });

  test("keeps mode bits and owner", () => {
    ws.put("run.sh", "#!/bin/sh\n");
    if (process.getuid?.() === 0) chownSync(ws.path("run.sh"), 65534, 65534);
    chmodSync(ws.path("run.sh"), 0o4751);
    const before = lstatSync(ws.path("run.sh"));
    expect(apply(changeTo("run.sh", "#!/bin/bash\n"))).toBe("ok");
    const after = lstatSync(ws.path("run.sh"));
    expect([after.mode, after.uid, after.gid]).toEqual([before.mode, before.uid, before.gid]);
    expect(after.ino).not.toBe(before.ino);
  });

  test("through a link inside the workspace changes the target and keeps the link", () => {
    ws.put("target.txt", "old");
    symlinkSync("target.txt", ws.path("link.txt"));
    const planned = changeTo("target.txt", "new");
    expect(apply({ ...planned, change: { ...planned.change, path: "link.txt" } })).toBe("ok");
    expect([readlinkSync(ws.path("link.txt")), ws.text("target.txt")]).toEqual(["target.txt", "new"]);
  });

  test("leaves the other names of a hard-linked file alone", () => {
    ws.put("one.txt", "old");
    linkSync(ws.path("one.txt"), ws.path("two.txt"));
    expect(apply(changeTo("one.txt", "new"))).toBe("ok");
    expect([ws.text("one.txt"), ws.text("two.txt")]).toEqual(["new", "old"]);
  });
});

describe("[TL-1] a change that no longer fits is refused and nothing is written", () => {
  const refused = (planned: readonly PlannedChange[], disturb: () => void): string => {
    disturb();
    const before = snapshot(ws.root);
    const result = apply(...planned);
    expect(snapshot(ws.root)).toEqual(before);
    return result;
  };

  test("the file changed, disappeared or appeared since", () => {
    ws.put("a.txt", "a");
    const planned = changeTo("a.txt", "b");
    expect(refused([planned], () => ws.put("a.txt", "x"))).toBe("E_CONFLICT: a.txt changed on disk since it was read");
    expect(refused([planned], () => rmSync(ws.path("a.txt")))).toBe(
      "E_CONFLICT: a.txt changed on disk since it was read",
    );
    const created = changeTo("n.txt", "n");
    expect(refused([created], () => ws.put("n.txt", "x"))).toBe("E_CONFLICT: n.txt changed on disk since it was read");
  });

  test("the second of two files changed: the first is not written either", () => {
    ws.put("a.txt", "a");
    ws.put("b.txt", "b");
    const planned = [changeTo("a.txt", "A"), changeTo("new/c.txt", "C"), changeTo("b.txt", "B")];
    expect(refused(planned, () => ws.put("b.txt", "x"))).toStartWith("E_CONFLICT: b.txt");
  });

  test("[PO-7] the folder became a link that leads out, the file a link, the link another link", () => {
    const outside = `${ws.root}-outside`;
    mkdirSync(outside);
    try {
      ws.put("sub/a.txt", "a");
      writeFileSync(join(outside, "a.txt"), "a");
      ws.put("plain.txt", "a");
      ws.put("other.txt", "a");
      symlinkSync("plain.txt", ws.path("link.txt"));
      const inFolder = changeTo("sub/a.txt", "evil");
      const plain = changeTo("plain.txt", "evil");
      const viaLink: PlannedChange = { ...plain, change: { ...plain.change, path: "link.txt" } };
      const created = changeTo("sub/new.txt", "evil");
      const swap = (): void => {
        renameSync(ws.path("sub"), ws.path("kept"));
        symlinkSync(outside, ws.path("sub"));
        rmSync(ws.path("link.txt"));
        symlinkSync("other.txt", ws.path("link.txt"));
      };
      expect(refused([inFolder], swap)).toStartWith("E_CONFLICT: sub/a.txt was replaced");
      expect(refused([created], () => {})).toStartWith("E_CONFLICT: sub/new.txt was replaced");
      expect(refused([viaLink], () => {})).toStartWith("E_CONFLICT: link.txt was replaced");
      rmSync(ws.path("plain.txt"));
      symlinkSync(join(outside, "a.txt"), ws.path("plain.txt"));
      expect(refused([plain], () => {})).toStartWith("E_CONFLICT: plain.txt was replaced");
      expect(snapshot(outside)).toEqual({ "a.txt": "644 a" });
    } finally {
      rmSync(outside, { recursive: true });
    }
  });

  test("a file in the way of our temporary file is neither used nor removed", () => {
    ws.put("a.txt", "a");
    const planned = changeTo("a.txt", "b");
    const steps = applySteps([planned], options());
    while (steps.next().value !== "temp file made");
    const before = snapshot(ws.root);
    expect(apply(planned)).toBe("E_IO: access to a.txt failed (EEXIST)");
    expect(snapshot(ws.root)).toEqual(before);
  });
});

/** Runs to the pause with this number; false when the run has fewer. */
function stopAt(changes: readonly PlannedChange[], pause: number): boolean {
  const steps = applySteps(changes, options());
  for (let count = 0; count <= pause; count++) if (steps.next().done) return false;
  return true;
}

const files = ["a.txt", "dir/b.txt", "dir/deep/c.txt", "d.txt"];
const wishes = fc
  .record({
    before: fc.array(fc.option(fc.string({ maxLength: 5 })), { minLength: 4, maxLength: 4 }),
    after: fc.array(fc.option(fc.string({ maxLength: 5 })), { minLength: 4, maxLength: 4 }),
    pause: fc.nat(40),
  })
  .filter(({ before, after }) => before.some((content, index) => content !== after[index]));

function setUp({
  before,
  after,
}: {
  before: readonly (string | null)[];
  after: readonly (string | null)[];
}): readonly PlannedChange[] {
  rmSync(ws.root, { recursive: true });
  mkdirSync(ws.root);
  for (const [index, content] of before.entries()) if (content !== null) ws.put(files[index]!, content);
  return files.flatMap((name, index) => (before[index] === after[index] ? [] : [changeTo(name, after[index] ?? null)]));
}

const onlyFiles = (): Record<string, string> =>
  Object.fromEntries(Object.entries(snapshot(ws.root)).filter(([, content]) => !content.endsWith(" folder")));

describe("[PS-4] a kill at any point", () => {
  test("leaves all or nothing after reconciling, without left-over files, and the change can be made again", () => {
    const seen = { applied: 0, untouched: 0, foreign: 0 };
    fc.assert(
      fc.property(wishes, (wish) => {
        const planned = setUp(wish);
        const before = onlyFiles();
        stopAt(planned, wish.pause);
        const changes = planned.map(({ change }) => change);
        const found = reconcile(changes, options().tempTag);
        seen[found]++;
        const wanted = Object.fromEntries(
          wish.after.flatMap((content, index) =>
            content === null ? [] : [[files[index], `644 ${Buffer.from(content).toString("latin1")}`]],
          ),
        );
        expect(found).not.toBe("foreign");
        expect(onlyFiles()).toEqual(found === "applied" ? wanted : before);
        if (found === "untouched") expect(apply(...planned)).toBe("ok");
        expect(onlyFiles()).toEqual(wanted);
        expect(reconcile(changes, options().tempTag)).toBe("applied");
      }),
      { numRuns: 300 },
    );
    expect(Math.min(seen.applied, seen.untouched)).toBeGreaterThan(20);
  });

  test("and someone else's change meanwhile is foreign and stays", () => {
    for (let pause = 0; ; pause++) {
      const planned = setUp({ before: ["a", "b", null, null], after: ["A", "B", "C", null] });
      const isPaused = stopAt(planned, pause);
      ws.put("a.txt", "theirs");
      expect(
        reconcile(
          planned.map(({ change }) => change),
          options().tempTag,
        ),
      ).toBe("foreign");
      expect(ws.text("a.txt")).toBe("theirs");
      expect(Object.keys(snapshot(ws.root)).filter((name) => name.includes(".tmp"))).toEqual([]);
      if (!isPaused) break;
    }
  });

  test("a folder or a link in the file's place is foreign", () => {
    ws.put("a.txt", "a");
    const { change } = changeTo("a.txt", "b");
    rmSync(ws.path("a.txt"));
    mkdirSync(ws.path("a.txt"));
    expect(reconcile([change], "t")).toBe("foreign");
    rmSync(ws.path("a.txt"), { recursive: true });
    writeFileSync(ws.path("b.txt"), "b");
    symlinkSync("b.txt", ws.path("a.txt"));
    expect(reconcile([change], "t")).toBe("foreign");
  });
});

describe("[RB-4] a failure half-way", () => {
  test("puts everything back, whatever changed underneath at whatever moment", () => {
    let refusals = 0;
    for (let pause = 0; ; pause++) {
      const planned = setUp({ before: ["a", "b", null, "d"], after: ["A", "B", "C", null] });
      const before = onlyFiles();
      const steps = applySteps(planned, options());
      for (let count = 0; count <= pause; count++) steps.next();
      ws.put("d.txt", "theirs");
      let step = steps.next();
      while (!step.done) step = steps.next();
      const result = step.value;
      if (result === undefined || result.ok) break;
      refusals++;
      expect(result.error.code).toBe("E_CONFLICT");
      expect(snapshot(ws.root)).toEqual({ ...before, dir: "755 folder", "d.txt": "644 theirs" });
    }
    // Between the check of the last file and its change there is no pause left in which to disturb it.
    expect(refusals).toBeGreaterThan(10);
  });

  test("[PO-7] never writes outside when a folder is swapped for a link in the middle", () => {
    const outside = `${ws.root}-outside`;
    mkdirSync(join(outside, "deep"), { recursive: true });
    // What is there looks like what was checked.
    writeFileSync(join(outside, "b.txt"), "b");
    try {
      for (let pause = 0; ; pause++) {
        const planned = setUp({ before: [null, "b", null, null], after: [null, "B", "C", "D"] });
        const steps = applySteps(planned, options());
        let step = steps.next();
        for (let count = 0; count < pause && !step.done; count++) step = steps.next();
        if (step.done) break;
        renameSync(ws.path("dir"), ws.path("moved"));
        symlinkSync(outside, ws.path("dir"));
        while (!step.done) step = steps.next();
        expect(snapshot(outside)).toEqual({ "b.txt": "644 b", deep: "755 folder" });
      }
    } finally {
      rmSync(outside, { recursive: true });
    }
  });

  test("names what could not be put back because someone changed it again", () => {
    const planned = setUp({ before: ["a", "b", null, null], after: ["A", "B", null, null] });
    const steps = applySteps(planned, options());
    while (steps.next().value !== "changed");
    ws.put("a.txt", "theirs");
    ws.put("dir/b.txt", "theirs too");
    let step = steps.next();
    while (!step.done) step = steps.next();
    expect(step.value.ok ? "ok" : told(step.value)).toBe(
      "E_IO: the change of dir/b.txt failed, and these could not be put back: a.txt",
    );
    expect([ws.text("a.txt"), ws.text("dir/b.txt")]).toEqual(["theirs", "theirs too"]);
  });

  test("removes the folders it made", () => {
    ws.put("b.txt", "b");
    const planned = [changeTo("x/y/z.txt", "z"), changeTo("b.txt", "B")];
    const steps = applySteps(planned, options());
    while (steps.next().value !== "temp file synced");
    expect(existsSync(dirname(ws.path("x/y/z.txt")))).toBe(true);
    ws.put("b.txt", "theirs");
    let step = steps.next();
    while (!step.done) step = steps.next();
    expect(snapshot(ws.root)).toEqual({ "b.txt": "644 theirs" });
  });
});

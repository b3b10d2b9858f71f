import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import fc from "fast-check";
import type { PlannedChange } from "../../../src/contract/tool.ts";
import { applyChanges, applySteps } from "../../../src/platform/files/change/apply.ts";
import { reconcile } from "../../../src/platform/files/change/reconcile.ts";
import { makeWorkspace, snapshot, told, type Workspace } from "../../tool/workspace.ts";
import { changeIn, filesIn, optionsFor, setUpIn, type Wish } from "../changes.ts";

let ws: Workspace;
beforeEach(() => {
  ws = makeWorkspace();
});
afterEach(() => ws[Symbol.dispose]());

const options = () => optionsFor(ws);
const changeTo = (name: string, content: string | null, mode?: number) => changeIn(ws, name, content, mode);
const setUp = (wish: Wish) => setUpIn(ws, wish);
const onlyFiles = () => filesIn(ws);

const apply = (...changes: readonly PlannedChange[]): string => {
  const result = applyChanges({ changes }, options());
  return result.ok ? "ok" : told(result);
};

/** Runs to the pause with this number; false when the run has fewer. */
function stopAt(changes: readonly PlannedChange[], pause: number): boolean {
  const steps = applySteps(changes, options());
  for (let count = 0; count <= pause; count++) if (steps.next().done) return false;
  return true;
}

const wishes = fc
  .record({
    before: fc.array(fc.option(fc.string({ maxLength: 5 })), { minLength: 4, maxLength: 4 }),
    after: fc.array(fc.option(fc.string({ maxLength: 5 })), { minLength: 4, maxLength: 4 }),
    /** Whether a program's mode changes too, and nothing else of it. */
    hasMode: fc.boolean(),
    pause: fc.nat(50),
  })
  .filter(({ before, after }) => before.some((content, index) => content !== after[index]));

function wantedFiles(planned: readonly PlannedChange[], before: Record<string, string>): Record<string, string> {
  const wanted = { ...before };
  for (const { change, afterBytes } of planned) {
    delete wanted[change.path];
    if (afterBytes === null) continue;
    wanted[change.path] = `${change.after?.mode.toString(8)} ${Buffer.from(afterBytes).toString("latin1")}`;
  }
  return wanted;
}

describe("[PS-4] a kill at any point", () => {
  test("leaves all or nothing after reconciling, without left-over files and folders, and the change can be made again", () => {
    const seen = { applied: 0, untouched: 0, foreign: 0 };
    fc.assert(
      fc.property(wishes, (wish) => {
        const planned = setUp(wish);
        const [before, whole] = [onlyFiles(), snapshot(ws.root)];
        stopAt(planned, wish.pause);
        const changes = planned.map(({ change }) => change);
        const found = reconcile(changes, options().tempTag);
        seen[found]++;
        const wanted = wantedFiles(planned, before);
        expect(found).not.toBe("foreign");
        if (found === "applied") expect(onlyFiles()).toEqual(wanted);
        else expect(snapshot(ws.root)).toEqual(whole);
        if (found === "untouched") expect(apply(...planned)).toBe("ok");
        expect(onlyFiles()).toEqual(wanted);
        expect(reconcile(changes, options().tempTag)).toBe("applied");
      }),
      { numRuns: 150 },
    );
    expect(Math.min(seen.applied, seen.untouched)).toBeGreaterThan(10);
  }, 120_000);

  test("[RB-4] also while a failed change is being undone, leaves all or nothing", () => {
    const seen = { applied: 0, untouched: 0, foreign: 0, undone: 0 };
    fc.assert(
      fc.property(wishes, fc.nat(40), (wish, more) => {
        const others = setUp(wish);
        ws.put("z.txt", "z");
        const planned = [...others, changeTo("z.txt", "Z")];
        const [before, whole] = [onlyFiles(), snapshot(ws.root)];
        const steps = applySteps(planned, options());
        let step = steps.next();
        for (let count = 0; count < wish.pause && !step.done; count++) step = steps.next();
        // From here on it fails at this file, if it has not come that far yet.
        if (step.done || ws.text("z.txt") !== "z") return;
        ws.put("z.txt", "theirs");
        for (let count = 0; count < more && !step.done; count++) step = steps.next();
        ws.put("z.txt", "z");
        if (step.done) {
          seen.undone++;
          expect(snapshot(ws.root)).toEqual(whole);
          return;
        }
        const found = reconcile(
          planned.map(({ change }) => change),
          options().tempTag,
        );
        seen[found]++;
        expect(found).not.toBe("foreign");
        if (found === "applied") expect(onlyFiles()).toEqual(wantedFiles(planned, before));
        else expect(snapshot(ws.root)).toEqual(whole);
      }),
      { numRuns: 250 },
    );
    expect(Math.min(seen.applied, seen.untouched, seen.undone)).toBeGreaterThan(3);
  }, 120_000);

  test("where only the mode was to change, the mode tells what happened", () => {
    ws.put("run.sh", "run");
    const planned = changeTo("run.sh", "run", 0o755);
    expect(reconcile([planned.change], "t")).toBe("untouched");
    expect(apply(planned)).toBe("ok");
    expect(snapshot(ws.root)).toEqual({ "run.sh": "755 run" });
    expect(reconcile([planned.change], "t")).toBe("applied");
    chmodSync(ws.path("run.sh"), 0o700);
    expect(reconcile([planned.change], "t")).toBe("foreign");
  });

  test("the content of a renamed file is always in one of its places, also before any resume", () => {
    for (let pause = 0; ; pause++) {
      rmSync(ws.root, { recursive: true });
      mkdirSync(ws.root);
      ws.put("old.txt", "content");
      const isPaused = stopAt([changeTo("old.txt", null), changeTo("new/new.txt", "content")], pause);
      const places = ["old.txt", "new/new.txt"].filter((name) => existsSync(ws.path(name)));
      expect(places.map((name) => ws.text(name))).toContain("content");
      if (!isPaused) break;
    }
  });

  test("once a file is changed, a resume carries the rest to the end", () => {
    for (let pause = 0; ; pause++) {
      const planned = setUp({ before: ["a", "b", null, "d"], after: ["A", "B", "C", null], hasMode: true });
      const wanted = wantedFiles(planned, onlyFiles());
      const isPaused = stopAt(planned, pause);
      const isBegun = existsSync(ws.path("dir/deep/c.txt"));
      const found = reconcile(
        planned.map(({ change }) => change),
        options().tempTag,
      );
      expect(found).toBe(isBegun ? "applied" : "untouched");
      if (isBegun) expect(onlyFiles()).toEqual(wanted);
      if (!isPaused) break;
    }
  });

  test("a resume that cannot finish puts everything back", () => {
    for (const harm of ["lost", "cut"]) {
      const planned = setUp({ before: ["a", "b", null, "d"], after: ["A", null, "C", "D"] });
      const whole = snapshot(ws.root);
      const steps = applySteps(planned, options());
      for (let changed = 0; changed < 2; ) if (steps.next().value === "changed") changed++;
      // The new content of a file that is not changed yet is gone.
      const temps = Object.keys(snapshot(ws.root)).filter((name) => /-\d+\.tmp$/.test(name) && ws.text(name) === "D");
      expect(temps).toHaveLength(1);
      if (harm === "lost") rmSync(ws.path(temps[0]!));
      else ws.put(temps[0]!, "");
      const changes = planned.map(({ change }) => change);
      expect(reconcile(changes, options().tempTag)).toBe("untouched");
      expect(snapshot(ws.root)).toEqual(whole);
    }
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

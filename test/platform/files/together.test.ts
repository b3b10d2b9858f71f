import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { readdirSync, readlinkSync, renameSync, symlinkSync } from "node:fs";
import fc from "fast-check";
import { applyChanges, applyTogether } from "../../../src/platform/files/change/apply.ts";
import { makeWorkspace, snapshot, type Workspace } from "../../tool/workspace.ts";
import { changeIn, filesIn, optionsFor, setUpIn } from "../changes.ts";

let ws: Workspace;
beforeEach(() => {
  ws = makeWorkspace();
});
afterEach(() => ws[Symbol.dispose]());

const content = fc.option(fc.string({ maxLength: 5 }));
const wishes = fc.record({
  before: fc.array(content, { minLength: 4, maxLength: 4 }),
  after: fc.array(content, { minLength: 4, maxLength: 4 }),
  hasMode: fc.boolean(),
});

describe("[RB-4] many files at once", () => {
  test("become what they become one after the other", async () => {
    await fc.assert(
      fc.asyncProperty(wishes, async (wish) => {
        const one = applyChanges({ changes: setUpIn(ws, wish) }, optionsFor(ws));
        const wanted = [filesIn(ws), snapshot(ws.root)];
        const other = await applyTogether({ changes: setUpIn(ws, wish) }, optionsFor(ws));
        expect([one, [filesIn(ws), snapshot(ws.root)]]).toEqual([other, wanted]);
      }),
      { numRuns: 60 },
    );
  }, 120_000);

  test("over more files and folders than are held open, all of them change and nothing of ours is left", async () => {
    const names = Array.from({ length: 150 }, (_, at) => `d${at % 40}/f${at}`);
    for (const name of names) ws.put(name, "old");
    const changes = names.map((name) => changeIn(ws, name, "new"));
    expect(await applyTogether({ changes }, optionsFor(ws))).toEqual({ ok: true, value: null });
    expect(new Set(Object.values(filesIn(ws)))).toEqual(new Set(["644 new"]));
    expect(Object.keys(filesIn(ws)).length).toBe(150);
    expect(openIn(ws.root)).toEqual([]);
  });

  test("what somebody changes while the disk is waited for is a conflict, and all goes back", async () => {
    const names = Array.from({ length: 30 }, (_, at) => `f${at}`);
    for (const name of names) ws.put(name, "old");
    const changes = [...names.map((name) => changeIn(ws, name, "new")), changeIn(ws, "dir/made", "made")];
    const going = applyTogether({ changes }, optionsFor(ws));
    // Everything up to the first wait has been done by now: nothing has changed its content yet.
    ws.put("f29", "theirs");
    expect(await going).toMatchObject({ ok: false, error: { code: "E_CONFLICT", text: { args: { path: "f29" } } } });
    const wanted = Object.fromEntries(names.map((name) => [name, name === "f29" ? "644 theirs" : "644 old"]));
    expect(snapshot(ws.root)).toEqual(wanted);
  });

  test("a folder that becomes a link while the disk is waited for: nothing happens behind it, and all else goes back", async () => {
    using outside = makeWorkspace();
    const names = Array.from({ length: 20 }, (_, at) => `d${at}/f`);
    for (const name of names) ws.put(name, "old");
    outside.put("f", "old");
    const going = applyTogether({ changes: names.map((name) => changeIn(ws, name, "new")) }, optionsFor(ws));
    renameSync(ws.path("d3"), ws.path("moved"));
    symlinkSync(outside.root, ws.path("d3"));
    expect((await going).ok).toBe(false);
    expect(snapshot(outside.root)).toEqual({ f: "644 old" });
    const others = names.filter((name) => name !== "d3/f").map((name) => ws.text(name));
    expect(new Set(others)).toEqual(new Set(["old"]));
  });
});

/** Of this process, which runs other tests too. */
function openIn(folder: string): readonly string[] {
  return readdirSync("/proc/self/fd").flatMap((fd) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${fd}`);
      return path.startsWith(folder) ? [path] : [];
    } catch {
      return []; // Closed meanwhile.
    }
  });
}

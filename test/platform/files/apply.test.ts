import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { PlannedChange } from "../../../src/contract/tool.ts";
import { applyChanges, applySteps } from "../../../src/platform/files/change/apply.ts";
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
      expect(refused([inFolder], swap)).toStartWith("E_CONFLICT: something else replaced sub/a.txt");
      expect(refused([created], () => {})).toStartWith("E_CONFLICT: something else replaced sub/new.txt");
      expect(refused([viaLink], () => {})).toStartWith("E_CONFLICT: something else replaced link.txt");
      rmSync(ws.path("plain.txt"));
      symlinkSync(join(outside, "a.txt"), ws.path("plain.txt"));
      expect(refused([plain], () => {})).toStartWith("E_CONFLICT: something else replaced plain.txt");
      expect(snapshot(outside)).toEqual({ "a.txt": "644 a" });
    } finally {
      rmSync(outside, { recursive: true });
    }
  });

  test("[PO-7] [SA-temp-names] a file in the way of our temporary file is neither used nor removed", () => {
    ws.put("a.txt", "a");
    const planned = changeTo("a.txt", "b");
    const steps = applySteps([planned], options());
    while (steps.next().value !== "temp file made");
    const before = snapshot(ws.root);
    expect(apply(planned)).toBe("E_IO: access to a.txt failed (EEXIST)");
    expect(snapshot(ws.root)).toEqual(before);
  });
});

function mountSmall(path: string): boolean {
  const options = ["-t", "tmpfs", "-o", "size=256k,nr_inodes=18"];
  return Bun.spawnSync(["mount", ...options, "tmpfs", path]).exitCode === 0;
}

function canMount(): boolean {
  using probe = makeWorkspace();
  const isMounted = Bun.which("mount") !== null && mountSmall(probe.root);
  if (isMounted) Bun.spawnSync(["umount", probe.root]);
  return isMounted;
}

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
      "E_IO: changing dir/b.txt failed, and these could not be restored: a.txt",
    );
    expect([ws.text("a.txt"), ws.text("dir/b.txt")]).toEqual(["theirs", "theirs too"]);
  });

  test("names what could not be put back because the kept file was changed", () => {
    const planned = setUp({ before: ["a", "b", null, null], after: ["A", "B", null, null] });
    const steps = applySteps(planned, options());
    while (steps.next().value !== "changed");
    for (const name of Object.keys(snapshot(ws.root))) if (name.endsWith(".old.tmp")) ws.put(name, "theirs");
    ws.put("dir/b.txt", "theirs too");
    let step = steps.next();
    while (!step.done) step = steps.next();
    expect(step.value.ok ? "ok" : told(step.value)).toBe(
      "E_IO: changing dir/b.txt failed, and these could not be restored: a.txt",
    );
    expect(onlyFiles()).toEqual({ "a.txt": "644 A", "dir/b.txt": "644 theirs too" });
  });

  test("removes the folders it made", () => {
    ws.put("b.txt", "b");
    const planned = [changeTo("x/y/z.txt", "z"), changeTo("b.txt", "B")];
    const steps = applySteps(planned, options());
    while (steps.next().value !== "changed");
    expect(existsSync(dirname(ws.path("x/y/z.txt")))).toBe(true);
    ws.put("b.txt", "theirs");
    let step = steps.next();
    while (!step.done) step = steps.next();
    expect(snapshot(ws.root)).toEqual({ "b.txt": "644 theirs" });
  });

  test("at one of ten files puts the other nine back as they were, with owner, inode and new folders gone", () => {
    const seven = "kept/7.txt";
    for (const obstacle of ["folder", "file"] as const) {
      rmSync(ws.root, { recursive: true });
      mkdirSync(ws.root);
      for (const name of ["1", "2", "3", "4", "5"]) ws.put(`${name}.txt`, name);
      ws.put("kept/x.txt", "x");
      const planned = [
        ...["1.txt", "2.txt", "3.txt"].map((name) => changeTo(name, "changed")),
        ...["4.txt", "5.txt"].map((name) => changeTo(name, null)),
        ...["new/a.txt", "new/b.txt", "new/deep/c.txt", "other/d.txt"].map((name) => changeTo(name, "fresh")),
        changeTo(seven, "seven"),
      ];
      const before = snapshot(ws.root);
      const inodes = () => [1, 2, 3, 4, 5].map((name) => lstatSync(ws.path(`${name}.txt`)).ino);
      const inodesBefore = inodes();
      const steps = applySteps(planned, options());
      while (steps.next().value !== "changed");
      if (obstacle === "folder") mkdirSync(ws.path(seven));
      else ws.put(seven, "theirs");
      let step = steps.next();
      while (!step.done) step = steps.next();
      expect(told(step.value as never)).toBe(`E_CONFLICT: ${seven} changed on disk since it was read`);
      rmSync(ws.path(seven), { recursive: true });
      expect(snapshot(ws.root)).toEqual(before);
      expect(inodes()).toEqual(inodesBefore);
    }
  });

  test.skipIf(!canMount())("on a disk without room leaves everything as it was", () => {
    const disk = ws.path("disk");
    mkdirSync(disk);
    mountSmall(disk);
    try {
      const names = ["a", "b", "c", "d", "e"].map((name) => `disk/${name}.txt`);
      for (const name of names) ws.put(name, "x".repeat(8_000));
      const before = snapshot(ws.root);
      let refused = 0;
      // The further the disk goes, the later it fails: while writing, while keeping the old files, while linking.
      for (let extra = 0; extra < 9; extra++) {
        const created = Array.from({ length: extra }, (_, at) => changeTo(`disk/new/n${at}.txt`, "n"));
        const planned = [...created, changeTo(names[0]!, null), ...names.slice(1).map((name) => changeTo(name, "y"))];
        const answer = apply(...planned);
        if (answer !== "ok") {
          refused++;
          expect(answer).toStartWith("E_IO: no space left on the disk for");
          expect(snapshot(ws.root)).toEqual(before);
          continue;
        }
        rmSync(ws.path("disk/new"), { recursive: true, force: true });
        for (const name of names) ws.put(name, "x".repeat(8_000));
      }
      expect(refused).toBeGreaterThan(2);
    } finally {
      Bun.spawnSync(["umount", "--lazy", disk]);
    }
  });
});

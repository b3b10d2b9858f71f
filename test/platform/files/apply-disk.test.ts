import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { chownSync, lstatSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { applySteps } from "../../../src/platform/files/change/apply.ts";
import { callUnder, isRoot } from "../../tool/call.ts";
import { makeWorkspace, snapshot, type Workspace } from "../../tool/workspace.ts";
import { changeIn, optionsFor } from "../changes.ts";

let ws: Workspace;
beforeEach(() => {
  ws = makeWorkspace();
});
afterEach(() => ws[Symbol.dispose]());

const three =
  "*** Begin Patch\n*** Add File: new/c.txt\n+c\n*** Update File: a.txt\n-a\n+A\n*** Delete File: b.txt\n*** End Patch\n";
const patched = { "a.txt": "640 A\n", new: "755 folder", "new/c.txt": "644 c\n" };

function putThree(): void {
  ws.put("a.txt", "a\n", 0o640);
  ws.put("b.txt", "b\n");
}

describe("[RB-4] a patch over more folders than files may be open", () => {
  const limited = (limit: number) => ["bash", "-c", `ulimit -n ${limit}; exec "$@"`, "limited"];
  const folders = Array.from({ length: 120 }, (_, at) => `d${at}`);

  test("is applied as a whole", () => {
    for (const folder of folders) ws.put(`${folder}/old.txt`, "old\n");
    const parts = folders.map(
      (name) => `*** Update File: ${name}/old.txt\n-old\n+new\n*** Add File: ${name}/x/f.txt\n+x\n`,
    );
    const patch = `*** Begin Patch\n${parts.join("")}*** End Patch\n`;
    expect(callUnder(limited(100), ws.root, "patch", { patch })).toBe("applied");
    const expected = folders.flatMap((name) => [
      [name, "755 folder"],
      [`${name}/old.txt`, "644 new\n"],
      [`${name}/x`, "755 folder"],
      [`${name}/x/f.txt`, "644 x\n"],
    ]);
    expect(snapshot(ws.root)).toEqual(Object.fromEntries(expected));
  });

  test("leaves nothing behind where not even a few may be open", () => {
    const before = snapshot(ws.root);
    const parts = folders.map((name) => `*** Add File: ${name}/f.txt\n+x\n`);
    const patch = `*** Begin Patch\n${parts.join("")}*** End Patch\n`;
    let refused = 0;
    for (let limit = 9; limit < 60; limit += 2) {
      const answer = callUnder(limited(limit), ws.root, "patch", { patch });
      if (answer === "applied") break;
      // With still fewer the runtime itself does not start.
      if (!answer.startsWith("E_")) continue;
      refused++;
      expect(answer).toMatch(/^E_IO: access to d\d+\/f.txt failed \(EMFILE\)$/);
      expect(snapshot(ws.root)).toEqual(before);
    }
    expect(refused).toBeGreaterThan(0);
  });
});

test("[PO-7] a folder that had to be closed meanwhile is not mistaken for a link or another folder in its place", () => {
  const outside = `${ws.root}-outside`;
  const names = Array.from({ length: 20 }, (_, at) => `d${at}`);
  let refused = 0;
  try {
    for (const kind of ["link", "folder"] as const) {
      // Before it was first opened, another folder with the same file is as good.
      for (let pause = kind === "link" ? 0 : 1; ; pause += 11) {
        for (const folder of [ws.root, outside]) rmSync(folder, { recursive: true, force: true });
        for (const name of names) for (const file of ["f.txt", "h.txt"]) ws.put(`${name}/${file}`, "old");
        // What is there looks like what was checked.
        mkdirSync(outside);
        for (const file of ["f.txt", "h.txt"]) writeFileSync(join(outside, file), "old");
        const changes = names.flatMap((name) => [
          changeIn(ws, `${name}/f.txt`, "new"),
          changeIn(ws, `${name}/g.txt`, "g"),
          changeIn(ws, `${name}/h.txt`, null),
        ]);
        const steps = applySteps(changes, optionsFor(ws));
        let step = steps.next();
        for (let count = 0; count < pause && !step.done; count++) step = steps.next();
        if (step.done) break;
        renameSync(ws.path("d0"), ws.path("moved"));
        if (kind === "link") symlinkSync(outside, ws.path("d0"));
        else renameSync(outside, ws.path("d0"));
        while (!step.done) step = steps.next();
        if (!step.value.ok) refused++;
        expect(snapshot(kind === "link" ? outside : ws.path("d0"))).toEqual({
          "f.txt": "644 old",
          "h.txt": "644 old",
        });
      }
    }
  } finally {
    rmSync(outside, { recursive: true, force: true });
  }
  expect(refused).toBeGreaterThan(15);
}, 120_000);

describe.skipIf(Bun.which("strace") === null)("[TL-1] on a disk", () => {
  const failing = (calls: string, error: string) => {
    const what = ["-e", `trace=${calls}`, "-e", `inject=${calls}:error=${error}`];
    return ["strace", "-f", "-o", "/dev/null", ...what, "--"];
  };

  test.each(["EPERM", "ENOSYS", "EXDEV", "EACCES"])(
    "without hard links (%s) files are made, changed and deleted",
    (error) => {
      putThree();
      const calls = process.arch === "x64" ? "link,linkat" : "linkat";
      expect(callUnder(failing(calls, error), ws.root, "patch", { patch: three })).toBe("applied");
      expect(snapshot(ws.root)).toEqual(patched);
    },
  );

  test.each(["EPERM", "ENOSYS", "EOPNOTSUPP"])(
    "without mode bits (%s) they are too, but a mode is not claimed to be set",
    (error) => {
      putThree();
      const around = failing("fchmod", error);
      expect(callUnder(around, ws.root, "patch", { patch: three })).toBe("applied");
      expect(Object.keys(snapshot(ws.root))).toEqual(Object.keys(patched));
      const before = snapshot(ws.root);
      const mode = "diff --git a/a.txt b/a.txt\nold mode 100644\nnew mode 100755\n";
      expect(callUnder(around, ws.root, "patch", { patch: mode })).toStartWith("E_IO: ");
      expect(snapshot(ws.root)).toEqual(before);
    },
  );
});

const canUnshare = isRoot && Bun.spawnSync(["unshare", "--user", "--map-root-user", "true"]).exitCode === 0;

test.skipIf(!canUnshare)("[TL-1] a file of a group that a container does not know is changed, and is then ours", () => {
  putThree();
  chownSync(ws.path("a.txt"), 0, 1000);
  const edit = { path: "a.txt", old_string: "a", new_string: "A" };
  expect(callUnder(["unshare", "--user", "--map-root-user"], ws.root, "edit", edit)).toBe("applied");
  expect([ws.text("a.txt"), lstatSync(ws.path("a.txt")).mode & 0o777]).toEqual(["A\n", 0o640]);
});

const canMount = isRoot && Bun.spawnSync(["unshare", "--mount", "true"]).exitCode === 0;

test.skipIf(!canMount)("[RB-4] a file on which another is mounted is refused, with what to do", () => {
  putThree();
  const script = 'mount --bind b.txt a.txt && exec "$@"';
  const around = ["unshare", "--mount", "bash", "-c", `cd ${ws.root}; ${script}`, "mounted"];
  const edit = { path: "a.txt", old_string: "b", new_string: "B" };
  expect(callUnder(around, ws.root, "edit", edit)).toBe(
    "E_IO: cannot replace a.txt: it is in use, for example as a mount point (EBUSY)\nUse a shell command for it.",
  );
  expect(snapshot(ws.root)).toEqual({ "a.txt": "640 a\n", "b.txt": "644 b\n" });
});

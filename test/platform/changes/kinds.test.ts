import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import fc from "fast-check";
import type { FileStamp } from "../../../src/contract/message.ts";
import type { PlannedChange } from "../../../src/contract/tool.ts";
import { type ApplyOptions, applyChanges, applySteps } from "../../../src/platform/files/change/apply.ts";
import { reconcile } from "../../../src/platform/files/change/reconcile.ts";
import { sha256 } from "../../../src/platform/files/hash.ts";
import { folderMode, linkMode } from "../../../src/platform/files/stamp.ts";
import { type Ground, makeGround, treeOf } from "./ground.ts";

let ground: Ground;
beforeEach(() => {
  ground = makeGround();
});
afterEach(() => ground[Symbol.dispose]());

/** What has a name: a file, a link to `to`, a folder with what is in it. */
type Thing =
  | { readonly kind: "file"; readonly text: string; readonly mode: number }
  | { readonly kind: "link"; readonly to: string }
  | { readonly kind: "folder"; readonly mode: number; readonly inside: Tree };
interface Tree {
  readonly [name: string]: Thing;
}

const runs = (usual: number): number => (process.env.CODER_TEST_LONG ? usual * 10 : usual);

const names = ["a", "b", "c"];
const { tree } = fc.letrec<{ tree: Tree; thing: Thing; inner: Tree; leaf: Thing }>((tie) => ({
  leaf: fc.oneof(
    fc.record({
      kind: fc.constant("file" as const),
      text: fc.constantFrom("", "one", "two"),
      mode: fc.constantFrom(0o644, 0o600, 0o755),
    }),
    fc.record({ kind: fc.constant("link" as const), to: fc.constantFrom("a", "b/c", "/nowhere") }),
  ),
  inner: fc.dictionary(fc.constantFrom(...names), tie("leaf"), { maxKeys: 2 }),
  thing: fc.oneof(
    { weight: 3, arbitrary: tie("leaf") },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant("folder" as const),
        mode: fc.constantFrom(0o755, 0o700),
        inside: tie("inner"),
      }),
    },
  ),
  tree: fc.dictionary(fc.constantFrom(...names), tie("thing"), { maxKeys: 3 }),
}));

function build(at: string, { inside }: { readonly inside: Tree }): void {
  for (const [name, thing] of Object.entries(inside)) {
    const path = `${at}/${name}`;
    if (thing.kind === "link") symlinkSync(thing.to, path);
    else if (thing.kind === "file") {
      writeFileSync(path, thing.text);
      chmodSync(path, thing.mode);
    } else {
      mkdirSync(path);
      build(path, thing);
      chmodSync(path, thing.mode);
    }
  }
}

function flat(inside: Tree, prefix = ""): Map<string, { stamp: FileStamp; bytes: Uint8Array }> {
  const found = new Map<string, { stamp: FileStamp; bytes: Uint8Array }>();
  for (const [name, thing] of Object.entries(inside)) {
    const path = prefix + name;
    const text = thing.kind === "file" ? thing.text : thing.kind === "link" ? thing.to : "";
    const mode = thing.kind === "file" ? thing.mode : thing.kind === "link" ? linkMode : folderMode | thing.mode;
    const bytes = Buffer.from(text);
    found.set(path, { bytes, stamp: { hash: sha256(bytes), size: bytes.length, mode } });
    if (thing.kind === "folder") for (const [one, value] of flat(thing.inside, `${path}/`)) found.set(one, value);
  }
  return found;
}

/** From one tree to the other, in no helpful order. */
function planOf(from: Tree, to: Tree, isReversed: boolean): readonly PlannedChange[] {
  const [before, after] = [flat(from), flat(to)];
  const paths = [...new Set([...before.keys(), ...after.keys()])].sort();
  const changes = paths.flatMap((path): PlannedChange[] => {
    const [one, other] = [before.get(path) ?? null, after.get(path) ?? null];
    if (one?.stamp.hash === other?.stamp.hash && one?.stamp.mode === other?.stamp.mode) return [];
    const change = { path, real: ground.path(path), before: one?.stamp ?? null, after: other?.stamp ?? null };
    return [{ change, beforeBytes: one?.bytes ?? null, afterBytes: other?.bytes ?? null }];
  });
  return isReversed ? changes.toReversed() : changes;
}

function fresh(from: Tree): void {
  rmSync(ground.root, { recursive: true, force: true });
  mkdirSync(ground.root);
  build(ground.root, { inside: from });
}

function expectedTree(to: Tree): Record<string, string> {
  const lines = [...flat(to)].map(([path, { stamp, bytes }]): [string, string] => {
    const text = Buffer.from(bytes).toString();
    if (stamp.mode === linkMode) return [path, `link ${text}`];
    const mode = (stamp.mode & 0o7777).toString(8);
    return [path, stamp.mode >= folderMode ? `${mode} folder` : `${mode} ${text}`];
  });
  return Object.fromEntries(lines.sort());
}

const options = (): ApplyOptions => ({ root: ground.root, addDirs: [], tempTag: "t" });

describe("[RB-2] files, links, folders and modes change together", () => {
  test("from any tree to any other, and back", () => {
    fc.assert(
      fc.property(tree, tree, fc.boolean(), (from, to, isReversed) => {
        fresh(from);
        for (const [one, other] of [
          [from, to],
          [to, from],
        ] as const) {
          expect(applyChanges({ changes: planOf(one, other, isReversed) }, options())).toEqual({
            ok: true,
            value: null,
          });
          expect(treeOf(ground.root)).toEqual(expectedTree(other));
        }
      }),
      { numRuns: runs(250) },
    );
  }, 120_000);

  test("[PS-4] a kill at any point leaves all or nothing after reconciling, and nothing of ours lies about", () => {
    const counts = { applied: 0, untouched: 0, foreign: 0 };
    fc.assert(
      fc.property(tree, tree, fc.boolean(), fc.nat(60), (from, to, isReversed, pause) => {
        const changes = planOf(from, to, isReversed);
        if (changes.length === 0) return;
        fresh(from);
        const steps = applySteps(changes, options());
        for (let count = 0; count <= pause; count++) if (steps.next().done) break;
        const found = reconcile(
          changes.map(({ change }) => change),
          "t",
        );
        counts[found]++;
        expect(found).not.toBe("foreign");
        expect(treeOf(ground.root)).toEqual(expectedTree(found === "applied" ? to : from));
      }),
      { numRuns: runs(400) },
    );
    expect(Math.min(counts.applied, counts.untouched)).toBeGreaterThan(30);
  }, 120_000);

  test("[RB-4] a failure at any point puts everything back", () => {
    let failures = 0;
    fc.assert(
      fc.property(tree, tree, fc.nat(60), (from, to, pause) => {
        const changes = planOf(from, to, false);
        fresh(from);
        ground.put("z", "z");
        const stamp = (text: string): FileStamp => ({ hash: sha256(Buffer.from(text)), size: 1, mode: 0o644 });
        const last = { path: "z", real: ground.path("z"), before: stamp("z"), after: stamp("Z") };
        const bytes = { beforeBytes: Buffer.from("z"), afterBytes: Buffer.from("Z") };
        const steps = applySteps([...changes, { change: last, ...bytes }], options());
        let step = steps.next();
        for (let count = 0; count < pause && !step.done; count++) step = steps.next();
        if (step.done || readFileSync(ground.path("z"), "utf8") !== "z") return;
        ground.put("z", "theirs");
        while (!step.done) step = steps.next();
        if (step.value.ok) return;
        failures++;
        expect(step.value.error.code).toBe("E_CONFLICT");
        expect(treeOf(ground.root)).toEqual({ ...expectedTree(from), z: "644 theirs" });
      }),
      { numRuns: runs(250) },
    );
    expect(failures).toBeGreaterThan(50);
  }, 120_000);
});

describe("[RB-2] a link is changed itself, never what it leads to", () => {
  const linkStamp = (to: string): FileStamp => ({ hash: sha256(Buffer.from(to)), size: to.length, mode: linkMode });
  const relink = (from: string, to: string): PlannedChange => ({
    change: { path: "link", real: ground.path("link"), before: linkStamp(from), after: linkStamp(to) },
    beforeBytes: Buffer.from(from),
    afterBytes: Buffer.from(to),
  });

  test("also when it is the only change", () => {
    ground.put("a", "a");
    symlinkSync("a", ground.path("link"));
    expect(applyChanges({ changes: [relink("a", "b")] }, options())).toEqual({ ok: true, value: null });
    expect([readlinkSync(ground.path("link")), readFileSync(ground.path("a"), "utf8")]).toEqual(["b", "a"]);
  });

  test("one that was pointed elsewhere, or is a file by now, is a conflict", () => {
    symlinkSync("c", ground.path("link"));
    const code = () => {
      const result = applyChanges({ changes: [relink("a", "b")] }, options());
      return result.ok ? "ok" : result.error.code;
    };
    expect(code()).toBe("E_CONFLICT");
    rmSync(ground.path("link"));
    ground.put("link", "a");
    expect(code()).toBe("E_CONFLICT");
    expect(treeOf(ground.root)).toEqual({ link: "644 a" });
  });

  test("[PO-7] nothing is made, changed or removed behind a folder that became a link", () => {
    using outside = makeGround();
    outside.put("link", "x");
    mkdirSync(outside.path("empty"));
    ground.put("dir/keep", "k");
    symlinkSync("a", ground.path("dir/link"));
    mkdirSync(ground.path("dir/empty"));
    const one = relink("a", "b");
    const folder: FileStamp = { hash: sha256(new Uint8Array(0)), size: 0, mode: folderMode | 0o755 };
    const changes: PlannedChange[] = [
      { ...one, change: { ...one.change, path: "dir/link", real: ground.path("dir/link") } },
      {
        change: { path: "dir/empty", real: ground.path("dir/empty"), before: folder, after: null },
        beforeBytes: new Uint8Array(0),
        afterBytes: null,
      },
      {
        change: { path: "dir/made", real: ground.path("dir/made"), before: null, after: folder },
        beforeBytes: null,
        afterBytes: new Uint8Array(0),
      },
    ];
    const before = treeOf(outside.root);
    for (let pause = 0; ; pause++) {
      const steps = applySteps(changes, options());
      let step = steps.next();
      for (let count = 0; count < pause && !step.done; count++) step = steps.next();
      if (step.done) break;
      ground.sh(`mv dir moved && ln -s ${outside.root} dir`);
      while (!step.done) step = steps.next();
      expect(treeOf(outside.root)).toEqual(before);
      ground.sh(
        "rm dir && mv moved dir && rm -rf dir/made dir/link && mkdir -p dir/empty && ln -s a dir/link; rm -f dir/.coder-*",
      );
    }
    expect(lstatSync(ground.path("dir")).isDirectory() && dirname(ground.path("dir"))).toBe(ground.root);
  });
});

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import fc from "fast-check";
import { type Ground, gitStart, makeGround, treeOf } from "../../platform/changes/ground.ts";
import { type Actor, makeActor } from "../undoing.ts";

let ground: Ground;
beforeEach(() => {
  ground = makeGround();
});
afterEach(() => ground[Symbol.dispose]());

/** What a command, a tool or a person does to one name; whatever does not fit the tree as it is does nothing. */
interface Deed {
  readonly kind: "put" | "insert" | "delete" | "rename" | "chmod" | "link" | "mkdir";
  readonly name: string;
  readonly other: string;
  readonly at: number;
}

const names = ["a", "b", "d/a", "d/b", "d/e/c", "x"];
const deed: fc.Arbitrary<Deed> = fc.record({
  kind: fc.constantFrom("put", "insert", "insert", "delete", "rename", "chmod", "link", "mkdir"),
  name: fc.constantFrom(...names),
  other: fc.constantFrom(...names),
  at: fc.nat(9),
});

const runs = (usual: number): number => (process.env.CODER_TEST_LONG ? usual * 10 : usual);

let count = 0;

function does({ kind, name, other, at }: Deed, who: string): void {
  const [path, to] = [ground.path(name), ground.path(other)];
  const isThere = lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  count++;
  try {
    if (kind === "put") ground.put(name, `${who} ${count}\n${"line\n".repeat(at)}`);
    else if (kind === "insert" && isThere) {
      const lines = readFileSync(path, "utf8").split("\n");
      lines.splice(Math.min(at, lines.length - 1), 0, `${who} ${count}`);
      writeFileSync(path, lines.join("\n"));
    } else if (kind === "delete") rmSync(path, { recursive: true });
    else if (kind === "rename" && lstatSync(to, { throwIfNoEntry: false }) === undefined) renameSync(path, to);
    else if (kind === "chmod" && !lstatSync(path).isSymbolicLink()) chmodSync(path, at % 2 ? 0o700 : 0o755);
    else if (kind === "link" && !isThere) symlinkSync(other, path);
    else if (kind === "mkdir") mkdirSync(path);
  } catch (error) {
    // A file where a folder is needed, nothing where something is: as on any disk.
    if (!(error instanceof Error && "code" in error)) throw error;
  }
}

function doAll(deeds: readonly Deed[], who: string): void {
  for (const one of deeds) does(one, who);
}

/** The same as a file tool would do it: plain files only, each by its whole new content. */
function writes(actor: Actor, deeds: readonly Deed[], who: string): void {
  const files = new Map<string, string | null>();
  for (const { kind, name, at } of deeds) {
    const stat = statOf(name);
    if (stat === "other" || (kind !== "put" && kind !== "insert" && kind !== "delete")) continue;
    if (kind === "delete" && (stat === "none" || files.has(name))) continue;
    count++;
    const text = stat === "file" ? readFileSync(ground.path(name), "utf8") : "";
    const lines = text.split("\n");
    lines.splice(Math.min(at, lines.length - 1), 0, `${who} ${count}`);
    files.set(name, kind === "delete" ? null : kind === "put" ? `${who} ${count}\n` : lines.join("\n"));
  }
  if (files.size > 0) actor.write(Object.fromEntries(files));
}

/** Of the name itself; `other` also where a folder above it is none. */
function statOf(name: string): "file" | "none" | "other" {
  const parts = name.split("/");
  for (let depth = 1; depth <= parts.length; depth++) {
    const stat = lstatSync(ground.path(parts.slice(0, depth).join("/")), { throwIfNoEntry: false });
    if (stat === undefined) return "none";
    if (depth === parts.length) return stat.isFile() ? "file" : "other";
    if (!stat.isDirectory()) return "other";
  }
  return "none";
}

const step = fc.record({
  what: fc.constantFrom("tool", "shell", "shell", "undo", "redo"),
  deeds: fc.array(deed, { minLength: 1, maxLength: 4 }),
  n: fc.integer({ min: 1, max: 2 }),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

async function acts(actor: Actor, who: string, { what, deeds, n }: Step): Promise<void> {
  if (what === "undo") await actor.undo(n);
  else if (what === "redo") await actor.redo(n);
  else {
    if (what === "tool") writes(actor, deeds, who);
    else await actor.shell(() => doAll(deeds, who));
    actor.endTask(what);
  }
}

function fresh(start: readonly Deed[]): void {
  for (const name of readdirSync(ground.root)) rmSync(ground.path(name), { recursive: true });
  for (const one of start) does(one, "first");
}

/** Until nothing is left, or nothing more can be done. */
async function undoAll(actor: Actor): Promise<readonly string[]> {
  const refused = new Set<string>();
  for (let round = 0; round < 20; round++) {
    // A task of which nothing can be taken back stays the last one: those before it are reached by a number.
    const { isDone, refused: named } = await actor.undo(round === 19 ? 1000 : 1);
    for (const name of named) refused.add(name);
    if (!isDone) round = Math.max(round, 18);
  }
  return [...refused];
}

const start = fc.array(deed, { maxLength: 5 });
const steps = fc.array(step, { minLength: 1, maxLength: 4 });

describe("[RB-2] over random edits, patches and commands, undone and redone", () => {
  test("undoing everything gives back the first tree, byte for byte, with modes and links", async () => {
    await fc.assert(
      fc.asyncProperty(start, steps, async (first, all) => {
        fresh(first);
        const actor = makeActor(ground);
        const before = treeOf(ground.root);
        for (const one of all) await acts(actor, "mine", one);
        expect(await undoAll(actor)).toEqual([]);
        expect(treeOf(ground.root)).toEqual(before);
      }),
      { numRuns: runs(1_000) },
    );
  }, 300_000);

  test("in a repository too, where what was committed is never copied", async () => {
    await fc.assert(
      fc.asyncProperty(start, steps, async (first, all) => {
        fresh(first);
        ground.sh(`${gitStart} && git status >/dev/null`);
        const actor = makeActor(ground);
        const before = treeOf(ground.root);
        for (const one of all) await acts(actor, "mine", one);
        expect(await undoAll(actor)).toEqual([]);
        expect(treeOf(ground.root)).toEqual(before);
        rmSync(ground.path(".git"), { recursive: true });
      }),
      { numRuns: runs(60) },
    );
  }, 300_000);

  test("redoing everything gives back the last tree", async () => {
    await fc.assert(
      fc.asyncProperty(start, steps, async (first, all) => {
        fresh(first);
        const actor = makeActor(ground);
        for (const one of all) if (one.what !== "undo" && one.what !== "redo") await acts(actor, "mine", one);
        const last = treeOf(ground.root);
        await undoAll(actor);
        while ((await actor.redo()).isDone);
        expect(treeOf(ground.root)).toEqual(last);
      }),
      { numRuns: runs(300) },
    );
  }, 300_000);

  test("what another session and the person did elsewhere is not touched, and all of ours goes", async () => {
    const elsewhere = (one: Deed): Deed => ({ ...one, name: `their/${one.name}`, other: `their/${one.other}` });
    await fc.assert(
      fc.asyncProperty(start, steps, fc.array(step, { maxLength: 4 }), async (first, all, others) => {
        fresh(first);
        const before = treeOf(ground.root);
        mkdirSync(ground.path("their"));
        const [mine, theirs] = [makeActor(ground), makeActor(ground)];
        for (let at = 0; at < Math.max(all.length, others.length); at++) {
          const [one, other] = [all[at], others[at]];
          if (one) await acts(mine, "mine", one);
          if (other) await acts(theirs, "theirs", { ...other, deeds: other.deeds.map(elsewhere) });
          if (other)
            doAll(
              other.deeds.map((user) => ({ ...elsewhere(user), name: `their/${user.name}-u` })),
              "user",
            );
        }
        const rest = Object.entries(treeOf(ground.root)).filter(([path]) => path.startsWith("their"));
        expect(await undoAll(mine)).toEqual([]);
        expect(treeOf(ground.root)).toEqual(Object.fromEntries([...Object.entries(before), ...rest].sort()));
      }),
      { numRuns: runs(1_000) },
    );
  }, 300_000);

  test("in the same files no line of others is lost, and every file that keeps a line of ours is named", async () => {
    let refusals = 0;
    await fc.assert(
      fc.asyncProperty(start, steps, fc.array(step, { maxLength: 3 }), async (first, all, others) => {
        fresh(first);
        const [mine, theirs] = [makeActor(ground), makeActor(ground)];
        for (let at = 0; at < Math.max(all.length, others.length); at++) {
          const [one, other] = [all[at], others[at]];
          if (one && one.what !== "undo" && one.what !== "redo") await acts(mine, "mine", one);
          if (other) await acts(theirs, "theirs", other);
          if (other)
            doAll(
              other.deeds.filter(({ kind }) => kind === "insert"),
              "user",
            );
        }
        const before = linesOf(/^(?:theirs|user) \d+$/);
        const refused = await undoAll(mine);
        refusals += refused.length;
        const after = linesOf(/^(?:theirs|user) \d+$/);
        expect(before.filter(([line]) => !after.some(([kept]) => kept === line))).toEqual([]);
        const left = linesOf(/^mine \d+$/).filter(([, path]) => !isNamed(path, refused));
        // A line of ours that others have copied to another name is theirs.
        const ours = left.filter(
          ([, path]) => !others.some(({ deeds }) => deeds.some(({ kind }) => kind === "rename") && path),
        );
        expect(ours).toEqual([]);
      }),
      { numRuns: runs(1_000) },
    );
    expect(refusals).toBeGreaterThan(20);
  }, 300_000);
});

/** Lines of this form in all files, each with the file it is in. */
function linesOf(form: RegExp): readonly (readonly [line: string, path: string])[] {
  return Object.entries(treeOf(ground.root)).flatMap(([path, content]) =>
    content.startsWith("link ")
      ? []
      : content
          .replace(/^\d+ /, "")
          .split("\n")
          .filter((line) => form.test(line))
          .map((line) => [line, path] as const),
  );
}

function isNamed(path: string, refused: readonly string[]): boolean {
  return refused.some((name) => path === name || path.startsWith(`${name}/`) || name.startsWith(`${path}/`));
}

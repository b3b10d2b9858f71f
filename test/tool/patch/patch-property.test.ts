import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { type Encoding, encodeText } from "../../../src/platform/files/text/encoding.ts";
import { loadTools } from "../../../src/tool/registry.ts";
import { diffOf, hunksOf, splitLines } from "../diff.ts";
import { makeWorkspace, snapshot, told, type Workspace } from "../workspace.ts";

const patch = loadTools([]).get("patch")!;
const own = { readsByItself: true };
const runs = process.env.CODER_TEST_LONG === "1" ? 10 : 1;
/** Real files on a busy machine. */
const patience = 60_000;

let ws: Workspace;
beforeAll(() => {
  ws = makeWorkspace();
});
afterAll(() => ws[Symbol.dispose]());

interface Form {
  readonly encoding: Encoding;
  readonly bom: boolean;
}

const bytesOf = (text: string, form: Form): Buffer => encodeText(text, form) as Buffer;

/** The bytes the file would have, or what the model reads. */
async function planned(before: Buffer, text: string): Promise<Buffer | string> {
  ws.put("f.txt", before);
  const result = await ws.plan(patch, { patch: text }, own);
  if (!result.ok) return told(result);
  const after = result.value.changes[0]?.afterBytes;
  return after ? Buffer.from(after) : "no change";
}

const words = fc.constantFrom("", "a", "b", "  a", "\tb", "a ", "}", "-- x", "++ y", "@@", "中", "\\");
const ending = fc.constantFrom("\n", "\r\n");
const form = fc.constantFrom<Form>(
  { encoding: "utf-8", bom: false },
  { encoding: "utf-8", bom: true },
  { encoding: "utf-16le", bom: true },
  { encoding: "utf-16be", bom: true },
  { encoding: "gbk", bom: false },
);

/** Lines of few words, so that many are the same; each shows the file's encoding. */
const textOf = (endings: fc.Arbitrary<string>) =>
  fc.tuple(fc.array(fc.tuple(words, endings), { maxLength: 14 }), fc.boolean()).map(([lines, hasBreak]) =>
    lines
      .map(([word, end]) => `中文${word}${end}`)
      .join("")
      .replace(hasBreak ? /$^/ : /\r?\n$/, ""),
  );

const edit = fc.tuple(fc.nat(), fc.nat(2), fc.array(fc.tuple(words, ending), { maxLength: 3 }));

/** The same text after some random replacements of lines. */
function edited(
  text: string,
  edits: readonly (readonly [number, number, readonly (readonly [string, string])[]])[],
): string {
  const lines = [...splitLines(text)];
  for (const [at, count, fresh] of edits) {
    const place = lines.length === 0 ? 0 : at % (lines.length + 1);
    lines.splice(place, count, ...fresh.map(([word, end]) => `中文${word}${end}`));
  }
  // Every line but the last needs its break.
  return lines.map((line, index) => (index < lines.length - 1 && !line.endsWith("\n") ? `${line}\n` : line)).join("");
}

const mixed = fc.record({
  old: textOf(ending),
  edits: fc.array(edit, { minLength: 1, maxLength: 4 }),
  form,
  context: fc.integer({ min: 1, max: 3 }),
  counts: fc.constantFrom("right" as const, "wrong" as const),
});

test(
  "[TL-1] a diff gives exactly the bytes it was made from, and turned around the old ones",
  async () => {
    let changed = 0;
    await fc.assert(
      fc.asyncProperty(mixed, async ({ old, edits, form, context, counts }) => {
        const fresh = edited(old, edits);
        fc.pre(fresh !== old && fresh !== "" && old !== "");
        changed++;
        const wish = { context, counts };
        expect(await planned(bytesOf(old, form), diffOf("f.txt", old, fresh, wish))).toEqual(bytesOf(fresh, form));
        expect(await planned(bytesOf(fresh, form), diffOf("f.txt", fresh, old, wish))).toEqual(bytesOf(old, form));
      }),
      { numRuns: 600 * runs },
    );
    expect(changed).toBeGreaterThan(300);
  },
  patience,
);

test(
  "[TL-1] a diff without context goes where its numbers say",
  async () => {
    await fc.assert(
      fc.asyncProperty(
        textOf(fc.constant("\n")),
        fc.array(edit, { minLength: 1, maxLength: 3 }),
        async (old, edits) => {
          const fresh = edited(old, edits).replaceAll("\r", "");
          fc.pre(fresh !== old && fresh !== "");
          const wish = { context: 0, counts: "right" } as const;
          expect(await planned(Buffer.from(old), diffOf("f.txt", old, fresh, wish))).toEqual(Buffer.from(fresh));
        },
      ),
      { numRuns: 300 * runs },
    );
  },
  patience,
);

const lf = (text: string): string => text.replaceAll("\r\n", "\n");

test(
  "[TL-1] a diff in LF changes a file with other endings line by line: kept lines keep theirs, CRLF files stay CRLF",
  async () => {
    const cases = fc.tuple(
      fc.oneof(textOf(ending), textOf(fc.constant("\r\n"))),
      fc.array(edit, { minLength: 1, maxLength: 3 }),
    );
    await fc.assert(
      fc.asyncProperty(cases, form, async ([old, edits], form) => {
        const fresh = lf(edited(old, edits));
        fc.pre(fresh !== lf(old) && fresh !== "" && old !== "");
        const text = diffOf("f.txt", lf(old), fresh, { context: 3, counts: "right" });
        const after = await planned(bytesOf(old, form), text);
        if (typeof after === "string") throw new Error(after);
        const decoded = new TextDecoder(form.encoding as "utf-8").decode(after);
        expect(lf(decoded)).toBe(fresh);
        if (!/(?<!\r)\n/.test(old) && old.includes("\r")) expect(decoded).not.toMatch(/(?<!\r)\n/);
        const hunks = text.split("\n").filter((line) => line.startsWith("@@"));
        const first = Number(/-(\d+)/.exec(hunks[0] ?? "")?.[1]) - 1;
        // All in front of the first hunk is as it was, byte for byte.
        const head = splitLines(old).slice(0, Math.max(0, first)).join("");
        expect(decoded.startsWith(head)).toBe(true);
      }),
      { numRuns: 400 * runs },
    );
  },
  patience,
);

/** Lines that are told apart, so that hunks without numbers have one place. */
const numbered = (text: string): string =>
  splitLines(text)
    .map((line, index) => `${index}:${line}`)
    .join("");

test(
  "[TL-2] without numbers, in an envelope, hunks find their place by their lines",
  async () => {
    await fc.assert(
      fc.asyncProperty(
        textOf(fc.constant("\n")),
        fc.array(edit, { minLength: 1, maxLength: 3 }),
        fc.boolean(),
        async (plain, edits, isReversed) => {
          const old = numbered(`${plain.replace(/\n$/, "")}\n`);
          const fresh = edited(old, edits).replaceAll("\r", "").replace(/\n?$/, "\n");
          fc.pre(fresh !== old && fresh !== "\n");
          const hunks = hunksOf(old, fresh, { context: 2, counts: "none" }).split(/^(?=@@)/m);
          // Only added lines have no place.
          fc.pre(hunks.every((hunk) => /^[ -]/m.test(hunk)));
          const body = (isReversed ? hunks.toReversed() : hunks).join("");
          const text = `*** Begin Patch\n*** Update File: f.txt\n${body}*** End Patch\n`;
          expect(await planned(Buffer.from(old), text)).toEqual(Buffer.from(fresh));
        },
      ),
      { numRuns: 300 * runs },
    );
  },
  patience,
);

/** Damage such as a model or a wire does. */
const damage = fc.oneof(
  fc.record({ kind: fc.constant("drop" as const), at: fc.nat(), more: fc.nat(3) }),
  fc.record({ kind: fc.constant("double" as const), at: fc.nat(), more: fc.nat(3) }),
  fc.record({ kind: fc.constant("swap" as const), at: fc.nat(), more: fc.nat(20) }),
  fc.record({ kind: fc.constant("sign" as const), at: fc.nat(), more: fc.nat(3) }),
  fc.record({ kind: fc.constant("cut" as const), at: fc.nat(), more: fc.nat() }),
);

function damaged(text: string, list: readonly { kind: string; at: number; more: number }[]): string {
  const lines = text.split("\n");
  for (const { kind, at, more } of list) {
    const place = at % Math.max(1, lines.length);
    if (kind === "drop") lines.splice(place, more + 1);
    if (kind === "double") lines.splice(place, 0, ...lines.slice(place, place + more + 1));
    if (kind === "swap") lines.splice(place, 0, ...lines.splice(more % Math.max(1, lines.length), 1));
    if (kind === "sign") lines[place] = `${" +-@"[more % 4]}${(lines[place] ?? "").slice(1)}`;
    if (kind === "cut") lines[place] = (lines[place] ?? "").slice(0, more % 10);
  }
  return lines.join("\n");
}

test(
  "[TL-1] a damaged patch is refused and changes nothing, or changes exactly the files it reports",
  async () => {
    const files = { "a.txt": "one\ntwo\nthree\nfour\n", "b.txt": "x\ny\nz\n", "c/d.txt": "d\n", "e.txt": "end" };
    const good =
      diffOf("a.txt", files["a.txt"], "one\n2\nthree\n4\nfive\n", { context: 1, counts: "right" }) +
      "diff --git a/b.txt b/new/b.txt\nrename from b.txt\nrename to new/b.txt\n" +
      diffOf("b.txt", files["b.txt"], "x\nY\nz\n", { context: 3, counts: "right" }).replace("+++ b/b", "+++ b/new/b") +
      "--- a/c/d.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-d\n--- /dev/null\n+++ b/n.txt\n@@ -0,0 +1 @@\n+n\n";
    const outcomes = { refused: 0, changed: 0 };
    await fc.assert(
      fc.asyncProperty(fc.array(damage, { minLength: 1, maxLength: 4 }), fc.boolean(), async (list, isEnvelope) => {
        const text = isEnvelope
          ? "*** Begin Patch\n*** Update File: a.txt\n one\n-two\n+2\n*** Delete File: c/d.txt\n*** Add File: n.txt\n+n\n*** Update File: e.txt\n*** Move to: f.txt\n-end\n+End\n*** End Patch\n"
          : good;
        rmSync(ws.root, { recursive: true });
        mkdirSync(ws.root);
        for (const [name, content] of Object.entries(files)) ws.put(name, content);
        const before = snapshot(ws.root);
        const result = await ws.change(patch, { patch: damaged(text, list) }, own);
        const after = snapshot(ws.root);
        if (!result.ok) {
          outcomes.refused++;
          expect(after).toEqual(before);
          return;
        }
        outcomes.changed++;
        const isFile = (name: string): boolean => !`${before[name] ?? after[name]}`.endsWith("folder");
        const differ = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
          (name) => before[name] !== after[name] && isFile(name),
        );
        const said = result.value.changes.map(({ change }) => change.path);
        expect(differ.toSorted()).toEqual(said.toSorted());
      }),
      { numRuns: 300 * runs },
    );
    expect(Math.min(outcomes.refused, outcomes.changed)).toBeGreaterThan(30);
  },
  patience,
);

type Tree = Readonly<Record<string, string>>;

const names = ["plain.txt", "dir/with space.txt", "dir/中文.txt", 'quo"te.txt'];

function treeOf(contents: readonly (string | null)[]): Tree {
  return Object.fromEntries(names.flatMap((name, at) => (contents[at] == null ? [] : [[name, contents[at] ?? ""]])));
}

function fill(folder: string, tree: Tree): void {
  rmSync(folder, { recursive: true, force: true });
  for (const [name, content] of Object.entries(tree)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  mkdirSync(folder, { recursive: true });
}

const inLatin1 = (tree: Tree): Tree =>
  Object.fromEntries(
    Object.entries(tree).map(([name, content]) => [name, `644 ${Buffer.from(content).toString("latin1")}`]),
  );

const filesIn = (folder: string): Tree =>
  Object.fromEntries(Object.entries(snapshot(folder)).filter(([, content]) => !content.endsWith("folder")));

/** What git says about the way from one tree to the other. */
function gitDiff(work: string, before: Tree, after: Tree): string {
  const git = (...args: readonly string[]): string => {
    const env = { PATH: process.env.PATH ?? "", HOME: work, GIT_CONFIG_NOSYSTEM: "1", GIT_DIR: `${work}.git` };
    const run = Bun.spawnSync(["git", ...args], { cwd: work, env: { ...env, GIT_WORK_TREE: work } });
    return run.stdout.toString();
  };
  const trees = [before, after].map((tree) => {
    fill(work, tree);
    git("init", "-q");
    git("add", "-A");
    return git("write-tree").trim();
  });
  return git("diff", "-M", ...trees);
}

const trees = fc.tuple(
  fc.array(fc.option(textOf(ending)), { minLength: 4, maxLength: 4 }),
  fc.array(fc.option(textOf(ending)), { minLength: 4, maxLength: 4 }),
  fc.array(edit, { maxLength: 2 }),
);

test(
  "[TL-1] what git makes of random trees gives the new tree, file by file",
  async () => {
    const work = `${ws.root}-git`;
    try {
      await fc.assert(
        fc.asyncProperty(trees, async ([old, fresh, edits]) => {
          // Half of the files are old ones under another name, a little different, so that git sees renames.
          const after = names.map((_, at) =>
            at % 2 === 0 ? edited(old[(at + 2) % 4] ?? "", edits) : (fresh[at] ?? null),
          );
          const text = gitDiff(work, treeOf(old), treeOf(after));
          fc.pre(text !== "");
          fill(ws.root, treeOf(old));
          const result = await ws.change(patch, { patch: text }, own);
          expect(result.ok ? "ok" : `${told(result)}\n${text}`).toBe("ok");
          expect(filesIn(ws.root)).toEqual(inLatin1(treeOf(after)));
        }),
        { numRuns: 25 * runs },
      );
    } finally {
      rmSync(work, { recursive: true, force: true });
      rmSync(`${work}.git`, { recursive: true, force: true });
    }
  },
  patience,
);

test.skipIf(Bun.which("diff") === null || Bun.which("patch") === null)(
  "[TL-2] what diff makes is applied to a file that has moved on as patch applies it",
  async () => {
    const folder = `${ws.root}-diff`;
    try {
      await fc.assert(
        fc.asyncProperty(
          textOf(fc.constant("\n")),
          fc.array(edit, { minLength: 1 }),
          fc.nat(9),
          async (plain, edits, shift) => {
            const old = numbered(`${plain.replace(/\n$/, "")}\n`);
            const fresh = edited(old, edits).replaceAll("\r", "").replace(/\n?$/, "\n");
            fc.pre(fresh !== old);
            fill(folder, { old, fresh, moved: "moved\n".repeat(shift) + old });
            const text = Bun.spawnSync(["diff", "-u", "old", "fresh"], { cwd: folder }).stdout.toString();
            const run = Bun.spawnSync(["patch", "-s", "--posix", "-F0", "moved"], {
              cwd: folder,
              stdin: Buffer.from(text),
            });
            fc.pre(run.exitCode === 0);
            const named = text.replace("--- old", "--- f.txt").replace("+++ fresh", "+++ f.txt");
            expect(await planned(Buffer.from("moved\n".repeat(shift) + old), named)).toEqual(
              readFileSync(join(folder, "moved")),
            );
          },
        ),
        { numRuns: 25 * runs },
      );
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
  patience,
);

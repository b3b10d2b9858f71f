import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import fc from "fast-check";
import { findFiles, searchText } from "../../../src/platform/search/search.ts";
import { list } from "../../../src/tool/search/list.ts";
import { makeWorkspace, told, type Workspace } from "../../tool/workspace.ts";

let ws: Workspace;
let config: string | undefined;
beforeAll(() => {
  ws = makeWorkspace();
  config = process.env.XDG_CONFIG_HOME;
  // Rules of the person who runs the tests must not count.
  process.env.XDG_CONFIG_HOME = ws.path("no-config");
});
afterAll(() => {
  if (config === undefined) delete process.env.XDG_CONFIG_HOME;
  else process.env.XDG_CONFIG_HOME = config;
  ws[Symbol.dispose]();
});

const runs = (count: number) => ({ numRuns: process.env.CODER_TEST_LONG === "1" ? count * 10 : count });

const names = ["a", "b", "a.log", "b.log", "keep.log", "build", ".hid", "x y", "é", "中", "𠀀", "\uff5e", "a-b", "A"];
const name = fc.constantFrom(...names, "node_modules", "x\ny", "-e", "a b.ts");
const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("/"));
const rule = fc.oneof(
  { arbitrary: path.filter((text) => !text.includes("\n")), weight: 1 },
  fc.constantFrom(
    ...["*.log", "!keep.log", "build/", "/a", "/a/", "a/b", "**/b", "a/**", "a/**/b", "**/a/*", "!a/", "*", "!*/"],
    ...["#a", "\\#a", "?", "[ab]", "[!a]", "[^a]*", "[a-b].log", "x\\ y", "x y ", "", "/", "b*/", "*b"],
    ...["**", "!中", "[é中]", "node_modules", ".*", "!.hid", "a**b", "**a", "/**/b", "a-[b]", "a+", "$a", "^a", "\\a"],
  ),
);
const rules = fc.array(rule, { maxLength: 5 }).map((lines) => lines.map((line) => `${line}\n`).join(""));
const ruleFile = fc.tuple(fc.oneof(fc.constant(""), path), rules).map(([folder, text]) => ({ folder, text }));

interface Tree {
  readonly files: readonly string[];
  readonly gitignores: readonly { readonly folder: string; readonly text: string }[];
  readonly ignores: readonly { readonly folder: string; readonly text: string }[];
}
const tree = (ignoreFiles: number): fc.Arbitrary<Tree> =>
  fc.record({
    files: fc.array(path, { minLength: 1, maxLength: 14 }),
    gitignores: fc.array(ruleFile, { maxLength: 3 }),
    ignores: fc.array(ruleFile, { maxLength: ignoreFiles }),
  });

/** Puts down what fits: a name may be wanted as a file and as a folder. */
function plant(root: string, { files, gitignores, ignores }: Tree): void {
  rmSync(root, { recursive: true, force: true });
  const put = (where: string, text: string): void => {
    try {
      mkdirSync(dirname(`${root}/${where}`), { recursive: true });
      writeFileSync(`${root}/${where}`, text);
    } catch (error) {
      if (!/EEXIST|EISDIR|ENOTDIR/.test(String(error))) throw error;
    }
  };
  for (const file of files) put(file, `in ${file.replace("\n", " ")}\r\nneedle\nlast`);
  for (const { folder, text } of gitignores) put(`${folder}/.gitignore`, text);
  for (const { folder, text } of ignores) put(`${folder}/.ignore`, text);
}

const isFolder = (where: string): boolean => existsSync(`${where}/.`);

/** All that git needs to see a repository. */
function makeRepository(root: string, exclude: string): void {
  for (const folder of ["objects", "refs", "info"]) mkdirSync(`${root}/.git/${folder}`, { recursive: true });
  writeFileSync(`${root}/.git/HEAD`, "ref: refs/heads/main\n");
  writeFileSync(`${root}/.git/info/exclude`, exclude);
}

function filesByGit(root: string): readonly string[] {
  const env = {
    PATH: process.env.PATH ?? "",
    HOME: ws.root,
    XDG_CONFIG_HOME: ws.path("no-config"),
    GIT_CONFIG_NOSYSTEM: "1",
  };
  const argv = ["git", "-c", "safe.directory=*", "ls-files", "-z", "--others", "--exclude-standard"];
  const ended = Bun.spawnSync(argv, { cwd: root, env });
  if (ended.exitCode !== 0) throw new Error(ended.stderr.toString());
  return ended.stdout.toString().split("\0").filter(Boolean);
}

const base = (root: string) => ({
  ...{ root, real: root, max: 1000, timeoutMs: 20_000 },
  signal: new AbortController().signal,
});

/** Both ways of searching: ours without a program, and with ripgrep. */
const ways = [null, undefined] as const;

async function filesBy(root: string, way: null | undefined, more: object = {}): Promise<unknown> {
  const result = await findFiles({ ...base(root), glob: "**", ...more }, way);
  return result.ok ? result.value : result.error.code;
}

async function hitsBy(root: string, way: null | undefined, more: object): Promise<unknown> {
  const result = await searchText({ ...base(root), pattern: "", ...more }, way);
  return result.ok ? result.value : result.error.code;
}

test("[TL-1] a search finds exactly the files that git does not ignore, with ripgrep and without", async () => {
  await fc.assert(
    fc.asyncProperty(tree(0), rules, async (given, exclude) => {
      const root = ws.path("git");
      plant(root, given);
      makeRepository(root, exclude);
      const wanted = [...filesByGit(root)].sort();
      for (const way of ways) {
        const result = (await filesBy(root, way)) as { readonly found: readonly string[] };
        expect([...result.found].sort()).toEqual(wanted);
      }
    }),
    runs(100),
  );
}, 120_000);

const globs = fc.constantFrom(
  ...[
    "**",
    "*",
    "*.log",
    "**/*.log",
    "a/**",
    "a/*",
    "**/a/**",
    "?",
    "[ab]*",
    "[!a]*",
    "*.{log,ts}",
    "{a,b}/**",
    "!a",
    "!*.log",
  ],
  ...["!a/b", "!**/b/*", "./a/", "-e", "中", "**/é", "x y", "a-b", "**/{a,b}", "a/{b,é}/*", "*.*", ".*", "*/"],
);
const patterns = fc.constantFrom(
  ...[
    "needle",
    "^needle$",
    "^in",
    "a/b",
    "b$",
    "[ab]",
    "in .*log",
    "é",
    "中",
    "(?i)NEEDLE",
    "n{1}e{2}",
    "x|y",
    "\\bin\\b",
  ],
  ...["last$", "", "é|last", "^$", "needle(?=x)", "(a)\\1", "[^a-z]"],
);

test("[TL-1] both ways of searching give the same files and lines, in the same order, from any folder", async () => {
  await fc.assert(
    fc.asyncProperty(
      tree(2),
      globs,
      patterns,
      fc.boolean(),
      fc.nat(),
      async (given, glob, pattern, isRepository, at) => {
        const root = ws.path("both");
        plant(root, given);
        if (isRepository) makeRepository(root, "b.log\n");
        const folders = [root, ...given.files.map((file) => dirname(`${root}/${file}`))].filter(isFolder);
        const more = { real: folders[at % folders.length], max: 1 + (at % 30) };
        expect(await filesBy(root, null, { ...more, glob })).toEqual(await filesBy(root, undefined, { ...more, glob }));
        expect(await hitsBy(root, null, { ...more, glob, pattern })).toEqual(
          await hitsBy(root, undefined, { ...more, glob, pattern }),
        );
      },
    ),
    runs(100),
  );
}, 120_000);

test("[TL-1] list, glob and grep agree: what list shows and git does not ignore is found by both", async () => {
  await fc.assert(
    fc.asyncProperty(tree(0), async (given) => {
      const root = ws.path("three");
      const isPlain = (where: string): boolean => !where.includes("\n");
      const gitignores = given.gitignores.filter(({ folder }) => isPlain(folder));
      plant(root, { files: given.files.filter(isPlain), gitignores, ignores: [] });
      makeRepository(root, "");
      const listed = async (folder: string): Promise<readonly string[]> => {
        const lines = told(await ws.run(list, { path: `three/${folder}` })).split("\n");
        const inside = lines.filter((line) => line !== "(empty folder)" && line !== ".git/");
        const below = inside.map(async (line) =>
          line.endsWith("/") ? listed(`${folder}${line}`) : [`${folder}${line}`],
        );
        return (await Promise.all(below)).flat();
      };
      const kept = new Set(filesByGit(root));
      const wanted = (await listed("")).filter((file) => kept.has(file)).sort();
      const { found: files } = (await filesBy(root, undefined)) as { readonly found: readonly string[] };
      expect([...files].sort()).toEqual(wanted);
      const { found: hits } = (await hitsBy(root, undefined, { pattern: "" })) as {
        readonly found: { path: string }[];
      };
      // An empty rule file has no line to be found.
      const lined = wanted.filter((file) => Bun.file(`${root}/${file}`).size > 0);
      expect([...new Set(hits.map((hit) => hit.path))].sort()).toEqual(lined);
    }),
    runs(30),
  );
}, 120_000);

// Every relative link and anchor of the documents leads somewhere, and every path of this repository in backticks exists.
import { existsSync } from "node:fs";
import { basename, dirname, join, normalize } from "node:path";
import { anchorsIn, codeIn, linksIn } from "./markdown.ts";

export interface Document {
  /** From the root of the repository. */
  readonly path: string;
  readonly text: string;
}

/** The documents that people read; what is generated from other people's texts is theirs. */
export async function documents(root: string): Promise<readonly Document[]> {
  const globs = ["*.md", "docs/**/*.md", "src/**/README.md"];
  const paths = globs.flatMap((glob) => [...new Bun.Glob(glob).scanSync({ cwd: root })]);
  const ours = paths.filter((path) => path !== "THIRD_PARTY_NOTICES.md").toSorted();
  return await Promise.all(ours.map(async (path) => ({ path, text: await Bun.file(join(root, path)).text() })));
}

export async function checkLinks(root: string): Promise<{ ok: boolean; output: string }> {
  const all = await documents(root);
  const names = new Set(
    [...new Bun.Glob("{src,test,scripts,bench}/**/*.*").scanSync({ cwd: root })].map((path) => basename(path)),
  );
  const exists = (path: string): boolean => existsSync(join(root, path));
  const problems = brokenIn(all, exists, names);
  return { ok: problems.length === 0, output: problems.map((line) => `     ${line}`).join("\n") };
}

/** `names`: of all source files, for a name without folder. */
export function brokenIn(
  all: readonly Document[],
  exists: (path: string) => boolean,
  names: ReadonlySet<string>,
): readonly string[] {
  const texts = new Map(all.map(({ path, text }) => [path, text]));
  return all.flatMap(({ path, text }) => [
    ...linksIn(text).flatMap(({ line, text: target }) => {
      const problem = linkProblem(path, target, texts, exists);
      return problem === null ? [] : [`${path}:${line}: ${problem}`];
    }),
    // A decision names the files of its day.
    ...(path.startsWith("docs/dev/adr/") ? [] : codeIn(text)).flatMap(({ line, text: code }) =>
      isBrokenPath(code, exists, names) ? [`${path}:${line}: there is no ${code}`] : [],
    ),
  ]);
}

function linkProblem(
  from: string,
  target: string,
  texts: ReadonlyMap<string, string>,
  exists: (path: string) => boolean,
): string | null {
  if (/^[a-z][a-z+.-]*:/i.test(target)) return null;
  const [file = "", anchor] = decodeURI(target).split("#");
  const path = file === "" ? from : normalize(join(dirname(from), file));
  if (path.startsWith("..") || !exists(path)) return `the link ${target} leads nowhere`;
  const text = texts.get(path);
  if (anchor === undefined || text === undefined || anchorsIn(text).has(anchor)) return null;
  return `${path} has no heading #${anchor}`;
}

const tops = /^(?:src|test|scripts|bench|docs|bin|licences)\//;
const rooms =
  /^(?:contract|words|machine|policy|context|mechanic|platform|index|config|model|tool|verify|store|engine|command|surface|main)\//;

/** `src/tool/x.ts` in a recipe. */
const placeholder = /(?:^|\/)x(?:\.test)?\.ts$|[A-Z]{3,}/;
const onlyInPackages: readonly string[] = ["bin/programs.json"];

/** Only what is surely meant as a path: letters, digits, dots and dashes, or a wildcard as a name's end. */
function isBrokenPath(code: string, exists: (path: string) => boolean, names: ReadonlySet<string>): boolean {
  if (!/^[\w./-]+$/.test(code) || code.includes("..") || placeholder.test(code) || onlyInPackages.includes(code))
    return false;
  if (tops.test(code)) return !exists(code) && !isDecision(code, exists);
  if (rooms.test(code) && /\/$|\.ts$/.test(code)) return !exists(`src/${code}`);
  return /^[a-z][\w-]*\.ts$/.test(code) && !names.has(code);
}

/** `docs/dev/adr/0016` stands for the record with that number. */
function isDecision(code: string, exists: (path: string) => boolean): boolean {
  return /^docs\/dev\/adr\/\d{4}$/.test(code) && exists("docs/dev/adr");
}

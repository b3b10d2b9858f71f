import { fail, ok, type Result } from "../contract/error.ts";
import { phrase } from "../contract/text/catalogue.ts";
import { decodeText } from "./files/encoding.ts";
import { errnoOf } from "./files/failure.ts";
import { findRipgrep } from "./ripgrep.ts";
import { globFilter } from "./search-glob.ts";

export interface SearchPlace {
  /** Results are named relative to this. */
  readonly root: string;
  /** Real path of the folder or file to search. */
  readonly real: string;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly max: number;
}

export interface FileWish extends SearchPlace {
  readonly glob: string;
}

export interface TextWish extends SearchPlace {
  readonly pattern: string;
  readonly glob?: string;
  /** Files of which nothing may be shown, by path. */
  readonly isHidden?: (path: string) => boolean;
}

export interface Hit {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

export interface Found<T> {
  readonly found: readonly T[];
  readonly more: boolean;
  /** Remarks for the reader: files that could not be read or were left out. */
  readonly notes: readonly string[];
}

const maxColumns = 400;

// One order of results for equal searches, whatever the number of cores; hidden files count, git's own do not.
const always = [
  "--no-config",
  "--no-messages",
  "--hidden",
  "--no-require-git",
  "--glob=!.git",
  "--sort=path",
  "--color=never",
  "--null",
];

/** Files whose path fits the glob, in path order; ignored ones (.gitignore) left out. */
export async function findFiles(wish: FileWish, rg?: Program): Promise<Result<Found<string>>> {
  const filter = globFilter(wish.glob, wish);
  const found: string[] = [];
  const take: Take = (path) => {
    if (filter.fits(path)) found.push(path);
    return found.length <= wish.max;
  };
  const argv = [...always, "--files", ...filter.flags, "--", placeOf(wish)];
  const ended = await run(rg, argv, wish, splitAtNul(take));
  if (ended === null) return (await import("./search-plain.ts")).plainFiles(wish, filter);
  return ended.ok ? ok({ found: found.slice(0, wish.max), more: found.length > wish.max, notes: [] }) : ended;
}

/** Lines that match a regular expression, in path and line order. */
export async function searchText(wish: TextWish, rg?: Program): Promise<Result<Found<Hit>>> {
  const filter = globFilter(wish.glob ?? "", wish);
  const found: Hit[] = [];
  const left = new Set<string>();
  const take = (hit: Hit): boolean => {
    if (!filter.fits(hit.path)) return true;
    if (wish.isHidden?.(hit.path)) left.add(hit.path);
    else found.push(hit);
    return found.length <= wish.max;
  };
  const flags = [
    "--line-number",
    "--no-heading",
    "--with-filename",
    "--crlf",
    "--engine=auto",
    `--max-count=${wish.max + 1}`,
  ];
  const cut = [`--max-columns=${maxColumns}`, "--max-columns-preview"];
  const argv = [...always, ...flags, ...cut, ...filter.flags, "-e", wish.pattern, "--", placeOf(wish)];
  const ended = await run(rg, argv, wish, splitHits(take));
  if (ended === null) return (await import("./search-plain.ts")).plainText(wish, filter);
  if (!ended.ok) return ended;
  const notes = [
    ...(ended.value.isPartial ? ["some files could not be read"] : []),
    ...(left.size > 0 ? [`files left out because they may hold secrets: ${left.size}`] : []),
  ];
  return ok({ found: found.slice(0, wish.max), more: found.length > wish.max, notes });
}

/** As seen from the root, so that results are named from there; never mistaken for an option. */
function placeOf({ root, real }: SearchPlace): string {
  if (real === root) return "./";
  return real.startsWith(`${root}/`) ? `./${real.slice(root.length + 1)}` : real;
}

interface Ended {
  /** Some files could not be read. */
  readonly isPartial: boolean;
}

type Take = (path: string) => boolean;
/** Takes raw output; false = enough. */
type Eat = (chunk: Buffer) => boolean;

type Program = string | null | undefined;

/** `null` when there is no program that can be started. */
async function run(rg: Program, argv: string[], wish: SearchPlace, eat: Eat): Promise<Result<Ended> | null> {
  if (wish.signal.aborted) return fail("E_CANCELLED", phrase("run.cancelled_call"), { sideEffect: "none" });
  const program = rg === undefined ? await findRipgrep() : rg;
  const child = program === null ? null : start([program, ...argv], wish.root);
  if (child === null) return null;
  const stop = (): void => child.kill("SIGKILL");
  const timer = setTimeout(stop, wish.timeoutMs);
  wish.signal.addEventListener("abort", stop, { once: true });
  try {
    const problem = child.stderr.text();
    let isEnough = false;
    for await (const chunk of child.stdout) {
      isEnough = !eat(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
      if (isEnough) break;
    }
    if (isEnough) stop();
    const code = await child.exited;
    if (wish.signal.aborted) return fail("E_CANCELLED", phrase("run.cancelled_call"), { sideEffect: "none" });
    if (isEnough || code === 0 || code === 1) return ok({ isPartial: false });
    const words = (await problem).trim();
    if (code === 2 && words === "") return ok({ isPartial: true });
    if (code === 2) return fail("E_INVALID_ARGS", phrase("search.bad_pattern", { problem: complaint(words) }));
    return tooLong(wish.timeoutMs);
  } finally {
    clearTimeout(timer);
    wish.signal.removeEventListener("abort", stop);
  }
}

function start(argv: string[], cwd: string) {
  const { HOME, PATH, XDG_CONFIG_HOME } = process.env;
  const env = { HOME, PATH, XDG_CONFIG_HOME };
  try {
    return Bun.spawn(argv, { cwd, env, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  } catch (error) {
    // Removed since it was found, or on a disk from which nothing may be executed.
    if (errnoOf(error) === undefined) throw error;
    return null;
  }
}

export function tooLong(timeoutMs: number) {
  return fail("E_TOOL_TIMEOUT", phrase("search.timeout", { seconds: timeoutMs / 1000 }), { sideEffect: "none" });
}

/** Ripgrep frames the complaints of both engines in many lines: the first is enough. */
function complaint(words: string): string {
  const lines = words
    .split("\n")
    .filter((line) => !/^~+$|^$|could not be compiled with either|engine error:$/.test(line));
  const end = lines.findIndex((line) => line.startsWith("error:"));
  return lines
    .slice(0, end === -1 ? 3 : end + 1)
    .join(" ")
    .replace(/^rg: /, "")
    .replace(/\s+/g, " ")
    .slice(0, 300);
}

function splitAtNul(take: Take): Eat {
  let open = Buffer.alloc(0);
  return (chunk) => {
    const bytes = open.length === 0 ? chunk : Buffer.concat([open, chunk]);
    let at = 0;
    for (let end = bytes.indexOf(0); end !== -1; end = bytes.indexOf(0, at)) {
      if (!take(plainPath(bytes.subarray(at, end)))) return false;
      at = end + 1;
    }
    open = Buffer.from(bytes.subarray(at));
    return true;
  };
}

const remark = /: (?:WARNING: stopped searching binary file|binary file matches)/;

/** Records are `path NUL line:text LF`, and paths may hold line breaks; a remark on a binary file has no NUL. */
function splitHits(take: (hit: Hit) => boolean): Eat {
  let open = Buffer.alloc(0);
  return (chunk) => {
    let bytes = open.length === 0 ? chunk : Buffer.concat([open, chunk]);
    for (;;) {
      const middle = bytes.indexOf(0);
      const first = bytes.indexOf(10);
      if (first !== -1 && (middle === -1 || first < middle) && remark.test(bytes.toString("latin1", 0, first))) {
        bytes = bytes.subarray(first + 1);
        continue;
      }
      const end = middle === -1 ? -1 : bytes.indexOf(10, middle);
      if (end === -1) break;
      if (!take(hitOf(bytes.subarray(0, middle), bytes.subarray(middle + 1, end)))) return false;
      bytes = bytes.subarray(end + 1);
    }
    open = Buffer.from(bytes);
    return true;
  };
}

function hitOf(path: Buffer, rest: Buffer): Hit {
  const colon = rest.indexOf(":");
  const line = Number(rest.toString("latin1", 0, colon));
  const raw = rest.subarray(colon + 1);
  const text = decodeText(Buffer.from(raw))?.text ?? raw.toString("latin1");
  return { path: plainPath(path), line, text: text.endsWith("\r") ? text.slice(0, -1) : text };
}

function plainPath(bytes: Buffer): string {
  const path = bytes.toString("utf8");
  return path.startsWith("./") ? path.slice(2) : path;
}

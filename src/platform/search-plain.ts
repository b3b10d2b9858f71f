// Search without ripgrep, for machines that have none: slower, one thread, JavaScript's regular expressions.
import { readdirSync, readFileSync, statSync } from "node:fs";
import ignore, { type Ignore } from "ignore";
import { fail, ok, type Result } from "../contract/error.ts";
import { phrase } from "../contract/text/catalogue.ts";
import { decodeText } from "./files/encoding.ts";
import { errnoOf } from "./files/failure.ts";
import { isWithin } from "./files/path.ts";
import { type FileWish, type Found, type Hit, type SearchPlace, type TextWish, tooLong } from "./search.ts";
import type { GlobFilter } from "./search-glob.ts";

const maxFileBytes = 4 * 2 ** 20;
const maxColumns = 400;
/** JavaScript's matcher can take for ever on one long line; a short one bounds the damage. */
const maxSearchedChars = 2000;

export async function plainFiles(wish: FileWish, filter: GlobFilter): Promise<Result<Found<string>>> {
  const found: string[] = [];
  const ended = await walk(wish, filter, (path) => {
    found.push(path);
    return found.length <= wish.max;
  });
  return ended.ok ? ok({ found: found.slice(0, wish.max), more: found.length > wish.max, notes: [] }) : ended;
}

export async function plainText(wish: TextWish, filter: GlobFilter): Promise<Result<Found<Hit>>> {
  let pattern: RegExp;
  try {
    pattern = new RegExp(wish.pattern, "u");
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    return fail("E_INVALID_ARGS", phrase("search.bad_pattern", { problem }));
  }
  const found: Hit[] = [];
  let left = 0;
  const ended = await walk(wish, filter, (path, real) => {
    const hits = hitsIn(path, real, pattern);
    if (hits.length > 0 && wish.isHidden?.(path)) left++;
    else found.push(...hits);
    return found.length <= wish.max;
  });
  if (!ended.ok) return ended;
  const notes = left > 0 ? [`files left out because they may hold secrets: ${left}`] : [];
  return ok({ found: found.slice(0, wish.max), more: found.length > wish.max, notes });
}

function hitsIn(path: string, real: string, pattern: RegExp): readonly Hit[] {
  const text = textOf(real);
  const lines = (text.endsWith("\n") ? text.slice(0, -1) : text).split("\n");
  return lines.flatMap((raw, index) => {
    const line = raw.endsWith("\r") ? raw.slice(0, -1) : raw;
    return pattern.test(line.slice(0, maxSearchedChars))
      ? [{ path, line: index + 1, text: line.slice(0, maxColumns) }]
      : [];
  });
}

function textOf(real: string): string {
  try {
    if (statSync(real).size > maxFileBytes) return "";
    return decodeText(readFileSync(real))?.text ?? "";
  } catch (error) {
    // Unreadable or gone: the search goes on without it.
    if (errnoOf(error) === undefined) throw error;
    return "";
  }
}

type Visit = (path: string, real: string) => boolean;

interface Item {
  readonly real: string;
  readonly isFolder: boolean;
  readonly rules: readonly Rules[];
}

/** In the order of names at each level, as ripgrep does. */
async function walk(place: SearchPlace, filter: GlobFilter, visit: Visit): Promise<Result<null>> {
  const deadline = performance.now() + place.timeoutMs;
  const shown = (real: string): string => (isWithin(real, place.root) ? real.slice(place.root.length + 1) : real);
  const fitsName = nameFilter(filter);
  const open: Item[] = [{ real: place.real, isFolder: statSync(place.real).isDirectory(), rules: [] }];
  for (let item = open.pop(); item !== undefined; item = open.pop()) {
    if (item.isFolder) {
      await new Promise(setImmediate);
      open.push(...itemsIn(item.real, item.rules).reverse());
    }
    if (place.signal.aborted) return fail("E_CANCELLED", phrase("run.cancelled_call"), { sideEffect: "none" });
    if (performance.now() > deadline) return tooLong(place.timeoutMs);
    if (item.isFolder || !fitsName(item.real) || !filter.fits(shown(item.real))) continue;
    if (!visit(shown(item.real), item.real)) return ok(null);
  }
  return ok(null);
}

function itemsIn(folder: string, above: readonly Rules[]): Item[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true }).filter(
      (entry) => entry.isDirectory() || entry.isFile(),
    );
    const own = entries.some(({ name }) => name === ".gitignore") ? textOf(`${folder}/.gitignore`) : "";
    const rules = own === "" ? above : [...above, { folder, ignore: ignore().add(own) }];
    return entries
      .map((entry) => ({ real: `${folder}/${entry.name}`, isFolder: entry.isDirectory(), rules }))
      .filter(({ real, isFolder }) => !real.endsWith("/.git") && !isIgnored(real, isFolder, rules))
      .sort((a, b) => (a.real < b.real ? -1 : 1));
  } catch (error) {
    // A folder that is closed to us or gone: the search goes on without it.
    if (errnoOf(error) === undefined) throw error;
    return [];
  }
}

interface Rules {
  readonly folder: string;
  readonly ignore: Ignore;
}

function isIgnored(real: string, isFolder: boolean, rules: readonly Rules[]): boolean {
  return rules.some(({ folder, ignore: own }) => {
    const path = real.slice(folder.length + 1);
    return own.ignores(isFolder ? `${path}/` : path);
  });
}

/** What ripgrep is told by flags is matched here by name. */
function nameFilter({ flags }: GlobFilter): (real: string) => boolean {
  const wanted = flags.find((flag) => flag.startsWith("want:"))?.slice("want:".length);
  const unwanted = flags.find((flag) => flag.startsWith("--glob=!"))?.slice("--glob=!".length);
  const glob = new Bun.Glob(wanted ?? unwanted ?? "*");
  const nameOf = (real: string): string => real.slice(real.lastIndexOf("/") + 1);
  return (real) => glob.match(nameOf(real)) === (unwanted === undefined);
}

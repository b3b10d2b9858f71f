import { closeSync, existsSync, lstatSync, readdirSync, readlinkSync } from "node:fs";
import { fail, ok } from "../../contract/error.ts";
import { isOwnFolder } from "../../contract/path/own-folders.ts";
import { visible } from "../../contract/show/visible.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import { defineTool } from "../../contract/tool.ts";
import { ioFailure, orElse } from "../../platform/files/failure.ts";
import { inFolder, type OpenFolder, openFolder } from "../../platform/files/folder.ts";
import { byPath, type Smallest, smallest } from "../../platform/files/smallest.ts";
import { args, optional, text } from "../args.ts";
import { folderAt } from "../edit/nearest.ts";

const maxShown = 500;

export const list = defineTool({
  name: "list",
  description:
    "List the entries of one folder, hidden ones included, without descending. Folders end in /, links show their target. At most 500 are shown.",
  input: args({ path: optional(text("Folder; default: the workspace root")) }),
  access: "read",
  afterCrash: "repeat",
  touches: ({ path }) => [path ?? "."],
  instead: [{ tool: "glob", how: "name the files with a pattern" }],
  async run({ path = "." }, ctx) {
    const at = folderAt(path, ctx);
    if (!at.ok) return at;
    const { real, shown } = at.value;
    let folder: OpenFolder | null = null;
    try {
      // Hold it open, so that the listed directory is the one that was judged even if another takes its place.
      folder = openFolder(real);
      const inside = inFolder(folder, ".");
      const names = await firstNames(inside, ctx.signal, real === ctx.root ? isOurs : () => false);
      if (names === null) return fail("E_CANCELLED", phrase("run.cancelled_call"), { sideEffect: "none" });
      const first = names.take();
      const entries = first.map((name) => entryOf(inside, name));
      const rest = names.total() - entries.length;
      const notes = [
        ...(entries.length === 0 ? ["(empty folder)"] : rest > 0 ? [`(${rest} more entries not shown)`] : []),
        ...(first.some((name) => isUndecodable(inside, name)) ? [undecodableNote] : []),
      ];
      const data = { path: shown, total: names.total() };
      return ok({ text: [...entries, ...notes].join("\n"), data });
    } catch (error) {
      return ioFailure(error, visible(shown));
    } finally {
      if (folder !== null) closeSync(folder.fd);
    }
  },
});

const undecodableNote = "(names with \ufffd are not UTF-8; reach those files by a shell command)";
const yieldEvery = 50_000;

/** Handles a directory of any size and checks for a cancel in between; `null` = cancelled. */
async function firstNames(
  folder: string,
  signal: AbortSignal,
  isHidden: (path: string) => boolean,
): Promise<Smallest<string> | null> {
  const first = smallest<string>(maxShown, byPath);
  // Loaded lazily, because it takes a millisecond.
  const { readdir } = await import("node:fs/promises");
  const names = await orAborted(readdir(folder), signal);
  for (const [index, name] of names?.entries() ?? []) {
    if (!isHidden(`${folder}/${name}`)) first.add(name);
    if (index % yieldEvery === yieldEvery - 1) await new Promise(setImmediate);
    if (signal.aborted) return null;
  }
  return names === null ? null : first;
}

/** A `.coder` with only coder's own folders: it comes and goes with sessions and means nothing to the project. */
function isOurs(path: string): boolean {
  if (!path.endsWith("/.coder")) return false;
  try {
    return readdirSync(path).every(isOwnFolder);
  } catch {
    return false;
  }
}

/** The read of a huge directory continues in its thread, but nobody waits for it. */
async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | null> {
  const { promise, resolve } = Promise.withResolvers<null>();
  const stop = (): void => resolve(null);
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await Promise.race([promise, work]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** Invalid UTF-8 decodes to this character, so the decoded name does not exist. */
function isUndecodable(folder: string, name: string): boolean {
  return name.includes("\ufffd") && !existsSync(`${folder}/${name}`);
}

function entryOf(folder: string, name: string): string {
  const path = `${folder}/${name}`;
  // Without permission, or if it was removed meanwhile, only the name is known.
  return orElse(() => {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (stat?.isDirectory()) return `${visible(name)}/`;
    return stat?.isSymbolicLink() ? `${visible(name)} -> ${visible(readlinkSync(path))}` : visible(name);
  }, visible(name));
}

import { chmodSync, mkdirSync, renameSync, rmSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { basename, join } from "node:path";
import { errnoOf } from "../files/failure.ts";

let found: Promise<string | null> | undefined;

/** Path of ripgrep: our own copy, else the one in PATH, else `null`. Cached. */
export function findRipgrep(): Promise<string | null> {
  found ??= locateRipgrep();
  return found;
}

async function locateRipgrep(): Promise<string | null> {
  const packaged = await packagedRipgrep();
  const own = packaged === null ? null : await runnable(packaged);
  return own ?? Bun.which("rg");
}

/** Every name is a literal so that the build embeds the file. */
export async function packagedRipgrep(): Promise<string | null> {
  try {
    switch (`${process.platform}-${process.arch}`) {
      case "linux-x64":
        return (await import("@vscode/ripgrep-linux-x64/bin/rg", { with: { type: "file" } })).default;
      case "linux-arm64":
        return (await import("@vscode/ripgrep-linux-arm64/bin/rg", { with: { type: "file" } })).default;
      case "darwin-x64":
        return (await import("@vscode/ripgrep-darwin-x64/bin/rg", { with: { type: "file" } })).default;
      case "darwin-arm64":
        return (await import("@vscode/ripgrep-darwin-arm64/bin/rg", { with: { type: "file" } })).default;
      default:
        return null;
    }
  } catch {
    // Not installed: optional packages may be missing.
    return null;
  }
}

/** A file embedded in the compiled program cannot be executed, so it is copied out once, to a name with its hash. */
async function runnable(path: string): Promise<string | null> {
  if (!path.startsWith("/$bunfs/")) return path;
  const packed = Bun.file(path);
  const folder = join(process.env.CODER_HOME || join(homedir(), ".coder"), "cache");
  const target = join(folder, basename(path));
  const fresh = `${target}.${process.pid}`;
  try {
    if (statSync(target, { throwIfNoEntry: false })?.size === packed.size) return target;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    await Bun.write(fresh, packed);
    chmodSync(fresh, 0o700);
    renameSync(fresh, target);
    return target;
  } catch (error) {
    // The home is not writable: the search works without our copy too.
    if (errnoOf(error) === undefined) throw error;
    rmSync(fresh, { force: true });
    return null;
  }
}

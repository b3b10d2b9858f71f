import { chmodSync, mkdirSync, renameSync, rmSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { basename, join } from "node:path";
import { errnoOf } from "../files/failure.ts";

let found: Promise<string | null> | undefined;

/** The search program: our own copy, else the one on PATH, else `null`. Looked for once. */
export function findRipgrep(): Promise<string | null> {
  found ??= locateRipgrep();
  return found;
}

async function locateRipgrep(): Promise<string | null> {
  const packaged = await packagedRipgrep();
  const own = packaged === null ? null : await runnable(packaged);
  return own ?? Bun.which("rg");
}

/** Each name is spelled out, because only then does the build put the file into the program. */
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
    // Not installed for this machine: optional packages may be missing.
    return null;
  }
}

/** A file inside the compiled program cannot be executed: it is copied out once, under a name with its hash. */
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
    // A home that cannot be written: searching works without our copy, too.
    if (errnoOf(error) === undefined) throw error;
    rmSync(fresh, { force: true });
    return null;
  }
}

// The programs that a project contains or asks for. They precede those of the machine, as in a developer's shell.
import { accessSync, constants, existsSync, readdirSync, realpathSync } from "node:fs";
import { join, relative } from "node:path";
import { orElse } from "../../platform/files/failure.ts";
import { isWithin } from "../../platform/files/path.ts";
import { below, foldersAbove, isFile, textOf } from "./workspace.ts";

type Environment = Readonly<Record<string, string | undefined>>;

export interface OwnPrograms {
  readonly set: Readonly<Record<string, string>>;
  /** The program behind the command's first word: relative to the workspace, or absolute; `null` if there is none. */
  readonly program: string | null;
}

/** `cwd`: a real path inside the workspace. */
export function ownPrograms(command: string, workspace: string, cwd: string, env: Environment): OwnPrograms {
  const root = realpathSync.native(workspace);
  const above = foldersAbove(root, relative(root, cwd) || ".");
  const python = virtualEnvironment(root, above) ?? pythonVersion(root, above, env);
  const modules = above.map((folder) => join(root, folder, "node_modules", ".bin")).filter(existsSync);
  const node = nodeVersion(root, above, env);
  const folders = [...(python ? [join(python, "bin")] : []), ...modules, ...(node ? [node] : [])];
  const path = [...folders, env.PATH ?? ""].join(":");
  const own = folders.length === 0 ? {} : { PATH: path, ...(python ? { VIRTUAL_ENV: python } : {}) };
  const program = programIn(command, root, cwd, path);
  // rustup reads this file by itself.
  const file = ["rust-toolchain.toml", "rust-toolchain"].find((name) =>
    above.some((one) => isFile(root, below(one, name))),
  );
  const asked = command.startsWith("cargo ") && program !== null && file !== undefined ? ` (${file})` : "";
  return { set: own, program: program === null ? null : `${program}${asked}` };
}

/** `python -m venv`, uv and poetry all write `pyvenv.cfg`. */
function virtualEnvironment(root: string, above: readonly string[]): string | null {
  const all = above.flatMap((folder) => [".venv", "venv", "env"].map((name) => join(root, folder, name)));
  return (
    all.find((folder) => existsSync(join(folder, "pyvenv.cfg")) && isProgram(join(folder, "bin", "python"))) ?? null
  );
}

function wantedVersion(root: string, above: readonly string[], names: readonly string[]): string | null {
  const file = above.flatMap((folder) => names.map((name) => below(folder, name))).find((path) => isFile(root, path));
  const word = file === undefined ? "" : (textOf(root, file).trim().split(/\s/, 1)[0] ?? "");
  return /^v?\d+(?:\.\d+){0,2}$/.test(word) ? word.replace(/^v/, "") : null;
}

function pythonVersion(root: string, above: readonly string[], env: Environment): string | null {
  const version = wantedVersion(root, above, [".python-version"]);
  const home = env.PYENV_ROOT ?? join(env.HOME ?? "/", ".pyenv");
  const installed = version === null ? null : newestOf(join(home, "versions"), version, "");
  return installed !== null && isProgram(join(installed, "bin", "python")) ? installed : null;
}

function nodeVersion(root: string, above: readonly string[], env: Environment): string | null {
  const version = wantedVersion(root, above, [".nvmrc", ".node-version"]);
  const home = env.NVM_DIR ?? join(env.HOME ?? "/", ".nvm");
  const installed = version === null ? null : newestOf(join(home, "versions", "node"), version, "v");
  return installed === null ? null : join(installed, "bin");
}

/** `20` matches any 20.x.y; the newest one wins. */
function newestOf(folder: string, version: string, mark: string): string | null {
  const fits = (name: string) => name === `${mark}${version}` || name.startsWith(`${mark}${version}.`);
  const byNumber = (a: string, b: string) => a.localeCompare(b, "en", { numeric: true });
  // Without the folder, that version manager is not installed.
  const names = orElse(() => readdirSync(folder), []);
  const found = names.filter(fits).sort(byNumber).at(-1);
  return found === undefined ? null : join(folder, found);
}

function programIn(command: string, root: string, cwd: string, path: string): string | null {
  const word = command.split(/\s+/).find((one) => !/^\w+=/.test(one)) ?? "";
  const files = word.includes("/") ? [join(cwd, word)] : path.split(":").map((folder) => join(folder, word));
  const file = word === "" ? undefined : files.find((one) => one.startsWith("/") && isProgram(one));
  if (file === undefined) return null;
  return isWithin(file, root) ? relative(root, file) : file;
}

export function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

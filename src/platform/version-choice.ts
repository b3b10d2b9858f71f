// Project files that choose program versions for version managers (asdf, mise, pyenv, nodenv, rustup, …).
import { type Dirent, lstatSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { listEntries, orNull } from "./files/probe.ts";

/** Names and numbers, one line per program. Not `path:/…`, `ref:…` or anything else that leads to a program of the project. */
const plainLines = /^\.(?:tool-versions|sdkmanrc|nvmrc|(?:[a-z]+-)version)$/;
const plainLine = /^(?:#.*|[\w.@+=-]*(?:[ \t]+[\w.@+-]+)*\s*)$/;
const never =
  /^(?:\.?(?:mise|rtx)(?:\..*)?(?:\.toml)?|\.config|\.prototools|\.?aqua\.ya?ml|rust-toolchain(?:\.toml)?|\.envrc|\.pkgx\.ya?ml)$/;
const MOST_BYTES = 64 * 1024;

/** Whether a folder and its parents tell version managers nothing but versions. */
export function choosesPlainly(folder: string): boolean {
  const above = dirname(folder);
  return listEntries(folder).every((entry) => isPlain(folder, entry)) && (above === folder || choosesPlainly(above));
}

function isPlain(folder: string, { name }: Dirent): boolean {
  const path = join(folder, name);
  if (never.test(name)) return name === ".config" && !["mise", "mise.toml"].some((one) => isThere(join(path, one)));
  if (name === "package.json") return textOf(path)?.includes('"volta"') === false;
  if (!plainLines.test(basename(name))) return true;
  return (
    textOf(path)
      ?.split("\n")
      .every((line) => plainLine.test(line)) === true
  );
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

function textOf(path: string): string | null {
  const stat = orNull(() => lstatSync(path));
  return stat?.isFile() && stat.size <= MOST_BYTES ? orNull(() => readFileSync(path, "utf8")) : null;
}

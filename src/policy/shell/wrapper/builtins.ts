import { phrase } from "../../../contract/text/catalogue.ts";
import { pathOf } from "../arguments.ts";
import { takeOptions } from "../options.ts";
import { addReads, type Scope } from "../scope.ts";
import type { Word } from "../verdict/judgement.ts";
import { cut } from "../verdict/tally.ts";
import { isHarmlessName } from "../word/variable-names.ts";
import { type Handled, refused } from "./handled.ts";

// Directories the shell may be in after several `cd`: more are not tracked.
const maxFolders = 8;
const maxLength = 256;

/** Builtins that change what is known about the shell. */
export const builtins: Readonly<Record<string, (args: readonly Word[], scope: Scope) => Handled>> = {
  cd: judgeCd,
  pushd: judgePushd,
  popd: judgePopd,
  read,
  unset,
};

/** It may fail, so both directories are possible. A name that begins with a dash, or no name, leads to an unknown directory. */
export function judgeCd(args: readonly Word[], scope: Scope): Handled {
  const [target, second] = args;
  if (second === undefined && target?.kind === "literal" && target.value === "-" && scope.previousFolders) {
    return goBack(scope);
  }
  const path = target && second === undefined && target.kind === "literal" ? pathOf(target) : null;
  if (path === null || path.path === "" || path.path.startsWith("-")) {
    return unknownFolder("cd", args, scope);
  }
  const before = scope.folders;
  const after = [...new Set(before.flatMap((folder) => possiblePaths(joinPath(folder, path.path))))];
  if (before.length + after.length > maxFolders || after.some((folder) => folder.length > maxLength)) {
    return unknownFolder("cd", args, scope);
  }
  addReads(scope, [path]);
  scope.previousFolders = [...new Set([...(scope.previousFolders ?? []), ...before, ...after])];
  scope.folders = [...before, ...after];
  return { problems: [] };
}

/** Without an earlier directory, `cd -` fails and the shell stays. */
function goBack(scope: Scope): Handled {
  scope.folders = [...new Set([...scope.folders, ...(scope.previousFolders ?? [])])];
  return { problems: [] };
}

function judgePushd(args: readonly Word[], scope: Scope): Handled {
  const [target] = args;
  const isFolder = target?.kind === "literal" && /^[^-+]/.test(target.value);
  return isFolder ? judgeCd(args, scope) : unknownFolder("pushd", args, scope);
}

function judgePopd(args: readonly Word[], scope: Scope): Handled {
  return args.length === 0 && scope.previousFolders ? goBack(scope) : unknownFolder("popd", args, scope);
}

function unknownFolder(name: string, args: readonly Word[], { tally }: Scope): Handled {
  tally.isInUnknownFolder = true;
  const part = cut([name, ...args.map(({ text }) => text)].join(" "));
  return { problems: [phrase("shell.directory", { part })], isUnclear: true };
}

/** After a symlink, the shell's `..` returns to where it came from, but a program's `..` is the parent of the symlink's target. */
function possiblePaths(folder: string): readonly string[] {
  const names: string[] = [];
  let isBack = false;
  for (const name of folder.split("/")) {
    const last = names.at(-1);
    const isHome = names.length === 1 && last === "~" && folder.startsWith("~");
    if (name === ".." && last !== undefined && last !== "" && last !== ".." && !isHome) {
      names.pop();
      isBack = true;
    } else if (name !== "." && (name !== "" || last === undefined)) names.push(name);
  }
  const back = names.length === 1 && names[0] === "" ? "/" : names.join("/");
  return isBack ? [folder, back] : [folder];
}

function joinPath(folder: string, path: string): string {
  if (folder === "" || /^[/~]/.test(path)) return path;
  return folder.endsWith("/") ? folder + path : `${folder}/${path}`;
}

/** Not `-f`, and no name with a subscript. */
function unset(args: readonly Word[], scope: Scope): Handled {
  const names = args.map((word) => (word.kind === "literal" ? word.value : ""));
  if (names.length === 0 || !names.every(isHarmlessName)) {
    const part = cut(`unset ${args.map(({ text }) => text).join(" ")}`);
    return { ...refused(phrase("shell.operand", { program: "unset", part })), isUnclear: true };
  }
  for (const name of names) scope.variables.set(name, null);
  return { problems: [] };
}

/** Sets variables to lines of its input. A name with a subscript would be evaluated, and may run commands. */
function read(args: readonly Word[], scope: Scope): Handled {
  const options = takeOptions(args, { flags: "rse", valued: "pdtnN" });
  const names = options?.rest.map((word) => (word.kind === "literal" ? word.value : ""));
  const hasKnownValues = options?.given.every(
    ([, value]) => value === null || value.kind === "literal" || value.kind === "one",
  );
  if (!hasKnownValues || !names?.every(isHarmlessName)) {
    const part = cut(`read ${args.map(({ text }) => text).join(" ")}`);
    return { ...refused(phrase("shell.operand", { program: "read", part })), isUnclear: true };
  }
  for (const name of names) scope.variables.set(name, null);
  return { problems: [] };
}

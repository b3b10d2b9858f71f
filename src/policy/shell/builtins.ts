import { phrase } from "../../contract/text/catalogue.ts";
import { pathOf } from "./arguments.ts";
import { type Handled, refused } from "./handled.ts";
import type { Word } from "./judgement.ts";
import { takeOptions } from "./options.ts";
import { addReads, type Scope } from "./scope.ts";
import { cut } from "./tally.ts";

// Folders the shell may be in after a few `cd`: more are not followed.
const maxFolders = 8;
const maxLength = 256;

/** Parts of the shell that change what is known about it. */
export const builtins: Readonly<Record<string, (args: readonly Word[], scope: Scope) => Handled>> = { cd, read };

/** Whether the shell gives no meaning to a variable of this name, and no program looks for it. */
export function isHarmlessName(name: string): boolean {
  return /^(?:[a-z][a-z0-9_]{0,30}|[A-Z])$/.test(name) && !/proxy|^(?:path|histchars)$/.test(name);
}

/** It may fail, so both folders are possible; a name with a dash first, or none, leads where only the run can tell. */
function cd(args: readonly Word[], scope: Scope): Handled {
  const [target, second] = args;
  const part = cut(`cd ${args.map(({ text }) => text).join(" ")}`);
  const path = target && second === undefined && target.kind === "literal" ? pathOf(target) : null;
  if (path === null || path.path === "" || path.path.startsWith("-")) {
    return astray(scope, part);
  }
  const before = scope.folders;
  const after = [...new Set(before.flatMap((folder) => ways(under(folder, path.path))))];
  if (before.length + after.length > maxFolders || after.some((folder) => folder.length > maxLength)) {
    return astray(scope, part);
  }
  addReads(scope, [path]);
  scope.folders = [...before, ...after];
  return { problems: [] };
}

function astray({ tally }: Scope, part: string): Handled {
  tally.isAstray = true;
  return { problems: [phrase("shell.directory", { part })], isUnclear: true };
}

/** `..` behind a link leads back where the shell came from, and for programs above the folder that the link leads to. */
function ways(folder: string): readonly string[] {
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

function under(folder: string, path: string): string {
  if (folder === "" || /^[/~]/.test(path)) return path;
  return folder.endsWith("/") ? folder + path : `${folder}/${path}`;
}

/** Sets variables to lines of its input. A name with a subscript would be evaluated, and may run commands. */
function read(args: readonly Word[], scope: Scope): Handled {
  const options = takeOptions(args, { flags: "rse", valued: "pdtnN" });
  const names = options?.rest.map((word) => (word.kind === "literal" ? word.value : ""));
  const isTold = options?.given.every(
    ([, value]) => value === null || value.kind === "literal" || value.kind === "one",
  );
  if (!isTold || !names?.every(isHarmlessName)) {
    const part = cut(`read ${args.map(({ text }) => text).join(" ")}`);
    return { ...refused(phrase("shell.operand", { program: "read", part })), isUnclear: true };
  }
  for (const name of names) scope.variables.set(name, null);
  return { problems: [] };
}

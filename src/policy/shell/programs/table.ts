import type { Program } from "../verdict/judgement.ts";
import { bytePrograms } from "./bytes.ts";
import { filePrograms } from "./files.ts";
import { git } from "./git.ts";
import { jq } from "./jq.ts";
import { searchPrograms } from "./search.ts";
import { onlyBuiltins, sharedBuiltins } from "./shell.ts";
import { systemPrograms } from "./system.ts";
import { tar } from "./tar.ts";
import { textPrograms } from "./text-tools.ts";
import { versionPrograms } from "./versions.ts";

const programs: Readonly<Record<string, Program>> = {
  ...filePrograms,
  ...textPrograms,
  ...searchPrograms,
  ...bytePrograms,
  ...systemPrograms,
  ...sharedBuiltins,
  // Arithmetic on its words: numbers, operators and text, never options.
  expr: { judge: () => ({ reads: [] }), takesAnyWord: true },
  // Prints when it has no words; with a command it is a wrapper.
  env: {},
  jq,
  tar,
  git,
};

/** System directories. Not /usr/local/bin or /opt, where anybody may install. */
const systemFolder = /^\/(?:usr\/)?bin\/(?=[^/]+$)/;

/** The row of a program, by name or by full path in a system directory; a relative path names an arbitrary file. */
export function programNamed(name: string, isRealProgram: (program: string) => boolean = () => false): Program | null {
  const plain = name.replace(systemFolder, "");
  if (plain === name) {
    const known = rowOf(programs, name) ?? rowOf(onlyBuiltins, name);
    return known ?? (isRealProgram(name) ? rowOf(versionPrograms, name) : null);
  }
  return rowOf(programs, plain) ?? rowOf(versionPrograms, plain);
}

/** The row allows only asking for the version. */
export function asksVersion(name: string, program: Program | null): boolean {
  return program !== null && rowOf(versionPrograms, name) === program;
}

function rowOf(rows: Readonly<Record<string, Program>>, name: string): Program | null {
  return Object.hasOwn(rows, name) ? (rows[name] ?? null) : null;
}

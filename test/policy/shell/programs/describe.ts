// The whole table as text, one line per row. To accept a change: npx bun test/policy/shell/programs/describe.ts > test/policy/shell/programs/table.txt

import { hardening as variables } from "../../../../src/policy/shell/programs/hardening.ts";
import type { Program, Role } from "../../../../src/policy/shell/verdict/judgement.ts";
import { rows } from "./lines.ts";

export function describeTable(): string {
  const programs = Object.entries(rows).flatMap(([name, row]) => describe(name, row, new Map()));
  const hardening = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
  return `${[...programs, ...hardening].join("\n")}\n`;
}

/** A row that came before is only named. */
function describe(name: string, row: Program, seen: Map<object, string>): readonly string[] {
  const known = seen.get(row.commands ?? row);
  if (known !== undefined) return [`${name} = ${known}`];
  seen.set(row.commands ?? row, name);
  const more = Object.entries(row.commands ?? {}).flatMap(([word, one]) => describe(`${name} ${word}`, one, seen));
  return [`${name}: ${wordsOf(row).join(" ")}`, ...more];
}

function wordsOf(row: Program): readonly string[] {
  const named = (roles: Readonly<Record<string, Role | null>> | undefined, before: string, sign: string) =>
    Object.entries(roles ?? {}).map(([name, role]) => (role === null ? name : `${before}${name}${sign}${role}`));
  return [
    ...(row.flags ? [`-${row.flags}`] : []),
    ...named(row.valued, "-", ":"),
    ...named(row.maybeValued, "-", ""),
    ...named(row.long, "", ":"),
    ...named(row.attached, "", "="),
    ...(row.hasCount ? ["-N"] : []),
    ...(row.operands ?? []).map((role) => `<${role}>`),
    ...(row.rest === undefined ? [] : [`<${row.rest}…>`]),
    ...(row.atLeast === undefined ? [] : [`at-least:${row.atLeast}`]),
    ...(row.firstBy === undefined ? [] : [`first-by:${row.firstBy.join(",")}`]),
    ...(row.neverBegins === undefined ? [] : [`never:${row.neverBegins}`]),
    ...(row.fits ? ["together"] : []),
    ...(row.joins === undefined ? [] : [`joins:${row.joins}`]),
    ...(row.readsBelow === undefined ? [] : [`below:${row.readsBelow}`]),
    ...(row.follows === undefined ? [] : [`follows:${row.follows}`]),
    ...(row.listsUnless === undefined ? [] : [`lists-unless:${row.listsUnless}`]),
    ...(row.showsNames ? ["names"] : []),
    ...(row.roams ? ["roams"] : []),
    ...(row.obeys === undefined ? [] : [`obeys:${row.obeys}`]),
    ...(row.endings === undefined ? [] : [`endings:${row.endings.join(",")}`]),
    ...(row.hasGlobs ? ["globs"] : []),
    ...(row.takesAnyWord ? ["any-word"] : []),
    ...(row.hasLateOptions ? ["late-options"] : []),
    ...(row.needsFiles ? ["files"] : []),
    ...(row.showsTracked ? ["shows-tracked"] : []),
    ...(row.isBuiltin ? ["builtin"] : []),
    ...(row.needsGit ? ["needs-git"] : []),
    ...(row.judge ? ["judge"] : []),
  ];
}

if (import.meta.main) process.stdout.write(describeTable());

// The faults of one run of the bench: those made by hand, and as many made by chance.
import { layModules } from "./packages.ts";
import { type Program, projectFiles } from "./program.ts";
import { type Chance, chanceFrom, pick, spoil } from "./spoil.ts";
import { failsTests, inFolder } from "./tests.ts";

export interface Case {
  readonly program: Program;
  readonly name: string;
  readonly by: "hand" | "chance";
  readonly broken: string;
}

export function casesByHand(programs: readonly Program[]): readonly Case[] {
  return programs.flatMap((program) =>
    program.faults.map(({ name, before, after }) => ({
      ...{ program, by: "hand" as const, name: `${program.name}: ${name}` },
      broken: program.source.replace(before, () => after),
    })),
  );
}

/** How many places are tried for one fault that the tests see. */
const mostThrows = 200;

/** One for each program in turn, and no text twice. Which it is depends on the seed only, not on what runs beside it. */
export async function casesByChance(
  programs: readonly Program[],
  count: number,
  seed: number,
): Promise<readonly Case[]> {
  const used = new Set<string>();
  const cases: Case[] = [];
  for (let at = 0; cases.length < count && at < count * 2; at++) {
    const program = programs[at % programs.length]!;
    const found = await caseFor(program, used, chanceFrom(seed + at * 7919));
    if (found !== null) cases.push(found);
  }
  return cases;
}

async function caseFor(program: Program, used: Set<string>, chance: Chance): Promise<Case | null> {
  for (let thrown = 0; thrown < mostThrows; thrown++) {
    const spoilt = spoil(program, chance);
    if (spoilt === null || used.has(spoilt.text)) continue;
    used.add(spoilt.text);
    const files = projectFiles(program, spoilt.text);
    const isSeen = await inFolder(files, (folder) => {
      layModules(program, folder);
      return failsTests(folder, program.test.path, program.runner);
    });
    if (!isSeen) continue;
    const name = `${program.name}: ${spoilt.kind}, line ${spoilt.line}`;
    return { program, by: "chance", name, broken: spoilt.text };
  }
  return null;
}

/** Some of them, the same for the same seed. */
export function someOf(cases: readonly Case[], count: number, seed: number): readonly Case[] {
  const chance = chanceFrom(seed);
  const left = [...cases];
  return Array.from({ length: Math.min(count, left.length) }, () => {
    const one = pick(left, chance);
    left.splice(left.indexOf(one), 1);
    return one;
  });
}

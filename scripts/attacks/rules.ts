// Rules that allow more than was said yes to.
import { type Attempt, broken, held } from "./attempt.ts";
import type { Ground } from "./ground.ts";

const programs = [
  "python3 -",
  "python3",
  "node",
  "node -",
  "sh",
  "bash",
  "bash -s",
  "perl",
  "ruby",
  "psql",
  "sqlite3 a.db",
  "git apply",
];

const feeds: readonly (readonly [string, (program: string, text: string) => string])[] = [
  ["a here-document", (program, text) => `${program} <<'E'\n${text}\nE`],
  ["a here-string", (program, text) => `${program} <<< '${text}'`],
  ["a pipe", (program, text) => `printf '%s' '${text}' | ${program}`],
  ["a file", (program) => `${program} < input.txt`],
  ["a group", (program, text) => `{ ${program}; } <<'E'\n${text}\nE`],
];

/** What the program would decide about a line, with rules given by flags. */
async function decided(
  ground: Ground,
  line: string,
  rules: readonly string[],
): Promise<{ decision: string; text: string }> {
  const flags = rules.flatMap((rule) => ["--allow", rule]);
  const { out } = await ground.coder(["policy", "check", "--json", ...flags, line]);
  return { decision: (JSON.parse(out) as { decision: string }).decision, text: out };
}

const fedRules: readonly Attempt[] = programs.flatMap((program) =>
  feeds.map(([by, feed]) => ({
    promise: "rules",
    name: `${program} is allowed; its program comes by ${by}`,
    play: async (ground: Ground) => {
      const line = feed(program, "touch PWN");
      const { decision } = await decided(ground, line, [`bash(${program})`, `bash(${program} *)`]);
      return decision === "allow" ? broken(`allowed: ${line}`) : held(decision);
    },
  })),
);

const hints: readonly Attempt[] = programs.slice(0, 8).map((program) => ({
  promise: "rules",
  name: `without a person, ${program} is fed a program: no flag is advised for it`,
  play: async (ground: Ground) => {
    const { err, sent } = await ground.commands([`${program} <<'E'\ntouch PWN\nE`], { mode: "default" });
    return /--allow/.test(err + sent) ? broken("a flag is advised") : held("refused without such advice");
  },
}));

export const ruleAttempts: readonly Attempt[] = [...fedRules, ...hints];

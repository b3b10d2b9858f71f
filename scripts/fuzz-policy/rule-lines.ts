// Rules: what one forbids must not be reached by another spelling, and what "always" has stored must allow nothing else.
import type { PermissionRule } from "../../src/contract/permission.ts";
import { alwaysRules } from "../../src/policy/rule/always.ts";
import type { Traced } from "../../test/support/strace.ts";
import type { Random } from "./random.ts";
import { grammarLine, mutated } from "./shell-lines.ts";
import type { World } from "./world.ts";

export interface RuleCase {
  readonly line: string;
  readonly rules: readonly PermissionRule[];
  /** The line that "always" was said to. */
  readonly approved?: string;
}

const person = { by: "person", source: "fuzz" } as const;
const denied = ["touch", "rm", "cp", "mkdir", "mv"];
/** Whatever is fed to these runs unseen, which is said so in docs/guide/permissions.md. */
const readsPrograms = /\b(?:bash|sh|source|eval|xargs|env)\b|(?:^|[\s;&|(])\.\s/;

export function denyCase(random: Random): RuleCase {
  const program = random.pick(denied);
  const deny: PermissionRule = {
    decision: "deny",
    tool: "bash",
    command: { argv: [program], isExact: false },
    ...person,
  };
  return { line: grammarLine(random), rules: [deny, { decision: "allow", tool: "bash", ...person }] };
}

/** Whether it started what a rule forbids. */
export function isWalkedAround({ line, rules }: RuleCase, { effects }: Traced): boolean {
  const name = rules[0]?.command?.argv[0] ?? "";
  return (
    !readsPrograms.test(line) &&
    effects.some((one) => one.startsWith("execve(") && one.includes(`["${name}"`) && / = 0$/.test(one))
  );
}

export const pretended = [
  "npm",
  "pytest",
  "cargo",
  "go",
  "tsc",
  "eslint",
  "make",
  "python3",
  "node",
  "psql",
  "deploy",
  "pnpm",
  "ruff",
];

const acting = [
  ...[
    "npm test",
    "npm run build",
    "npm test -- -t x",
    "pytest -q",
    "pytest tests/a.py -k b",
    "cargo build --release",
    "cargo test -p a",
  ],
  ...[
    "go test ./...",
    "go build",
    "tsc --noEmit",
    "eslint .",
    "make all",
    "python3 a.py",
    "node b.js",
    "psql",
    "deploy now",
    "ls && npm test",
  ],
  ...[
    "npm test 2>&1 | tail -n 3",
    "cat a.txt | npm test",
    "python3 tools/x.py --fast",
    "cd . && make",
    "pnpm run lint",
    "ruff check src",
  ],
];

/** The approved words in another place, with another input, another folder, another environment or more behind them. */
const around: readonly ((line: string) => string)[] = [
  (line) => `${line} <<'E'\ntouch PWN\nE`,
  (line) => `${line} <<< 'touch PWN'`,
  (line) => `cat a.txt | ${line} 2</dev/null`,
  (line) => `{ ${line} </dev/null; } 3<a.txt`,
  (line) => `${line} -- -e 'touch PWN'`,
  (line) => `${line} -- --require ./PWN`,
  (line) => `echo touch PWN | ${line}`,
  (line) => `cat a.txt | { ${line}; }`,
  (line) => `( ${line} ) < a.txt`,
  (line) => `cd sub && ${line}`,
  (line) => `A=b ${line}`,
  (line) => `env A=b ${line}`,
  (line) => `bash -c '${line}'`,
  (line) => `timeout 1 ${line}`,
  (line) => `${line} > PWN`,
  (line) => `${line} & touch PWN`,
  (line) => `${line} 2>(touch PWN)`,
  (line) => `find . -execdir ${line} \\;`,
  (line) => `ls | xargs ${line}`,
  (line) => `${line} --config=PWN`,
  (line) => `${line} -o PWN`,
  (line) => `${line} \\\n -exec touch`,
];

export function alwaysCase(random: Random, world: World): RuleCase | null {
  const approved = random.pick(acting);
  const question = world.question(approved);
  const rules = alwaysRules(question);
  if (rules === null) return null;
  return { approved, rules, line: random.chance(50) ? random.pick(around)(approved) : mutated(random, [approved]) };
}

/** Options with which such a tool runs something else, or writes elsewhere. */
const dangerous =
  /^-{1,2}(?:exec|toolexec|vettool|o|overlay|modfile|config|c|p|plugin|script-shell|prefix|rulesdir|resolve-plugins|outDir|project|C|f|e|eval|require|r|import|loader|m)(?:=|$)/;

/** They take no orders from what they are fed, also where a rule names every word of theirs. */
const deaf: ReadonlySet<string | undefined> = new Set(["cargo", "eslint", "go", "pytest", "ruff", "tsc"]);

/** Whether something else than what was approved has happened. */
export function isMoreThanApproved({ rules }: RuleCase, { effects }: Traced): boolean {
  return effects.some((effect) => {
    const argv = argvOf(effect);
    // What a script of any name does with its input is not known.
    if (argv === null)
      return (
        !/"\/fed-(?!run")/.test(effect) || rules.some(({ command }) => command?.isExact && !deaf.has(command.argv[0]))
      );
    return !rules.some(({ command }) => command !== undefined && fits(command.argv, command.isExact, argv));
  });
}

function fits(named: readonly string[], isExact: boolean, argv: readonly string[]): boolean {
  if (!named.every((word, at) => argv[at] === word)) return false;
  if (isExact) return argv.length === named.length;
  return !argv.slice(named.length).some((word) => dangerous.test(word));
}

/** The words of a program that one of ours stands in for. */
function argvOf(effect: string): readonly string[] | null {
  const found = /^execve\("[^"]*\/bin\/[^"]*", (\[.*?\]), 0x/.exec(effect)?.[1];
  if (found === undefined) return null;
  try {
    return JSON.parse(found.replace(/\\(?!["\\nt])/g, "\\\\")) as string[];
  } catch {
    return null;
  }
}

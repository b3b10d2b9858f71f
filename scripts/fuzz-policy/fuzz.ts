import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { linesOf, rows } from "../../test/policy/shell/programs/lines.ts";
import type { Traced } from "../../test/support/strace.ts";
import { type Find, readFinds } from "./finds.ts";
import { isKeptOpened, isWrittenElsewhere, keptCase, keptFile, openedCase } from "./path-lines.ts";
import { readers } from "./pieces.ts";
import { awkLine, findLine, gitLine, optionLine, sedLine } from "./program-lines.ts";
import { Random } from "./random.ts";
import { globLine, pipedLine } from "./reader-lines.ts";
import { alwaysCase, denyCase, isMoreThanApproved, isWalkedAround, pretended, type RuleCase } from "./rule-lines.ts";
import { grammarLine, mutated, openLine } from "./shell-lines.ts";
import { shrink } from "./shrink.ts";
import { World } from "./world.ts";

export interface FuzzWish {
  readonly seed: number;
  /** Asked before each round. */
  readonly isOver: (counts: Counts) => boolean;
  readonly onRound: (counts: Counts) => void;
  readonly onFind: (find: Find) => void;
  /** It is known that there is something to find. */
  readonly isFirstEnough: boolean;
  readonly rounds: readonly Round[];
  /** Lines that are run in one round. */
  readonly round: number;
}

export interface Counts {
  tried: number;
  allowed: number;
  executed: number;
  endless: number;
  effects: number;
  leaks: number;
}

type Round = (world: World, random: Random, wish: FuzzWish, counts: Counts) => Promise<void>;

const lines =
  (next: (random: Random) => string): Round =>
  (world, random, wish, counts) =>
    effectRound(world, () => next(random), wish, counts);

/** What is tried, in turn. */
export const kinds: Readonly<Record<string, Round>> = {
  grammar: lines(grammarLine),
  open: lines(openLine),
  mutated: lines((random) => mutated(random, readers)),
  seeds: lines((random) => mutated(random, seedLines())),
  sed: lines(sedLine),
  awk: lines(awkLine),
  git: lines(gitLine),
  find: lines(findLine),
  piped: lines(pipedLine),
  globs: lines(globLine),
  options: lines(optionLine),
  languages: lines((random) =>
    mutated(random, [
      sedLine(random),
      awkLine(random),
      gitLine(random),
      findLine(random),
      pipedLine(random),
      globLine(random),
    ]),
  ),
  deny: denyRound,
  always: alwaysRound,
  kept: pathRound("kept", keptCase, isKeptOpened),
  opened: pathRound("opened", openedCase, isWrittenElsewhere),
};

export async function fuzz(wish: FuzzWish): Promise<Counts> {
  using world = new World();
  const random = new Random(wish.seed);
  const counts: Counts = { tried: 0, allowed: 0, executed: 0, endless: 0, effects: 0, leaks: 0 };
  world.pretend(pretended);
  const leave = (): never => {
    world[Symbol.dispose]();
    process.exit(130);
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, leave);
  for (let at = 0; !wish.isOver(counts); at += 1) {
    await wish.rounds[at % wish.rounds.length]!(world, random, wish, counts);
    wish.onRound(counts);
  }
  return counts;
}

/** What is allowed must have no effect and open none of the kept files. */
async function effectRound(world: World, next: () => string, wish: FuzzWish, counts: Counts): Promise<void> {
  const lines: string[] = [];
  for (let tried = 0; lines.length < wish.round && tried < wish.round * 40; tried += 1) {
    const line = next();
    counts.tried += 1;
    if ((await world.decision(line)) === "allow") lines.push(line);
  }
  counts.allowed += lines.length;
  const bad = await world.harmful(lines, counts);
  for (const { line } of bad) {
    const small = await shrink(line, async (some) => {
      const judged = await Promise.all(some.map(async (one) => (await world.decision(one)) === "allow"));
      const allowed = some.filter((_, index) => judged[index]);
      return (await world.harmful(allowed)).map((one) => one.line);
    });
    const [again] = await world.harmful([small]);
    counts[again?.isLeak ? "leaks" : "effects"] += 1;
    wish.onFind({ kind: "effect", line: small, what: again?.effects[0] ?? "" });
    if (wish.isFirstEnough) return;
  }
}

async function denyRound(world: World, random: Random, wish: FuzzWish, counts: Counts): Promise<void> {
  const cases = Array.from({ length: wish.round }, () => denyCase(random));
  const open = await keep(cases, async ({ line, rules }) => (await world.decision(line, rules)) !== "deny");
  await ruleRound("deny", world, cases.length, open, isWalkedAround, wish, counts);
}

async function alwaysRound(world: World, random: Random, wish: FuzzWish, counts: Counts): Promise<void> {
  const cases = Array.from({ length: wish.round * 8 }, () => alwaysCase(random, world)).filter((one) => one !== null);
  const open = await keep(cases, async ({ line, rules }) => (await world.decision(line, rules)) === "allow");
  const acting = await keep(open, async ({ line }) => (await world.decision(line)) !== "allow");
  await ruleRound("always", world, cases.length, acting.slice(0, wish.round), isMoreThanApproved, wish, counts);
}

/** Whatever runs unasked beside a rule about paths. */
function pathRound(
  kind: "kept" | "opened",
  next: (random: Random) => RuleCase,
  isBad: (one: RuleCase, traced: Traced) => boolean,
): Round {
  return async (world, random, wish, counts) => {
    const cases = Array.from({ length: wish.round * 4 }, () => next(random));
    const open = await keep(cases, async ({ line, rules }) => (await world.decision(line, rules)) === "allow");
    await ruleRound(kind, world, cases.length, open.slice(0, wish.round), isBad, wish, counts);
  };
}

async function keep<One>(all: readonly One[], test: (one: One) => Promise<boolean>): Promise<readonly One[]> {
  const kept = await Promise.all(all.map(test));
  return all.filter((_, at) => kept[at]);
}

async function ruleRound(
  kind: Exclude<Find["kind"], "effect">,
  world: World,
  tried: number,
  cases: readonly RuleCase[],
  isBad: typeof isWalkedAround,
  wish: FuzzWish,
  counts: Counts,
): Promise<void> {
  counts.tried += tried;
  counts.allowed += cases.length;
  const kept = kind === "kept" ? [keptFile] : kind === "opened" ? [] : undefined;
  for (const [one] of await world.confirmed(cases, isBad, counts, kept)) {
    counts.effects += 1;
    const [rule] = one.rules;
    const what = kind === "always" ? (one.approved ?? "") : (rule?.path ?? rule?.command?.argv[0] ?? "");
    wish.onFind({ kind, line: one.line, what });
  }
}

/** Lines to begin with: one for each option of each listed program, attacks that are known, and public ones where they are. */
function seedLines(): readonly string[] {
  seeds ??= readSeeds();
  return seeds;
}

let seeds: readonly string[] | undefined;

function readSeeds(): readonly string[] {
  const root = join(import.meta.dir, "..", "..");
  const table = Object.entries(rows).flatMap(([name, row]) => linesOf(name, row, { joined: 2, seen: new Set() }));
  const attacks = readFileSync(join(root, "test", "policy", "shell", "attacks.txt"), "utf8")
    .split("\n")
    .filter((line) => /^[-+~] /.test(line))
    .map((line) => line.slice(2).replaceAll("␤", "\n").replaceAll("␍", "\r").replaceAll("␀", ""));
  const corpus = join(root, "..", "shared", "corpora", "nl2bash-sample.jsonl");
  const real = existsSync(corpus) ? readFileSync(corpus, "utf8").split("\n").filter(Boolean) : [];
  return [
    ...readers,
    ...table,
    ...attacks,
    ...readFinds().map(({ line }) => line),
    ...real.map((line) => (JSON.parse(line) as { readonly command: string }).command),
  ];
}

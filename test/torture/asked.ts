// What waits for a person: killed there or right after the answer, the same question is open again, and one answer counts.
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { EventType } from "../../src/contract/event.ts";
import { isAsking, openQuestions } from "../../src/machine/state.ts";
import {
  askedRules,
  askedTokens,
  chosenWords,
  clearWords,
  fillForAsking,
  heldFile,
  planPrompt,
  questionPrompt,
  refusingWords,
  vaguePrompt,
} from "./asked-task.ts";
import { type Report, reported } from "./case.ts";
import { type Found, foldOf, lookAt, phaseOf, tokensIn } from "./found.ts";
import type { Ground } from "./ground.ts";
import type { Job } from "./groups.ts";
import { type Client, type Disturbance, type Life, type Line, live, nameOf, type Place, runFlags } from "./life.ts";
import { differences, type Outcome, outcomeOf } from "./outcome.ts";
import { randomFor } from "./random.ts";
import { commonProblems } from "./sound.ts";

const COUNT = 64;

/** What is waited for, and what the person says to it. */
const kinds = ["plan yes", "plan no", "question", "vague"] as const;
type Kind = (typeof kinds)[number];

interface Asking {
  readonly prompt: string;
  /** The line that puts the question, and the event that holds the answer. */
  readonly line: string;
  readonly answered: EventType;
  readonly answer: (line: Line) => unknown;
}

const askings: Readonly<Record<Kind, Asking>> = {
  "plan yes": {
    ...{ prompt: planPrompt, line: "plan", answered: "plan.answered" },
    answer: () => ({ type: "input", text: "/plan yes" }),
  },
  "plan no": {
    ...{ prompt: planPrompt, line: "plan", answered: "plan.answered" },
    answer: () => ({ type: "input", text: `/plan no ${refusingWords}` }),
  },
  question: {
    ...{ prompt: questionPrompt, line: "approval", answered: "approval.answered" },
    answer: ({ call }) => ({ type: "approve", call, answer: "yes", words: chosenWords }),
  },
  vague: {
    ...{ prompt: vaguePrompt, line: "questions", answered: "clarification.answered" },
    answer: () => ({ type: "answer", text: clearWords }),
  },
};

interface Kill {
  readonly disturbance: Disturbance;
  /** Nobody answers before it. */
  readonly isSilent: boolean;
}

export function askedJobs(ground: Ground, seed: number): readonly Job[] {
  return Array.from({ length: COUNT }, (_, at) => {
    const kind = kinds[at % kinds.length] ?? "vague";
    const kills = killsOf(seed, at, askings[kind]);
    const name = `${kind}/${kills.map(({ disturbance, isSilent }) => `${nameOf(disturbance)}${isSilent ? " unanswered" : ""}`)}`;
    return { name, run: () => killed(ground, name, kind, kills) };
  });
}

function killsOf(seed: number, at: number, { line, answered }: Asking): readonly Kill[] {
  const random = randomFor(seed, "asked", at);
  const atLine = (holds: string, nth: number, upTo: number): Disturbance => ({
    ...{ kind: "line", holds: [`"type":"${holds}"`], nth },
    afterMs: random.between(0, upTo),
  });
  const waiting = (): Kill => ({ disturbance: atLine(line, 1, 30), isSilent: true });
  const later = random.oneOf<() => Disturbance>([
    () => atLine(line, 1, 3),
    () => atLine(answered, 1, 3),
    () => atLine("tool.intended", random.between(1, 2), 4),
    () => atLine("process.spawned", 1, 6),
    () => ({ kind: "call", name: "fsync", nth: random.between(4, 13) }),
    () => ({ kind: "call", name: "pwrite64", nth: random.between(85, 130) }),
  ]);
  const answering = (): Kill => ({ disturbance: later(), isSilent: false });
  const plans = [() => [waiting()], () => [answering()], () => [waiting(), answering()], () => [waiting(), waiting()]];
  return random.oneOf(plans)();
}

async function killed(ground: Ground, name: string, kind: Kind, kills: readonly Kill[]): Promise<Report> {
  const baseline = await baselineOf(ground, kind);
  return await reported(ground, name, async (place, { lives, phases, problems }) => {
    fillForAsking(place.workspace);
    const asked: Line[] = [];
    for (const kill of [...kills, null]) {
      const life = await next(ground, place, askings[kind], { kill, asked, problems });
      lives.push(life);
      if (life.wasKilled) phases.push(phaseOf(place, lookAt(place), life));
    }
    const found = lookAt(place);
    problems.push(...differences(outcomeOf(place, found), baseline), ...commonProblems(place, found, lives));
    problems.push(...answerProblems(found, askings[kind]), ...runProblems(place, found, kind));
    const [first] = asked;
    if (!first) problems.push("nothing was ever asked");
    if (asked.some((one) => !Bun.deepEquals(one, first)))
      problems.push(`not asked identically: ${JSON.stringify(asked)}`);
  });
}

interface Turn {
  readonly kill: Kill | null;
  readonly asked: Line[];
  readonly problems: string[];
}

/** One life with somebody at the other end, where there is still something to say. */
async function next(ground: Ground, place: Place, asking: Asking, { kill, asked, problems }: Turn): Promise<Life> {
  const { sessionId, log } = lookAt(place);
  const state = foldOf(log);
  const isOver = sessionId !== null && state.task.phase === "IDLE" && state.queue.length === 0;
  const task = sessionId === null ? [asking.prompt] : ["--resume", sessionId];
  const known = asked.length;
  const isOpen = phaseIsOpen(log.length > 0 ? state : null);
  const client = clientOf(asking, kill?.isSilent === true, asked);
  const life = await live(place, flags(ground.url, task, !isOver), kill?.disturbance ?? null, isOver ? null : client);
  if (isOpen && !life.wasKilled && asked.length === known) problems.push("the open question was not put again");
  return life;
}

function phaseIsOpen(state: ReturnType<typeof foldOf> | null): boolean {
  if (state === null) return false;
  const { task } = state;
  return task.phase === "AWAITING_CONFIRMATION" || openQuestions(task).length > 0 || isAsking(state);
}

function clientOf({ line: wanted, answer }: Asking, isSilent: boolean, asked: Line[]): Client {
  return (line) => {
    if (line.type === "result") return "leaves";
    if (line.type !== wanted) return [];
    asked.push(line);
    return isSilent ? [] : [answer(line)];
  };
}

function flags(url: string, task: readonly string[], hasClient: boolean): readonly string[] {
  const input = hasClient ? ["--input", "stream-json"] : [];
  return runFlags(url, [...askedRules, ...input, ...task], "default");
}

/** The answer is in the log once. */
function answerProblems({ log }: Found, { answered }: Asking): readonly string[] {
  const count = log.filter(({ accepted, event }) => accepted && event.type === answered).length;
  return count === 1 ? [] : [`it was answered ${count} times`];
}

/** No command ran twice; of a plan that was refused, nothing ever ran. */
function runProblems(place: Place, { log }: Found, kind: Kind): readonly string[] {
  const problems = Object.values(askedTokens).flatMap((token) => {
    const count = tokensIn(place).filter((line) => line === `${token}-start`).length;
    return count <= 1 ? [] : [`${token} ran ${count} times`];
  });
  const hasHeld = existsSync(join(place.workspace, heldFile)) || tokensIn(place).includes(`${askedTokens.held}-start`);
  if (kind === "plan no" && hasHeld) problems.push("something of the refused plan ran");
  const begun = log.flatMap(({ event }) => (event.type === "tool.intended" ? [event.callId] : []));
  const isHeld = begun.some((id) => id.startsWith("r1/1/") && !id.endsWith("/0"));
  return kind === "plan no" && isHeld ? [...problems, `begun: ${begun}`] : problems;
}

const baselines = new Map<Kind, Promise<Outcome>>();

async function baselineOf(ground: Ground, kind: Kind): Promise<Outcome> {
  const known = baselines.get(kind) ?? undisturbed(ground, kind);
  baselines.set(kind, known);
  return await known;
}

async function undisturbed(ground: Ground, kind: Kind): Promise<Outcome> {
  let outcome: Outcome | null = null;
  const report = await reported(ground, `undisturbed ${kind}`, async (place, { lives, problems }) => {
    fillForAsking(place.workspace);
    const life = await next(ground, place, askings[kind], { kill: null, asked: [], problems });
    lives.push(life);
    const found = lookAt(place);
    outcome = outcomeOf(place, found);
    if (life.exitCode !== outcome.exitCode || outcome.task !== "IDLE") problems.push(`ended with ${life.exitCode}`);
    const bad = Object.values(outcome.calls).filter(({ status }) => status === "failed" || status === "unknown");
    problems.push(...bad.map(({ tool, output }) => `${tool}: ${output}`));
    problems.push(...commonProblems(place, found, lives), ...answerProblems(found, askings[kind]));
  });
  if (outcome === null || report.problems.length > 0)
    throw new Error(`the undisturbed run is not sound (${report.folder}): ${report.problems.join("; ")}`);
  return outcome;
}

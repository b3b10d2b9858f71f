// The looks before and after a command: killed in between, its outcome is unknown, and an undo leaves alone what is not known.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { EventType, Recorded } from "../../src/contract/event.ts";
import type { CallResult } from "../../src/contract/message.ts";
import { sha256 } from "../../src/platform/files/hash.ts";
import { type Report, reported } from "./case.ts";
import { type Found, lookAt, phaseOf, tokensIn } from "./found.ts";
import type { Ground } from "./ground.ts";
import type { Job } from "./groups.ts";
import { type Disturbance, live, nameOf, type Place, runFlags } from "./life.ts";
import { editedFile, fillForLook, lookedCall, lookedPrompt, lookedToken, manyFiles } from "./looked-task.ts";
import { treeOf, unequal } from "./outcome.ts";
import { atPercent, callsOn } from "./plan.ts";
import { randomFor } from "./random.ts";
import { commonProblems } from "./sound.ts";

/** On a busy machine one kill in three comes while nothing is looked at. */
const COUNT = 96;

/** A system call, by its place among those of both looks. */
interface Looking {
  readonly kind: "looking";
  readonly percent: number;
}

export function lookedJobs(ground: Ground, seed: number): readonly Job[] {
  return Array.from({ length: COUNT }, (_, at) => {
    const random = randomFor(seed, "looked", at);
    const isRepository = random.oneOf([true, false]);
    const line = (event: string, upTo: number): Disturbance => ({
      ...{ kind: "line", holds: [event, lookedCall], nth: 1 },
      afterMs: random.between(0, upTo),
    });
    const kill = random.oneOf<() => Disturbance | Looking>([
      () => ({ kind: "looking", percent: random.between(0, 100) }),
      () => ({ kind: "looking", percent: random.between(0, 100) }),
      () => line("tool.intended", 4),
      () => line("process.spawned", 40),
      () => line("tool.settled", 3),
    ])();
    const how = kill.kind === "looking" ? `looking@${kill.percent}%` : nameOf(kill);
    const name = `looked/${isRepository ? "git" : "plain"}/${how}`;
    return { name, run: () => killed(ground, name, isRepository, kill) };
  });
}

const counted = new Map<boolean, Promise<readonly Disturbance[]>>();

async function resolved(ground: Ground, isRepository: boolean, kill: Disturbance | Looking): Promise<Disturbance> {
  if (kill.kind !== "looking") return kill;
  const calls = counted.get(isRepository) ?? countLooks(ground, isRepository);
  counted.set(isRepository, calls);
  return atPercent(await calls, kill.percent);
}

async function countLooks(ground: Ground, isRepository: boolean): Promise<readonly Disturbance[]> {
  let calls: readonly Disturbance[] = [];
  await reported(ground, "count", async (place) => {
    fillForLook(place, isRepository);
    calls = await callsOn(place, runFlags(ground.url, [lookedPrompt]), "statx", manyFiles);
  });
  return calls;
}

async function killed(
  ground: Ground,
  name: string,
  isRepository: boolean,
  kill: Disturbance | Looking,
): Promise<Report> {
  const disturbance = await resolved(ground, isRepository, kill);
  return await reported(ground, name, async (place, { lives, phases, problems }) => {
    fillForLook(place, isRepository);
    const untouched = treeOf(place.workspace);
    const first = await live(place, runFlags(ground.url, [lookedPrompt]), disturbance);
    lives.push(first);
    const killedAt = lookAt(place);
    if (first.wasKilled) phases.push(phaseOf(place, killedAt, first));
    const own = interfere(place);
    const id = killedAt.sessionId ?? "";
    lives.push(await live(place, runFlags(ground.url, ["--resume", id]), null));
    const result = resultIn(lookAt(place).log);
    const mustBeUnknown = hasEvent(killedAt.log, "process.spawned") && !resultIn(killedAt.log);
    if (mustBeUnknown !== (result?.status === "unknown")) problems.push(`the command is ${result?.status}`);
    problems.push(...runProblems(place, result?.status ?? ""));
    const before = treeOf(place.workspace);
    lives.push(await live(place, runFlags(ground.url, ["--resume", id, "/undo"]), null));
    // Only what is known is taken back: of a command that was cut, nothing.
    const shall = mustBeUnknown ? { ...before, [editedFile]: untouched[editedFile] } : { ...untouched, ...own };
    problems.push(...unequal(".undone", treeOf(place.workspace), shall), ...toldProblems(lookAt(place), mustBeUnknown));
    problems.push(...commonProblems(place, lookAt(place), lives));
  });
}

const ownFile = "looked/own.txt";
const ownText = "the person's\n";

/** The person makes a file while nothing runs but what is left of the command. */
function interfere({ workspace }: Place): Readonly<Record<string, string>> {
  writeFileSync(join(workspace, ownFile), ownText);
  return { [ownFile]: `100644 ${sha256(Buffer.from(ownText))}` };
}

function resultIn(log: readonly Recorded[]): CallResult | undefined {
  const settled = log
    .map(({ event }) => event)
    .find((event) => event.type === "tool.settled" && event.callId === lookedCall);
  return settled?.type === "tool.settled" ? settled.result : undefined;
}

function hasEvent(log: readonly Recorded[], type: EventType): boolean {
  return log.some(({ event }) => event.type === type);
}

/** It ran once, or was cut and ran at most once; nothing that it did is gone. */
function runProblems(place: Place, status: string): readonly string[] {
  const times = (part: string): number => tokensIn(place).filter((line) => line === `${lookedToken}-${part}`).length;
  const [starts, ends] = [times("start"), times("end")];
  const isOnce = status === "unknown" ? starts <= 1 : starts === 1 && ends === 1;
  const tree = treeOf(place.workspace);
  const isThere =
    ends === 0 || ["looked/made/in/new.txt", "looked/late.txt", "looked/five.txt"].every((path) => path in tree);
  return [
    ...(isOnce ? [] : [`it is ${status}, started ${starts} times and ended ${ends} times`]),
    ...(isThere ? [] : ["something that the command made is gone"]),
  ];
}

/** What could not be taken back is named. */
function toldProblems({ log }: Found, isCut: boolean): readonly string[] {
  const last = log.findLast(({ event }) => event.type === "tool.settled")?.event;
  const said = last?.type === "tool.settled" ? last.result.output : "";
  return said.startsWith("Undone") && said.includes("a command that was interrupted") === isCut
    ? []
    : [`the undo says: ${said}`];
}

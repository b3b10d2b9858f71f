// Verification: whenever the program is killed, each check counts once, the repair happens once, and the end is VERIFIED.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { EventOf, EventType, Recorded } from "../../src/contract/event.ts";
import { type Report, reported } from "./case.ts";
import { checkedFile, checkedPrompt, checkedText, checkToken, fillForChecks } from "./checked-task.ts";
import { type Found, lookAt, phaseOf, tokensIn } from "./found.ts";
import type { Ground } from "./ground.ts";
import type { Job } from "./groups.ts";
import { type Disturbance, type Life, live, nameOf, type Place, runFlags } from "./life.ts";
import { treeOf, unequal } from "./outcome.ts";
import { randomFor } from "./random.ts";
import { commonProblems } from "./sound.ts";

const COUNT = 64;

export function checkedJobs(ground: Ground, seed: number): readonly Job[] {
  return Array.from({ length: COUNT }, (_, at) => {
    const disturbances = disturbancesOf(seed, at);
    // The second one confines the checks.
    const mode = at % 2 === 0 ? "yolo" : "auto-edit";
    const name = `checked/${mode}/${disturbances.map(nameOf).join(",")}`;
    return { name, run: () => killed(ground, name, mode, disturbances) };
  });
}

function disturbancesOf(seed: number, at: number): readonly Disturbance[] {
  const random = randomFor(seed, "checked", at);
  const line = (event: string, nth: number, upTo: number): Disturbance => ({
    kind: "line",
    holds: [`"${event}"`],
    nth,
    afterMs: random.between(0, upTo),
  });
  const kinds: readonly (() => Disturbance)[] = [
    () => line("process.spawned", 1, 220),
    () => line("process.spawned", 2, 220),
    () => line("check.judged", random.between(1, 2), 2),
    () => line("checks.chosen", random.between(1, 2), 12),
    () => line("recovery.decided", 1, 6),
    () => line("checks.finished", random.between(1, 2), 2),
    () => ({ kind: "time", afterMs: random.between(80, 1_300) }),
    () => ({ kind: "call", name: "fsync", nth: random.between(6, 22) }),
    () => ({ kind: "call", name: "pwrite64", nth: random.between(110, 265) }),
  ];
  const first = kinds[at % kinds.length] ?? random.oneOf(kinds);
  return at % 3 === 0 ? [first(), random.oneOf(kinds)()] : [first()];
}

async function killed(
  ground: Ground,
  name: string,
  mode: string,
  disturbances: readonly Disturbance[],
): Promise<Report> {
  return await reported(ground, name, async (place, { lives, phases, problems }) => {
    fillForChecks(place);
    const before = treeOf(place.workspace);
    for (const disturbance of [...disturbances, null]) {
      const { sessionId } = lookAt(place);
      const task = sessionId === null ? [checkedPrompt] : ["--resume", sessionId];
      const life = await live(place, runFlags(ground.url, task, mode), disturbance);
      lives.push(life);
      if (life.wasKilled) phases.push(phaseOf(place, lookAt(place), life));
    }
    const others = { ...treeOf(place.workspace), [checkedFile]: before[checkedFile] };
    problems.push(...endProblems(place, lives), ...unequal(".tree", others, before));
  });
}

function endProblems(place: Place, lives: readonly Life[]): readonly string[] {
  const found = lookAt(place);
  if (found.sessionId === null) return ["there is no session after the last resume"];
  return [
    ...unequal("", summaryOf(place, found, lives), shall),
    ...checkProblems(place, found.log),
    ...commonProblems(place, found, lives),
  ];
}

const shall = {
  exitCode: 0,
  ended: ["VERIFIED"],
  attempts: 2,
  judged: ["test_failure adds", "pass "],
  rungs: ["repair"],
  edits: ["sum.js", "sum.js"],
  text: checkedText,
  code: "exports.add = (a, b) => a + b;\n",
};

function summaryOf(place: Place, { log }: Found, lives: readonly Life[]): typeof shall {
  const summaries = all(log, "task.summarized").map(({ summary }) => summary);
  return {
    exitCode: lives.at(-1)?.exitCode ?? -1,
    ended: summaries.map(({ outcome }) => outcome),
    attempts: summaries.at(-1)?.verification.attempts ?? 0,
    judged: all(log, "check.judged").map(({ result }) => `${result.type} ${result.details.map(({ test }) => test)}`),
    rungs: all(log, "recovery.decided").map(({ rung }) => rung ?? ""),
    edits: all(log, "tool.settled").flatMap(({ result }) => (result.changes ?? []).map(({ path }) => path)),
    text: all(log, "model.replied").at(-1)?.reply.text ?? "",
    code: readFileSync(join(place.workspace, checkedFile), "utf8"),
  };
}

/** Every run of the check has one call; those that say nothing were cut, and are told to be. */
function checkProblems(place: Place, log: readonly Recorded[]): readonly string[] {
  const calls = all(log, "run.started").flatMap((event) => event.calls.filter(({ tool }) => tool === "diagnostics"));
  const ends = all(log, "tool.settled").filter(({ callId }) => calls.some(({ id }) => id === callId));
  const statuses = ends.map(({ result }) => result.status).filter((status) => status !== "unknown");
  const begun = tokensIn(place).filter((line) => line === `${checkToken}-start`).length;
  return [
    ...unequal(".checks", statuses, ["failed", "done"]),
    ...(ends.length === calls.length ? [] : [`${calls.length} checks were begun and ${ends.length} have a result`]),
    ...(begun >= 2 && begun <= calls.length ? [] : [`${begun} runs of the tests for ${calls.length} calls`]),
  ];
}

function all<T extends EventType>(log: readonly Recorded[], type: T): readonly EventOf<T>[] {
  return log.flatMap(({ accepted, event }) => (accepted && event.type === type ? [event as EventOf<T>] : []));
}

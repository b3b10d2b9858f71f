// Undo and redo: whenever one is killed, the tree is as before it or as after it, and the next one does what it should.
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { sha256 } from "../../src/platform/files/hash.ts";
import { type Course, type Report, reported } from "./case.ts";
import { lookAt, phaseOf } from "./found.ts";
import type { Ground } from "./ground.ts";
import type { Job } from "./groups.ts";
import { type Disturbance, type Life, live, nameOf, type Place, runFlags } from "./life.ts";
import { treeOf, unequal } from "./outcome.ts";
import { atPercent, countIn } from "./plan.ts";
import { randomFor } from "./random.ts";
import { commonProblems } from "./sound.ts";
import { fillForUndo, ownFile, ownLine, sharedFile, undonePrompt } from "./undone-task.ts";

const COUNT = 60;

type Verb = "/undo" | "/redo";
/** Whether, and when, the person changes a file of the task and makes one of their own. */
type Person = "away" | "before" | "between";

/** A system call, by its place among those from the first to the last sign of a temporary file. */
interface Inside {
  readonly kind: "inside";
  readonly percent: number;
}

interface Wish {
  readonly verb: Verb;
  readonly person: Person;
  readonly kills: readonly (Disturbance | Inside)[];
}

export function undoneJobs(ground: Ground, seed: number): readonly Job[] {
  return Array.from({ length: COUNT }, (_, at) => {
    const wish = wishOf(seed, at);
    const kills = wish.kills.map((one) => (one.kind === "inside" ? `inside@${one.percent}%` : nameOf(one)));
    const name = `${wish.verb.slice(1)}/${wish.person}/${kills.join(",")}`;
    return { name, run: () => killed(ground, name, wish) };
  });
}

function wishOf(seed: number, at: number): Wish {
  const random = randomFor(seed, "undone", at);
  const kinds: readonly (() => Disturbance | Inside)[] = [
    () => ({ kind: "inside", percent: random.between(0, 100) }),
    () => ({ kind: "inside", percent: random.between(0, 100) }),
    () => ({ kind: "inside", percent: random.between(0, 100) }),
    () => ({ kind: "line", holds: ["tool.intended"], nth: 1, afterMs: random.between(0, 5) }),
    () => ({ kind: "call", name: "fsync", nth: random.between(1, 5) }),
    () => ({ kind: "call", name: "pwrite64", nth: random.between(1, 30) }),
    () => ({ kind: "time", afterMs: random.between(20, 120) }),
  ];
  const kill = random.oneOf(kinds)();
  const again: Disturbance = {
    kind: "call",
    name: random.oneOf(["fsync", "unlink", "rename"]),
    nth: random.between(1, 6),
  };
  return {
    verb: at % 2 === 0 ? "/undo" : "/redo",
    person: random.oneOf<Person>(["away", "away", "before", "between"]),
    kills: at % 3 === 0 ? [kill, again] : [kill],
  };
}

interface Scene {
  readonly ground: Ground;
  readonly place: Place;
  readonly course: Course;
}

type Tree = Readonly<Record<string, string>>;

/** As the trees should be when the task is done and when it is undone, by what the person did. */
interface Trees {
  readonly done: Tree;
  readonly undone: Tree;
}

async function killed(ground: Ground, name: string, { verb, person, kills }: Wish): Promise<Report> {
  return await reported(ground, name, async (place, course) => {
    const scene = { ground, place, course };
    let trees = await prepared(scene);
    if (verb === "/redo") await act(scene, ["/undo"], null, trees.undone);
    if (person === "before") trees = interfere(place, trees);
    for (const [at, kill] of kills.entries()) {
      await act(scene, at === 0 ? [verb] : [], await resolved(ground, verb, kill), null);
    }
    if (person === "between") trees = interfere(place, trees);
    await act(scene, [], null, null);
    await goOn(scene, verb, person, trees);
    course.problems.push(...commonProblems(place, lookAt(place), course.lives));
  });
}

/** After the task. */
async function prepared(scene: Scene): Promise<Trees> {
  const { workspace } = scene.place;
  fillForUndo(workspace);
  const undone = treeOf(workspace);
  await act(scene, [undonePrompt], null, null);
  return { undone, done: treeOf(workspace) };
}

/** One life; what it leaves is compared with what it should, where that is known. */
async function act(
  { ground, place, course }: Scene,
  words: readonly string[],
  kill: Disturbance | null,
  shall: Tree | null,
) {
  const { sessionId } = lookAt(place);
  const task = sessionId === null ? words : ["--resume", sessionId, ...words];
  const life = await live(place, runFlags(ground.url, task), kill);
  course.lives.push(life);
  if (life.wasKilled) course.phases.push(phaseOf(place, lookAt(place), life));
  if (shall === null) return;
  course.problems.push(...unequal(`.after${words}`, treeOf(place.workspace), shall), ...refusals(words, life));
}

function refusals(words: readonly string[], { exitCode, stderr }: Life): readonly string[] {
  return exitCode === 0 ? [] : [`${words} ended with ${exitCode}: ${stderr}`];
}

/** After the last resume: all of it or nothing, and then there and back again. */
async function goOn(scene: Scene, verb: Verb, person: Person, { done, undone }: Trees): Promise<void> {
  const { place, course } = scene;
  const [source, target, back] = verb === "/undo" ? [done, undone, "/redo"] : [undone, done, "/undo"];
  const asked = verb === "/undo" ? 1 : 2;
  const hasBegun = asksIn(place) === asked;
  if (person === "between") return await finish(scene, verb, { source, target });
  course.problems.push(...unequal(".resumed", treeOf(place.workspace), hasBegun ? target : source));
  if (!hasBegun) await act(scene, [verb], null, target);
  await act(scene, [back], null, source);
  await act(scene, [verb], null, target);
}

/** It may have been refused because of what the person did: then the next one finishes it, and there are two to go back. */
async function finish(scene: Scene, verb: Verb, { source, target }: { source: Tree; target: Tree }): Promise<void> {
  const { place, course } = scene;
  const there = async (word: Verb): Promise<Tree> => {
    await act(scene, [word], null, null);
    return treeOf(place.workspace);
  };
  course.problems.push(...unequal(`.after${verb}`, await there(verb), target));
  const back = verb === "/undo" ? "/redo" : "/undo";
  await there(back);
  // Of a file that both had changed it is not known who was first: it stays, with the person's line in it.
  const shared = { [sharedFile]: source[sharedFile] };
  course.problems.push(...unequal(`.after${back}`, { ...(await there(back)), ...shared }, source));
  const text = readFileSync(join(place.workspace, sharedFile), "utf8");
  if (!text.endsWith(ownLine)) course.problems.push(`the person's line is gone: ${text}`);
  course.problems.push(...unequal(`.again${verb}`, await there(verb), target));
}

/** Undos and redos in the log. */
function asksIn(place: Place): number {
  return lookAt(place).log.filter(({ event }) => event.type === "input.admitted" && event.kind === "tool").length;
}

/** The person adds a line to a file of the task's, and puts a file of their own into a folder that the task has made. */
function interfere({ workspace }: Place, { done, undone }: Trees): Trees {
  const shared = join(workspace, sharedFile);
  const own = join(workspace, ownFile);
  const text = readFileSync(shared, "utf8");
  const texts = { now: text, other: text.replace("another second line", "b.txt, line 2") };
  const isDone = texts.now !== texts.other;
  appendFileSync(shared, ownLine);
  const entry = (content: string): string => `100644 ${sha256(Buffer.from(content + ownLine))}`;
  const doneText = isDone ? texts.now : text.replace("b.txt, line 2\n", "another second line\n");
  const both = {
    done: { ...done, [sharedFile]: entry(doneText) },
    undone: { ...undone, [sharedFile]: entry(texts.other) },
  };
  const folder = dirname(ownFile);
  if (!existsSync(dirname(own))) return both;
  writeFileSync(own, ownLine);
  const extra = { [ownFile]: `100644 ${sha256(Buffer.from(ownLine))}` };
  // The folder stays because of it.
  return { done: { ...both.done, ...extra }, undone: { ...both.undone, ...extra, [folder]: done[folder] ?? "" } };
}

const counted = new Map<Verb, Promise<readonly Disturbance[]>>();

async function resolved(ground: Ground, verb: Verb, kill: Disturbance | Inside): Promise<Disturbance> {
  if (kill.kind !== "inside") return kill;
  const calls = counted.get(verb) ?? countInside(ground, verb);
  counted.set(verb, calls);
  return atPercent(await calls, kill.percent);
}

async function countInside(ground: Ground, verb: Verb): Promise<readonly Disturbance[]> {
  let inside: readonly Disturbance[] = [];
  const report = await reported(ground, `count ${verb}`, async (place, course) => {
    const scene = { ground, place, course };
    await prepared(scene);
    if (verb === "/redo") await act(scene, ["/undo"], null, null);
    const flags = runFlags(ground.url, ["--resume", lookAt(place).sessionId ?? "", verb]);
    inside = (await countIn(place, flags)).inWrites;
  });
  if (report.problems.length > 0) throw new Error(report.problems.join("; "));
  return inside;
}

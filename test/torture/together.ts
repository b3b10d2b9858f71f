// Two sessions and a person in one workspace at the same time, and then undos and redos: whoever takes back their own work takes
// nothing of the others'. Real engines, real commands in and out of the sandbox, and a person in a process of their own.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { sh, treeOf } from "../platform/changes/ground.ts";
import { Bench, type Seat } from "../support/engine.ts";
import type { Report } from "./case.ts";
import type { Job } from "./groups.ts";
import type { PersonOrder } from "./person.ts";
import { type Random, randomFor } from "./random.ts";

/** 2,000 sequences. */
const JOBS = 100;
const SEQUENCES = 20;

export function togetherJobs(seed: number): readonly Job[] {
  return Array.from({ length: JOBS }, (_, at) => {
    const name = `together/${at}`;
    return { name, run: () => together(name, seed, at) };
  });
}

interface Scene {
  readonly bench: Bench;
  readonly person: Person;
  readonly problems: string[];
  readonly seats: Readonly<Record<Who, Seat>>;
  /** Lines of others that undos of each have brought back, because a command had removed them: a redo removes them again. */
  readonly brought: Readonly<Record<Who, Set<string>>>;
}

type Who = "A" | "B";
const both: readonly Who[] = ["A", "B"];

async function together(name: string, seed: number, at: number): Promise<Report> {
  const problems: string[] = [];
  try {
    await using person = startPerson();
    const random = randomFor(seed, name);
    await using bench = new Bench([{ text: "done" }, { text: "done" }, { text: "done" }]);
    const hasGit = at % 2 === 0;
    if (hasGit) sh("git init -q && git config user.name a && git config user.email a@b", bench.workspace);
    for (let sequence = 0; sequence < SEQUENCES; sequence++) {
      const flags = { mode: "yolo", ...(random.between(0, 1) === 0 ? { sandbox: true } : { noSandbox: true }) };
      const seats = { A: bench.open(flags), B: bench.open(flags) };
      const scene = { bench, person, problems, seats, brought: { A: new Set<string>(), B: new Set<string>() } };
      await play(scene, `${seed}.${at}.${sequence}`, hasGit);
      for (const who of both) await scene.seats[who].close();
      if (problems.length > 0) break;
    }
  } catch (error) {
    problems.push(`the torture itself failed: ${error instanceof Error ? error.stack : error}`);
  }
  return { name, phases: [], problems, folder: "" };
}

async function play(scene: Scene, seed: string, hasGit: boolean): Promise<void> {
  const random = randomFor("sequence", seed);
  const { workspace } = scene.bench;
  lay(workspace, hasGit);
  const isShy = random.between(0, 3) === 0;
  const isAlone = isShy && random.between(0, 1) === 0;
  const order = { workspace, seed, edits: random.between(1, 12), pauseMs: random.between(1, 20), isShy };
  const acting = scene.person.act(order);
  await Promise.all((isAlone ? ["A" as const] : both).map((who) => work(scene, who, `${seed}.${who}`)));
  await acting;
  const done = treeOf(workspace);
  if (isAlone) await thereAndBack(scene, seed, done);
  for (let turn = random.between(2, 5); turn > 0; turn--) await takeBack(scene, seed, random, hasGit);
}

const files = ["a.txt", "b.txt", "c.txt", "src/d.txt", "src/e.txt", "src/deep/f.txt"];

function lay(workspace: string, hasGit: boolean): void {
  for (const name of readdirSync(workspace)) {
    if (name !== ".git" && name !== ".coder") rmSync(join(workspace, name), { recursive: true });
  }
  for (const name of files) {
    const path = join(workspace, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, Array.from({ length: 12 }, (_, at) => `${name}, line ${at}\n`).join(""));
  }
  if (hasGit) sh("git add -A && git commit -qm base --allow-empty", workspace);
}

async function work(scene: Scene, who: Who, seed: string): Promise<void> {
  const random = randomFor("work", seed);
  const seat = scene.seats[who];
  for (let at = random.between(1, 2); at > 0; at--) {
    const tag = `${who} ${seed}.${at}`;
    const call =
      random.between(0, 4) === 0
        ? { tool: "write", input: { path: `${who}/tool${at}.txt`, content: `${tag}\n` } }
        : { tool: "bash", input: { command: commandOf(who, tag, random) } };
    await seat.engine.runInput(`task ${tag}`, { call });
    await seat.engine.idle();
  }
}

/** It never copies lines of others into files of its own: those go with an undo. */
function commandOf(who: Who, tag: string, random: Random): string {
  const steps = Array.from({ length: random.between(1, 5) }, (_, at) => {
    const line = `${tag}.${at}`;
    const file = random.oneOf(files);
    const own = `${who}/${random.between(0, 3)}.txt`;
    const ways: readonly string[] = [
      `echo '${line}' >> ${file}`,
      `sed -i '${random.between(1, 9)}i ${line}' ${file}`,
      `sed -i '$a ${line}' ${file}`,
      `mkdir -p ${who}/new${at}/deep && echo '${line}' > ${who}/new${at}/deep/x.txt`,
      `mkdir -p ${who} && echo '${line}' >> ${own}`,
      `echo '${line}' > .${who}.tmp && mv .${who}.tmp ${who}.made.txt`,
      `mv ${file} ${file}.${who} && echo '${line}' >> ${file}.${who}`,
      `python3 -c "p='${file}'; t=open(p).read(); open(p,'w').write(t+'${line}\\n')"`,
      `(echo '${line}'; sleep 0.01) >> ${file}`,
      `chmod +x ${file}`,
      `mv src src.${who}; echo '${line}' > src.${who}/new.txt`,
      `rm -rf ${who}; mkdir ${who}; echo '${line}' > ${who}/after.txt`,
      `(cat ${file}; echo '${line}') > .${who}.tmp; mv .${who}.tmp ${file}`,
      `(cat ${file}; echo '${line}') > /dev/shm/${who}.$$; mv /dev/shm/${who}.$$ ${file}`,
      `[ -f ${file} ] && flock ${file} sleep 0.01`,
      `python3 -c "import os; p='${file}'; os.truncate(p, os.path.getsize(p))"`,
      `ln -sf a.txt ${who}.link; echo '${line}' >> ${who}.link`,
    ];
    return random.oneOf(ways);
  });
  return steps.join("; sleep 0.0$((RANDOM % 9)); ").concat("; true");
}

/** Without anybody else in its files, all of it goes and comes back. */
async function thereAndBack({ bench, seats, problems }: Scene, seed: string, done: Tree): Promise<void> {
  const tasks = seats.A.all("task.started").length;
  await seats.A.run(`/undo ${tasks}`);
  const left = linesIn(treeOf(bench.workspace)).filter((line) => line.startsWith("A "));
  const said = seats.A.all("tool.settled").at(-1)?.result.output ?? "";
  if (left.length > 0) {
    const deeds = seats.A.all("tool.settled").map(({ result: { changes, unkept, data } }) => ({
      data,
      changes,
      unkept,
    }));
    problems.push(`${seed}: an undo alone in its files has left ${left.join(", ")}: ${said}\n${JSON.stringify(deeds)}`);
  }
  await seats.A.run("/redo");
  const again = treeOf(bench.workspace);
  if (JSON.stringify(again) !== JSON.stringify(done)) problems.push(`${seed}: a redo has not brought back all of it`);
}

type Tree = Record<string, string>;

async function takeBack(
  { bench, seats, problems, brought }: Scene,
  seed: string,
  random: Random,
  hasGit: boolean,
): Promise<void> {
  const who = random.oneOf(both);
  const before = treeOf(bench.workspace);
  if (hasGit && random.between(0, 5) === 0) {
    await seats[who].run("/undo --all");
    if (seats[who].last("tool.settled").result.status === "done") await seats[who].run("/redo");
    const after = treeOf(bench.workspace);
    if (JSON.stringify(after) !== JSON.stringify(before)) problems.push(`${seed}: ${who} /undo --all and /redo differ`);
    return;
  }
  const input = random.oneOf(["/undo", "/undo", "/redo", "/undo 2"]);
  await seats[who].run(input);
  const after = new Set(linesIn(treeOf(bench.workspace)));
  const old = new Set(linesIn(before));
  const isExcused = (line: string): boolean => input === "/redo" && brought[who].has(line);
  const lost = [...old].filter((line) => isOfOthers(line, who) && !after.has(line) && !isExcused(line));
  for (const line of after) if (input !== "/redo" && !old.has(line)) brought[who].add(line);
  const said = seats[who].all("tool.settled").at(-1)?.result.output ?? "";
  if (lost.length > 0) problems.push(`${seed}: ${who} ${input} has lost ${[...new Set(lost)].join(", ")}: ${said}`);
}

function linesIn(tree: Tree): readonly string[] {
  return Object.values(tree).flatMap((text) => text.replace(/^\d+ /, "").split("\n"));
}

function isOfOthers(line: string, who: Who): boolean {
  return /^(?:person|A|B) \d/.test(line) && !line.startsWith(`${who} `);
}

interface Person extends AsyncDisposable {
  readonly act: (order: PersonOrder) => Promise<void>;
}

function startPerson(): Person {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "person.ts")], {
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit",
  });
  const reader = child.stdout.getReader();
  return {
    act: async (order) => {
      child.stdin.write(`${JSON.stringify(order)}\n`);
      await child.stdin.flush();
      const { value } = await reader.read();
      if (value === undefined) throw new Error("the person is gone");
    },
    [Symbol.asyncDispose]: async () => {
      await child.stdin.end();
      await child.exited;
    },
  };
}

// More than anybody reads: the screen stays sane, and so does the machine.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import type { Step } from "../../support/scripted-reply.ts";
import { untilFile } from "../../support/shell.ts";
import { Scene, usage } from "./scene.ts";

const bash = (command: string): Step => ({ calls: [{ tool: "bash", input: { command, timeout_s: 60 } }] });
const done: Step = { text: "Done.", usage };

/** How much of a flood is kept depends on how fast it came. */
const replace = [
  [/(?<=… )\d+(?=\+? lines)/g, "12345"],
  [/^\d+–\d+ of \d+/g, "1–2 of 3"],
] as const;

/** The most memory that the program had at a time. */
function peakMib(pid: number): number {
  const [, kib = "0"] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kib) / 1024;
}

test("[TP-6] a hundred thousand lines of a command are seen by their end, soon, and kept in bounds", async () => {
  const files = { "flood.sh": `seq 1 100000 | sed 's/$/ of a great many/'; ${untilFile("go")}` };
  await using scene = await Scene.begin({ script: [bash("sh flood.sh"), done], files, mode: "yolo" });
  scene.say("count");
  await scene.sees("100000 of a great many");
  await scene.frame("flood-running", { replace });
  expect(scene.person.bytes).toBeLessThan(400_000);
  await Bun.write(`${scene.cli.workspace}/go`, "");
  await scene.rests("Done.");
  await scene.frame("flood-done", { isWhole: true, replace });
  await scene.details();
  await scene.sees("Show in full");
  scene.person.press("enter");
  await scene.sees("q close");
  scene.person.press("G");
  await scene.sees("100000 of a great many");
  await scene.frame("flood-pager", { replace });
  expect(peakMib(scene.person.pid)).toBeLessThan(400);
}, 120_000);

test("[TP-6] a line without end, and one that is drawn over and over, are one line", async () => {
  const command =
    "for i in $(seq 1 2000); do printf '\\r%s%%' $i; done; printf '\\nlast '; head -c 300000 /dev/zero | tr '\\0' x; sh until-go.sh";
  const files = { "until-go.sh": untilFile("go") };
  await using scene = await Scene.begin({ script: [bash(command), done], files, mode: "yolo" });
  scene.say("draw");
  await scene.sees(/^ {2}2000%/);
  await scene.sees(/^ {2}x{20}/);
  await scene.frame("endless-running");
  await Bun.write(`${scene.cli.workspace}/go`, "");
  await scene.rests("Done.");
  await scene.frame("endless-done");
}, 120_000);

test("[SU-3] ten million letters that are asked about are seen in full: opened, leafed through, searched, at any width", async () => {
  const content = Array.from({ length: 200_000 }, (_, at) => `line ${at + 1} ${"x".repeat(40)}`).join("\n");
  const script = [{ calls: [{ tool: "write", input: { path: "big.txt", content } }] }, done];
  await using scene = await Scene.begin({ script });
  scene.say("write it");
  await scene.asked("Apply this change?");
  const slow: string[] = [];
  /** Far less than it takes to lay all of it out. */
  const press = async (key: string, sees: string | RegExp): Promise<void> => {
    const before = scene.person.cpuMs;
    scene.person.press(...key);
    await scene.sees(sees);
    const ms = scene.person.cpuMs - before;
    if (ms > 300) slow.push(`${key}: ${ms} ms`);
  };
  await press("v", /^1–\d+ of 2000\d\d · q close/);
  await press("G", "│ write(big.txt)");
  await press("g", "│ line 9 x");
  await press(" ", "│ line 20 x");
  scene.person.type("/line 123456 ");
  scene.person.press("enter");
  await scene.sees("│ line 123456 x");
  await scene.person.resize(50, 20);
  await scene.sees(/^│ line 123456 x+$/);
  await press("q", "Apply this change?");
  expect(slow).toEqual([]);
}, 120_000);

test("[MD-7] a reply of two thousand lines is all there, in order", async () => {
  const lines = Array.from({ length: 2_000 }, (_, n) => `line ${n} 行`);
  await using scene = await Scene.begin({ script: [{ text: lines.join("\n\n"), chunkChars: 50, usage }] });
  scene.say("write");
  await scene.rests("1.2k");
  expect(scene.person.scrollback().filter((line) => line.startsWith("line "))).toEqual(lines);
}, 120_000);

import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { roomsSvg } from "../../scripts/machines/rooms-svg.ts";
import { machineFiles } from "../../scripts/machines.ts";
import { errorTable } from "../../src/contract/error.ts";

test("[SM-3] [SM-5] [ER-1] docs/reference/machines.md and its pictures are what the machines and the table of errors say now", () => {
  for (const [path, text] of Object.entries(machineFiles()))
    expect([path, readFileSync(join(import.meta.dir, "..", "..", path), "utf8") === text]).toEqual([path, true]);
});

test("[SM-1] [SM-5] [SU-2] every state, and every error with its exit code, stands there", () => {
  const files = machineFiles();
  for (const state of ["IDLE", "CLARIFYING", "RECOVERING", "DONE"])
    expect(files["docs/images/machine-task.svg"]).toContain(`>${state}<`);
  for (const state of ["idle", "awaiting_human", "aborted"])
    expect(files["docs/images/machine-run.svg"]).toContain(`>${state}<`);
  for (const [code, { exit }] of Object.entries(errorTable))
    expect(files["docs/reference/machines.md"]).toMatch(new RegExp(`^\\| ${code} \\|.*\\| ${exit} \\| `, "m"));
  for (const row of [
    "| IDLE | INTAKE |",
    "| DONE | IDLE |",
    "| preparing | model_running |",
    "| awaiting_human | tool_running |",
  ])
    expect(files["docs/reference/machines.md"]).toContain(row);
});

test("the picture of the rooms has an arrow for each direct import, and none for what another leads to", () => {
  const svg = roomsSvg({ ground: [], middle: ["ground"], top: ["ground", "middle/port"] }, (room) => `owns <${room}>`);
  expect([...svg.matchAll(/<title>(\w+ → \w+)<\/title>/g)].map(([, arrow]) => arrow)).toEqual([
    "middle → ground",
    "top → middle",
  ]);
  expect(svg).toContain("owns &lt;top&gt;");
});

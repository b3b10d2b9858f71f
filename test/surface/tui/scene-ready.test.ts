// What becomes of a plan that plan mode has ended with.
import { afterAll, expect, test } from "bun:test";
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Script } from "../../support/scripted-server.ts";
import { Scene, sizes } from "./scene.ts";

const base = mkdtempSync(join(tmpdir(), "coder-ready-"));
afterAll(() => rmSync(base, { recursive: true, force: true }));

/** Stands in for an editor: changes a word of what it is given. */
function editor(name: string, script: string): string {
  const file = join(base, name);
  writeFileSync(file, `#!/bin/sh\nfor file; do :; done\nsed -i '${script}' "$file"\n`);
  chmodSync(file, 0o755);
  return file;
}

const planned = { text: "[PLAN]\n1. [ ] write a.txt (tools: write)\n2. [ ] write b.txt (tools: write)" };
const write = (path: string) => ({ calls: [{ tool: "write", input: { path, content: "x\n" } }] });
const script: Script = [
  { when: "Carry out this plan", steps: [write("a.txt"), { text: "carried out" }] },
  { when: "make it shorter", steps: [{ text: "[PLAN]\n1. [ ] write c.txt (tools: write)" }] },
  { when: "", steps: [planned] },
];
const config = { workflow: { auto_verify_after_edit: false } };

async function ready(more: object = {}): Promise<Scene> {
  const scene = await Scene.begin({ script, mode: "plan", config, ...more });
  scene.say("plan it");
  await scene.asked("The plan is ready");
  return scene;
}

test.each(sizes)("[PO-1] plan mode ends in a choice, at $columns by $rows", async ({ name, columns, rows }) => {
  await using scene = await ready({ columns, rows });
  await scene.frame(`plan-ready${name}`);
});

test("[PO-1] the plan is carried out in the mode that was chosen", async () => {
  await using scene = await ready();
  scene.person.press("2");
  await scene.sees("carried out");
  await scene.sees(/^● auto-edit/);
  expect(existsSync(join(scene.cli.workspace, "a.txt"))).toBe(true);
});

test("[PO-1] it is kept by Esc, and not asked about again", async () => {
  await using scene = await ready();
  scene.person.press("escape");
  await scene.sees("Kept: ");
  scene.say("/plan");
  await scene.sees("Now: 1. write a.txt");
  expect(scene.person.rows().join()).not.toContain("What next?");
});

test("[PO-1] changes are asked for in words, and the next plan is put in the same way", async () => {
  await using scene = await ready();
  scene.person.press("5");
  await scene.sees("Say what should be different");
  scene.say("make it shorter");
  await scene.sees("Steps: 1.");
});

test("[PO-1] [PL-5] the plan opens in the editor from the choice and by /plan edit, and the choice comes back", async () => {
  await using scene = await ready({ env: { EDITOR: editor("edit", "s/write b.txt/write z.txt/") } });
  scene.person.press("4");
  await scene.sees("write z.txt");
  await scene.asked("The plan is ready");
  scene.person.press("escape");
  await scene.sees("Kept: ");
  scene.say("/plan");
  await scene.sees("2. write z.txt");
});

test("[PL-5] what /plan edit cannot take is named, and nothing typed is lost", async () => {
  await using scene = await ready({ env: { EDITOR: editor("broken", 's/"plan_id"/,&/') } });
  scene.person.press("escape");
  await scene.sees("Kept: ");
  scene.say("/plan edit");
  await scene.sees("not valid JSON");
  scene.say("/plan edit");
  // A second comma before the key: the first one was still there.
  await scene.sees(() => scene.count("not valid JSON") === 2);
});

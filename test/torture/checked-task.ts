// A task that is verified: its first edit is wrong, the check says so, the second one is right.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Step } from "../support/scripted-reply.ts";
import type { Place } from "./life.ts";

export const checkedFile = "sum.js";
export const checkedPrompt = `carry out the checked task in ${checkedFile}`;
export const checkedText = "Now it adds.";
export const checkToken = "check";

const command = "node --test";

/** The person's own settings, which alone may add a command to the list of those that verify. */
const config = { workflow: { verify_commands: [command], verify_allowed: [command] } };

/** It starts a process beside itself, which a run that is cut leaves behind. */
const test = `const { test } = require("node:test");
const assert = require("node:assert");
const { appendFileSync } = require("node:fs");
const { spawn } = require("node:child_process");
const { add } = require("./sum.js");
test("adds", async () => {
  appendFileSync("tokens.log", "${checkToken}-start\\n");
  const server = spawn("sleep", ["600"], { detached: true, stdio: "ignore" });
  await new Promise((resolve) => setTimeout(resolve, 80));
  server.kill();
  appendFileSync("tokens.log", "${checkToken}-end\\n");
  assert.strictEqual(add(2, 3), 5);
});
`;

export function fillForChecks({ home, workspace }: Place): void {
  writeFileSync(join(home, "config.json"), JSON.stringify(config));
  writeFileSync(join(workspace, checkedFile), "exports.add = (a, b) => a - b;\n");
  writeFileSync(join(workspace, "sum.test.js"), test);
}

const edit = (from: string, to: string) => ({
  tool: "edit",
  input: { path: checkedFile, old_string: `a ${from} b`, new_string: `a ${to} b` },
});

export const checkedSteps: readonly Step[] = [
  { text: "I look first.", calls: [{ tool: "read", input: { path: checkedFile } }] },
  { text: "That is wrong.", calls: [edit("-", "*")] },
  { text: "It is done." },
  { text: "The check is right.", calls: [edit("*", "+")] },
  { text: checkedText },
];

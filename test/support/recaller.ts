// A second program that sends messages while a task runs and takes most of them back, until the test kills it.
import { writeSync } from "node:fs";
import { settingsFrom, setUp } from "../../src/main/setup/setup.ts";

/** What it says once it is sure of it. */
export type Said =
  | { readonly kind: "sent"; readonly id: string; readonly text: string }
  | { readonly kind: "back"; readonly id: string; readonly text: string };

/** Those of them that it never takes back. */
export const isLeft = (n: number): boolean => n % 3 === 0;

async function sendAndRecall(cwd: string, baseUrl: string): Promise<void> {
  const flags = { cwd, baseUrl, model: "openai-chat/mock" };
  const { engine } = setUp(settingsFrom(flags, true), flags, () => false, { index: null });
  const say = (said: Said) => writeSync(1, `${JSON.stringify(said)}\n`);
  await engine.runInput("go");
  for (let n = 1; n <= 500; n++) {
    const text = `message ${n}`;
    const sent = await engine.runInput(text, { delivery: n % 2 === 0 ? "queue" : "steer" });
    if (sent.kind !== "admitted") throw new Error(JSON.stringify(sent));
    say({ kind: "sent", id: sent.inputId, text });
    if (isLeft(n)) continue;
    const back = await engine.recall(sent.inputId);
    if (!back.ok) throw new Error(JSON.stringify(back));
    say({ kind: "back", id: sent.inputId, text: back.value });
  }
}

if (import.meta.main) await sendAndRecall(process.argv[2] ?? "", process.argv[3] ?? "");

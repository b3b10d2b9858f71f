import { expect, test } from "bun:test";
import { alnum, body } from "../../policy/secret/corpus.ts";
import { Bench } from "../../support/engine.ts";
import type { Step } from "../../support/scripted-reply.ts";

const call = (tool: string, input: Record<string, unknown>): Step => ({ calls: [{ tool, input }] });
const done: Step = { text: "done" };

const random = (length: number, seed: number) => body(alnum, length, seed);

async function outputsOf(
  files: Readonly<Record<string, string>>,
  commands: readonly string[],
): Promise<readonly string[]> {
  await using bench = new Bench([...commands.map((command) => call("bash", { command })), done]);
  for (const [name, text] of Object.entries(files)) bench.file(name, text);
  const seat = bench.open({ mode: "yolo" });
  await seat.run("go");
  return seat.all("tool.settled").map(({ result }) => result.output);
}

test("[TP-6] [SA-secrets] what was read from a file for secrets is known in every code from then on", async () => {
  const value = random(37, 3);
  const outputs = await outputsOf({ ".env": `PORT=3000\nODD_THING=${value}\n` }, [
    "base64 .env",
    "rev .env",
    "od -An -tx1 .env",
    `cut -c1-${"ODD_THING=".length + 16} .env`,
    "tr -d '\\n' < .env | fold -w 3",
  ]);
  expect(outputs).toHaveLength(5);
  for (const output of outputs) expect(output).toContain("[REDACTED:known-secret:");
  expect(outputs.join("\n")).not.toContain(value.slice(0, 12));
});

test("[TP-6] [SA-secrets] a file with a private key in it shows no part of it, whatever it is called and however it is cut", async () => {
  const lines = Array.from({ length: 12 }, (_, n) => random(64, n + 1));
  const key = [`-----BEGIN ${"PRIVATE"} KEY-----`, ...lines, `-----END ${"PRIVATE"} KEY-----`].join("\n");
  const outputs = await outputsOf({ "notes.txt": `how to deploy\n${key}\nend\n` }, [
    "cut -c1-40 notes.txt",
    "sed -n 5,9p notes.txt | fold -w 20",
    "sed -n 7p notes.txt | rev",
    "tail -c 333 notes.txt",
  ]);
  const pieces = lines
    .slice(1)
    .flatMap((line) => [line.slice(0, 16), line.slice(20, 36), [...line].reverse().join("").slice(0, 16)]);
  for (const output of outputs)
    expect([output, pieces.filter((piece) => output.includes(piece))]).toEqual([output, []]);
});

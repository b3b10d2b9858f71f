// Long conversations in a small window: what must be in sight of the model is, at every single step.
import { expect, test } from "bun:test";
import { type Asked, startAnsweringServer } from "../support/answering-server.ts";
import { Bench } from "../support/engine.ts";
import type { Step } from "../support/scripted-reply.ts";

const STEPS = 2_000;
const WINDOW = 12_000;
const config = {
  models: { "openai-chat/mock": { context_window: WINDOW } },
  compaction: { keep_recent: 8 },
  max_steps: 100_000,
};
/** Said before step n is answered, as a task of its own or in between. */
const constraints = [
  "Never touch vendor/.",
  "公共接口不要改。",
  "Only tabs, no spaces.",
  "At most 3 files may change.",
];
const plan = {
  title: "The whole of it",
  steps: [
    { id: "1", title: "look at everything" },
    { id: "2", title: "write it down", dependencies: ["1"] },
  ],
};
const todos = [
  { id: "3", content: "check the border cases", status: "in_progress", priority: "high" },
  { id: "4", content: "写下结果", status: "pending", priority: "low" },
];

/** Numbers that look like chance and are the same each time. */
function mixed(seed: number): number {
  const x = Math.imul(seed ^ (seed >>> 15), 0x2c1b3c6d);
  return ((x ^ (x >>> 12)) >>> 0) % 1_000;
}

function reply(step: number): Step {
  if (step === 0) return { calls: [{ tool: "plan", input: plan }] };
  if (step === 1) return { calls: [{ tool: "todowrite", input: { todos } }] };
  if (step === 2) return { calls: [{ tool: "write", input: { path: "notes/first.md", content: "one\n" } }] };
  if (step % 250 === 249) return { text: `part ${step} is done` };
  const words = "I have seen this part and go on to the next. ".repeat(mixed(step) % 9);
  const calls = [{ tool: "read", input: { path: `f${step % 40}.txt`, offset: 1 + (step % 90) } }];
  return { text: `${step}: ${words}`, calls };
}

test("[CX-2] [CX-3] two thousand steps in a small window: words, todos, plan and files are never out of sight", async () => {
  const seen = { notes: 0, largest: 0, missing: [] as string[] };
  const said: string[] = [];
  const look = (asked: Asked): void => {
    const all = asked.messages.map(({ content }) => String(content ?? "")).join("\n");
    seen.largest = Math.max(seen.largest, asked.bytes.length / 4);
    const must = [
      ...said,
      ...(step > 3 ? ["check the border cases", "写下结果", "look at everything", "notes/first.md"] : []),
    ];
    for (const one of must) if (!all.includes(one)) seen.missing.push(`step ${step}: ${one}`);
  };
  let step = 0;
  using server = startAnsweringServer((asked) => {
    if (asked.isForNotes) {
      seen.notes++;
      // Every third time the model is of no use.
      return seen.notes % 3 === 0
        ? { status: 500 }
        : { text: `## Goal\ngo on\n## Done\nup to ${step}\n## Next steps\nmore\n` };
    }
    look(asked);
    return reply(step++);
  });
  await using bench = new Bench([]);
  for (let n = 0; n < 40; n++) bench.file(`f${n}.txt`, `${`file ${n}, a line of it\n`.repeat(100)}`);
  const seat = bench.open({ baseUrl: server.url, mode: "auto-edit" }, { config });
  for (let task = 0; step < STEPS; task++) {
    const words = `Task ${task}: look at part ${task}. ${constraints[task] ?? "Go on."}`;
    said.push(words);
    await seat.run(words);
  }
  const stages = seat.all("context.compacted").map(({ compaction }) => compaction.stage);
  const summaries = seat.all("context.compacted").filter(({ compaction }) => compaction.stage === "summary");
  console.log(
    `${step} steps, ${stages.length} compactions (${summaries.length} summaries), largest request ${Math.round(seen.largest)} tokens`,
  );
  expect(seen.missing.slice(0, 5)).toEqual([]);
  expect(server.asked.flatMap(({ problem }) => problem ?? [])).toEqual([]);
  expect(
    seat
      .all("task.summarized")
      .map(({ summary }) => summary.stop_reason)
      .filter((one) => one !== "COMPLETED"),
  ).toEqual([]);
  expect(step).toBeGreaterThanOrEqual(STEPS);
  expect(stages).not.toContain("exhausted");
  expect(stages).not.toContain("trim");
  expect(new Set(summaries.map(({ compaction }) => compaction.summary?.by))).toEqual(new Set(["model", "rules"]));
  for (const { compaction } of seat.all("context.compacted"))
    expect(compaction.tokensAfter).toBeLessThan(compaction.tokensBefore);
  const { id, view } = seat.engine.state();
  await seat.close();
  const again = bench.open({ baseUrl: server.url }, { config });
  await again.engine.resume(id);
  expect(again.engine.state().view).toEqual(view);
}, 120_000);

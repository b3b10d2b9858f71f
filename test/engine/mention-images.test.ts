import { expect, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildMessages } from "../../src/context/build.ts";
import type { Attachment } from "../../src/contract/attachment.ts";
import { phrase } from "../../src/contract/text/catalogue.ts";
import { UndoRoom } from "../../src/engine/undo/undo-room.ts";
import { type History, HistoryFold } from "../../src/machine/history/history.ts";
import { Bench } from "../support/engine.ts";
import { png } from "../support/pictures.ts";

const seeing = { config: { models: { "openai-chat/mock": { images: true } } } };

test("[CX-1] a mentioned picture is shown to a model that takes pictures, also after a resume and without its file", async () => {
  await using bench = new Bench([[{ text: "seen" }], [{ text: "still" }]]);
  const bytes = png(30, 20);
  writeFileSync(join(bench.workspace, "a.png"), bytes);
  const seat = bench.open({}, seeing);
  await seat.run("see @a.png");
  const first = bench.server.requests[0]?.body.messages[1]?.content;
  expect(first).toEqual([
    { type: "text", text: expect.stringContaining("see @a.png\n\n[attached a.png, as it was when this was sent; ") },
    { type: "image_url", image_url: { url: `data:image/png;base64,${bytes.toString("base64")}` } },
  ] as never);
  const id = seat.engine.state().id;
  await seat.close();
  rmSync(join(bench.workspace, "a.png"));
  const again = bench.open({}, seeing);
  await again.engine.resume(id);
  await again.run("and now?");
  expect(bench.server.requests.at(-1)?.body.messages[1]?.content).toEqual(first as never);
});

test("[CX-1] a model that takes no pictures is told that they are left out, and so is the person", async () => {
  await using bench = new Bench([{ text: "seen" }]);
  writeFileSync(join(bench.workspace, "a.png"), png(30, 20));
  const seat = bench.open();
  await seat.run("see @a.png");
  expect(String(bench.server.requests[0]?.body.messages[1]?.content)).toEndWith(
    "\n[coder] This model takes no images: they are left out.",
  );
  expect(seat.all("notice.given").map(({ text }) => text)).toEqual([
    phrase("attach.unseen", { names: "a.png", model: "openai-chat/mock" }),
  ]);
});

/** One task for each number, with so many pictures. */
function historyOf(...counts: readonly number[]): History {
  const history = new HistoryFold();
  const apply = (event: object) => history.apply({ v: 1, at: 0, ...event } as never);
  for (const [task, count] of counts.entries()) {
    const attachments = Array.from({ length: count }, (_, at): Attachment => {
      const image = { hash: `h${task}.${at}`, mediaType: "image/png", bytes: 100, width: 10, height: 10 } as const;
      return { kind: "image", name: `${at}.png`, text: "image/png", key: `k${at}`, images: [image] };
    });
    const inputId = `i${task}`;
    const ids = { taskId: `t${task}`, runId: `r${task}`, inputId };
    apply({ type: "input.admitted", inputId, kind: "task", delivery: "now", text: "see", attachments });
    apply({ type: "task.started", ...ids, limits: { maxSteps: 9, maxTokens: null, maxAttempts: 1 } });
    apply({ type: "context.built", taskId: ids.taskId, hints: "now" });
  }
  return history;
}

test("[CX-2] of too many mentioned pictures the newest are shown, and pruned ones are named", () => {
  const shown = (history: History, pruneBefore: number) =>
    buildMessages(history, { pruneBefore, trimBefore: 0 }).messages.map((one) =>
      one.role === "user" ? (one.images?.length ?? 0) : -1,
    );
  expect(shown(historyOf(15, 5), 0)).toEqual([15, 5]);
  expect(shown(historyOf(15, 10), 0)).toEqual([4, 10]);
  const pruned = historyOf(3, 2);
  expect(shown(pruned, 1)).toEqual([0, 2]);
  expect(buildMessages(pruned, { pruneBefore: 1, trimBefore: 0 }).messages[0]?.text).toEndWith(
    "[image left out; read it again if it is needed]",
  );
});

test("[RB-1] a mentioned picture is kept although the task that changed its file is too old to be taken back", () => {
  const { entries } = historyOf(1);
  const stamp = { hash: "h0.0", size: 10, mode: 0o644 };
  const change = { path: "a.png", real: "/a.png", before: stamp, after: { ...stamp, hash: "other" } };
  const task = { changes: [change] } as never;
  const gone: string[] = [];
  new UndoRoom((hashes) => gone.push(...hashes), 0).tidy({
    entries,
    tasks: [task, { changes: [{ ...change, before: null, after: null }] } as never],
  });
  expect(gone).toEqual(["other"]);
});

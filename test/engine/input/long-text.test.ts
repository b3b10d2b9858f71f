import { expect, test } from "bun:test";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { say } from "../../../src/contract/text/catalogue.ts";
import { longText } from "../../../src/engine/input/long-text.ts";
import { Bench, type Seat } from "../../support/engine.ts";

const log = Array.from({ length: 3_000 }, (_, at) => `line ${at + 1} of a long log`).join("\n");

function pathOf(seat: Seat): string {
  const notice = seat.all("notice.given").find(({ text }) => text.key === "attach.pasted");
  return String(notice?.text.args?.path);
}

function told(bench: Bench): string {
  const messages = bench.server.requests.at(-1)?.body.messages ?? [];
  // Behind it the model is told about the project, and reminded of its plan.
  const asked = messages.findLast(({ role, content }) => role === "user" && !String(content).startsWith("[coder]"));
  return String(asked?.content).split("\n\n<context>\n")[0] ?? "";
}

test("[IN-5] [TP-6] of a long input the model gets beginning and end and a path that read can page; nothing of it is lost", async () => {
  await using bench = new Bench([{ text: "seen" }]);
  const seat = bench.open();
  const text = `why does this fail?\n\n${log}`;
  await seat.run(text);
  const path = pathOf(seat);
  expect(path).toMatch(/^\.coder\/output\/[\w-]+\.txt$/);
  expect(readFileSync(join(bench.workspace, path), "utf8")).toBe(text);
  expect(statSync(join(bench.workspace, path)).mode & 0o777).toBe(0o600);
  const admitted = seat.last("input.admitted");
  expect(admitted.text).toBe(text);
  expect(told(bench)).toBe(admitted.shown ?? "");
  const [, left, lines, where, offset] =
    /\n\[coder: (\d+) characters of this input are left out here; the whole of it \((\d+) lines\) is in (\S+), go on there with read from offset=(\d+) before you rely on it\]\n/.exec(
      admitted.shown ?? "",
    ) ?? [];
  expect([where, lines]).toEqual([path, "3002"]);
  expect(admitted.shown).toStartWith("why does this fail?\n\nline 1 of a long log\n");
  expect(admitted.shown).toEndWith("\nline 3000 of a long log");
  expect((admitted.shown ?? "").length).toBeLessThan(14_000);
  expect(Number(left)).toBeGreaterThan(40_000);
  await seat.engine.runInput("", { call: { tool: "read", input: { path, offset: Number(offset), limit: 1 } } });
  await seat.engine.idle();
  const next = Number(offset) - 2;
  expect(seat.last("tool.settled").result.output).toStartWith(`${offset}\tline ${next} of a long log\n`);
  expect(admitted.shown).toContain(`\nline ${next - 1} of a long log\n[coder: `);
});

test("[IN-5] a resume sends the same words, and a cancel gives the whole input back", async () => {
  await using bench = new Bench([
    { when: "wait", steps: [{ text: "never", delayMs: 60_000 }] },
    { when: "line 1 ", steps: [{ text: "seen" }] },
    { when: "then", steps: [{ text: "again" }] },
  ]);
  const seat = bench.open();
  await seat.run(log);
  const first = bench.server.requests[0]?.body.messages[1];
  await seat.engine.runInput("wait");
  await seat.engine.runInput(log, { delivery: "queue" });
  seat.engine.cancel("esc");
  await seat.engine.idle();
  expect(seat.last("input.returned").inputIds).toEqual(["i3"]);
  expect(seat.all("input.admitted").at(-1)?.text).toBe(log);
  const id = seat.engine.state().id;
  await seat.close();
  const again = bench.open();
  await again.engine.resume(id);
  await again.run("then");
  expect(bench.server.requests.at(-1)?.body.messages[1]).toEqual(first as never);
});

test("[CX-1] a page of words is sent as it is; how much that is depends on the window", async () => {
  await using bench = new Bench([{ text: "seen" }]);
  const words = log.slice(0, 20_000);
  const seat = bench.open();
  await seat.run(words);
  expect(told(bench)).toBe(words);
  expect(seat.last("input.admitted").shown).toBeUndefined();
  const small = bench.open({}, { config: { models: { "openai-chat/mock": { context_window: 8_192 } } } });
  await small.run(words);
  expect(small.last("input.admitted").shown?.length).toBeLessThan(4_000);
});

test("[CX-1] only the words before what was pasted mention files", async () => {
  await using bench = new Bench([{ text: "seen" }]);
  bench.file("a.ts", "one\n");
  bench.file("b.ts", "two\n");
  const seat = bench.open();
  await seat.run(`see @a.ts\n\n@b.ts\n${log}\n\n@b.ts`);
  const { attachments = [], shown = "" } = seat.last("input.admitted");
  expect(attachments.map(({ name }) => name)).toEqual(["a.ts"]);
  expect(told(bench)).toStartWith(`${shown}\n\n[attached a.ts, `);
});

test("[TP-6] secrets in a long input reach neither the model nor the file", async () => {
  await using bench = new Bench([{ text: "seen" }]);
  const secret = "Zx81kd93jfLq02mVbn47TyUw";
  const seat = bench.open();
  await seat.run(`API_KEY=${secret}\n${log}\nAPI_KEY=${secret}\n${log}`);
  const kept = readFileSync(join(bench.workspace, pathOf(seat)), "utf8");
  expect(kept).toStartWith("API_KEY=[REDACTED:");
  expect(kept + JSON.stringify(bench.server.requests)).not.toContain(secret);
});

test("[IN-5] where no copy can be written the input is sent whole, and the person is told", async () => {
  await using bench = new Bench([{ text: "seen" }]);
  writeFileSync(join(bench.workspace, ".coder"), "in the way");
  const seat = bench.open();
  await seat.run(log);
  expect(told(bench)).toBe(log);
  const notices = seat.all("notice.given").map(({ text }) => say("en", text));
  expect(notices.some((one) => one.startsWith("the message is long (") && one.includes("was sent whole"))).toBe(true);
});

test("[IN-1] an input that no model could take is refused with what to do, before anything is stored", async () => {
  await using bench = new Bench([]);
  const seat = bench.open();
  const admission = await seat.engine.runInput("x".repeat(16 * 2 ** 20 + 1));
  expect(admission).toEqual({
    kind: "refused",
    error: {
      code: "E_INVALID_ARGS",
      text: { key: "attach.too_long", args: { size: "16.0 MiB", max: "16.0 MiB" } },
      advice: { key: "attach.too_long.advice" },
    },
  });
  expect(seat.events).toEqual([]);
});

test("[TP-6] of any long text: the file holds all of it, both ends are its own, no character is torn, the offset is the first line left out", () => {
  const piece = fc.constantFrom("a word ", "\n", "字", "😀", "\r\n", "x".repeat(900), "\n\n");
  fc.assert(
    fc.property(fc.array(piece, { minLength: 200, maxLength: 900 }), (pieces) => {
      const text = `${pieces.join("")}${"end ".repeat(9_000)}\n`;
      let whole = "";
      const { shown } = longText(text, 8_192)?.shorten((kept) => {
        whole = kept;
        return { ok: true, value: "kept.txt" };
      }) ?? { shown: null };
      expect(whole).toBe(text);
      const [head = "", tail = ""] = (shown ?? "").split(/\n\[coder: .* before you rely on it\]\n/);
      const offset = Number(/offset=(\d+)/.exec(shown ?? "")?.[1]);
      expect((shown ?? "").isWellFormed()).toBe(true);
      expect(text.startsWith(head.replace(/\ufffd$/, "")) && text.endsWith(tail.replace(/^\ufffd/, ""))).toBe(true);
      expect(head.length + tail.length).toBeLessThanOrEqual(8_192 / 4 + 8_192 / 8);
      // Up to the line before it, the lines are all there.
      const before = text
        .split("\n")
        .slice(0, offset - 1)
        .join("\n");
      expect(head.startsWith(before)).toBe(true);
    }),
    { numRuns: 40 },
  );
});

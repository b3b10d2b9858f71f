import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { CallId } from "../../../src/contract/ids.ts";
import { Bench, type Seat } from "../../support/engine.ts";
import type { Step } from "../../support/scripted-reply.ts";

const call = (tool: string, input: object): Step => ({ calls: [{ tool, input }] });
const done: Step = { text: "Done." };
const asked = (seat: Seat, times: number): Promise<unknown> =>
  seat.until(
    (one) =>
      one.kind === "event" &&
      one.state.run.phase === "awaiting_human" &&
      seat.all("tool.decided").filter(({ decision }) => decision === "ask").length === times,
  );

for (const [name, input] of [
  ["edit", { path: "a.txt", old_string: "two", new_string: "TWO" }],
  ["write", { path: "a.txt", content: "one\r\nTWO\r\n" }],
  ["patch", { patch: "*** Begin Patch\n*** Update File: a.txt\n@@\n one\n-two\n+TWO\n*** End Patch" }],
] as const)
  test(`[PO-6] [SM-5] of ${name} the text that a person makes of it is shown again and written, and the model must read it`, async () => {
    const again = call("write", { path: "a.txt", content: "all mine" });
    await using bench = new Bench([call("read", { path: "a.txt" }), call(name, input), again, done]);
    bench.file("a.txt", "one\r\ntwo\r\n");
    const seat = bench.open({}, { interactive: true });
    await seat.engine.runInput("go");
    await asked(seat, 1);
    const id = "r1/2/1" as CallId;
    const proposed = await seat.engine.proposed(id);
    expect(proposed).toEqual({ path: "a.txt", text: "one\r\nTWO\r\n" });
    const file = { path: "a.txt", text: "one\r\nTwo, said the person\r\n" };
    expect(seat.engine.answer(id, { answer: "edit", file, by: "person" }).ok).toBe(true);
    await asked(seat, 2);
    expect(await seat.engine.preview(id, "forPerson")).toContain("+Two, said the person");
    expect(readFileSync(join(bench.workspace, "a.txt"), "utf8")).toBe("one\r\ntwo\r\n");
    expect(seat.engine.answer(id, { answer: "yes", by: "person" }).ok).toBe(true);
    await seat.engine.idle();
    expect(readFileSync(join(bench.workspace, "a.txt"), "utf8")).toBe(file.text);
    const [, edited, blind] = seat.all("tool.settled").map(({ result }) => result);
    expect(edited?.output).toContain("the person changed the arguments");
    expect(blind).toMatchObject({ status: "failed", error: { code: "E_CONFLICT" } });
  });

test("[PO-6] what a person makes of a change is judged like everything else", async () => {
  await using bench = new Bench([call("write", { path: "new.txt", content: "x" }), done]);
  const seat = bench.open({ deny: ["write(secret/**)"] }, { interactive: true });
  await seat.engine.runInput("go");
  await asked(seat, 1);
  const file = { path: "secret/new.txt", text: "y" };
  expect(seat.engine.answer("r1/1/1", { answer: "edit", file, by: "person" }).ok).toBe(true);
  await seat.engine.idle();
  expect(seat.last("tool.settled").result.status).toBe("denied");
});

test("[PO-6] several files, a deletion and bytes have no such text", async () => {
  const patch = "*** Begin Patch\n*** Add File: a\n+a\n*** Add File: b\n+b\n*** End Patch";
  await using bench = new Bench([
    call("patch", { patch }),
    call("patch", { patch: "*** Begin Patch\n*** Delete File: c\n*** End Patch" }),
    done,
  ]);
  bench.file("c", "c\n");
  const seat = bench.open({}, { interactive: true });
  await seat.engine.runInput("go");
  await asked(seat, 1);
  expect(await seat.engine.proposed("r1/1/1" as CallId)).toBeNull();
  expect(await seat.engine.proposed("r9/1/1" as CallId)).toBeNull();
});

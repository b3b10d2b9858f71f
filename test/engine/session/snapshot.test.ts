// The file in the workspace that a session can be rebuilt from: bounded, and it says what it leaves out.
import { expect, test } from "bun:test";
import { restoredFrom } from "../../../src/context/restore.ts";
import { renderSnapshot } from "../../../src/engine/session/snapshot.ts";
import { emptySession } from "../../../src/machine/state.ts";
import { Made } from "../../context/make.ts";

const MB = 1_000_000;
const snapshotOf = (made: Made, more: Partial<typeof emptySession> = {}): string =>
  renderSnapshot({ ...emptySession, id: "s", ...more }, made.history, 9);
const bytesOf = (text: string): number => Buffer.byteLength(text);

interface Written {
  readonly left_out?: { readonly entries: number };
  readonly entries: readonly { readonly kind: string; readonly text: string }[];
}

test("[PS-2] a snapshot of 5,000 steps with results of 20 KB stays under 10 MB, compacted or not, in any script", () => {
  for (const line of ["some words of a line\n", "一行普通的文字\n", '"\\\t\u0001\n']) {
    const made = new Made();
    made.task("Read everything. Never write.");
    for (let n = 0; n < 5_000; n++) made.step({ out: `${n} ${line.repeat(20_000 / line.length)}` });
    expect(bytesOf(snapshotOf(made))).toBeLessThan(10 * MB);
    const cut = { stage: "prune", pruneBefore: 4_990, trimBefore: 0, tokensBefore: 2, tokensAfter: 1 } as const;
    made.apply({ type: "context.compacted", compaction: cut });
    expect(bytesOf(snapshotOf(made))).toBeLessThan(10 * MB);
  }
});

test("[PS-2] it has the newest entries whole, the person's words from the beginning, and counts what is missing", () => {
  const made = new Made();
  for (let task = 0; task < 20; task++) {
    made.task(`task ${task}: never touch vendor/`);
    for (let n = 0; n < 100; n++) made.step({ out: `${task}-${n} ${"x".repeat(10_000)}` });
  }
  const text = snapshotOf(made);
  const { entries, left_out } = JSON.parse(text) as Written;
  const said = entries.filter(({ kind }) => kind === "user");
  expect(said.map((one) => one.text)).toEqual(Array.from({ length: 20 }, (_, n) => `task ${n}: never touch vendor/`));
  expect(left_out?.entries).toBe(20 * 101 - entries.length);
  expect(text).toContain(`19-99 ${"x".repeat(10_000)}`);
  expect(text).not.toContain("0-0 x");
});

test("[PS-2] a person who says too much is not kept from having a snapshot, and a short session is in it as a whole", () => {
  const made = new Made();
  for (let n = 0; n < 50; n++) made.task(`${n} ${"words ".repeat(50_000)}`);
  expect(bytesOf(snapshotOf(made))).toBeLessThan(10 * MB);
  const short = new Made();
  short.task("one").step({ out: "two" });
  expect(JSON.parse(snapshotOf(short))).not.toHaveProperty("left_out");
});

test("[PS-2] whoever goes on from it is told the summary, how many entries are missing, and where an output was cut", () => {
  const made = new Made();
  made.task("look").step({ out: "y".repeat(5_000) });
  const cut = { stage: "prune", pruneBefore: 2, trimBefore: 0, tokensBefore: 2, tokensAfter: 1 } as const;
  made.apply({ type: "context.compacted", compaction: cut });
  const summary = { text: "## Done\nthe half of it", notes: "", by: "rules" } as const;
  const text = snapshotOf(made, { view: { pruneBefore: 2, trimBefore: 0, summary } });
  const snapshot = JSON.parse(text) as Record<string, unknown>;
  const restored = restoredFrom({ ...snapshot, left_out: { entries: 7, note: "" } });
  const told = restored.ok ? restored.value.text : "";
  expect(told).toContain("the half of it");
  expect(told).toContain("7 older entries are not in the snapshot");
  expect(told).toContain(`${"y".repeat(1_500)} [… 3500 characters left out …]`);
});

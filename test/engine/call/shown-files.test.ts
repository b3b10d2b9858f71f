import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { ShownFiles } from "../../../src/engine/call/shown-files.ts";
import type { Judged } from "../../../src/engine/judge/deed-facts.ts";
import { Bench } from "../../support/engine.ts";
import type { Step } from "../../support/scripted-reply.ts";

const call = (tool: string, input: Record<string, unknown>): Step => ({ calls: [{ tool, input }] });
const body = Array.from({ length: 40 }, (_, at) => `const line${at} = ${at};`).join("\n");
const edit = call("edit", { path: "a.ts", old_string: "line7 = 7", new_string: "line7 = 8" });

/** What an edit of `a.ts` is told after these steps. */
async function editAfter([first, ...steps]: readonly Step[], mode: "auto-edit" | "yolo" = "yolo"): Promise<string> {
  // Files that are as old as nothing are in real life: a disk's clock may be a little behind.
  await using bench = new Bench([{ ...first, delayMs: 60 }, ...steps, edit, { text: "done" }]);
  const path = bench.file("a.ts", `${body}\n`);
  bench.file("b.ts", "const other = 1;\n}\n");
  bench.file("crlf.ts", "x\r\n");
  const seat = bench.open({ mode });
  await seat.run("go");
  const output = seat.all("tool.settled").at(-1)?.result.output ?? "";
  expect(readFileSync(path, "utf8").includes("line7 = 8")).toBe(output.startsWith("edited"));
  return output;
}

for (const command of [
  "cat a.ts",
  "sed -n 5,9p a.ts",
  "sed -n '5,9p' ./a.ts b.ts",
  "grep -n line3 a.ts",
  "grep -n line3 a.ts b.ts",
  "grep -nH -A2 line3 a.ts",
  "head -3 a.ts",
  "tail -n 3 a.ts",
  "cat -n a.ts | head -5",
  "nl a.ts",
  "wc -l a.ts && sed -n 1,3p a.ts",
  "cat a.ts missing.ts",
  "grep -rn line3 .",
  "grep -rn line3 $PWD",
  "grep -rn -A2 line3 ../*",
  "cd .. && grep -rn line3 .",
]) {
  test(`[TL-2] what ${command} showed counts as read`, async () => {
    expect(await editAfter([call("bash", { command })])).toBe("edited a.ts at line 8");
  });
}

for (const command of [
  "wc -l a.ts",
  "ls -l a.ts",
  "grep -c line3 a.ts",
  "grep -l line3 a.ts",
  "grep -q line3 a.ts",
  "grep -n nothing a.ts",
  "cat a.ts > /dev/null",
  "cat b.ts; wc -l a.ts",
  "md5sum a.ts",
  "cat a.ts | tr a-z A-Z",
  "echo 'const line3 = 3;'",
  "grep -rln line3 .",
  "grep -rn other .",
  "grep -rhn line3 .",
]) {
  test(`[TL-2] what ${command} did not show does not count as read`, async () => {
    expect(await editAfter([call("bash", { command })])).toStartWith("E_CONFLICT: a.ts exists and was not read");
  });
}

test("[TL-2] a file that changed after a command showed it was not read as it is", async () => {
  const change = call("bash", { command: "sed -i s/line30/line31/ a.ts" });
  expect(await editAfter([call("bash", { command: "cat a.ts" }), change])).toStartWith(
    "E_CONFLICT: a.ts changed on disk since it was read",
  );
  expect(await editAfter([change, call("bash", { command: "cat a.ts" })])).toBe("edited a.ts at line 8");
});

test("[TL-2] a file that changes while a search through its folder runs was not read as it is", async () => {
  await using bench = new Bench([]);
  const real = bench.file("a.ts", `${body}\n`);
  const folder = { given: ".", real: bench.workspace, inside: true, exists: true, kind: "folder" } as const;
  const question = { judgement: { isReadOnly: true, usesGit: false }, paths: [folder], workspace: bench.workspace };
  const judged = { question, decision: "allow" } as unknown as Judged;
  const shown = new ShownFiles();
  const output = "./a.ts:4:const line3 = 3;";
  await Bun.sleep(60);
  shown.expect("c1", judged);
  expect(shown.seenIn("c1", output)).toEqual([{ real, hash: expect.stringMatching(/^[0-9a-f]{64}$/) }]);
  shown.expect("c2", judged);
  bench.file("a.ts", `${body}\n// by the person\n`);
  expect(shown.seenIn("c2", output)).toEqual([]);
});

test("[TL-2] a command that shows a file and does more than read has not shown what it left", async () => {
  const both = call("bash", { command: "cat a.ts; sed -i s/line30/line31/ a.ts" });
  expect(await editAfter([both])).toStartWith("E_CONFLICT: a.ts exists and was not read");
});

test("[TL-2] what was cut out of a long output was not shown", async () => {
  await using bench = new Bench([call("bash", { command: "cat long.txt a.ts long.txt" }), edit, { text: "done" }]);
  bench.file("long.txt", "0123456789\n".repeat(3000));
  bench.file("a.ts", `${body}\n`);
  const seat = bench.open({ mode: "yolo" });
  await seat.run("go");
  expect(seat.all("tool.settled").at(-1)?.result.output).toStartWith("E_CONFLICT: a.ts exists and was not read");
});

test("[TL-2] what a command showed is stored with its result, and so known after a resume", async () => {
  await using bench = new Bench([call("bash", { command: "cat a.ts" }), { text: "seen" }]);
  const path = bench.file("a.ts", `${body}\n`);
  const seat = bench.open({ mode: "yolo" });
  await seat.run("look");
  const settled = seat.all("tool.settled").at(-1)?.result;
  expect(settled?.seen).toEqual([{ real: path, hash: expect.stringMatching(/^[0-9a-f]{64}$/) }]);
});

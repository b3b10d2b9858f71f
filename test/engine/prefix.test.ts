import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemText } from "../../src/context/system.ts";
import { estimateTokens } from "../../src/context/tokens.ts";
import { loadTools, toolSpecs } from "../../src/tool/registry.ts";
import { type Asked, startAnsweringServer } from "../support/answering-server.ts";
import { Bench } from "../support/engine.ts";
import type { Step } from "../support/scripted-reply.ts";

const call = (tool: string, input: unknown): Step => ({ text: `${tool} now`, calls: [{ tool, input }] });
const todos = [{ id: "1", content: "look", status: "in_progress", priority: "high" }];
const tools: readonly Step[] = [
  call("read", { path: "a.txt" }),
  call("list", {}),
  call("glob", { pattern: "*.txt" }),
  call("grep", { pattern: "line" }),
  call("write", { path: "b.txt", content: "b\n" }),
  call("edit", { path: "a.txt", old_string: "line 1", new_string: "line one" }),
  call("bash", { command: "echo hello" }),
  call("bash", { command: "rm -rf elsewhere" }),
  call("read", { path: "missing.txt" }),
  call("nonsense", {}),
  call("todowrite", { todos }),
  call("plan", { title: "p", steps: [{ id: "1", title: "look" }] }),
  {
    text: "two at once",
    calls: [...(call("read", { path: "b.txt" }).calls ?? []), ...(call("todoread", {}).calls ?? [])],
  },
];

/** What of a request may not change until the next: everything up to the end of its last message, and all behind the messages. */
function partsOf({ bytes, messages }: Asked): { readonly front: string; readonly back: string } {
  const written = JSON.stringify(messages).slice(0, -1);
  const at = bytes.indexOf(written);
  expect(at).toBeGreaterThan(0);
  return { front: bytes.slice(0, at + written.length), back: bytes.slice(at + written.length) };
}

test("[CX-1] from step to step only the tail of the request changes, byte for byte: tools, words in between, other modes, other rules, another task, a resume", async () => {
  using server = startAnsweringServer((_, step) => tools[step % (tools.length + 1)] ?? { text: "that is all" });
  await using bench = new Bench([]);
  bench.file("a.txt", "line 1\nline 2\n");
  let seat = bench.open({ baseUrl: server.url, mode: "auto-edit" });
  const rules = (text: string) => writeFileSync(join(bench.home, "AGENTS.md"), text);
  await seat.run("look at everything");
  rules("Use tabs.");
  seat.engine.setMode("default");
  const steered = seat.engine.runInput("once more");
  await seat.until(
    (one) => one.kind === "event" && one.recorded.event.type === "tool.settled" && one.state.tasks === 2,
  );
  seat.engine.setMode("auto-edit");
  await seat.engine.runInput("and be quick", { delivery: "steer" });
  await steered;
  await seat.engine.idle();
  const { id } = seat.engine.state();
  await seat.close();
  rules("Use spaces.");
  seat = bench.open({ baseUrl: server.url, mode: "plan" });
  await seat.engine.resume(id);
  await seat.run("and again");
  const { asked } = server;
  expect(asked.length).toBeGreaterThan(3 * tools.length);
  for (const [at, one] of asked.entries()) {
    const next = asked[at + 1];
    if (!next) continue;
    const [now, then] = [partsOf(one), partsOf(next)];
    expect(next.bytes.startsWith(now.front)).toBe(true);
    expect(then.back).toBe(now.back);
  }
  const last = JSON.stringify(asked.at(-1)?.messages);
  for (const kept of ["Use tabs.", "Use spaces.", "mode: plan", "mode: default", "and be quick"])
    expect(last).toContain(kept);
});

test("[CX-1] system text and all tools together are at most 3,500 tokens", () => {
  const system = systemText({ os: "linux x64", workspace: "/home/person/projects/thing", addDirs: [] });
  const specs = toolSpecs(loadTools([]));
  const [ours, theirs] = [estimateTokens(system), estimateTokens(JSON.stringify(specs))];
  console.log(`system text ${ours} tokens, ${specs.length} tools ${theirs} tokens, together ${ours + theirs}`);
  expect(ours + theirs).toBeLessThanOrEqual(3_500);
});

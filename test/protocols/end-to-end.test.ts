import { expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { builtBinary } from "../support/binary.ts";
import { startAttackServer } from "../support/wire/attack-server.ts";
import { type Wire, wires } from "../support/wire/protocols.ts";
import type { WireReply } from "../support/wire/reply.ts";
import { requestProblem } from "../support/wire/strict.ts";

const signatures = ["Zmlyc3QgdGhvdWdodA==", "c2Vjb25kIHRob3VnaHQ="] as const;
const edit = JSON.stringify({ path: "a.txt", old_string: "one", new_string: "two" });

/** Reads a file twice at once, changes it, and says so. */
const replies: readonly WireReply[] = [
  {
    parts: [
      { kind: "thinking", text: "Look first.", signature: signatures[0] },
      { kind: "text", text: "I will look." },
      { kind: "call", tool: "read", args: '{"path":"a.txt"}', id: "same" },
      { kind: "call", tool: "read", args: '{"path":"b.txt"}', id: "same" },
    ],
  },
  {
    parts: [
      { kind: "thinking", text: "Now change it.", signature: signatures[1] },
      { kind: "call", tool: "edit", args: edit },
    ],
  },
  { parts: [{ kind: "text", text: "Changed." }] },
];

async function runTask(wire: Wire) {
  const folder = mkdtempSync(join(tmpdir(), "coder-wire-"));
  const workspace = join(folder, "workspace");
  mkdirSync(workspace);
  for (const name of ["a.txt", "b.txt"]) writeFileSync(join(workspace, name), "one\n");
  let step = 0;
  await using server = await startAttackServer(() => ({
    writes: wire.frames(replies[Math.min(step++, replies.length - 1)]!).map(({ sse }) => sse),
  }));
  const args = [
    "run",
    "--base-url",
    server.url,
    "--model",
    `${wire.protocol}/tiny`,
    "--mode",
    "auto-edit",
    "change the word in the file",
  ];
  const child = Bun.spawn([...builtBinary(), ...args], {
    cwd: workspace,
    env: { ...process.env, LANG: "C", CODER_HOME: join(folder, "home"), CODER_MODEL: "" },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  const content = readFileSync(join(workspace, "a.txt"), "utf8");
  rmSync(folder, { recursive: true, force: true });
  return { out, err, content, requests: [...server.requests] };
}

for (const wire of wires) {
  test(`[MD-1] [MD-3] over ${wire.protocol}, a task reads, edits and ends, and every request is one that a strict provider takes`, async () => {
    const { out, err, content, requests } = await runTask(wire);
    const judged = requests.map(({ path, body }) => ({ path, problem: requestProblem(wire.protocol, body) }));
    const expected = { out: "Changed.\n", content: "two\n", judged: Array(3).fill({ path: wire.path, problem: null }) };
    expect({ out, content, judged }, err).toEqual(expected);
    if (wire.protocol === "openai-chat") return;
    const sentBack = requests.map(({ body }) => signatures.filter((one) => JSON.stringify(body).includes(one)));
    expect(sentBack).toEqual([[], [signatures[0]], [...signatures]]);
  }, 120_000);
}

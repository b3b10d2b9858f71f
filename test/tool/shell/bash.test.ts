import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { parseInput } from "../../../src/tool/registry.ts";
import { bash } from "../../../src/tool/shell/bash.ts";
import { sleeps } from "../../support/shell.ts";
import { longEnough, until } from "../../support/until.ts";
import { makeWorkspace, type Workspace } from "../workspace.ts";

let space: Workspace;
beforeEach(() => {
  space = makeWorkspace();
});
afterEach(() => space[Symbol.dispose]());

const duration_ms = expect.any(Number);

test("[IN-4] the result is a structured value with command, exit code, both streams, duration and truncation", async () => {
  const command = "echo out; echo err >&2; pwd";
  expect(await space.run(bash, { command })).toEqual({
    ok: true,
    value: {
      text: `exit code 0\n[stdout]\nout\n${space.root}\n[stderr]\nerr`,
      data: { command, exit_code: 0, stdout: `out\n${space.root}\n`, stderr: "err\n", duration_ms, truncated: false },
    },
  });
});

const texts: readonly (readonly [command: string, text: string, exitCode: number])[] = [
  ["true", "exit code 0, no output", 0],
  ["echo hi", "exit code 0\nhi", 0],
  ["printf 'a\\n\\n'", "exit code 0\na\n", 0],
  ["exit 3", "exit code 3, no output", 3],
  ["echo bad >&2; exit 1", "exit code 1\n[stderr]\nbad", 1],
  ["kill -9 $$", "exit code 137 (ended by SIGKILL), no output", 137],
  [`sleep 61 & ${sleeps}; echo hi`, "exit code 0\nhi\n(still running at the end, ended: sleep 61)", 0],
];

for (const [command, text, exitCode] of texts) {
  test(`the model reads ${JSON.stringify(text)} after: ${command}`, async () => {
    const result = await space.run(bash, { command });
    expect(result).toMatchObject({ ok: true, value: { text, data: { exit_code: exitCode } } });
    expect(result.ok && (result.value.failed ?? false)).toBe(exitCode !== 0);
  });
}

test("[TL-3] a timeout counts as failed with exit code 124 and keeps the output", async () => {
  const command = "echo before; sleep 600";
  let seconds = 0;
  const run = (ms: number) => {
    seconds = ms / 1_000;
    return space.run(bash, { command, timeout_s: seconds });
  };
  expect(await longEnough(1_000, run, (result) => result.ok && result.value.text.includes("before"))).toEqual({
    ok: true,
    value: {
      text: `exit code 124: not finished after ${seconds} s, ended; it may already have taken effect\nbefore`,
      data: {
        ...{ command, exit_code: 124, stdout: "before\n", stderr: "", duration_ms, truncated: false },
        timed_out: true,
      },
      failed: true,
    },
  });
});

test("[TL-3] what has used up its processor time is told apart from other failures, also within a pipe", async () => {
  const commands = { ...space.ctx.commands, cpuSeconds: 2 };
  const endless = "awk 'BEGIN { while (1); }'";
  const text =
    "exit code 152: a program used 2 s of processor time and was ended; what runs without approval gets no more, no output";
  const alone = await space.run(bash, { command: endless }, { commands });
  expect(alone).toMatchObject({ ok: true, value: { text, data: { exit_code: 152, cpu_seconds: 2 }, failed: true } });
  const piped = await space.run(bash, { command: `${endless} | sort` }, { commands });
  expect(piped).toMatchObject({
    ok: true,
    value: { text: expect.stringMatching(/^exit code 0\n\[stderr\]\n\(this took [12] s of processor time;/) },
  });
});

test("[TL-3] without timeout_s the default of the settings applies", async () => {
  const result = await space.run(bash, { command: "sleep 60" }, { defaultTimeoutMs: 200 });
  expect(result).toMatchObject({ ok: true, value: { data: { exit_code: 124, timed_out: true } } });
});

test("[CAN-1] a cancelled command keeps its output and says that it may have taken effect", async () => {
  const cancel = new AbortController();
  const command = "echo before; touch started; sleep 60";
  const running = space.run(bash, { command }, { signal: cancel.signal });
  await until("it has started", () => existsSync(space.path("started")));
  cancel.abort();
  expect(await running).toEqual({
    ok: true,
    value: {
      text: "cancelled while it ran; it may already have taken effect\nbefore",
      data: {
        ...{ command, exit_code: null, stdout: "before\n", stderr: "", duration_ms, truncated: false },
        cancelled: true,
      },
      failed: true,
    },
  });
});

test("[CAN-1] a command cancelled before it started has no side effect", async () => {
  const result = await space.run(bash, { command: "touch started" }, { signal: AbortSignal.abort() });
  expect(result).toEqual({
    ok: false,
    error: { code: "E_CANCELLED", text: { key: "run.never_started" }, sideEffect: "none" },
  });
  expect(existsSync(space.path("started"))).toBe(false);
});

const screens: readonly (readonly [wrote: string, shown: string])[] = [
  ["10%\\r100%\\n", "exit code 0\n100%"],
  ["10%\\r100%\\r", "exit code 0\n100%"],
  ["one\\r\\ntwo\\r\\n", "exit code 0\none\ntwo"],
  ["\\033[31mred\\033[0m \\033]0;title\\007plain", "exit code 0\nred plain"],
  ["\\033]0;never ended\\nnext line\\n", "exit code 0\n\nnext line"],
  ["\\033]0;cut off\\033[31mred\\033[0m", "exit code 0\nred"],
  ["\\033]8;;x:y\\033\\\\link\\033]8;;\\033\\\\", "exit code 0\nlink"],
];

for (const [wrote, shown] of screens) {
  test(`${wrote} in a terminal is ${JSON.stringify(shown)} to the model`, async () => {
    const command = `printf '${wrote.replaceAll("%", "%%")}'`;
    expect(await space.run(bash, { command, terminal: true })).toMatchObject({ ok: true, value: { text: shown } });
  });
}

test("a line of a million characters in a terminal holds nobody up", async () => {
  const command = "head -c 1000000 /dev/zero | tr '\\0' x";
  const result = await space.run(bash, { command, terminal: true });
  expect(result.ok && result.value.text.length).toBe("exit code 0\n".length + 1_000_000);
}, 120_000);

test("[TL-3] at most the given number of bytes is kept of each stream, and the cut is reported", async () => {
  const result = await space.run(bash, { command: "printf aaaabbbbbbcccc; printf ee >&2" }, { maxStreamBytes: 8 });
  expect(result).toMatchObject({
    ok: true,
    value: { data: { stdout: "aaaa\n[… 6 bytes left out …]\ncccc", stderr: "ee", truncated: true } },
  });
});

test("[TP-3] the pid reaches the pipeline before the command has any effect", async () => {
  const seen: boolean[] = [];
  const onSpawn = async () => {
    seen.push(existsSync(space.path("ran")));
  };
  await space.run(bash, { command: "touch ran" }, { onSpawn });
  expect({ seen, ran: existsSync(space.path("ran")) }).toEqual({ seen: [false], ran: true });
});

test("policy judges the very command that runs, and a crash leaves its outcome unknown", () => {
  expect(bash.command?.({ command: "rm -rf x" } as never)).toBe("rm -rf x");
  expect({ access: bash.access, afterCrash: bash.afterCrash }).toEqual({ access: "exec", afterCrash: "unknown" });
});

const refused: readonly unknown[] = [
  {},
  { command: "" },
  { command: 1 },
  { command: "ls", timeout_s: 0 },
  { command: "ls", timeout_s: 3601 },
  { command: "ls", timeout_s: 1.5 },
  { command: "ls", background: "yes" },
];

for (const input of refused) {
  test(`arguments ${JSON.stringify(input)} are refused`, () => {
    expect(parseInput(bash, input)).toMatchObject({ ok: false, error: { code: "E_INVALID_ARGS" } });
  });
}

test("a NUL character in the command is refused as an argument error", async () => {
  expect(await space.run(bash, { command: "a\0b" })).toMatchObject({ ok: false, error: { code: "E_INVALID_ARGS" } });
});

test("the description for the model has at most 60 words", () => {
  expect(bash.description.split(" ").length).toBeLessThanOrEqual(60);
});

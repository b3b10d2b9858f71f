import { describe } from "../../command/text/answer.ts";
import type { CallResult } from "../../contract/message.ts";
import { plain } from "../../contract/show/visible.ts";
import type { EnginePort, InputOptions, StatePort } from "../../engine/port.ts";
import { type Io, jsonLine } from "./io.ts";
import { errorJson } from "./result.ts";
import { type ResumeHow, runHeadless } from "./run.ts";

export interface ToolOptions {
  readonly call: NonNullable<InputOptions["call"]>;
  readonly resume: string | null;
  readonly how: ResumeHow;
  readonly json: boolean;
  readonly isAlone?: true;
}

/** Runs the call as a task of its own and prints its result value; the exit code is that of the call. */
export async function runToolCall(port: EnginePort, options: ToolOptions, io: Io): Promise<number> {
  let settled: CallResult | null = null;
  const off = port.subscribe((published) => {
    if (published.kind !== "event" || !published.recorded.accepted) return;
    const { task } = published.state;
    const { event } = published.recorded;
    const isOwn = task.phase !== "IDLE" && task.task.input.kind === "tool";
    if (event.type === "tool.settled" && isOwn) settled = event.result;
  });
  const quiet: Io = { ...io, out: () => {} };
  const { call, resume, how, isAlone } = options;
  const code = await runHeadless(
    port,
    {
      ...{ prompt: "", output: "text", client: null, resume, how, call, onClientGone: () => {} },
      ...(isAlone ? { isAlone } : {}),
      // Printed below, with the result.
      show: (usual) => ({ ...usual, finished: (finished) => usual.finished({ ...finished, error: null }) }),
    },
    quiet,
  );
  off();
  const result = settled as CallResult | null;
  if (!result) return code;
  if (options.json) io.out(jsonLine(toJson(result, port)));
  else if (result.error) {
    // Output of a command that was stopped is worth showing; a refusal has none but its own message.
    if (result.data !== undefined) io.out(`${plain(result.output)}\n`);
    io.err(`${plain(describe(port.settings.lang, result.error))}\n`);
  } else io.out(`${plain(result.output)}\n`);
  return code;
}

function toJson(result: CallResult, port: StatePort) {
  const { status, output, data, error, changes, ms } = result;
  const files = (changes ?? []).map(({ path, before, after }) => ({
    path,
    before: before?.hash ?? null,
    after: after?.hash ?? null,
  }));
  return {
    status,
    ok: status === "done",
    output,
    data: data ?? null,
    changes: files,
    error: error ? errorJson(port.settings.lang, error) : null,
    duration_ms: ms,
  };
}

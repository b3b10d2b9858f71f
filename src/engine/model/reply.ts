import type { ErrorInfo } from "../../contract/error.ts";
import { callId } from "../../contract/ids.ts";
import type { Call } from "../../contract/message.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import type { AnyTool } from "../../contract/tool.ts";
import { parseArguments } from "../../model/reply/arguments.ts";
import { findPlaceholder } from "../../policy/redact.ts";
import { parseInput } from "../../tool/registry.ts";

export interface RawCall {
  readonly providerId: string | null;
  readonly tool: string;
  readonly args: string;
}

/** MD-3: reads calls from the committed message only, and checks each against its tool's schema. */
export function toCalls(
  raw: readonly RawCall[],
  runId: string,
  index: number,
  tools: ReadonlyMap<string, AnyTool>,
): readonly Call[] {
  const offered = offeredOf(tools);
  return raw.map((one, at) => {
    const parsed = parseArguments(one.tool, one.args);
    const id = callId(runId, index, at + 1);
    return parsed.ok
      ? makeCall(id, one.providerId, one.tool, parsed.value, offered)
      : broken(id, one.providerId, one.tool, one.args, parsed.error);
  });
}

const offers = new WeakMap<ReadonlyMap<string, AnyTool>, ReadonlyMap<string, AnyTool>>();

/** Tools reserved for the user do not exist for the model. */
function offeredOf(tools: ReadonlyMap<string, AnyTool>): ReadonlyMap<string, AnyTool> {
  const known = offers.get(tools) ?? new Map([...tools].filter(([, { isForPerson }]) => !isForPerson));
  offers.set(tools, known);
  return known;
}

/** One call from parsed arguments: the model's, edited ones, `!command`, `coder tool`. */
export function makeCall(
  id: Call["id"],
  providerId: string | null,
  name: string,
  input: unknown,
  tools: ReadonlyMap<string, AnyTool>,
): Call {
  const tool = tools.get(name);
  if (!tool) {
    const names = [...tools.keys()].join(", ");
    return broken(id, providerId, name, input, {
      code: "E_INVALID_ARGS",
      text: phrase("run.unknown_tool", { tool: name, tools: names }),
    });
  }
  const checked = parseInput(tool, input);
  if (!checked.ok) return broken(id, providerId, name, input, checked.error);
  const value = checked.value as never;
  const problem = placeholderIn(tool.writes?.(value) ?? []);
  const access = tool.accessOf?.(value) ?? tool.access;
  const { afterCrash, role } = tool;
  const call: Call = {
    id,
    providerId,
    tool: name,
    input: checked.value,
    key: keyOf(name, checked.value),
    access,
    afterCrash,
    ...(role ? { role } : {}),
    ...("overlaps" in tool && tool.overlaps(value) ? { overlaps: true } : {}),
  };
  return problem ? { ...call, problem } : call;
}

/** TP-6: a redaction placeholder must never be written into a file. */
function placeholderIn(texts: readonly string[]): ErrorInfo | null {
  for (const text of texts) {
    const placeholder = findPlaceholder(text);
    if (placeholder) return { code: "E_INVALID_ARGS", text: phrase("run.placeholder", { placeholder }) };
  }
  return null;
}

/** A call that cannot run still gets a result, so that every provider accepts the history (TP-4). */
function broken(id: Call["id"], providerId: string | null, tool: string, input: unknown, problem: ErrorInfo): Call {
  const shown = typeof input === "object" && input !== null ? input : { raw: String(input).slice(0, 2_000) };
  return { id, providerId, tool, input: shown, key: keyOf(tool, shown), access: "read", afterCrash: "repeat", problem };
}

export function keyOf(...parts: readonly unknown[]): string {
  return Bun.hash(JSON.stringify(parts)).toString(36);
}

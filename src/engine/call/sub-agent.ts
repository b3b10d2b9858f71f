import { isForSub } from "../../context/sub.ts";
import type { ErrorInfo } from "../../contract/error.ts";
import type { SubKind } from "../../contract/event.ts";
import { dollars, inDollars } from "../../contract/show/money.ts";
import { visible } from "../../contract/show/visible.ts";
import type { StopReason } from "../../contract/task.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import type { History } from "../../machine/history/history.ts";
import { coreOf, type RunState, type SubRun } from "../../machine/state.ts";
import { errorText, type Settled } from "./result.ts";
import type { Toolbox } from "./toolbox.ts";

const boxes = new WeakMap<Toolbox["specs"], Map<SubKind, Toolbox>>();

/** The tools of a sub-agent; the same object each time, so that its token count stays cached. */
export function subToolbox({ tools, specs }: Toolbox, kind: SubKind): Toolbox {
  const made = boxes.get(specs) ?? new Map<SubKind, Toolbox>();
  boxes.set(specs, made);
  const box = made.get(kind) ?? {
    tools: new Map([...tools].filter(([, tool]) => isForSub(tool, kind))),
    specs: specs.filter((spec) => isForSub(spec, kind)),
  };
  made.set(kind, box);
  return box;
}

/** TL-5: all that the parent agent learns. The changes themselves are recorded by the sub-agent's own calls. */
export function subResult({ run, kind }: SubRun, history: History): Settled {
  const { id = "", index: steps = 0, tokens = 0, cost = 0, lastText = "" } = coreOf(run) ?? {};
  const { task } = history.of(id);
  const changed = named((task?.changes ?? []).map(({ path }) => path));
  const notDone = named((task?.troubles ?? []).map(({ status, tool, about }) => `${tool} ${about} (${status})`));
  const stop = stopOf(run);
  const facts = [
    `sub-agent, ${kind}: ${steps} ${steps === 1 ? "step" : "steps"}, ${tokens} tokens`,
    ...(cost > 0 ? [`cost: ${dollars(inDollars(cost))}`] : []),
    ...(stop === "COMPLETED" ? [] : [`stopped: ${stop}`]),
    ...(changed.length > 0 ? [`changed: ${changed.join(", ")}`] : []),
    ...(notDone.length > 0 ? [`not done: ${notDone.join(", ")}`] : []),
  ].join("; ");
  const said = lastText.trim() || "(it said nothing)";
  const data = { kind, stop_reason: stop, steps, tokens, cost_usd: inDollars(cost), changed, not_done: notDone };
  const more = { data, ...(changed.length > 0 ? { isProgress: true as const } : {}) };
  const error = problemOf(run);
  if (error === null) return { status: "done", output: `${said}\n\n[${facts}]`, ...more };
  const output = `${errorText(error)}\n\nIts last words:\n${said}\n\n[${facts}]`;
  return { status: "failed", output, error, ...more };
}

function stopOf(run: RunState): StopReason {
  return run.phase === "completed" || run.phase === "failed" ? run.end.stop : "CANCELLED";
}

/** `null`: it finished by itself; it reports denials in its own text. */
function problemOf(run: RunState): ErrorInfo | null {
  if (run.phase !== "completed" && run.phase !== "failed")
    return { code: "E_CANCELLED", text: phrase("run.cancelled_call") };
  const { stop, error, note } = run.end;
  if (error) return error;
  if (stop === "COMPLETED" || stop === "DENIED") return null;
  const why = note ?? phrase("run.sub_silent");
  const code = stop === "NEEDS_ANSWER" ? "E_POLICY_DENIED" : "E_MAX_ITER";
  return { code, text: phrase("run.sub_stopped", { why }), sideEffect: "unknown" };
}

const maxNamed = 20;

function named(list: readonly string[]): readonly string[] {
  const names = [...new Set(list.map((one) => visible(one.trim())))];
  return names.length > maxNamed ? [...names.slice(0, maxNamed), `${names.length - maxNamed} more`] : names;
}

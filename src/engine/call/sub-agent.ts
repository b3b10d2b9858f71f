import { isForSub } from "../../context/sub.ts";
import type { ErrorInfo } from "../../contract/error.ts";
import type { SubKind } from "../../contract/event.ts";
import { visible } from "../../contract/show/visible.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import type { History } from "../../machine/history/history.ts";
import { coreOf, type RunState, type SessionState } from "../../machine/state.ts";
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
export function subResult({ run, outer }: SessionState, history: History): Settled {
  const kind = outer?.kind ?? "explore";
  const { index = 0, lastText = "" } = coreOf(run) ?? {};
  const changed = changedBy(history.current);
  const files = changed.length > 0 ? `; changed: ${changed.join(", ")}` : "";
  const facts = `[sub-agent, ${kind}: ${index} ${index === 1 ? "step" : "steps"}${files}]`;
  const said = lastText.trim() || "(it said nothing)";
  const more = { data: { kind, steps: index, changed }, ...(changed.length > 0 ? { isProgress: true as const } : {}) };
  const error = problemOf(run);
  if (error === null) return { status: "done", output: `${said}\n\n${facts}`, ...more };
  const output = `${errorText(error)}\n\nIts last words:\n${said}\n\n${facts}`;
  return { status: "failed", output, error, ...more };
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

function changedBy({ task }: History): readonly string[] {
  const paths = [...new Set((task?.changes ?? []).map(({ path }) => visible(path)))];
  return paths.length > maxNamed ? [...paths.slice(0, maxNamed), `${paths.length - maxNamed} more`] : paths;
}

import type { Call } from "../../contract/message.ts";
import type { ResultData } from "../../contract/result-data.ts";
import { visible } from "../../contract/show/visible.ts";
import { type Phrase, phrase } from "../../contract/text/catalogue.ts";
import { callIn } from "../../machine/state.ts";
import type { PipelineDeps } from "./tool-context.ts";

/** After a crash the state before the command is lost: lists watched files newer than the task, for the user to check. */
export async function plantedSince(
  { judge, state, history, push }: Pick<PipelineDeps, "judge" | "state" | "history" | "push">,
  call: Call,
): Promise<readonly string[]> {
  const scope = judge.confiner.obeyed(callIn(state(), call.id)?.form);
  const since = history.task?.at;
  if (scope === null || since === undefined) return [];
  const { changedSince } = await import("../../platform/obeyed/watch.ts");
  const paths = await changedSince(scope, since);
  if (paths.length > 0) {
    const shown = paths.slice(0, 20).map(visible).join(", ");
    push({ type: "notice.given", text: phrase("sandbox.planted.unknown", { paths: shown }) });
  }
  return paths;
}

/** Warnings the user needs even without reading the output. `isTold`: the warning about unchecked files was already given. */
export function plantedNotices(
  { planted, sandbox, unlooked: n, command = "" }: ResultData,
  isTold: boolean,
): readonly Phrase[] {
  const what = planted && sandbox;
  return [
    ...(what ? [phrase("sandbox.planted.notice", { command: command.slice(0, 200), what })] : []),
    ...(n !== undefined && !isTold ? [phrase("sandbox.planted.unlooked", { n })] : []),
  ];
}

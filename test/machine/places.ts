// Every place in which the two machines can stand, as the shortest list of events that leads there.
import type { Event } from "../../src/contract/event.ts";
import { call, error, make, plan } from "./make.ts";

const intake = [make.admitted(), make.started()];
const building = [...intake, make.assessed()];
const planning = [...building, make.built()];
const preparing = [...planning, make.planned()];
const calling = [...preparing, make.runStarted()];
const deciding = [...calling, make.replied([call(1, { access: "write" }), call(2)])];
const asking = [...deciding, make.decided(1, "ask")];
const intending = [...deciding, make.decided(1, "allow")];
const executing = [...intending, make.intended(1)];
const verifying = [...calling, make.replied([])];
const summarizing = [...verifying, make.checked()];

export const places = {
  IDLE: [],
  INTAKE: intake,
  CLARIFYING: [...intake, make.assessed(["which?"])],
  CONTEXT_BUILDING: building,
  PLANNING: planning,
  AWAITING_CONFIRMATION: [...planning, make.planned({ plan, needsConfirmation: true })],
  preparing,
  "model_running, calling": calling,
  "model_running, waiting": [...calling, make.failed(250)],
  "model_running, compacting": [...calling, make.overflowed()],
  "tool_running, deciding": deciding,
  awaiting_human: asking,
  "tool_running, intending": intending,
  "tool_running, executing": executing,
  VERIFYING: verifying,
  "RECOVERING after a failed run": [...calling, make.failed(null)],
  "RECOVERING after failed checks": [...verifying, make.checked({ kind: "fail", command: "make", error })],
  "RECOVERING, stopping in preparing": [...preparing, make.timedOut()],
  "RECOVERING, stopping in tool_running": [...executing, make.timedOut()],
  "RECOVERING after a time-out": [...calling, make.timedOut(), make.stopped()],
  SUMMARIZING: summarizing,
  "SUMMARIZING, stopping in CONTEXT_BUILDING": [...building, make.cancel()],
  "SUMMARIZING, stopping in model_running": [...calling, make.cancel()],
  "SUMMARIZING, stopping in tool_running": [...executing, make.cancel()],
  "SUMMARIZING, closing calls": [...executing, make.cancel(), make.stopped()],
  "SUMMARIZING after a cancel": [...calling, make.cancel(), make.stopped()],
  DONE: [...summarizing, make.summarized()],
  "IDLE after a task": [...summarizing, make.summarized(), make.ended()],
} as const satisfies Record<string, readonly Event[]>;

export type Place = keyof typeof places;

// Every place in which the two machines can stand, as the shortest list of events that leads there.
import type { Event } from "../../src/contract/event.ts";
import type { Call, CallResult } from "../../src/contract/message.ts";
import {
  blockage,
  call,
  carriedOut,
  check,
  error,
  event,
  executing as executingIn,
  intent,
  make,
  plan,
  question,
  verdict,
} from "./make.ts";

const intake = [make.admitted(), make.started()];
const building = [...intake, make.assessed()];
const planning = [...building, make.built()];
const preparing = [...planning, make.planned()];
const calling = [...preparing, make.runStarted()];
const calls = [call(1, { access: "write" }), call(2)];
const deciding = [...calling, make.replied(calls)];
const asking = [...deciding, make.decided(1, "ask")];
const intending = [...deciding, make.decided(1, "allow")];
const executing = [...intending, make.intended(1)];
/** TL-5: another agent at work inside the first call. */
const inside = [
  ...executing,
  event({
    ...{ type: "sub.started", runId: "r1", subId: "r2", callId: "r1/1/1" },
    sub: { kind: "general", title: "look", prompt: "look at it" },
  }),
];
const insideCall = { runId: "r2", callId: "r2/1/1" } as const;
const insideExecuting = [
  ...inside,
  make.replied([call(1, { id: "r2/1/1", access: "write" })], { runId: "r2" }),
  make.decided(1, "allow", insideCall),
  event({ type: "tool.intended", ...insideCall, intent }),
];
const verifying = [...calling, make.replied([])];
const summarizing = [...verifying, make.checked()];
const over = [make.summarized(), make.ended()];

const begun = [...intake, make.assessed({ complexity: "complex" }), make.built()];
const asked = [...begun, make.runStarted()];
const held = [...asked, make.replied(calls)];
const confirm = make.planned({ plan, needsConfirmation: true });
const awaiting = [...held, confirm];
const refused = [...awaiting, make.planAnswered("no", { words: "smaller" })];
const again = [
  ...[make.settled(1, { status: "denied" }), make.settled(2, { status: "denied" })],
  ...[make.replied([], { index: 2 }), confirm],
];

const chosen = [...verifying, make.chosen([check("make"), check("lint")])];
const checking = [...chosen, ...executingIn("r2")];
const judging = [...chosen, ...carriedOut("r2")];
const failed = [...verifying, make.checked({ kind: "fail", command: "make", error })];
const undoing = [...failed, make.recovered(true, "r2", { rung: "rollback" })];

/** Twenty-two steps with one and the same read, which fails in each of them. */
export const failingReads = (more: Partial<Call> = {}, result: Partial<CallResult> = { error }): readonly Event[] =>
  Array.from({ length: 22 }, (_, at) => {
    const id = `r1/${at + 1}/1` as const;
    const again = { status: "failed", key: "again", ...result } as const;
    return [
      make.replied([call(1, { id, key: "again", ...more })], { index: at + 1 }),
      { ...make.settled(1, again), callId: id },
    ];
  }).flat();
const stuck = [...calling, ...failingReads()];
const asksHow = [...stuck, make.recovered(true, "r2", { rung: "ask", blockage })];

export const places = {
  IDLE: [],
  INTAKE: intake,
  CLARIFYING: [...intake, make.assessed({ missing: [question("which?")] })],
  CONTEXT_BUILDING: building,
  PLANNING: planning,
  "PLANNING with a given plan": [make.admitted("i1", { plan }), make.started(), make.assessed(), make.built()],
  "PLANNING, preparing": begun,
  "PLANNING, model_running": asked,
  "PLANNING, held": held,
  "PLANNING, edited": [...awaiting, make.planAnswered("edit", { words: "like this" })],
  "PLANNING, refused": refused,
  "AWAITING_CONFIRMATION of a given plan": [
    ...[make.admitted("i1", { plan }), make.started(), make.assessed(), make.built()],
    confirm,
  ],
  "AWAITING_CONFIRMATION, held": awaiting,
  preparing,
  "model_running, calling": calling,
  "model_running, waiting": [...calling, make.failed(250)],
  "model_running, compacting": [...calling, make.overflowed()],
  "tool_running, deciding": deciding,
  awaiting_human: asking,
  "tool_running, intending": intending,
  "tool_running, executing": executing,
  "inside a call, model_running": inside,
  "inside a call, executing": insideExecuting,
  "inside a call, over": [...inside, make.replied([], { runId: "r2" })],
  "SUMMARIZING, stopping inside a call": [...insideExecuting, make.cancel()],
  "SUMMARIZING, closing inside a call": [...insideExecuting, make.cancel(), make.stopped()],
  VERIFYING: verifying,
  "VERIFYING, preparing": chosen,
  "VERIFYING, executing": checking,
  "VERIFYING, judging": judging,
  "VERIFYING, between checks": [...judging, make.judged()],
  "VERIFYING, finishing": [...judging, make.judged(verdict("test_failure", 2))],
  "RECOVERING after a failed run": [...calling, make.failed(null)],
  "RECOVERING after failed calls": stuck,
  "RECOVERING, asking": asksHow,
  "RECOVERING after failed checks": failed,
  "RECOVERING, undoing in preparing": undoing,
  "RECOVERING, undoing in tool_running": [...undoing, ...executingIn("r2")],
  "VERIFYING after the undo": [...undoing, ...carriedOut("r2")],
  "RECOVERING after the undo": [
    ...undoing,
    ...carriedOut("r2"),
    make.checked({ kind: "fail", command: "make", error }),
  ],
  "RECOVERING, stopping in preparing": [...preparing, make.timedOut()],
  "RECOVERING, stopping in tool_running": [...executing, make.timedOut()],
  "RECOVERING, stopping a held reply": [...held, make.timedOut()],
  "RECOVERING, stopping in VERIFYING": [...verifying, make.timedOut()],
  "RECOVERING, stopping a check": [...checking, make.timedOut()],
  "RECOVERING after a time-out": [...calling, make.timedOut(), make.stopped()],
  SUMMARIZING: summarizing,
  "SUMMARIZING, stopping in CONTEXT_BUILDING": [...building, make.cancel()],
  "SUMMARIZING, stopping in model_running": [...calling, make.cancel()],
  "SUMMARIZING, stopping in tool_running": [...executing, make.cancel()],
  "SUMMARIZING, stopping a held reply": [...awaiting, make.cancel()],
  "SUMMARIZING, stopping a check": [...checking, make.cancel()],
  "SUMMARIZING, stopping after a second refusal": [...refused, ...again, make.planAnswered("no")],
  "SUMMARIZING, closing calls": [...executing, make.cancel(), make.stopped()],
  "SUMMARIZING, stopping a question": [...asksHow, make.cancel()],
  "SUMMARIZING after a cancel": [...calling, make.cancel(), make.stopped()],
  DONE: [...summarizing, make.summarized()],
  "IDLE after a task": [...summarizing, make.summarized(), make.ended()],
  "IDLE after a failed call": [...calling, make.failed(null), make.recovered(false), ...over],
  "IDLE after a cancelled call": [...calling, make.cancel(), make.stopped(), ...over],
  "IDLE after cancelled tools": [
    ...[...executing, make.cancel(), make.stopped()],
    ...[make.settled(1, { status: "cancelled" }), make.settled(2, { status: "cancelled" }), ...over],
  ],
  "IDLE after a cancelled check": [
    ...[...checking, make.cancel(), make.stopped("r2")],
    ...[{ ...make.settled(1, { status: "cancelled" }), runId: "r2", callId: "r2/0/1" } as const, ...over],
  ],
  "IDLE after a cancelled plan": [
    ...[...awaiting, make.cancel(), make.stopped()],
    ...[make.settled(1, { status: "cancelled" }), make.settled(2, { status: "cancelled" }), ...over],
  ],
  "IDLE after an unanswered question": [
    ...[...intake, make.assessed({ missing: [question("which?")] })],
    ...[event({ type: "clarification.unanswered", taskId: "t1" }), ...over],
  ],
} as const satisfies Record<string, readonly Event[]>;

export type Place = keyof typeof places;

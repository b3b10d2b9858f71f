// Logs of earlier versions contain only the tool of a call, not its role.
import type { Event } from "../contract/event.ts";
import type { Call, CallRole } from "../contract/message.ts";

const roles: Readonly<Record<string, CallRole>> = {
  bash: "runs",
  diagnostics: "checks",
  question: "asks",
  task: "delegates",
  job: "watches",
  plan: "plans",
  todoread: "lists",
  todowrite: "lists",
  undo: "undoes",
  commit: "commits",
  diff: "compares",
};

/** Changes and returns the event itself; nobody else holds it yet. */
export function withRoles(event: Event): Event {
  try {
    for (const call of callsIn(event)) {
      if (call.role === undefined && call.problem === undefined && Object.hasOwn(roles, call.tool))
        Object.assign(call, { role: roles[call.tool] });
    }
  } catch (error) {
    // Damaged: the reader of the event reports its position.
    if (!(error instanceof TypeError)) throw error;
  }
  return event;
}

function callsIn(event: Event): readonly Call[] {
  switch (event.type) {
    case "model.replied":
      return event.reply.calls;
    case "run.started":
    case "plan.settled":
      return event.calls ?? [];
    case "approval.answered":
      return event.call ? [event.call] : [];
    default:
      return [];
  }
}

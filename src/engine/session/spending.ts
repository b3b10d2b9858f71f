// `/usage`: read from the log, which has every request with its model.
import type { Event } from "../../contract/event.ts";
import { noUsage, type Usage } from "../../contract/message.ts";
import type { SessionSpending, SpentOn } from "../../contract/show/insight.ts";

export function spendingIn(events: Iterable<Event>): SessionSpending {
  const models = new Map<string, SpentOn>();
  const tasks = new Map<string, SpentOn>();
  const inputs = new Map<string, string>();
  let [model, task] = ["", ""];
  const pay = (usage: Usage, cost: number | undefined, by = model): void => {
    for (const [into, key, name] of [[models, by, by] as const, [tasks, task, tasks.get(task)?.name ?? ""] as const])
      into.set(key, plus(into.get(key) ?? { ...nothing, name }, usage, cost));
  };
  for (const event of events) {
    switch (event.type) {
      case "session.started":
      case "session.resumed":
      case "model.changed":
        ({ model } = event);
        break;
      case "input.admitted":
        inputs.set(event.inputId, (event.typed ?? event.text).trim().split("\n", 1)[0] ?? "");
        break;
      case "task.started":
        task = event.taskId;
        tasks.set(task, { ...nothing, name: inputs.get(event.inputId) ?? "" });
        break;
      case "task.continued":
        task = event.taskId;
        break;
      case "model.replied":
        pay(event.reply.usage, event.reply.cost);
        break;
      case "context.overflowed":
      case "context.compacted":
        if (event.notes) pay(event.notes.usage, event.notes.cost);
    }
  }
  return { models: [...models.values()], tasks: [...tasks.values()].filter(({ requests }) => requests > 0) };
}

const nothing = { requests: 0, usage: noUsage, cost: 0 };

function plus(one: SpentOn, usage: Usage, cost: number | undefined): SpentOn {
  const sum = {
    input: one.usage.input + usage.input,
    output: one.usage.output + usage.output,
    cachedInput: one.usage.cachedInput + usage.cachedInput,
  };
  const paid = one.cost === null || cost === undefined ? null : one.cost + cost;
  return { ...one, requests: one.requests + 1, usage: { ...one.usage, ...sum }, cost: paid };
}

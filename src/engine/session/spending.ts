// `/usage`: read from the log, which has every request with its model.
import type { Event } from "../../contract/event.ts";
import { noUsage, type Usage } from "../../contract/message.ts";
import type { SessionSpending, SpentOn } from "../../contract/show/insight.ts";

export function spendingIn(events: Iterable<Event>): SessionSpending {
  const models = new Map<string, SpentOn>();
  const tasks = new Map<string, SpentOn>();
  const inputs = new Map<string, string>();
  let [model, task] = ["", ""];
  const into = (rows: Map<string, SpentOn>, key: string, name: string, paid: Paid): void =>
    void rows.set(key, plus(rows.get(key) ?? { ...nothing, name }, paid));
  const pay = (paid: Paid): void => {
    into(models, model, model, paid);
    into(tasks, task, tasks.get(task)?.name ?? "", paid);
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
        pay(event.reply);
        break;
      case "aside.answered":
        into(models, event.model, event.model, event);
        into(tasks, ASIDE, ASIDE, event);
        break;
      case "context.overflowed":
      case "context.compacted":
        if (event.notes) pay(event.notes);
    }
  }
  return { models: [...models.values()], tasks: [...tasks.values()].filter(({ requests }) => requests > 0) };
}

interface Paid {
  readonly usage: Usage;
  readonly cost?: number;
}

/** Side questions, as one. */
const ASIDE = "/btw";

const nothing = { requests: 0, usage: noUsage, cost: 0 };

function plus(one: SpentOn, { usage, cost }: Paid): SpentOn {
  const sum = {
    input: one.usage.input + usage.input,
    output: one.usage.output + usage.output,
    cachedInput: one.usage.cachedInput + usage.cachedInput,
  };
  const paid = one.cost === null || cost === undefined ? null : one.cost + cost;
  return { ...one, requests: one.requests + 1, usage: { ...one.usage, ...sum }, cost: paid };
}

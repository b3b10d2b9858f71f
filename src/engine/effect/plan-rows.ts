// Plans: read from a reply, weighed, put to the person. What they need is loaded where there is one.
import type { EffectOf } from "../../contract/effect.ts";
import { phrase, say } from "../../contract/text/catalogue.ts";
import { answer, type EffectRow } from "./row.ts";

const plans = () => import("../plan/plan.ts");

export const planRows = {
  settle_plan: { later: async (ports) => (await plans()).settlePlan(ports, ports.loop.state) },
  read_plan: { later: async (ports) => (await plans()).planInReply(ports, ports.loop.state, ports.loop.history) },
  ask_plan: {
    // Somebody who is there answers the plan that is open in the state.
    now: ({ isInteractive }, { taskId }) => {
      if (isInteractive()) return answer();
      const words = say("en", phrase("run.plan_nobody"));
      return answer({ type: "plan.answered", taskId, answer: "no", words, plan: null });
    },
  },
} satisfies { [T in "settle_plan" | "read_plan" | "ask_plan"]: EffectRow<EffectOf<T>> };

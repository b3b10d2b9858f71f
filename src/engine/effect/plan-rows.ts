// Plans: reading, weighing, asking. Their code is loaded only when there is a plan.
import type { EffectOf } from "../../contract/effect.ts";
import { phrase, say } from "../../contract/text/catalogue.ts";
import { answer, type EffectRow } from "./row.ts";

const plans = () => import("../plan/plan.ts");

export const planRows = {
  settle_plan: { later: async (ports) => (await plans()).settlePlan(ports, ports.loop.state) },
  read_plan: { later: async (ports) => (await plans()).planInReply(ports, ports.loop.state, ports.loop.history) },
  ask_plan: {
    // The open plan waits in the state for the user's answer.
    now: ({ isInteractive }, { taskId }) => {
      if (isInteractive()) return answer();
      const words = say("en", phrase("run.plan_nobody"));
      return answer({ type: "plan.answered", taskId, answer: "no", words, plan: null });
    },
  },
} satisfies { [T in "settle_plan" | "read_plan" | "ask_plan"]: EffectRow<EffectOf<T>> };

import type { Listed } from "../../contract/grant.ts";
import type { Plan } from "../../contract/plan.ts";
import type { Question } from "../../contract/task.ts";
import type { OpenApproval } from "../port.ts";
import type { OpenFallback } from "./model-fallback.ts";

/**
 * The question to the user. Surfaces draw it and call `answer(id, …)`; none of them decides which question is open. The `id` is stable for
 * the same question.
 */
export type OpenQuestion = { readonly id: string } & (
  | { readonly kind: "fallback"; readonly offer: OpenFallback }
  | { readonly kind: "approval"; readonly approval: OpenApproval }
  /** An approval of a check that the user may also add to the configured ones. */
  | { readonly kind: "check"; readonly approval: OpenApproval }
  /** A question of the model, asked through a call. */
  | { readonly kind: "question"; readonly approval: OpenApproval; readonly questions: readonly Question[] }
  | { readonly kind: "plan"; readonly plan: Plan; readonly listed: readonly Listed[] }
  /** Information needed before the task can begin or continue. */
  | { readonly kind: "clarification"; readonly questions: readonly Question[] }
);

/** Valid answers per kind. */
export const answersTo: Readonly<Record<OpenQuestion["kind"], readonly string[]>> = {
  fallback: ["yes", "no"],
  approval: ["yes", "no", "always", "edit"],
  check: ["yes", "no", "always", "edit"],
  question: ["yes", "no", "edit"],
  plan: ["yes", "no", "edit"],
  clarification: ["yes"],
};

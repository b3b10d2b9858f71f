import type { Listed } from "../../contract/grant.ts";
import type { Plan } from "../../contract/plan.ts";
import type { Question } from "../../contract/task.ts";
import type { OpenApproval } from "../port.ts";
import type { OpenFallback } from "./model-fallback.ts";

/**
 * What a person is asked now. Surfaces draw it and call `answer(id, …)`; none of them works out by itself what is asked, or which of
 * several comes first. The `id` stays the same for as long as it is the same question.
 */
export type OpenQuestion = { readonly id: string } & (
  | { readonly kind: "fallback"; readonly offer: OpenFallback }
  /** Whether a call may run. */
  | { readonly kind: "approval"; readonly approval: OpenApproval }
  /** The same of a check that the person may add to those that verify. */
  | { readonly kind: "check"; readonly approval: OpenApproval }
  /** The model asks, by a call of its own. */
  | { readonly kind: "question"; readonly approval: OpenApproval; readonly questions: readonly Question[] }
  | { readonly kind: "plan"; readonly plan: Plan; readonly listed: readonly Listed[] }
  /** Something is missing before the task can begin, or go on. */
  | { readonly kind: "clarification"; readonly questions: readonly Question[] }
);

/** What an answer to each kind may be. */
export const answersTo: Readonly<Record<OpenQuestion["kind"], readonly string[]>> = {
  fallback: ["yes", "no"],
  approval: ["yes", "no", "always", "edit"],
  check: ["yes", "no", "always", "edit"],
  question: ["yes", "no", "edit"],
  plan: ["yes", "no", "edit"],
  clarification: ["yes"],
};

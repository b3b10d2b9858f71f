// What the engine asks, where there are only lines: what is told, and what a line answers.
import { coverHead, coverLines } from "../../../command/text/cover.ts";
import type { ErrorInfo, Result } from "../../../contract/error.ts";
import { plain } from "../../../contract/show/visible.ts";
import { say } from "../../../contract/text/catalogue.ts";
import { type Answer, type EnginePort, type OpenApproval, openQuestions, planLines } from "../../../engine/port.ts";
import { type Look, words } from "../terminal/look.ts";

export interface OpenHere {
  readonly key: string;
  readonly how:
    | "tui.dumb.approve"
    | "tui.dumb.approve_once"
    | "tui.dumb.question"
    | "tui.dumb.yes_no"
    | "tui.dumb.plan";
  readonly lines: (look: Look) => readonly string[];
}

/** `null`: nothing is asked. */
export function openIn(port: EnginePort): OpenHere | null {
  const approval = port.approval();
  if (approval) return approvalHere(approval);
  const { task } = port.state();
  const fallback = port.fallback();
  if (fallback)
    return {
      key: `fallback ${fallback.to}`,
      how: "tui.dumb.yes_no",
      lines: (look) => [plain(`${say(look.lang, fallback.why)}: ${fallback.from} → ${fallback.to}`)],
    };
  if (task.phase === "AWAITING_CONFIRMATION") {
    const { plan, listed = [] } = task;
    const lines = ({ lang }: Look): readonly string[] => [
      ...barred(plain([...planLines(plan, lang), ...coverLines(plan, listed, lang)].join("\n"))),
      coverHead(plan, listed, lang),
    ];
    return { key: `plan ${JSON.stringify(plan)} ${task.task.refusals}`, how: "tui.dumb.plan", lines };
  }
  const questions = openQuestions(task);
  if (questions.length === 0) return null;
  const lines = (look: Look): readonly string[] =>
    questions.flatMap(({ question, options }) => [
      plain(typeof question === "string" ? question : say(look.lang, question)),
      ...options.map((one) => plain(`  - ${typeof one === "string" ? one : say(look.lang, one)}`)),
    ]);
  return { key: `questions ${task.phase === "IDLE" ? "" : task.task.id}`, how: "tui.dumb.question", lines };
}

function approvalHere({ shown, reasons, tool, callId, always, scopes }: OpenApproval): OpenHere {
  const lines = (look: Look): readonly string[] => [
    ...barred(shown),
    ...reasons.map((one) => `- ${plain(say(look.lang, one))}`),
    ...(always === null ? [] : [words(look, "tui.approval.always_is"), ...always.flatMap(barred)]),
    ...(scopes.includes("typed") ? [words(look, "tui.dumb.typed")] : []),
  ];
  const how = always === null ? "tui.dumb.approve_once" : "tui.dumb.approve";
  return { key: `call ${callId} ${shown}`, how: tool === "question" ? "tui.dumb.question" : how, lines };
}

/** Behind a bar stands what comes from outside. */
function barred(text: string): readonly string[] {
  return text.split("\n").map((line) => `| ${line}`);
}

type Taken = { readonly kind: "taken" | "unclear" } | { readonly kind: "refused"; readonly error: ErrorInfo };

/** `text`: not empty. */
export function answerIn(port: EnginePort, text: string): Taken {
  const isYes = /^(?:y|yes|是)$/i.test(text);
  const isNo = /^(?:n|no|否)(?:\s|$)/i.test(text);
  const words = text.replace(/^\S+\s*/, "");
  const approval = port.approval();
  const { task } = port.state();
  if (/^(?:c|cancel|取消)$/i.test(text)) {
    port.cancel("esc");
    return { kind: "taken" };
  }
  if (approval) return approve(port, approval, text, isYes ? "yes" : isNo ? "no" : null);
  if (port.fallback()) return isYes || isNo ? taken(port.answerFallback(isYes)) : { kind: "unclear" };
  if (task.phase === "AWAITING_CONFIRMATION") {
    if (isNo) return taken(port.answerPlan({ answer: "no", words }));
    const isStep = /^(?:s|steps?|逐步)$/i.test(text);
    if (!isYes && !isStep) return { kind: "unclear" };
    return taken(port.answerPlan({ answer: "yes", scope: isStep ? "step" : "plan" }));
  }
  return openQuestions(task).length > 0 ? taken(port.clarify(text)) : { kind: "unclear" };
}

function approve(
  port: EnginePort,
  { callId, tool, always, scopes }: OpenApproval,
  text: string,
  yesOrNo: "yes" | "no" | null,
): Taken {
  if (tool === "question") return taken(port.answer(callId, { answer: "yes", words: text, by: "person" }));
  if (/^(?:d|direct|不再询问)$/i.test(text) && scopes.includes("typed"))
    return taken(port.answer(callId, { answer: "yes", scope: "typed", by: "person" }));
  const isAlways = /^(?:a|always|总是)$/i.test(text) && always !== null;
  const answer: Answer["answer"] | null = isAlways ? "always" : yesOrNo;
  if (answer === null) return { kind: "unclear" };
  return taken(port.answer(callId, { answer, words: text.replace(/^\S+\s*/, ""), by: "person" }));
}

function taken(result: Result<void>): Taken {
  return result.ok ? { kind: "taken" } : { kind: "refused", error: result.error };
}

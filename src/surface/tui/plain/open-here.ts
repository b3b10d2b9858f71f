import { coverHead, coverLines } from "../../../command/text/cover.ts";
import type { ErrorInfo } from "../../../contract/error.ts";
import { plain } from "../../../contract/show/visible.ts";
import type { Question } from "../../../contract/task.ts";
import { type Phrase, say } from "../../../contract/text/catalogue.ts";
import type { Answer, EnginePort, OpenApproval, OpenQuestion, QuestionPort } from "../../../engine/port.ts";
import { planLines } from "../../../machine/plan/lines.ts";
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

export function openIn(port: QuestionPort): OpenHere | null {
  const open = port.question();
  if (open === null) return null;
  switch (open.kind) {
    case "fallback": {
      const { from, to, why } = open.offer;
      const lines = (look: Look) => [plain(`${say(look.lang, why)}: ${from} → ${to}`)];
      return { key: open.id, how: "tui.dumb.yes_no", lines };
    }
    case "plan":
      return planHere(open);
    case "clarification":
      return { key: open.id, how: "tui.dumb.question", lines: (look) => questionLines(open.questions, look) };
    default:
      return approvalHere(open);
  }
}

function planHere({ id, plan, listed }: Extract<OpenQuestion, { kind: "plan" }>): OpenHere {
  const lines = ({ lang }: Look): readonly string[] => [
    ...barred(plain([...planLines(plan, lang), ...coverLines(plan, listed, lang)].join("\n"))),
    coverHead(plan, listed, lang),
  ];
  return { key: `${id} ${JSON.stringify(plan)}`, how: "tui.dumb.plan", lines };
}

function questionLines(questions: readonly Question[], { lang }: Look): readonly string[] {
  const words = (one: string | Phrase): string => plain(typeof one === "string" ? one : say(lang, one));
  return questions.flatMap(({ question, options }) => [words(question), ...options.map((one) => `  - ${words(one)}`)]);
}

type OfCall = Extract<OpenQuestion, { approval: OpenApproval }>;

function approvalHere({ id, kind, approval }: OfCall): OpenHere {
  const { shown, reasons, always, scopes } = approval;
  const lines = (look: Look): readonly string[] => [
    ...barred(shown),
    ...reasons.map((one) => `- ${plain(say(look.lang, one))}`),
    ...(always === null ? [] : [words(look, "tui.approval.always_is"), ...always.flatMap(barred)]),
    ...(scopes.includes("typed") ? [words(look, "tui.dumb.typed")] : []),
  ];
  const how = always === null ? "tui.dumb.approve_once" : "tui.dumb.approve";
  return { key: `${id} ${shown}`, how: kind === "question" ? "tui.dumb.question" : how, lines };
}

/** Text from outside stands behind a bar. */
function barred(text: string): readonly string[] {
  return text.split("\n").map((line) => `| ${line}`);
}

/** Why the line was not accepted as an answer; `null`: it was. `text` is not empty. */
export function answerIn(port: EnginePort, text: string): ErrorInfo | "unclear" | null {
  if (/^(?:c|cancel|取消)$/i.test(text)) {
    port.cancel("esc");
    return null;
  }
  const open = port.question();
  const answer = open && answerTo(open, text);
  if (!answer) return "unclear";
  const result = port.answer(open.id, { ...answer, by: "person" });
  return result.ok ? null : result.error;
}

function answerTo(open: OpenQuestion, text: string): Omit<Answer, "by"> | null {
  const words = text.replace(/^\S+\s*/, "");
  const isYes = /^(?:y|yes|是)$/i.test(text);
  const yesOrNo = isYes ? "yes" : /^(?:n|no|否)(?:\s|$)/i.test(text) ? "no" : null;
  switch (open.kind) {
    case "clarification":
    case "question":
      return { answer: "yes", words: text };
    case "fallback":
      return yesOrNo && { answer: yesOrNo };
    case "plan": {
      const isStep = /^(?:s|steps?|逐步)$/i.test(text);
      if (yesOrNo === "no") return { answer: "no", words };
      return isYes || isStep ? { answer: "yes", scope: isStep ? "step" : "plan" } : null;
    }
    default: {
      const { always, scopes } = open.approval;
      if (/^(?:d|direct|不再询问)$/i.test(text) && scopes.includes("typed")) return { answer: "yes", scope: "typed" };
      const isAlways = /^(?:a|always|总是)$/i.test(text) && always !== null;
      const answer = isAlways ? "always" : yesOrNo;
      return answer && { answer, words };
    }
  }
}

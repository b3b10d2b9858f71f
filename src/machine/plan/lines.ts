import { type Plan, type PlanStep, type PlanVerification, stepMarks } from "../../contract/plan.ts";
import { spelledOut } from "../../contract/show/visible.ts";
import { type Lang, type Phrase, phrase, say } from "../../contract/text/catalogue.ts";
import { keysUnknown } from "./read.ts";

/** A plan in plain lines with nothing hidden in them: the user decides on what they see. */
export function planLines(plan: Plan, lang: Lang): readonly string[] {
  const text = (what: Phrase): string => say(lang, what);
  // A title that is only the beginning of the goal adds nothing.
  const isGoal = plan.goal.length > plan.title.length && plan.goal.startsWith(plan.title.replace(/…$/, ""));
  const lines = [
    text(phrase("plan.shown.title", { title: isGoal ? plan.goal : plan.title })),
    ...(plan.goal !== "" && plan.goal !== plan.title && !isGoal
      ? [text(phrase("plan.shown.goal", { goal: plan.goal }))]
      : []),
    ...plan.constraints.map((constraint) => text(phrase("plan.shown.constraint", { constraint }))),
    ...plan.steps.flatMap((step) => stepLines(step, text)),
    text(phrase("plan.shown.verification", { how: verificationText(plan.verification, text) })),
    text(phrase("plan.shown.risk", { level: phrase(`plan.level.${plan.risk_level}`) })),
    ...unknownKeysOf(plan).map(text),
  ];
  // Continuation lines are indented, so none can pass for a line of the plan.
  return lines.flatMap((line) => spelledOut(line.replaceAll("\n", "\n      ")).split("\n"));
}

/** PL-3: keys unknown to coder are kept, and the user is told which. */
export function unknownKeysOf(plan: Plan): readonly Phrase[] {
  const keys = keysUnknown(plan);
  const named = keys.slice(0, mostKeys).join(", ");
  return keys.length === 0
    ? []
    : [phrase("plan.unknown_keys", { keys: keys.length > mostKeys ? `${named}, …` : named })];
}

const mostKeys = 12;

function stepLines(step: PlanStep, text: (what: Phrase) => string): readonly string[] {
  const files = step.expected_artifacts.map(({ path, change }) =>
    change === "modify" ? path : text(phrase(`plan.shown.${change}`, { path })),
  );
  const notes = [
    ...(step.tools_expected.length > 0 ? [phrase("plan.shown.tools", { tools: step.tools_expected.join(", ") })] : []),
    ...(step.dependencies.length > 0 ? [phrase("plan.shown.after", { ids: step.dependencies.join(", ") })] : []),
    ...(step.reason ? [phrase("plan.shown.reason", { reason: step.reason })] : []),
    ...(files.length > 0 ? [phrase("plan.shown.files", { files: files.join(", ") })] : []),
  ];
  const details = step.description === "" ? [] : step.description.split("\n").map((line) => `      ${line}`);
  const head = `  ${stepMarks[step.status]} ${step.id}. ${step.title}`;
  return [[head, ...notes.map((note) => `(${text(note)})`)].join(" "), ...details];
}

function verificationText({ mode, commands }: PlanVerification, text: (what: Phrase) => string): string {
  if (commands.length > 0) return commands.join("; ");
  return text(phrase(mode === "custom" ? "plan.shown.none" : `plan.shown.${mode}`));
}

import { fail, type Result } from "../../contract/error.ts";
import type { Plan } from "../../contract/plan.ts";
import { type Mode, modes } from "../../contract/task.ts";
import { type Lang, phrase, say } from "../../contract/text/catalogue.ts";
import type { Answer, CommandResult, EnginePort, QuestionPort, SlashCommand, StatePort } from "../../engine/port.ts";
import { planLines } from "../../machine/plan/lines.ts";
import { nextStep } from "../../machine/plan/progress.ts";
import { yoloQuestion } from "../setting/yolo.ts";
import { done, failedWith, refused, tooMany } from "../text/answer.ts";
import { coverHead, coverLines } from "../text/cover.ts";

type Action = (port: EnginePort, words: readonly string[]) => Promise<CommandResult> | CommandResult;

const ACTIONS: Readonly<Record<string, readonly [maxArgs: number, run: Action]>> = {
  yes: [1, agree],
  no: [Number.POSITIVE_INFINITY, refuse],
  export: [1, exportPlan],
  edit: [1, editPlan],
  run: [Number.POSITIVE_INFINITY, runPlan],
  replay: [1, replayPlan],
};

export const plan: SlashCommand = {
  name: "plan",
  args: "[yes|no|export|edit|run|replay]",
  help: "workflow.plan.help",
  whileRunning: true,
  run: (port, [word, ...words]) => {
    const { lang } = port.settings;
    if (word === undefined) return show(port);
    const action = Object.hasOwn(ACTIONS, word) ? ACTIONS[word] : undefined;
    if (!action) return refused(lang, phrase("workflow.plan.usage"));
    const [maxArgs, run] = action;
    return tooMany(lang, `/plan ${word}`, words, maxArgs) ?? run(port, words);
  },
};

function none(lang: Lang): CommandResult {
  return refused(lang, phrase("run.plan_none"), phrase("run.plan_none.advice"));
}

function show(port: EnginePort): CommandResult {
  const { lang } = port.settings;
  const current = port.plan();
  if (current === null) return none(lang);
  const step = nextStep(current);
  const lines = [...planLines(current, lang), whereItStands(current, lang), ...whatNext(port, lang)];
  return done(lines.join("\n"), { plan: current, current: step?.id ?? null });
}

function whereItStands(current: Plan, lang: Lang): string {
  const step = nextStep(current);
  if (step) return say(lang, phrase("workflow.plan.current", { id: step.id, title: step.title }));
  return say(lang, phrase(isFinished(current) ? "workflow.plan.finished" : "workflow.plan.stuck"));
}

function whatNext(port: StatePort, lang: Lang): readonly string[] {
  const { task, mode } = port.state();
  if (task.phase === "AWAITING_CONFIRMATION") {
    const { plan: waiting, listed = [] } = task;
    const cover = [...coverLines(waiting, listed, lang), coverHead(waiting, listed, lang)];
    return [...cover, say(lang, phrase("workflow.plan.waits"))];
  }
  return task.phase === "IDLE" && mode === "plan" ? [say(lang, phrase("workflow.plan.run_how"))] : [];
}

function isFinished({ steps }: Plan): boolean {
  return steps.every(({ status }) => status === "done" || status === "skipped");
}

/** Scope `plan` approves everything listed, `step` each step separately. */
function agree(port: EnginePort, words: readonly string[]): CommandResult {
  const { lang } = port.settings;
  const [scope = "plan"] = words;
  if (scope !== "plan" && scope !== "step") return refused(lang, phrase("workflow.plan.usage"));
  const taken = answerPlan(port, { answer: "yes", scope });
  if (!taken.ok) return failedWith(lang, taken.error);
  const text = phrase(scope === "plan" ? "workflow.plan.accepted" : "workflow.plan.accepted_steps");
  return done(say(lang, text), { answer: "yes", scope });
}

function answerPlan(port: QuestionPort, answer: Omit<Answer, "by">): Result<void> {
  const open = port.question();
  return open?.kind === "plan"
    ? port.answer(open.id, { ...answer, by: "person" })
    : fail("E_INVALID_ARGS", phrase("run.plan_not_open"), { advice: phrase("approval.not_open.advice") });
}

function refuse(port: EnginePort, words: readonly string[]): CommandResult {
  const { lang } = port.settings;
  const taken = answerPlan(port, { answer: "no", words: words.join(" ") });
  if (!taken.ok) return failedWith(lang, taken.error);
  return done(say(lang, phrase("workflow.plan.refused")), { answer: "no" });
}

async function exportPlan(port: EnginePort, words: readonly string[]): Promise<CommandResult> {
  const { lang } = port.settings;
  const current = port.plan();
  if (current === null) return none(lang);
  const written = await port.exportPlan(current, words[0] ?? null);
  if (!written.ok) return failedWith(lang, written.error);
  return done(say(lang, phrase("export.written", { ...written.value })), { ...written.value });
}

async function editPlan(port: EnginePort, [file]: readonly string[]): Promise<CommandResult> {
  const { lang } = port.settings;
  if (port.plan() === null) return none(lang);
  if (file === undefined)
    return refused(lang, phrase("workflow.plan.edit_where"), phrase("workflow.plan.edit_where.advice"));
  const read = await port.planInFile(file);
  return read.ok ? takeEdited(port, read.value) : failedWith(lang, read.error);
}

/** The user's edit, from a file or an editor: the answer if a plan is waiting, else a change to the current plan. */
export async function takeEdited(port: EnginePort, given: Plan | string): Promise<CommandResult> {
  const { lang } = port.settings;
  const edited = await port.editedPlan(given);
  if (!edited.ok) return failedWith(lang, edited.error);
  const { phase } = port.state().task;
  const isOpen = phase === "AWAITING_CONFIRMATION";
  const taken = isOpen ? answerPlan(port, { answer: "edit", plan: edited.value }) : port.changePlan(edited.value);
  if (!taken.ok) return failedWith(lang, taken.error);
  const head = say(lang, phrase("workflow.plan.edited"));
  const result = done([head, ...planLines(edited.value, lang)].join("\n"), { plan: edited.value });
  // The model has only seen the old plan, so it is steered with the new one.
  const text = ["I have changed the plan. From here on follow this one:", ...planLines(edited.value, "en")].join("\n");
  return isOpen || phase === "IDLE"
    ? result
    : { ...result, task: { text, options: { delivery: "steer", about: text } } };
}

/** The mode to run the plan in; plan mode would only plan again. */
function modeFor(port: StatePort, wanted: string | undefined): Mode | CommandResult {
  const { lang } = port.settings;
  const others = modes.filter((one) => one !== "plan");
  const found = others.find((one) => one === (wanted ?? port.state().mode));
  if (found) return found;
  if (wanted === undefined)
    return refused(lang, phrase("workflow.plan.still_plan"), phrase("workflow.plan.still_plan.advice"));
  return refused(lang, phrase("workflow.plan.no_mode", { given: wanted, modes: others.join(", ") }));
}

function busy(port: StatePort, name: string): CommandResult | null {
  const isBusy = port.state().task.phase !== "IDLE";
  if (!isBusy) return null;
  return refused(port.settings.lang, phrase("input.busy", { command: name }), phrase("input.busy.advice"));
}

function runPlan(port: EnginePort, words: readonly string[]): CommandResult {
  const { lang } = port.settings;
  const isYes = words[0] === "yolo" && words[1] === "yes";
  const extra = tooMany(lang, "/plan run", words, isYes ? 2 : 1) ?? busy(port, "/plan run");
  if (extra) return extra;
  const current = port.plan();
  if (current === null) return none(lang);
  if (isFinished(current))
    return refused(lang, phrase("workflow.plan.nothing_left"), phrase("workflow.plan.nothing_left.advice"));
  const mode = modeFor(port, words[0]);
  if (typeof mode !== "string") return mode;
  const asked = isYes ? null : yoloQuestion(port, mode, "/plan run yolo yes");
  if (asked) return asked;
  if (mode !== port.state().mode) port.setMode(mode);
  // Steps in progress and blocked steps run again; finished steps stay finished.
  return asTask(again(current, ({ status }) => status === "in_progress" || status === "blocked"));
}

async function replayPlan(port: EnginePort, [file]: readonly string[]): Promise<CommandResult> {
  const { lang } = port.settings;
  const isBusy = busy(port, "/plan replay");
  if (isBusy) return isBusy;
  if (file === undefined) return refused(lang, phrase("workflow.plan.usage"));
  const read = await port.planInFile(file);
  if (!read.ok) return failedWith(lang, read.error);
  const mode = modeFor(port, undefined);
  return typeof mode === "string" ? asTask(again(read.value, () => true)) : mode;
}

function again(given: Plan, isAgain: (step: Plan["steps"][number]) => boolean): Plan {
  const steps = given.steps.map((step) => (isAgain(step) ? { ...step, status: "pending" as const } : step));
  return { ...given, steps };
}

/** In English, because the model reads it. */
function asTask(given: Plan): CommandResult {
  const head =
    "Carry out this plan, step by step, in the order of its dependencies; report each step with the plan tool.";
  const text = [head, ...planLines(given, "en")].join("\n");
  return { ok: true, text: "", task: { text, options: { plan: given, about: given.goal || given.title } } };
}

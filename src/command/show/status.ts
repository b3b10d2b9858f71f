import { dollars, inDollars } from "../../contract/show/money.ts";
import type { Assessment } from "../../contract/task.ts";
import { type Lang, phrase, say, type TextKey } from "../../contract/text/catalogue.ts";
import type { EnginePort, PlanPort, SlashCommand, StatePort } from "../../engine/port.ts";
import { MAX_IDLE_STEPS, MAX_SAME_PAIR } from "../../machine/breakers.ts";
import { nextStep } from "../../machine/plan/progress.ts";
import type { SessionState } from "../../machine/state.ts";
import { done } from "../text/answer.ts";
import { doingPhrase, withMore } from "../text/plain-words.ts";

export const status: SlashCommand = {
  name: "status",
  args: "",
  help: "command.status.help",
  whileRunning: true,
  run: (port) => {
    const { lang } = port.settings;
    const data = dataOf(port);
    const rows = rowsOf(data, port.state(), lang).map(([name, value]) => `${label(name, lang)}${value}`);
    return done(rows.join("\n"), data);
  },
};

function label(name: Row, lang: Lang): string {
  const text = say(lang, phrase(`command.status.row.${name}`));
  // A Chinese character is two columns wide.
  return text + " ".repeat(11 - text.length * (lang === "zh" ? 2 : 1));
}

type Row = TextKey extends infer Key ? (Key extends `command.status.row.${infer Name}` ? Name : never) : never;
type Data = ReturnType<typeof dataOf>;
type RunCore = Extract<SessionState["run"], { run: unknown }>["run"];

function dataOf(port: EnginePort) {
  const state = port.state();
  const { task, run, usage } = state;
  const core = task.phase === "IDLE" ? null : task.task;
  const { tokens, window } = port.context();
  return {
    session: state.id || null,
    workspace: state.workspace,
    model: state.model || null,
    mode: state.mode,
    preset: state.preset,
    task: task.phase,
    run: run.phase,
    steps: "run" in run ? run.run.index : 0,
    max_steps: port.settings.maxSteps,
    idle_steps: "run" in run ? run.run.breakers.idleSteps : 0,
    queued: state.queue.length,
    jobs: state.jobs.filter((job) => job.end === null).length,
    assessment: core?.assessment ?? null,
    breakers: breakersOf(port),
    plan: planOf(port),
    verification: {
      rounds: core?.rounds.length ?? 0,
      max_rounds: core?.limits.maxChecks ?? port.settings.workflow.maxVerifyAttempts,
      recovery: core?.rungs ?? [],
      command: task.phase === "VERIFYING" ? (task.todo[task.results.length]?.command ?? null) : null,
      last: port.lastTask()?.summary.verification ?? null,
    },
    usage,
    ...(state.cost === null ? {} : { cost_usd: inDollars(state.cost) }),
    context: { tokens, window },
  };
}

/** BR-1 to BR-4: how close each breaker is to stopping the run. */
function breakersOf(port: EnginePort) {
  const { run } = port.state();
  const core = "run" in run ? run.run : null;
  const counts = core?.breakers.pairs.map(({ count }) => count) ?? [];
  return {
    steps: { used: core?.index ?? 0, max: core?.limits.maxSteps ?? port.settings.maxSteps },
    idle_steps: { used: core?.breakers.idleSteps ?? 0, max: MAX_IDLE_STEPS },
    same_call: { used: Math.max(0, ...counts), max: MAX_SAME_PAIR },
    tokens: { used: core?.tokens ?? 0, max: core?.limits.maxTokens ?? port.settings.maxTokens },
    cost: costOf(port, core),
    time: { max_ms: port.settings.maxTimeMs },
  };
}

/** Cost of the task in dollars. `used_usd` is `null` when a price is unknown and there is no limit. */
function costOf(port: StatePort, core: RunCore | null) {
  const max = core?.limits.maxCost ?? port.settings.maxCost;
  const isKnown = max !== null || port.state().cost !== null;
  return {
    used_usd: isKnown ? inDollars(core?.cost ?? 0) : null,
    max_usd: max === null ? null : inDollars(max),
  };
}

function costText({ used_usd: used, max_usd: max }: Data["breakers"]["cost"]): string {
  if (max !== null) return `, ${dollars(used ?? 0)} / ${dollars(max)}`;
  return used ? `, ${dollars(used)}` : "";
}

function planOf(port: PlanPort) {
  const plan = port.plan();
  if (plan === null) return null;
  const step = nextStep(plan);
  const finished = plan.steps.filter(({ status: now }) => now === "done" || now === "skipped").length;
  return {
    title: plan.title,
    finished,
    steps: plan.steps.length,
    current: step ? { id: step.id, title: step.title } : null,
  };
}

function rowsOf(data: Data, state: SessionState, lang: Lang): readonly (readonly [Row, string])[] {
  const { breakers, plan, verification, context } = data;
  const { input, output, cachedInput: cached } = state.usage;
  const { used: tokens, max: budget } = breakers.tokens;
  const more = {
    ...{ idle: breakers.idle_steps.used, max_idle: breakers.idle_steps.max },
    ...{ same: breakers.same_call.used, max_same: breakers.same_call.max },
  };
  const idle = say(lang, phrase("command.status.idle", { n: data.idle_steps }));
  const time = breakers.time.max_ms === null ? "" : `, ${breakers.time.max_ms / 1000} s`;
  const used = budget === null ? String(tokens) : `${tokens} / ${budget}`;
  const now = plan?.current ? `: ${plan.current.id}. ${plan.current.title}` : "";
  return [
    ["session", data.session ?? "–"],
    ["workspace", data.workspace],
    ["model", data.model ?? "–"],
    ["mode", modeText(data, lang)],
    ["task", say(lang, doingPhrase(state))],
    ["assessed", data.assessment ? assessed(data.assessment, lang) : "–"],
    ["plan", plan ? `${plan.finished} / ${plan.steps}${now}` : "–"],
    ["steps", withMore(lang, `${data.steps} / ${data.max_steps}`, idle)],
    ["breakers", say(lang, phrase("workflow.status.breakers", more))],
    ["budget", `${say(lang, phrase("command.status.tokens", { n: used }))}${costText(breakers.cost)}${time}`],
    ["checks", checks(verification, lang)],
    ["queue", String(state.queue.length)],
    ["jobs", String(data.jobs)],
    ["context", context.window > 0 ? `${context.tokens} / ${context.window}` : "–"],
    ["tokens", say(lang, phrase("command.usage", { input, output, cached }))],
  ];
}

function modeText({ mode, preset }: Pick<Data, "mode" | "preset">, lang: Lang): string {
  const means = say(lang, phrase(`tui.mode.${mode}`));
  const name = preset ? say(lang, phrase("command.status.preset", { mode, preset })) : mode;
  return `${name} – ${means}`;
}

function assessed({ intent, complexity, why, riskLevel, foreseen }: Assessment, lang: Lang): string {
  const risk = phrase(`plan.level.${riskLevel}`);
  const what = { intent: phrase(`words.intent.${intent}`), complexity: phrase(`words.complexity.${complexity}`) };
  const text = phrase("workflow.status.assessed", { ...what, why: why ?? "–", risk });
  const may = foreseen.map((one) => say(lang, phrase(`words.foreseen.${one}`))).join(lang === "zh" ? "、" : ", ");
  return say(lang, may === "" ? text : phrase("workflow.status.foreseen", { text, foreseen: may }));
}

function checks({ rounds, max_rounds: max, command, last, recovery }: Data["verification"], lang: Lang): string {
  const used = say(lang, phrase("workflow.status.checks", { n: rounds, max }));
  const shown = command ?? (rounds === 0 && last ? last.reason : "");
  // SM-8: the recovery rungs used so far.
  const rungs = recovery.map((rung) => say(lang, phrase(`words.rung.${rung}`)));
  return `${withMore(lang, used, shown)}${rungs.length === 0 ? "" : ` [${rungs.join(" → ")}]`}`;
}

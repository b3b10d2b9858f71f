import { isRecord } from "../../contract/json.ts";
import type { Plan, PlanStep, PlanStepStatus, PlanVerification, Risk } from "../../contract/plan.ts";
import { MAX_PLAN_STEPS } from "../../contract/plan.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import { artifactFrom, changeIn } from "./artifact.ts";
import { stepProblems } from "./check.ts";
import { canonical, FieldReader, isAbsent, type Names, unknownKeys } from "./field.ts";
import { type PlanPath, type PlanProblem, pathText } from "./problem.ts";
import { toolName, toolNamesIn } from "./tool-names.ts";
import { commandsIn, runnerAsCommand, usualVerification, verificationFrom } from "./verification.ts";

export interface PlanOrigin {
  readonly planId: string;
  readonly createdAt: string;
  /** The user's request, used when the plan names no goal. */
  readonly goal: string;
}

export type PlanRead = { readonly plan: Plan } | { readonly problems: readonly PlanProblem[] };

/** Limits that keep a plan readable for a person and small in the log. */
export const planLimits = { title: 200, text: 2000, path: 400, items: 24, commands: 8, args: 10_000 } as const;

export const statuses: readonly PlanStepStatus[] = ["pending", "in_progress", "done", "blocked", "skipped"];
const levels: readonly Risk[] = ["low", "medium", "high"];

export function riskier(one: Risk, other: Risk): Risk {
  return levels.indexOf(one) > levels.indexOf(other) ? one : other;
}

const statusWords: readonly (readonly [form: RegExp, status: PlanStepStatus])[] = [
  [/^(?:to ?do|open|not started|waiting|queued|new|待办|待处理|未开始|等待)$/iu, "pending"],
  [/^(?:in progress|doing|active|started|running|current|进行中|正在进行)$/iu, "in_progress"],
  [/^(?:done|complete|completed|finished|closed|完成|已完成)$/iu, "done"],
  [/^(?:blocked|failed|stuck|阻塞|受阻|失败)$/iu, "blocked"],
  [/^(?:skipped|skip|cancelled|canceled|dropped|跳过|已跳过|取消)$/iu, "skipped"],
];
const levelWords: readonly (readonly [form: RegExp, level: Risk])[] = [
  [/^(?:low|minor|低)$/iu, "low"],
  [/^(?:medium|moderate|normal|中|中等)$/iu, "medium"],
  [/^(?:high|critical|高)$/iu, "high"],
];

function wordIn<T>(words: readonly (readonly [form: RegExp, value: T])[], raw: string): T | undefined {
  const plain = raw.trim().replace(/[_\s-]+/g, " ");
  return words.find(([form]) => form.test(plain))?.[1];
}

export const statusIn = (raw: string): PlanStepStatus | undefined => wordIn(statusWords, raw);
const levelIn = (raw: string): Risk | undefined => wordIn(levelWords, raw);

function verificationModeIn(raw: string): PlanVerification["mode"] | undefined {
  const { mode, commands } = verificationFrom(raw);
  return mode === "custom" || commands.length > 0 ? undefined : mode;
}

const verificationModes: readonly PlanVerification["mode"][] = ["none", "lint", "test", "build", "custom"];

/** Field names with the synonyms that models and people use. */
export const planNames = {
  ...{ plan_id: ["id"], title: ["name"], goal: ["objective"], constraints: ["constraint"] },
  ...{ steps: ["tasks", "todos"], verification: ["verify", "verification_policy", "verification_plan"] },
  ...{ risk_level: ["risk"], created_at: [] },
};
const stepNames = {
  ...{ id: ["step_id", "number", "no"], title: ["step", "name", "task", "action", "summary", "content"] },
  ...{ description: ["details", "detail", "text"], intent: ["purpose"], priority: [], reason: ["why"] },
  ...{ dependencies: ["deps", "depends_on", "after", "depends", "requires"], tools_expected: ["tools", "tool"] },
  ...{ tool_calls: ["calls"], expected_artifacts: ["files", "artifacts", "file"], status: ["state"] },
  ...{ rollback_hint: ["rollback"] },
};
const callNames = { tool: ["name"], args: ["arguments", "input"] };
const artifactNames = { path: ["file"], change: ["action", "type"] };
const verificationNames = { mode: ["type"], commands: ["command"], required: [], stop_on_fail: [] };

export function readPlan(raw: unknown, origin: PlanOrigin): PlanRead {
  const reader = new FieldReader();
  const { fields, unknown } = reader.record(wholePlan(raw), [], planNames);
  const goal = reader.text(fields.goal, ["goal"], planLimits.text) || cut(origin.goal.trim(), planLimits.text);
  const plan: Plan = {
    ...unknown,
    plan_id: reader.text(fields.plan_id, ["plan_id"], planLimits.title) || origin.planId,
    title: titleOf(reader, fields.title, goal),
    goal,
    constraints: reader.list(several(fields.constraints, /[\n；;]+/u), ["constraints"], planLimits.items, (one, path) =>
      reader.line(one, path, planLimits.text),
    ),
    steps: readSteps(reader, fields.steps, ["steps"]),
    verification: readVerification(reader, fields.verification, ["verification"]),
    risk_level: reader.oneOf(fields.risk_level, ["risk_level"], levels, "low", levelIn),
    created_at: reader.text(fields.created_at, ["created_at"], planLimits.title) || origin.createdAt,
  };
  const problems = reader.problems.length > 0 ? reader.problems : stepProblems(plan.steps);
  return problems.length > 0 ? { problems } : { plan };
}

/** Accepts a bare list of steps, and unwraps `{"plan": {…}}`. */
function wholePlan(raw: unknown): unknown {
  if (Array.isArray(raw)) return { steps: raw };
  const only = isRecord(raw) && Object.keys(raw).length === 1 ? raw.plan : undefined;
  return isRecord(only) || Array.isArray(only) ? wholePlan(only) : raw;
}

/** Somewhat longer lists are read whole, so that the error can count them; the longest are not read at all. */
export function readSteps(reader: FieldReader, raw: unknown, path: PlanPath): readonly PlanStep[] {
  const most = MAX_PLAN_STEPS * 8;
  if (!Array.isArray(raw) || raw.length <= most)
    return reader.list(raw, path, most, (one, at) => readStep(reader, one, at));
  reader.wrong(path, phrase("plan.too_many_steps", { n: raw.length, max: MAX_PLAN_STEPS }));
  return [];
}

function readStep(reader: FieldReader, raw: unknown, path: PlanPath): PlanStep {
  const place = Number(path.at(-1)) + 1;
  const { fields, unknown } = reader.record(stepFields(raw), path, stepNames);
  const at = (name: string): PlanPath => [...path, name];
  const text = (name: "description" | "intent" | "rollback_hint" | "reason"): string =>
    reader.text(fields[name], at(name), planLimits.text);
  const list = <T>(name: string, parting: RegExp, item: (one: unknown, place: PlanPath) => T): readonly T[] =>
    reader.list(several(fields[name], parting), at(name), planLimits.items, item);
  const described = text("description");
  const title = isAbsent(fields.title) && described !== "" ? titleFrom(described) : null;
  return {
    ...unknown,
    id: isAbsent(fields.id) ? String(place) : readId(reader, fields.id, at("id")),
    title: title ?? reader.line(fields.title, at("title"), planLimits.title),
    description: described === title ? "" : described,
    intent: text("intent"),
    dependencies: list("dependencies", /[,，、\s]+/u, (one, place) => readId(reader, one, place)).filter(isId),
    tools_expected: readTools(reader, fields.tools_expected, at("tools_expected")),
    ...(isAbsent(fields.tool_calls)
      ? {}
      : { tool_calls: list("tool_calls", /\n/, (one, place) => readCall(reader, one, place)) }),
    expected_artifacts: list("expected_artifacts", /[,，、\n]+/u, (one, place) => readArtifact(reader, one, place)),
    status: reader.oneOf(fields.status, at("status"), statuses, "pending", statusIn),
    rollback_hint: text("rollback_hint"),
    ...(isAbsent(fields.priority)
      ? {}
      : { priority: reader.oneOf(fields.priority, at("priority"), ["high", "medium", "low"], "medium", levelIn) }),
    ...(isAbsent(fields.reason) ? {} : { reason: text("reason") }),
  };
}

function isId(id: string): boolean {
  return !/^(?:none|无|没有|-)$/iu.test(id);
}

/** A bare string is the title of a step; a numeric `step` is its id. */
function stepFields(raw: unknown): unknown {
  if (typeof raw === "string") return { title: raw };
  if (!isRecord(raw) || typeof raw.step !== "number" || !isAbsent(raw.id)) return raw;
  const { step, ...rest } = raw;
  return { id: step, ...rest };
}

function titleFrom(description: string): string {
  return firstLine(description, planLimits.title);
}

export function firstLine(text: string, max: number): string {
  return cut((text.split("\n")[0] ?? "").replace(/\s+/g, " ").trim(), max);
}

export function canonicalStep(raw: unknown): Readonly<Record<string, unknown>> | null {
  const fields = stepFields(raw);
  return isRecord(fields) ? canonical(fields, stepNames) : null;
}

export function titleIn({ title, description }: Readonly<Record<string, unknown>>): string {
  if (typeof title === "string") return title.slice(0, planLimits.title).trim().replace(/\s+/g, " ");
  return isAbsent(title) && typeof description === "string" ? titleFrom(description.trim()) : "";
}

export function keysUnknown(plan: Plan): readonly string[] {
  const named = (value: object, names: Names, path: PlanPath): readonly string[] =>
    unknownKeys({ ...value }, names).map((key) => pathText([...path, key]));
  return [
    ...named(plan, planNames, []),
    ...plan.steps.flatMap((step, at) => [
      ...named(step, stepNames, ["steps", at]),
      ...step.expected_artifacts.flatMap((one, n) => named(one, artifactNames, ["steps", at, "expected_artifacts", n])),
      ...(step.tool_calls ?? []).flatMap((one, n) => named(one, callNames, ["steps", at, "tool_calls", n])),
    ]),
    ...named(plan.verification, verificationNames, ["verification"]),
  ];
}

export function readId(reader: FieldReader, raw: unknown, path: PlanPath): string {
  const id = typeof raw === "number" ? String(raw) : raw;
  const plain = typeof id === "string" ? id.trim().replace(/\s+/g, "_") : "";
  if (/^[\p{L}\p{N}_.-]{1,40}$/u.test(plain)) return plain;
  reader.wrong(path, phrase("plan.expected", { what: phrase("plan.is.id") }));
  return "";
}

function readTools(reader: FieldReader, raw: unknown, path: PlanPath): readonly string[] {
  if (typeof raw === "string") return toolNamesIn(raw.slice(0, planLimits.text));
  return reader.list(raw, path, planLimits.items, (one, at) => toolName(reader.line(one, at, planLimits.title)));
}

function readCall(reader: FieldReader, raw: unknown, path: PlanPath): NonNullable<PlanStep["tool_calls"]>[number] {
  const { fields, unknown } = reader.record(raw, path, callNames);
  const { tool, args } = fields;
  if (JSON.stringify(args ?? null).length > planLimits.args) {
    reader.wrong([...path, "args"], phrase("plan.long", { max: planLimits.args }));
  }
  return { ...unknown, tool: toolName(reader.line(tool, [...path, "tool"], planLimits.title)), args: args ?? null };
}

function readArtifact(reader: FieldReader, raw: unknown, path: PlanPath): PlanStep["expected_artifacts"][number] {
  const nothing = { path: "", change: "modify" } as const;
  if (typeof raw === "string") {
    return artifactFrom(reader.line(raw, path, planLimits.path)) ?? nothing;
  }
  const { fields, unknown } = reader.record(raw, path, artifactNames);
  return {
    ...unknown,
    path: reader.line(fields.path, [...path, "path"], planLimits.path),
    change: reader.oneOf(fields.change, [...path, "change"], ["create", "modify", "delete"], "modify", changeIn),
  };
}

function readVerification(reader: FieldReader, raw: unknown, path: PlanPath): PlanVerification {
  if (isAbsent(raw) || raw === "" || raw === true) return usualVerification;
  if (raw === false) return verificationFrom("none");
  if (typeof raw === "string") return verificationFrom(reader.text(raw, path, planLimits.text));
  if (Array.isArray(raw)) return readVerification(reader, { commands: raw }, path);
  const { fields: sent, unknown } = reader.record(raw, path, verificationNames);
  const fields = runnerAsCommand(sent);
  const sentList = several(fields.commands, /\n/);
  const sentCommands = reader.list(sentList, [...path, "commands"], planLimits.commands, (one, at) =>
    reader.line(one, at, planLimits.path),
  );
  const commands = sentCommands.flatMap(commandsIn);
  const unless = commands.length > 0 ? verificationFrom(commands.join("\n")).mode : usualVerification.mode;
  const mode = reader.oneOf(fields.mode, [...path, "mode"], verificationModes, unless, verificationModeIn);
  return {
    ...unknown,
    mode,
    commands,
    required: reader.flag(fields.required, [...path, "required"], mode !== "none"),
    stop_on_fail: reader.flag(fields.stop_on_fail, [...path, "stop_on_fail"], true),
  };
}

/** Turns a single value into a list: a string is split, a number or object becomes one item. */
function several(raw: unknown, parting: RegExp): unknown {
  if (typeof raw === "string") return raw.split(parting).filter((part) => part.trim() !== "");
  return typeof raw === "number" || isRecord(raw) ? [raw] : raw;
}

function titleOf(reader: FieldReader, raw: unknown, goal: string): string {
  if (!isAbsent(raw) && raw !== "") return reader.line(raw, ["title"], planLimits.title);
  return firstLine(goal, 80);
}

export function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  const kept = text.slice(0, max - 1);
  // Do not cut a surrogate pair in half.
  return `${/[\ud800-\udbff]$/.test(kept) ? kept.slice(0, -1) : kept}…`;
}

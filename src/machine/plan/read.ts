import type { Plan, PlanStep, PlanStepStatus, PlanVerification, RiskLevel } from "../../contract/plan.ts";
import { MAX_PLAN_STEPS } from "../../contract/plan.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import { artifactFrom } from "./artifact.ts";
import { stepProblems } from "./check.ts";
import {
  type FieldReader,
  fieldReader,
  fieldsOf,
  flagOf,
  isAbsent,
  isRecord,
  lineOf,
  listOf,
  oneOf,
  textOf,
} from "./field.ts";
import type { PlanPath, PlanProblem } from "./problem.ts";
import { toolName, toolNamesIn } from "./tool-names.ts";
import { commandIn, usualVerification, verificationFrom } from "./verification.ts";

/** What a plan does not bring along by itself. */
export interface PlanOrigin {
  readonly planId: string;
  /** ISO time. */
  readonly createdAt: string;
  /** The person's words; they stand in where the plan names no goal. */
  readonly goal: string;
}

export type PlanRead = { readonly plan: Plan } | { readonly problems: readonly PlanProblem[] };

/** The longest texts and lists of a plan, so that it stays something a person can read and a log can hold. */
export const planLimits = { title: 200, text: 2000, path: 400, items: 24, commands: 8, args: 10_000 } as const;

export const statuses: readonly PlanStepStatus[] = ["pending", "in_progress", "done", "blocked", "skipped"];
const levels: readonly RiskLevel[] = ["low", "medium", "high"];

export function riskier(one: RiskLevel, other: RiskLevel): RiskLevel {
  return levels.indexOf(one) > levels.indexOf(other) ? one : other;
}
const verificationModes: readonly PlanVerification["mode"][] = ["none", "lint", "test", "build", "custom"];

/** Names of the fields, with the other names under which models send them. */
const planNames = {
  ...{ plan_id: [], title: ["name"], goal: ["objective"], constraints: [], steps: [], verification: ["verify"] },
  ...{ risk_level: ["risk"], created_at: [] },
};
const stepNames = {
  ...{ id: [], title: ["step", "name"], description: ["details", "detail"], intent: [] },
  ...{ dependencies: ["deps", "depends_on", "after"], tools_expected: ["tools"], tool_calls: [] },
  ...{ expected_artifacts: ["files", "artifacts"], status: [], rollback_hint: ["rollback"] },
};

/** A plan from a value of any kind: the `plan` tool's arguments, or JSON that a person edited. */
export function readPlan(raw: unknown, origin: PlanOrigin): PlanRead {
  const reader = fieldReader();
  const fields = fieldsOf(reader, raw, [], planNames);
  const goal = textOf(reader, fields.goal, ["goal"], planLimits.text) || cut(origin.goal.trim(), planLimits.text);
  const plan: Plan = {
    plan_id: textOf(reader, fields.plan_id, ["plan_id"], planLimits.title) || origin.planId,
    title: titleOf(reader, fields.title, goal),
    goal,
    constraints: listOf(reader, fields.constraints, ["constraints"], planLimits.items, (one, path) =>
      lineOf(reader, one, path, planLimits.text),
    ),
    steps: readSteps(reader, fields.steps, ["steps"]),
    verification: readVerification(reader, fields.verification, ["verification"]),
    risk_level: oneOf(reader, fields.risk_level, ["risk_level"], levels, "low"),
    created_at: textOf(reader, fields.created_at, ["created_at"], planLimits.title) || origin.createdAt,
  };
  const problems = reader.problems.length > 0 ? reader.problems : stepProblems(plan.steps);
  return problems.length > 0 ? { problems } : { plan };
}

/** Longer lists are left whole, so that what counts the steps can say how many there were. */
export function readSteps(reader: FieldReader, raw: unknown, path: PlanPath): readonly PlanStep[] {
  return listOf(reader, raw, path, MAX_PLAN_STEPS * 8, (one, at) => readStep(reader, one, at));
}

function readStep(reader: FieldReader, raw: unknown, path: PlanPath): PlanStep {
  const place = Number(path.at(-1)) + 1;
  const fields = fieldsOf(reader, typeof raw === "string" ? { title: raw } : raw, path, stepNames);
  const text = (name: "description" | "intent" | "rollback_hint"): string =>
    textOf(reader, fields[name], [...path, name], planLimits.text);
  const calls = listOf(reader, fields.tool_calls, [...path, "tool_calls"], planLimits.items, (one, at) =>
    readCall(reader, one, at),
  );
  return {
    id: isAbsent(fields.id) ? String(place) : readId(reader, fields.id, [...path, "id"]),
    title: lineOf(reader, fields.title, [...path, "title"], planLimits.title),
    description: text("description"),
    intent: text("intent"),
    dependencies: listOf(
      reader,
      several(fields.dependencies, /[,，、\s]+/u),
      [...path, "dependencies"],
      planLimits.items,
      (one, at) => readId(reader, one, at),
    ),
    tools_expected: readTools(reader, fields.tools_expected, [...path, "tools_expected"]),
    ...(isAbsent(fields.tool_calls) ? {} : { tool_calls: calls }),
    expected_artifacts: listOf(
      reader,
      several(fields.expected_artifacts, /[,，、\n]+/u),
      [...path, "expected_artifacts"],
      planLimits.items,
      (one, at) => readArtifact(reader, one, at),
    ),
    status: oneOf(reader, fields.status, [...path, "status"], statuses, "pending"),
    rollback_hint: text("rollback_hint"),
  };
}

/** The title of a step as it will be read, under whichever name it was sent. */
export function titleIn(raw: Readonly<Record<string, unknown>>): string {
  const title = ["title", ...stepNames.title].map((name) => raw[name]).find((value) => !isAbsent(value));
  return typeof title === "string" ? title.slice(0, planLimits.title).trim().replace(/\s+/g, " ") : "";
}

/** Which fields of a step were given at all, by their proper names. */
export function givenInStep(raw: unknown): readonly (keyof PlanStep)[] {
  if (!isRecord(raw)) return [];
  const names = Object.entries(stepNames) as readonly (readonly [keyof PlanStep, readonly string[]])[];
  return names.filter(([name, others]) => [name, ...others].some((one) => !isAbsent(raw[one]))).map(([name]) => name);
}

export function readId(reader: FieldReader, raw: unknown, path: PlanPath): string {
  const id = typeof raw === "number" ? String(raw) : raw;
  if (typeof id === "string" && /^[\p{L}\p{N}_.-]{1,40}$/u.test(id.trim())) return id.trim();
  reader.wrong(path, phrase("plan.expected", { what: phrase("plan.is.id") }));
  return "";
}

function readTools(reader: FieldReader, raw: unknown, path: PlanPath): readonly string[] {
  if (typeof raw === "string") return toolNamesIn(raw.slice(0, planLimits.text));
  return listOf(reader, raw, path, planLimits.items, (one, at) => toolName(lineOf(reader, one, at, planLimits.title)));
}

function readCall(
  reader: FieldReader,
  raw: unknown,
  path: PlanPath,
): { readonly tool: string; readonly args: unknown } {
  const { tool, args } = fieldsOf(reader, raw, path, { tool: ["name"], args: ["arguments", "input"] });
  if (JSON.stringify(args ?? null).length > planLimits.args) {
    reader.wrong([...path, "args"], phrase("plan.long", { max: planLimits.args }));
  }
  return { tool: toolName(lineOf(reader, tool, [...path, "tool"], planLimits.title)), args: args ?? null };
}

function readArtifact(reader: FieldReader, raw: unknown, path: PlanPath): PlanStep["expected_artifacts"][number] {
  const nothing = { path: "", change: "modify" } as const;
  if (typeof raw === "string") {
    return artifactFrom(lineOf(reader, raw, path, planLimits.path)) ?? nothing;
  }
  const fields = fieldsOf(reader, raw, path, { path: ["file"], change: ["action"] });
  return {
    path: lineOf(reader, fields.path, [...path, "path"], planLimits.path),
    change: oneOf(reader, fields.change, [...path, "change"], ["create", "modify", "delete"], "modify"),
  };
}

function readVerification(reader: FieldReader, raw: unknown, path: PlanPath): PlanVerification {
  if (isAbsent(raw) || raw === "") return usualVerification;
  if (typeof raw === "string") return verificationFrom(textOf(reader, raw, path, planLimits.text));
  const names = { mode: ["type"], commands: ["command"], required: [], stop_on_fail: [] };
  const fields = fieldsOf(reader, raw, path, names);
  const given = listOf(reader, several(fields.commands, /\n/), [...path, "commands"], planLimits.commands, (one, at) =>
    lineOf(reader, one, at, planLimits.path),
  );
  const commands = given.map(commandIn);
  const unless = commands.length > 0 ? verificationFrom(commands.join("\n")).mode : usualVerification.mode;
  const mode = oneOf(reader, fields.mode, [...path, "mode"], verificationModes, unless);
  return {
    mode,
    commands,
    required: flagOf(reader, fields.required, [...path, "required"], mode !== "none"),
    stop_on_fail: flagOf(reader, fields.stop_on_fail, [...path, "stop_on_fail"], true),
  };
}

/** One value where a list is wanted: a single text is parted, a single number is a list of one. */
function several(raw: unknown, parting: RegExp): unknown {
  if (typeof raw === "string") return raw.split(parting).filter((part) => part.trim() !== "");
  return typeof raw === "number" || isRecord(raw) ? [raw] : raw;
}

function titleOf(reader: FieldReader, raw: unknown, goal: string): string {
  if (!isAbsent(raw) && raw !== "") return lineOf(reader, raw, ["title"], planLimits.title);
  return cut((goal.split("\n")[0] ?? "").replace(/\s+/g, " ").trim(), 80);
}

export function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  const kept = text.slice(0, max - 1);
  // Half a character of two units is not left behind.
  return `${/[\ud800-\udbff]$/.test(kept) ? kept.slice(0, -1) : kept}…`;
}

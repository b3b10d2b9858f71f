import { fail, ok, type Result } from "../../contract/error.ts";
import { isRecord } from "../../contract/json.ts";
import type { Plan, PlanPatch, PlanStep, PlanStepStatus, PlanTaken } from "../../contract/plan.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import { sameIds } from "./check.ts";
import { canonical, FieldReader, isAbsent } from "./field.ts";
import { patchPlan } from "./patch.ts";
import { type PlanPath, type PlanProblem, problemText } from "./problem.ts";
import { unfinishedBefore, withStatus } from "./progress.ts";
import {
  canonicalStep,
  type PlanOrigin,
  type PlanRead,
  planLimits,
  planNames,
  readId,
  readPlan,
  readSteps,
  riskier,
  statuses,
  statusIn,
  titleIn,
} from "./read.ts";

interface Update {
  readonly id: string;
  readonly status: PlanStepStatus;
  readonly reason?: string;
  readonly path: PlanPath;
}

/** Reads what the model sent with the `plan` tool: a new plan, changes to the current one, or progress of its steps. */
export function takePlan(current: Plan | null, sent: unknown, origin: PlanOrigin): Result<PlanTaken> {
  const { update, ...rest } = isRecord(sent) ? canonical(wholeOf(sent), sentNames) : { update: null, steps: sent };
  const hasUpdate = !isAbsent(update);
  const hasMore = Object.values(rest).some((value) => !isAbsent(value));
  if (!hasUpdate && !hasMore) return refused([{ path: [], what: phrase("plan.nothing_sent") }]);
  if (current === null && isAbsent(rest.steps)) return refused([{ path: [], what: phrase("plan.none_yet") }]);
  const read = hasMore || current === null ? readOver(current, rest, origin) : { plan: current };
  if ("problems" in read) return refused(read.problems);
  const moved = hasUpdate ? updated(read.plan, update) : read;
  if ("problems" in moved) return refused(moved.problems);
  return ok({ plan: moved.plan, change: kindOf(current, moved.plan) });
}

const sentNames = { ...planNames, update: ["updates"] };

function wholeOf(sent: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { plan, ...rest } = sent;
  return isRecord(plan) ? { ...plan, ...rest } : Array.isArray(plan) ? { steps: plan, ...rest } : sent;
}

export function refused(problems: readonly PlanProblem[]): { readonly ok: false; readonly error: PlanError } {
  const text = phrase("plan.problems", { problems: problems.map(problemText) });
  return fail("E_INVALID_ARGS", text, { advice: phrase("plan.problems.advice") });
}
type PlanError = ReturnType<typeof fail>["error"];

/** Ids and times are ours, whatever the model sends. */
function readOver(current: Plan | null, sent: Readonly<Record<string, unknown>>, origin: PlanOrigin): PlanRead {
  const { plan_id: _id, created_at: _at, ...rest } = sent;
  if (current === null) return readPlan(rest, origin);
  const merged = readPlan({ ...current, ...present(rest), steps: current.steps }, origin);
  if ("problems" in merged) return merged;
  // The model cannot lower a risk level that was found before.
  const plan = { ...merged.plan, risk_level: riskier(merged.plan.risk_level, current.risk_level) };
  if (isAbsent(rest.steps)) return { plan };
  const reader = new FieldReader();
  const raw = Array.isArray(rest.steps) ? rest.steps.map((one: unknown) => withId(current, one)) : rest.steps;
  const steps = readSteps(reader, raw, ["steps"]);
  const twice = sameIds(steps.map(({ id }, at) => (id === newId ? `${id}${at}` : id)));
  const wrong = [...reader.problems, ...twice];
  if (wrong.length > 0) return { problems: wrong };
  const { patch, states } = changesFor(
    current,
    steps,
    (raw as readonly object[]).map((one) => Object.keys(one)),
  );
  const patched = patchPlan(plan, patch);
  return "problems" in patched ? patched : withStates(patched.plan, states);
}

function present(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => !isAbsent(value)));
}

/** Placeholder id of a step that has none yet. */
const newId = "_";

/** A step without an id is the known step of that title, else a new one; a known id needs no title. */
function withId(plan: Plan, raw: unknown): unknown {
  const fields = canonicalStep(raw);
  if (fields === null) return raw;
  if (isAbsent(fields.id)) {
    const same = plan.steps.find(({ title }) => title === titleIn(fields));
    return same ? { ...fields, id: same.id } : { ...fields, id: newId };
  }
  const known = plan.steps.find(({ id }) => id === String(fields.id));
  return known && isAbsent(fields.title) ? { ...fields, title: known.title } : fields;
}

/**
 * Known ids change in the sent fields, new ones follow their predecessor. Models often restart at 1, so the id of a finished step under
 * another title is a new step with a new id.
 */
function changesFor(
  plan: Plan,
  steps: readonly PlanStep[],
  sentKeys: readonly (readonly string[])[],
): { readonly patch: PlanPatch; readonly states: readonly Update[] } {
  const known = new Map(plan.steps.map((step) => [step.id, step]));
  const isFinished = (step: PlanStep | undefined): boolean => step?.status === "done" || step?.status === "skipped";
  const used = new Set([...known.keys(), ...steps.map(({ id }) => id)]);
  const renamed = new Map<string, string>();
  const ids = steps.map(({ id, title }) => {
    const old = known.get(id);
    const isNew = id === newId || (isFinished(old) && old?.title !== title);
    if (!isNew) return id;
    const fresh = freshId(used);
    used.add(fresh);
    if (id !== newId) renamed.set(id, fresh);
    return fresh;
  });
  const whole = steps.map((step, at) => ({
    ...step,
    id: ids[at] ?? step.id,
    dependencies: step.dependencies.map((id) => renamed.get(id) ?? id),
  }));
  const open = whole.flatMap((step, at) => {
    const names = sentKeys[at] ?? [];
    return known.has(step.id) && known.get(step.id)?.status !== "done" ? [{ step, names, at }] : [];
  });
  const add = whole.flatMap((step, at) =>
    known.has(step.id) ? [] : [{ step, ...(at > 0 ? { after: ids[at - 1] ?? null } : {}) }],
  );
  const change = open.map(({ step, names }) => {
    const changed = Object.entries(step).filter(([name]) => name !== "status" && names.includes(name));
    return { ...Object.fromEntries(changed), id: step.id };
  });
  // Status changes go through `withStates`, which checks dependencies.
  const states = open
    .filter(({ names }) => names.includes("status"))
    .map(({ step, at }) => ({ id: step.id, status: step.status, path: ["steps", at] }));
  return { patch: { add, change }, states };
}

function freshId(used: ReadonlySet<string>): string {
  let next = 1;
  while (used.has(String(next))) next++;
  return String(next);
}

function updated(plan: Plan, raw: unknown): PlanRead {
  const reader = new FieldReader();
  const updates = reader.list(isRecord(raw) ? [raw] : raw, ["update"], 48, (one, path): Update => {
    const fields = canonicalStep(one) ?? {};
    const status = reader.oneOf(fields.status ?? "", [...path, "status"], statuses, "pending", statusIn);
    const reason = reader.text(fields.reason, [...path, "reason"], planLimits.text);
    return { id: readId(reader, fields.id, [...path, "id"]), status, path, ...(reason === "" ? {} : { reason }) };
  });
  if (reader.problems.length > 0) return { problems: reader.problems };
  const unexplained = updates.filter(({ id, status, reason }) => {
    const step = plan.steps.find((one) => one.id === id);
    return status === "skipped" && reason === undefined && step?.status !== status && !step?.reason;
  });
  if (unexplained.length > 0)
    return { problems: unexplained.map(({ id, path }) => ({ path, what: phrase("plan.skip_reason", { id }) })) };
  return withStates(plan, updates);
}

/** Applies updates in plan order, so that the order of a report does not matter. */
export function withStates(plan: Plan, updates: readonly Update[]): PlanRead {
  const places = new Map(plan.steps.map(({ id }, at) => [id, at]));
  const inOrder = [...updates].sort((one, other) => (places.get(one.id) ?? -1) - (places.get(other.id) ?? -1));
  let moved = plan;
  for (const one of inOrder) {
    const what = whyNot(moved, one);
    if (what !== null) return { problems: [{ path: one.path, what }] };
    moved = withStatus(moved, one.id, one.status, one.reason);
  }
  return { plan: moved };
}

function whyNot(plan: Plan, { id, status }: Update): PlanProblem["what"] | null {
  const step = plan.steps.find((one) => one.id === id);
  if (step === undefined) {
    return phrase("plan.no_step", { id, known: plan.steps.map((one) => one.id).join(", ") });
  }
  if (step.status === status) return null;
  if (step.status === "done") return phrase("plan.step_done", { id });
  const others = unfinishedBefore(plan, step);
  const starts = status === "in_progress" || status === "done";
  return starts && others.length > 0 ? phrase("plan.step_waits", { id, others: others.join(", ") }) : null;
}

/** The same plan sent again with other statuses is not a new plan. */
export function kindOf(before: Plan | null, after: Plan): PlanTaken["change"] {
  if (before === null) return "new";
  const bare = (plan: Plan): string =>
    JSON.stringify({ ...plan, steps: plan.steps.map((step) => ({ ...step, status: "pending" })) }, byName);
  return bare(before) === bare(after) ? "status" : "patch";
}

/** Field order differs in plans from files and older logs. */
export function byName(_key: string, value: unknown): unknown {
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}

import { parsedJson } from "../../contract/json.ts";
import { cut, type PlanOrigin, type PlanRead, planLimits, readPlan } from "./read.ts";
import { fieldLine, plainSigns, type StepDraft, type StepLine, stepField, stepLine } from "./text-line.ts";

/** Anything beyond these limits is ignored. */
const longestLine = 2000;
const mostLines = 2000;

const opening = /^[\s>#*_`-]*\[\s*(?:plan|计划|规划|方案)\s*\][\s:*_`-]*(.*)$/iu;
const fenceMark = /^\s*(?:```|~~~)/;

type PlanField = "title" | "goal" | "constraints" | "verification" | "risk";
const planFields: readonly (readonly [name: RegExp, field: PlanField])[] = [
  [/^(?:title|标题|计划名称)$/iu, "title"],
  [/^(?:goals?|objective|目标)$/iu, "goal"],
  [/^(?:constraints?|limits|约束(?:条件)?|限制(?:条件)?)$/iu, "constraints"],
  [/^(?:verification|verify|verify with|verified by|验证(?:方式|命令)?|校验|验收)$/iu, "verification"],
  [/^(?:risk|risk[ _]level|risks|风险(?:等级|级别)?)$/iu, "risk"],
];
const risks: readonly (readonly [said: RegExp, level: string])[] = [
  [/high|高/iu, "high"],
  [/medium|moderate|中/iu, "medium"],
  [/low|低/iu, "low"],
];

/** PL-3: the plan in a reply, or its problems; `null` = there is none. */
export function planFromText(text: string, origin: PlanOrigin): PlanRead | null {
  const lines = text
    .slice(0, longestLine * mostLines)
    .split(/\r\n|\r|\n/, mostLines)
    .map((line) => line.slice(0, longestLine));
  const start = lines.findIndex((line) => opening.test(plainSigns(line)));
  if (start < 0 && !isPlanWithoutName(lines)) return null;
  const body = lines.slice(start + 1);
  const json = start < 0 ? null : jsonIn(body);
  if (json !== null) return readPlan(json, origin);
  const isFenced = start > 0 && lines.slice(0, start).filter((line) => fenceMark.test(line)).length % 2 === 1;
  const lister = new PlanLines(isFenced);
  for (const line of body) if (!lister.take(line)) break;
  return readPlan({ ...titled(lines[start] ?? ""), ...lister.draft() }, origin);
}

/** The line that a plan in a reply begins with. */
export function opensPlan(line: string): boolean {
  return opening.test(plainSigns(line.slice(0, longestLine)));
}

/** What a text that begins with a plan says after it. */
export function afterPlan(text: string): string {
  const [, ...body] = text.split(/\r\n|\r|\n/);
  let end = 0;
  if (jsonIn(body) !== null) end = body.findLastIndex((line) => line.includes("}")) + 1;
  else {
    const lister = new PlanLines(false);
    for (const [at, line] of body.entries()) {
      lister.take(line);
      if (lister.hasTaken) end = at + 1;
    }
  }
  if (fenceMark.test(body[end] ?? "")) end++;
  return body.slice(end).join("\n").trim();
}

/** Weak models forget the heading: two numbered boxes that name their tools count as a plan. */
function isPlanWithoutName(lines: readonly string[]): boolean {
  const steps = lines.map(stepLine).filter((found) => found?.hasBox && found.hasTools && found.number !== "");
  return steps.length > 1;
}

function titled(line: string): { title?: string } {
  const length = opening.exec(plainSigns(line))?.[1]?.length ?? 0;
  const title = line
    .slice(line.length - length)
    .replace(/[*_`]+/g, "")
    .trim();
  return title === "" ? {} : { title: cut(title, planLimits.title) };
}

function jsonIn(body: readonly string[]): unknown {
  const first = body.findIndex((line) => line.trim() !== "" && !fenceMark.test(line));
  if (first < 0 || !body[first]?.trimStart().startsWith("{")) return null;
  const rest = body.slice(first).join("\n");
  // What is not JSON is read line by line.
  return parsedJson(rest.slice(0, rest.lastIndexOf("}") + 1)) ?? null;
}

class PlanLines {
  readonly #steps: { readonly line: StepLine; step: StepDraft; readonly details: string[] }[] = [];
  readonly #fields = new Map<PlanField, string[]>();
  /** A field whose values follow as a list. */
  #open: PlanField | null = null;
  #isAfterBlank = false;
  #isFenced: boolean;
  #isInCode = false;
  /** The last line belongs to the plan. */
  hasTaken = false;

  constructor(isFenced: boolean) {
    this.#isFenced = isFenced;
  }

  /** Returns false once the plan has ended. */
  take(line: string): boolean {
    this.hasTaken = true;
    if (fenceMark.test(line)) return this.#takeFence(line);
    const current = this.#steps.at(-1);
    if (this.#isInCode) current?.details.push(line.trim());
    else if (line.trim() === "") [this.#isAfterBlank, this.hasTaken] = [true, false];
    else if (!this.#takeStep(line) && !this.#takeField(line)) this.hasTaken = this.#takeDetail(line);
    return true;
  }

  draft(): object {
    const isLazy = this.#steps.length > 1 && this.#steps.every(({ line }) => line.number === "1");
    const steps = this.#steps.map(({ line, step, details }) => ({
      ...(line.number === "" || isLazy ? {} : { id: line.number }),
      ...step,
      description: cut(details.join("\n").trim(), planLimits.text),
    }));
    const fieldText = (field: PlanField): string => (this.#fields.get(field) ?? []).join("\n").trim();
    const level = risks.find(([pattern]) => pattern.test(fieldText("risk")))?.[1];
    return {
      ...(fieldText("title") === "" ? {} : { title: cut(fieldText("title"), planLimits.title) }),
      goal: cut(fieldText("goal"), planLimits.text),
      constraints: (this.#fields.get("constraints") ?? [])
        .flatMap((one) => one.split(/[;；]/u))
        .filter((one) => one.trim() !== "")
        .slice(0, planLimits.items),
      verification: cut(fieldText("verification"), planLimits.text),
      ...(level === undefined ? {} : { risk_level: level }),
      steps,
    };
  }

  /** A fence around the plan ends it; a fence inside a step holds code. */
  #takeFence(line: string): boolean {
    const isWithin = this.#isInCode || this.#isDeeper(line);
    if (this.#isFenced && !isWithin) return false;
    if (this.#steps.length === 0) this.#isFenced = true;
    else this.#isInCode = !this.#isInCode;
    return true;
  }

  #isDeeper(line: string): boolean {
    const base = this.#steps[0]?.line.indent;
    return base !== undefined && line.search(/\S/) > base + 1;
  }

  #takeStep(text: string): boolean {
    const line = stepLine(text);
    if (line === null || !this.#isNext(line)) return false;
    this.#steps.push({ line, step: line.step, details: [] });
    this.#open = null;
    this.#isAfterBlank = false;
    return true;
  }

  /** Deeper lists are details, and a list that restarts after the plan only comments on it. */
  #isNext(line: StepLine): boolean {
    const first = this.#steps[0]?.line;
    if (first === undefined) return line.number !== "" || line.hasBox;
    if (line.indent > first.indent + 1 || (line.number === "") !== (first.number === "")) return false;
    if (this.#isAfterBlank && first.hasBox && !line.hasBox) return false;
    const last = Number(this.#steps.at(-1)?.line.number);
    return line.hasBox || Number(line.number) > last || (line.number === "1" && last === 1);
  }

  #takeField(line: string): boolean {
    const named = this.#isDeeper(line) ? null : fieldLine(line);
    const field = named && planFields.find(([name]) => name.test(named.name))?.[1];
    if (named && field) {
      this.#fields.set(field, named.value === "" ? [] : [named.value]);
      this.#open = named.value === "" ? field : null;
      return true;
    }
    const item = this.#open && /^\s*(?:[-*+•]|\d{1,2}[.)])\s+(.*)$/u.exec(line)?.[1];
    if (this.#open && item) this.#fields.get(this.#open)?.push(item);
    else this.#open = null;
    return Boolean(item);
  }

  /** Indented lines, and lines without a blank line before them, belong to the step above. */
  #takeDetail(line: string): boolean {
    const current = this.#steps.at(-1);
    if (current === undefined || (this.#isAfterBlank && !this.#isDeeper(line))) return false;
    const field = stepField(line);
    if (field) current.step = { ...current.step, ...field };
    else current.details.push(line.trim());
    return true;
  }
}

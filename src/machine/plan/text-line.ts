import type { PlanStep } from "../../contract/plan.ts";
import { artifactsIn } from "./artifact.ts";
import { cut, planLimits } from "./read.ts";
import { toolNamesIn } from "./tool-names.ts";

export interface StepLine {
  readonly indent: number;
  /** In ASCII digits; empty for a bullet with a box. */
  readonly number: string;
  readonly hasBox: boolean;
  readonly hasTools: boolean;
  readonly step: StepDraft;
}

export type StepDraft = Pick<PlanStep, "title"> & Partial<Omit<PlanStep, "tool_calls" | "priority" | "reason">>;

const stepFields: readonly (readonly [name: RegExp, read: (value: string) => Partial<StepDraft>])[] = [
  [
    /^(?:tools?(?: expected| needed)?|使用工具|所需工具|预期工具|工具)$/iu,
    (value) => ({ tools_expected: toolNamesIn(value) }),
  ],
  [
    /^(?:deps?|dependenc(?:y|ies)|depends(?: on)?|after|requires?|依赖(?:于|项|步骤)?|前置(?:步骤)?)$/iu,
    (value) => ({ dependencies: idsIn(value) }),
  ],
  [
    /^(?:files?|artifacts?|expected[ _]artifacts|产物|涉及文件|文件)$/iu,
    (value) => ({ expected_artifacts: artifactsIn(value) }),
  ],
  [
    /^(?:rollback(?:[ _]hint)?|undo|回滚(?:提示|方式)?|撤销)$/iu,
    (value) => ({ rollback_hint: cut(value, planLimits.text) }),
  ],
  [/^(?:intent|purpose|why|意图|目的)$/iu, (value) => ({ intent: cut(value, planLimits.text) })],
];

const boxes: Readonly<Record<string, NonNullable<StepDraft["status"]>>> = {
  ...{ "": "pending", x: "done", "✓": "done", "✔": "done", "√": "done", "✅": "done" },
  ...{ ">": "in_progress", "~": "in_progress", "…": "in_progress", "!": "blocked", "-": "skipped" },
};

const numbered =
  /^(\s*)(?:[-*+]\s+)?(?:#{1,6}\s*)?(?:\*\*|__)?\s*(?:(?:step|步骤|第)\s*)?[(]?(\d{1,3})(?:步)?\s*(?:[.):、。]|\])(?!\d)\s*(.*)$/iu;
const bulleted = /^(\s*)[-*+•]\s+(?:\*\*|__)?(\[.{0,2}\].*)$/u;
const box = /^(?:\*\*|__|`)?\[\s?(.{0,2}?)\s?\](?:\*\*|__|`)?\s*/u;
/** `(files: a.ts (create))`: allows one nested bracket. */
const noted = /[([]\s*([\p{L} _]{1,20}?)\s*:((?:[^()[\]]|\([^()[\]]{0,40}\))*)[)\]]/gu;

/** Replaces full-width signs one for one, so that indexes found here fit the original line. */
export function plainSigns(line: string): string {
  return line.replace(/[！-～　【】〔〕]/g, (sign) => {
    if (sign === "　") return " ";
    if (sign === "【" || sign === "〔") return "[";
    if (sign === "】" || sign === "〕") return "]";
    return String.fromCharCode(sign.charCodeAt(0) - 0xfee0);
  });
}

export function stepLine(line: string): StepLine | null {
  const plain = plainSigns(line);
  const count = numbered.exec(plain);
  const bullet = count ? null : bulleted.exec(plain);
  const [, indent = "", number = "", behind = ""] = count ?? (bullet ? ["", bullet[1], "", bullet[2]] : []);
  if (count === null && bullet === null) return null;
  const rest = line.slice(line.length - behind.length);
  const boxed = box.exec(plainSigns(rest));
  const { title, fields } = withoutNotes(rest.slice(boxed?.[0].length ?? 0));
  if (title === "") return null;
  const status = boxed === null ? undefined : boxes[(boxed[1] ?? "").trim().toLowerCase()];
  return {
    indent: indent.length,
    number: number === "" ? "" : String(Number(number)),
    hasBox: boxed !== null,
    hasTools: fields.tools_expected !== undefined,
    step: { title, ...fields, ...(status === undefined ? {} : { status }) },
  };
}

/** Reads a line such as `tools: …` or `依赖：…`; `null` when it is not a step field. */
export function stepField(line: string): Partial<StepDraft> | null {
  const named = fieldLine(line);
  return named === null ? null : fieldNamed(named.name, named.value);
}

export function fieldLine(line: string): { readonly name: string; readonly value: string } | null {
  const bare = line.replace(/^[\s>*#_•+-]+/u, "");
  const colon = plainSigns(bare.slice(0, 40)).indexOf(":");
  if (colon < 1) return null;
  return { name: withoutMarks(plainSigns(bare.slice(0, colon))), value: withoutMarks(bare.slice(colon + 1)) };
}

function fieldNamed(name: string, value: string): Partial<StepDraft> | null {
  return stepFields.find(([said]) => said.test(name))?.[1](value) ?? null;
}

/** Splits a title from bracketed notes in it: `(tools: read, edit; deps: 1)`. */
function withoutNotes(text: string): { readonly title: string; readonly fields: Partial<StepDraft> } {
  let fields: Partial<StepDraft> = {};
  let title = "";
  let from = 0;
  for (const note of plainSigns(text).matchAll(noted)) {
    const end = note.index + note[0].length;
    const found = notesIn(text.slice(note.index + 1, end - 1));
    if (found === null) continue;
    fields = { ...fields, ...found };
    title += text.slice(from, note.index);
    from = end;
  }
  return { title: cut(tidyTitle(title + text.slice(from)), planLimits.title), fields };
}

function notesIn(text: string): Partial<StepDraft> | null {
  let fields: Partial<StepDraft> | null = null;
  for (const part of text.split(/[;；|]/u)) {
    const named = fieldLine(part);
    const found = named === null ? null : fieldNamed(named.name, named.value);
    if (found === null && fields === null) return null;
    fields = Object.assign({}, fields, found);
  }
  return fields;
}

/** `1, 2`, `steps 1-3`, `#1 and #2`, `步骤1、步骤2`, `none`. */
function idsIn(text: string): readonly string[] {
  const ranges = plainSigns(text.slice(0, 200)).replace(
    /(\d{1,2})\s*(?:-|–|~|\.\.|to|至|到)\s*(\d{1,2})/giu,
    (whole, first: string, last: string) => {
      const count = Number(last) - Number(first) + 1;
      return count > 0 && count <= 24 ? Array.from({ length: count }, (_, at) => Number(first) + at).join(",") : whole;
    },
  );
  const ids = ranges.match(/[A-Za-z0-9_.]+(?:-[A-Za-z0-9_.]+)*/g) ?? [];
  return [...new Set(ids.filter((id) => !/^(?:steps?|and|none|no|n|a|the|of|or|nothing)$/i.test(id)))];
}

function tidyTitle(text: string): string {
  return withoutMarks(text)
    .replace(/\s+/g, " ")
    .replace(/ ?[-–—:：]$/u, "")
    .trim();
}

function withoutMarks(text: string): string {
  return text
    .replace(/\*\*|__/g, "")
    .trim()
    .replace(/^`([^`]*)`$/, "$1");
}

import { type Phrase, phrase } from "../../contract/text/catalogue.ts";

export type PlanPath = readonly (string | number)[];

export interface PlanProblem {
  readonly path: PlanPath;
  readonly what: Phrase;
}

export function problemText({ path, what }: PlanProblem): Phrase {
  return path.length === 0 ? what : phrase("plan.problem", { where: pathText(path), what });
}

/** `steps[2].title`, with indexes from 0 as in JSON. */
export function pathText(path: PlanPath): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === "number") return `${text}[${part}]`;
    return text === "" ? part : `${text}.${part}`;
  }, "");
}

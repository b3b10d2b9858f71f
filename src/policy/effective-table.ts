import type { Mode, Preset } from "../contract/task.ts";
import { type Phrase, phrase } from "../contract/text/catalogue.ts";
import { type Deed, deedText, lookUp, type TableAnswer } from "./mode-table.ts";

export interface TableRow extends TableAnswer {
  readonly access: Deed;
  readonly what: Phrase;
}

/** TP-7 */
const freeDeeds: ReadonlySet<Deed> = new Set([
  "exec",
  "exec_read",
  "exec_held",
  "loss",
  "history",
  "publish",
  "machine",
]);

/** The rules that apply now, row by row, for `/permissions`. */
export function effectiveTable(mode: Mode, preset: Preset | null): readonly TableRow[] {
  return (Object.keys(deedText) as Deed[]).map((access) => {
    const isFreeShell = mode === "yolo" && freeDeeds.has(access);
    return { access, what: phrase(deedText[access]), ...lookUp(access, mode, isFreeShell ? null : preset) };
  });
}

import type { Phrase } from "./text/catalogue.ts";

/** CX-1: instructions for the model. */
export interface RulesFile {
  readonly name: string;
  readonly text: string;
  readonly isOwn?: true;
}

export interface RulesNow {
  /** In the order the model reads them; of two that conflict, the later one wins. */
  readonly files: readonly RulesFile[];
  /** Files left out and why, each reported once. */
  readonly notices: readonly Phrase[];
}

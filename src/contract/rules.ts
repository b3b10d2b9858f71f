import type { Phrase } from "./text/catalogue.ts";

/** A file that tells the model how to work here (CX-1). */
export interface RulesFile {
  /** For people and the model. */
  readonly name: string;
  readonly text: string;
  /** The person's, not the repository's. */
  readonly isOwn?: true;
}

export interface RulesNow {
  /** In the order in which they are told: of two that contradict each other the later one holds. */
  readonly files: readonly RulesFile[];
  /** What is not, and why, where it was not said before. */
  readonly notices: readonly Phrase[];
}

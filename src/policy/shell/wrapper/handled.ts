import type { Phrase } from "../../../contract/text/catalogue.ts";
import type { Feed } from "../scope.ts";
import type { PathWord, Word } from "../verdict/judgement.ts";

/** A command that another one starts: its words, or text that a shell parses. */
export type StartedCommand =
  | {
      readonly words: readonly Word[];
      /** In unknown directories. */
      readonly isElsewhere?: boolean;
      /** One of several possible readings: for deny rules only, not reported individually. */
      readonly isGuess?: boolean;
    }
  | { readonly script: string };

export interface Handled {
  /** Why it is not read-only; empty = it is, apart from the commands it starts. */
  readonly problems: readonly Phrase[];
  readonly reads?: readonly PathWord[];
  readonly starts?: readonly StartedCommand[];
  /** It cannot have an effect itself, but nothing more is certain; see `CommandJudgement.unsettled`. */
  readonly open?: Phrase;
  /** The directories it reads in, if not the shell's. */
  readonly folders?: readonly string[];
  readonly feed?: Feed;
  /** Part of it was not understood. */
  readonly isUnclear?: boolean;
  /** PO-5, for a program that is otherwise harmless. */
  readonly isDestructive?: boolean;
}

export function refused(...problems: readonly Phrase[]): Handled {
  return { problems };
}

import type { Phrase } from "../../../contract/text/catalogue.ts";
import type { Feed } from "../scope.ts";
import type { PathWord, Word } from "../verdict/judgement.ts";

/** A command that another one starts: its words, or text that a shell takes apart. */
export type StartedCommand =
  | {
      readonly words: readonly Word[];
      /** In folders that are not known. */
      readonly isElsewhere?: boolean;
      /** One of several that it may be: for deny rules to see, and not to be told of each. */
      readonly isGuess?: boolean;
    }
  | { readonly script: string };

/** What was found out about one simple command. */
export interface Handled {
  /** Why it is not read-only; empty = it is, as far as it goes itself. */
  readonly problems: readonly Phrase[];
  readonly reads?: readonly PathWord[];
  readonly starts?: readonly StartedCommand[];
  /** It can have no effect by itself, but that is all that is known of it; see `CommandJudgement.unsettled`. */
  readonly open?: Phrase;
  /** Where it reads, if not where the shell is. */
  readonly folders?: readonly string[];
  /** Names that it prints. */
  readonly feed?: Feed;
  /** Something in it was not understood. */
  readonly isUnclear?: boolean;
  /** PO-5, for a program that is otherwise harmless. */
  readonly isDestructive?: boolean;
}

export function refused(...problems: readonly Phrase[]): Handled {
  return { problems };
}

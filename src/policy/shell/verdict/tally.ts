import { visible } from "../../../contract/show/visible.ts";
import { type Phrase, phrase } from "../../../contract/text/catalogue.ts";
import type {
  AlwaysAsk,
  CommandJudgement,
  MentionWord,
  PathWord,
  RemovedWord,
  SimpleCommand,
  WriteWord,
} from "./judgement.ts";

/** Findings so far, in the order of the command. */
export interface Tally {
  readonly reasons: Phrase[];
  readonly always: AlwaysAsk[];
  /** The reasons that a sandbox lifts, if it shows the command only what it may read. */
  readonly unsettled: Set<Phrase>;
  readonly commands: SimpleCommand[];
  readonly reads: PathWord[];
  readonly writes: WriteWord[];
  readonly mentions: MentionWord[];
  readonly removes: (RemovedWord | null)[];
  isWhole: boolean;
  usesGit: boolean;
  namesGitFolder: boolean;
  /** Any variable may have been set: from here on all are unknown. */
  hasUnknownVariables: boolean;
  /** The shell may be in any directory. */
  isInUnknownFolder: boolean;
  /** Number of commands judged: limits nested loops over many words. */
  steps: number;
  words: number;
  isCut: boolean;
}

// Far more than a command that a person reads before approving it.
const maxSteps = 4000;
const maxWords = 20_000;
const shownLength = 120;

export function emptyTally(): Tally {
  return {
    reasons: [],
    always: [],
    unsettled: new Set(),
    commands: [],
    reads: [],
    writes: [],
    mentions: [],
    removes: [],
    isWhole: true,
    usesGit: false,
    namesGitFolder: false,
    isInUnknownFolder: false,
    hasUnknownVariables: false,
    steps: 0,
    words: 0,
    isCut: false,
  };
}

/** `false` = over the limit: the caller reports it and stops. */
export function countStep(tally: Tally): boolean {
  tally.steps += 1;
  return tally.steps <= maxSteps && tally.words <= maxWords;
}

export function countWords(tally: Tally, count: number): boolean {
  tally.words += count;
  return tally.words <= maxWords;
}

export function against(tally: Tally, reason: Phrase): void {
  tally.reasons.push(reason);
}

/** Not understood, or able to change the meaning of other commands: no allow rule applies. */
export function notWhole(tally: Tally, reason: Phrase): void {
  tally.isWhole = false;
  tally.hasUnknownVariables = true;
  tally.reasons.push(reason);
}

/** PO-5, and no rule lifts it. */
export function alwaysAsk(tally: Tally, reason: Phrase): void {
  tally.reasons.push(reason);
  tally.always.push({ reason, command: null });
}

/** The same, and no sandbox lifts it either: nobody knows which commands would run. */
export function unread(tally: Tally, reason: Phrase): void {
  tally.hasUnknownVariables = true;
  tally.reasons.push(reason);
  tally.always.push({ reason, command: null, isUnread: true });
}

/** Known only at run time: it cannot have an effect, but may read something that was not judged. */
export function leaveOpen(tally: Tally, reason: Phrase): void {
  tally.reasons.push(reason);
  tally.unsettled.add(reason);
}

/** The same for parts that allow rules cannot cover: if the line does more than read, PO-5 applies. */
export function leaveOpenAlways(tally: Tally, reason: Phrase): void {
  leaveOpen(tally, reason);
  tally.always.push({ reason, command: null });
}

/** The same for parts that change the meaning of other commands in a known way. */
export function leaveOpenNotWhole(tally: Tally, reason: Phrase): void {
  tally.isWhole = false;
  leaveOpen(tally, reason);
}

export function tooDeep(tally: Tally, part: string): void {
  tally.isWhole = false;
  // Reported once: there may be thousands.
  if (!tally.isCut) unread(tally, phrase("shell.too_deep", { part: cut(part) }));
  tally.isCut = true;
}

export function summary(tally: Tally): CommandJudgement {
  const { isWhole, usesGit, namesGitFolder } = tally;
  const isReadOnly = tally.reasons.every((reason) => tally.unsettled.has(reason));
  const [reasons, commands] = [distinct(tally.reasons), distinct(tally.commands)];
  const [reads, writes] = [distinct(tally.reads), distinct(tally.writes)];
  const [mentions, removes] = [distinct(tally.mentions), distinct(tally.removes)];
  return {
    isReadOnly,
    reasons: isReadOnly ? [] : reasons,
    unsettled: isReadOnly ? reasons : [],
    always: distinct(isReadOnly ? tally.always.filter(({ reason }) => !tally.unsettled.has(reason)) : tally.always),
    ...{ commands, isWhole, reads, writes, mentions, removes, usesGit, namesGitFolder },
  };
}

/** Removes duplicates: a loop is judged once per word. */
function distinct<One>(all: readonly One[]): readonly One[] {
  if (all.length < 2) return all;
  const byText = new Map<string, One>();
  for (const one of all) {
    const text = JSON.stringify(one);
    if (!byText.has(text)) byText.set(text, one);
  }
  return [...byText.values()];
}

/** Characters that no command needs and that hide text from a reader or from the parser; line ends and tabs are allowed. */
export function strangeIn(text: string): Phrase | null {
  const found = /[\u0000-\u0008\u000b-\u001f\u007f]/.exec(text)?.[0];
  if (found !== undefined) {
    return phrase("shell.character", { part: `U+${found.charCodeAt(0).toString(16).padStart(4, "0")}` });
  }
  // Bash joins the lines first, and then it is an expansion: `$\` and a line end before `{x@P}`.
  if (/\$\\\n/.test(text)) return phrase("shell.construct", { part: "$\\" });
  // Bash drops or keeps it, depending on an earlier line end.
  return /(?<!\\)(?:\\\\)*\\$/.test(text) ? phrase("shell.construct", { part: "\\" }) : null;
}

/** A part of the command for display: on one line, so that it cannot look like a separate reason. */
export function cut(part: string): string {
  const text = part.trim();
  return visible(text.length <= shownLength ? text : `${text.slice(0, shownLength - 1)}…`);
}

// The text that the user must see before a call may run. Everything from outside stands behind a bar.

import { spelledOut } from "../../../contract/show/visible.ts";
import { type Phrase, say } from "../../../contract/text/catalogue.ts";
import type { OpenApproval } from "../../../engine/port.ts";
import type { Detail } from "../blocks/block.ts";
import { diffLines, diffText, named } from "../blocks/diff.ts";
import { type DiffRow, maxChars, rowsIn } from "../blocks/diff-rows.ts";
import { joined, type Lines, ready } from "../blocks/lines.ts";
import { type Look, words } from "../terminal/look.ts";
import { visibleWidth } from "../terminal/width.ts";
import { wrapped } from "./card.ts";
import { barred, barredHead, type ExactRows } from "./exact.ts";
import type { MustSeeText } from "./must-see.ts";

export class ApprovalText implements MustSeeText {
  private readonly look: Look;
  private readonly approval: OpenApproval;
  private readonly where: string | null;
  private readonly homes: readonly string[];
  private readonly shown: string;
  private diff: string | null = null;
  private rows: readonly DiffRow[] | null = null;
  /** The diff shows every change of files. */
  private isWhole = true;

  constructor(look: Look, approval: OpenApproval, where: string | null, homes: readonly string[]) {
    this.look = look;
    this.approval = approval;
    this.where = where;
    this.homes = homes;
    this.shown = spelledOut(approval.shown);
  }

  setDiff(diff: string): void {
    this.diff = diff;
    this.rows = null;
    const harmless = ["\\ No newline at end of file", `\\ ${words(this.look, "changes.crlf")}`];
    const isShown = (line: string): boolean =>
      line.length <= maxChars && (!line.startsWith("\\ ") || harmless.includes(line));
    this.isWhole = diff.split("\n").every(isShown);
  }

  get title(): string {
    if (this.diff !== null) return words(this.look, "tui.approval.change");
    return words(this.look, commandIn(this.approval.input) === null ? "tui.approval.call" : "tui.approval.command");
  }

  get tool(): string {
    return spelledOut(this.approval.tool).replaceAll("\n", " ");
  }

  /** A long command still leaves some rows for the reasons. */
  head(width: number, room: number): ExactRows & { readonly cutAt: number } {
    const what = this.what(width, room);
    const isNamed = namedRule(this.approval.always ?? []) !== null;
    const rest = isNamed ? this.rest(width) : [...this.rest(width), ...this.ruled(width)];
    if (what.left === 0 && what.rows.length + rest.length <= room)
      return { rows: [...what.rows, ...rest], left: 0, cutAt: 0 };
    const budget = Math.max(0, room - 1);
    const ofRest = Math.min(rest.length, Math.max(Math.floor(budget / 3), budget - what.rows.length));
    const ofWhat = Math.min(what.rows.length, budget - ofRest);
    const left = what.left + what.rows.length - ofWhat + rest.length - ofRest;
    const rows = [...what.rows.slice(0, ofWhat), ...rest.slice(0, ofRest)];
    const isWhatCut = what.left > 0 || ofWhat < what.rows.length;
    return { rows, left, cutAt: isWhatCut ? ofWhat : rows.length };
  }

  detail(): Detail {
    return {
      title: `${this.title} ${this.tool}`,
      lines: (width) => joined([...this.all(width), ready(["", ...this.rest(width), ...this.ruled(width)], width)]),
    };
  }

  rules(width: number): readonly string[] {
    const { always } = this.approval;
    return (always ?? []).flatMap((rule) => barredHead(spelledOut(rule), width, Number.POSITIVE_INFINITY).rows);
  }

  private readonly name = (path: string): string => spelledOut(homePath(path, this.homes));

  private all(width: number): readonly Lines[] {
    const asked = barred(this.shown, width);
    if (this.diff === null) return [asked];
    this.rows ??= named(rowsIn(this.diff, Number.POSITIVE_INFINITY), this.name);
    const diff = diffText(this.rows, width, this.look.theme, "│ ");
    return this.isWhole ? [diff] : [diff, ready(wrapped(words(this.look, "tui.approval.asked"), width), width), asked];
  }

  private what(width: number, most: number): ExactRows {
    if (this.diff === null) return barredHead(this.shown, width, most);
    const ofDiff = this.changed(this.diff, width, most);
    if (this.isWhole) return ofDiff;
    const label = wrapped(words(this.look, "tui.approval.asked"), width);
    const room = Math.max(0, most - ofDiff.rows.length - label.length);
    const asked = barredHead(this.shown, width, room);
    const rows = [...ofDiff.rows, ...label, ...asked.rows].slice(0, most);
    const left = ofDiff.left + asked.left + ofDiff.rows.length + label.length + asked.rows.length - rows.length;
    return { rows, left };
  }

  private changed(diff: string, width: number, most: number): ExactRows {
    const all = diff.split("\n");
    // Some lines of a diff have no row, others have several.
    const looked = Math.min(all.length, most * 4 + 20);
    const shape = { name: this.name };
    const rows = diffLines(all.slice(0, looked).join("\n"), Math.max(1, width - 2), this.look.theme, shape);
    const left = Math.max(0, rows.length - most) + all.length - looked;
    return { rows: rows.slice(0, Math.min(rows.length, most)).map((row) => `│ ${row}`), left };
  }

  private rest(width: number): readonly string[] {
    const { look, homes } = this;
    const where = this.where === null ? null : homePath(this.where, homes);
    const place = where === null ? [] : wrapped(spelledOut(words(look, "tui.approval.where", { where })), width);
    // The diff shows already that the call writes.
    const isRedundant = ({ key }: Phrase): boolean => this.approval.isChange && key === "policy.why.write";
    const shown = this.approval.reasons.filter((reason) => !isRedundant(reason));
    const reasons = shown.flatMap((reason) =>
      wrapped(look.theme.warn(spelledOut(say(look.lang, homeReason(reason, homes)))), width, "• "),
    );
    return [...place, ...reasons];
  }

  private ruled(width: number): readonly string[] {
    const rules = this.rules(width);
    return rules.length === 0 ? [] : [...wrapped(words(this.look, "tui.approval.always_is"), width), ...rules];
  }
}

/** A longer rule would wrap. */
const shortRule = 36;

/** The only rule, if it can stand between quotes in a choice without looking like anything else. */
function namedRule(rules: readonly string[]): string | null {
  const [rule = "", ...more] = rules.map(spelledOut);
  const isPlain = /^[^\s“”]+(?: [^\s“”]+)*$/.test(rule) && visibleWidth(rule) <= shortRule;
  return more.length === 0 && isPlain && !isEverywhere(rules) ? rule : null;
}

export function alwaysLabel(look: Look, rules: readonly string[]): string {
  const rule = namedRule(rules);
  if (rule !== null) return words(look, "tui.choice.always", { rule });
  return words(look, isEverywhere(rules) ? "tui.choice.always_everywhere" : "tui.choice.always_these");
}

/** The command of a check goes into the user's settings, which hold everywhere; rules hold in this workspace. */
export function isEverywhere(rules: readonly string[]): boolean {
  return rules.some((rule) => rule.startsWith("workflow."));
}

export function commandIn(input: unknown): string | null {
  const { command } = (input ?? {}) as { readonly command?: unknown };
  return typeof command === "string" ? command : null;
}

/** For display only, never for decisions. `homes`: every path of the home directory, absolute. A relative name that starts with `~` gets a `./`. */
function homePath(path: string, homes: readonly string[]): string {
  if (path.startsWith("~")) return `./${path}`;
  return shortened(path, homes);
}

function homeReason(reason: Phrase, homes: readonly string[]): Phrase {
  const path = reason.args?.path;
  return typeof path === "string" ? { ...reason, args: { ...reason.args, path: shortened(path, homes) } } : reason;
}

function shortened(path: string, homes: readonly string[]): string {
  for (const home of homes) {
    const folder = home.replace(/\/+$/, "");
    if (folder === "") continue;
    if (path === folder) return "~";
    if (path.startsWith(`${folder}/`)) return `~${path.slice(folder.length)}`;
  }
  return path;
}

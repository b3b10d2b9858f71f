import type { Decision } from "../contract/event.ts";
import type { Mode, Preset } from "../contract/task.ts";
import { type Phrase, phrase, type TextKey } from "../contract/text/catalogue.ts";

/** What a call turns out to be. One call may be several of them; the strictest answer wins. */
export type Deed =
  | "session"
  | "read"
  | "write"
  | "exec_read"
  | "exec_held"
  | "exec"
  | "loss"
  | "history"
  | "publish"
  | "machine"
  | "network"
  | "private_host"
  | "outside_read"
  | "outside_write"
  | "secret"
  | "protected_write"
  | "own_write";

type Column = "plan" | Preset;
type Cells = Readonly<Record<Column, Decision>>;

const cells = (plan: Decision, strict: Decision, balanced: Decision, autoEdit: Decision, yolo: Decision): Cells => ({
  plan,
  strict,
  balanced,
  "auto-edit": autoEdit,
  yolo,
});

/** Within a row, a preset further to the left is never looser: `strict` ≥ `balanced` ≥ `auto-edit` ≥ `yolo`. */
const base: Readonly<Record<Deed, Cells>> = {
  // plan, strict, balanced, auto-edit, yolo
  session: cells("allow", "allow", "allow", "allow", "allow"),
  read: cells("allow", "allow", "allow", "allow", "allow"),
  write: cells("deny", "deny", "ask", "allow", "allow"),
  exec_read: cells("allow", "deny", "allow", "allow", "allow"),
  exec_held: cells("deny", "deny", "ask", "allow", "allow"),
  exec: cells("deny", "deny", "ask", "ask", "allow"),
  loss: cells("deny", "deny", "ask", "ask", "allow"),
  history: cells("deny", "deny", "ask", "ask", "allow"),
  publish: cells("deny", "deny", "ask", "ask", "allow"),
  machine: cells("deny", "deny", "ask", "ask", "allow"),
  network: cells("ask", "deny", "ask", "ask", "allow"),
  // Whose servers these are only the person knows: it takes a rule that names one.
  private_host: cells("deny", "deny", "deny", "deny", "deny"),
  outside_read: cells("ask", "ask", "ask", "ask", "allow"),
  outside_write: cells("deny", "deny", "ask", "ask", "allow"),
  secret: cells("ask", "ask", "ask", "ask", "allow"),
  protected_write: cells("deny", "deny", "ask", "ask", "allow"),
  own_write: cells("deny", "deny", "deny", "deny", "deny"),
};

const columnOf: Readonly<Record<Mode, Column>> = {
  plan: "plan",
  default: "balanced",
  "auto-edit": "auto-edit",
  yolo: "yolo",
};

/** In the order `/permissions` shows them. */
export const deedText: Readonly<Record<Deed, TextKey>> = {
  session: "policy.row.session",
  read: "policy.row.read",
  write: "policy.row.write",
  exec_read: "policy.row.exec_read",
  exec_held: "policy.row.exec_held",
  exec: "policy.row.exec",
  loss: "policy.row.loss",
  history: "policy.row.history",
  publish: "policy.row.publish",
  machine: "policy.row.machine",
  network: "policy.row.network",
  private_host: "policy.row.private_host",
  outside_read: "policy.row.outside_read",
  outside_write: "policy.row.outside_write",
  secret: "policy.row.secret",
  protected_write: "policy.row.protected_write",
  own_write: "policy.row.own_write",
};

const strictness: Readonly<Record<Decision, number>> = { allow: 0, ask: 1, deny: 2 };

export function isStricter(one: Decision, other: Decision): boolean {
  return strictness[one] > strictness[other];
}

export interface TableAnswer {
  readonly decision: Decision;
  /** Where the answer comes from: `mode default`, `preset strict`. */
  readonly source: string;
}

/** The same for people; `null` = it is neither. */
export function sourcePhrase(source: string): Phrase | null {
  const [, kind, name] = /^(mode|preset) (\S+)$/.exec(source) ?? [];
  if (kind === undefined || name === undefined) return null;
  return phrase(kind === "mode" ? "words.by.mode" : "words.by.preset", { name });
}

/** The stricter of the mode's own answer and that of the chosen preset (`null` = none chosen). */
export function lookUp(deed: Deed, mode: Mode, preset: Preset | null): TableAnswer {
  const byMode = base[deed][columnOf[mode]];
  const byPreset = preset === null ? "allow" : base[deed][preset];
  return isStricter(byPreset, byMode)
    ? { decision: byPreset, source: `preset ${preset}` }
    : { decision: byMode, source: `mode ${mode}` };
}

import type { Decision } from "./event.ts";
import type { HostPattern } from "./network/network.ts";

/** Words of a simple command: all of it, or how it begins. Matched after wrappers (`sudo`, `env`, `bash -c`, …) are taken off. */
export interface CommandPattern {
  readonly argv: readonly string[];
  readonly isExact: boolean;
  /** `sha256:…` of what the command reads from its standard input. Without it, the command is fed nothing. */
  readonly input?: string;
  /** Of the words that follow, only those that name no other program, config or place: how "always" remembers a beginning. */
  readonly isCautious?: true;
}

/** Command lines, paths or URLs that the rule alone decides, and some that it leaves alone; checked when it is read. */
interface RuleExamples {
  readonly matches: readonly string[];
  readonly others: readonly string[];
}

/** An explicit rule (PO-3). What it does not name, it does not ask about: without `tool` it holds for every tool. */
export interface PermissionRule {
  readonly decision: Decision;
  readonly tool?: string;
  readonly command?: CommandPattern;
  /** Glob over the real path: relative to the workspace, or absolute. */
  readonly path?: string;
  /** For `fetch`, and for `network`: commands of which all that they dial stands in their words. */
  readonly host?: HostPattern;
  readonly reason?: string;
  readonly examples?: RuleExamples;
  /** Where it was written, for people: `--deny`, `/home/x/.coder/config.json:12`, `always 2026-11-15`. */
  readonly source: string;
  /** The person's own (user config, flags, answers) or the project's, which may only tighten. */
  readonly by: "person" | "project";
}

/** A rule that the answer "always" has stored for one workspace. A number is never given twice. */
export interface KeptRule extends PermissionRule {
  readonly id: number;
}

import type { Decision } from "./event.ts";
import type { HostPattern } from "./network/network.ts";

/** A simple command or its prefix, matched after removing wrappers (`sudo`, `env`, `bash -c`, …). */
export interface CommandPattern {
  readonly argv: readonly string[];
  readonly isExact: boolean;
  /** `sha256:…` of the standard input. Absent = no input. */
  readonly input?: string;
  /** Allows only further words that name no other program, config or place: how "always" stores a prefix. */
  readonly isCautious?: true;
}

/** Command lines, paths or URLs that the rule alone must, and must not, decide; verified when it is read. */
interface RuleExamples {
  readonly matches: readonly string[];
  readonly others: readonly string[];
}

/** PO-3. A missing field matches everything: without `tool`, the rule applies to every tool. */
export interface PermissionRule {
  readonly decision: Decision;
  readonly tool?: string;
  readonly command?: CommandPattern;
  /** A glob over the real path, absolute or relative to the workspace. */
  readonly path?: string;
  /** For `fetch`, and for `network` with commands that name every host they dial. */
  readonly host?: HostPattern;
  readonly reason?: string;
  readonly examples?: RuleExamples;
  /** For display: `--deny`, `/home/x/.coder/config.json:12`, `always 2026-11-15`. */
  readonly source: string;
  /** The user's (config, flags, answers), or the project's, which may only tighten. */
  readonly by: "person" | "project";
}

/** A rule stored by the answer "always" for one workspace. Ids are never reused. */
export interface KeptRule extends PermissionRule {
  readonly id: number;
}

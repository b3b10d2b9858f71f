// What a scenario is: a project, and tasks on it, each with the replies of the model and the end it must come to.
import type { VerificationResult } from "../../src/contract/verification.ts";
import type { Step } from "../../test/support/scripted-reply.ts";
import type { ToolSet } from "./tools.ts";

export type Files = Readonly<Record<string, string>>;

export interface Scenario {
  readonly name: string;
  /** In a few words, for the line that is printed. */
  readonly shows: string;
  /** Must be on PATH; without one of them the scenario is skipped by name. */
  readonly programs: readonly string[];
  /** Packages that lie in the project's `node_modules`. */
  readonly packages?: ToolSet;
  /** Packages whose programs are on PATH, outside of the project. */
  readonly tools?: ToolSet;
  readonly files: Files;
  readonly runs: readonly Run[];
}

/** One task, in a fresh copy of the project. */
export interface Run {
  readonly name: string;
  /** The person's own configuration. */
  readonly config?: unknown;
  readonly steps: readonly Step[];
  readonly ends: End;
}

interface End {
  readonly outcome: "VERIFIED" | "UNVERIFIED" | "FAILED";
  readonly exitCode: number;
  readonly changed: readonly string[];
  /** What each check said, in order. */
  readonly checks: readonly Said[];
  /** Parts of the summary's reason why no check counts. */
  readonly reason?: readonly string[];
  /** A part of what the summary advises to do next. */
  readonly next?: string;
  /** What a changed file holds in the end, in part. */
  readonly holds: string;
}

export interface Said {
  readonly command: string;
  readonly cwd?: string;
  readonly type: VerificationResult["type"];
  /** `null` = the runner does not say. */
  readonly counts?: { readonly passed: number | null; readonly failed: number };
  readonly details: readonly Place[];
}

/** `error`: a part of it. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly error: string;
  /** A part of its name. */
  readonly test?: string;
}

/** A repair in two tries. All three are written over what stands there before. */
export interface Repair {
  readonly path: string;
  readonly broken: string;
  readonly wrong: string;
  /** Wrong in another way. */
  readonly worse: string;
  readonly right: string;
}

const done: Step = { text: "Done." };

/** Only what was read may be edited. */
export function read(path: string): Step {
  return { calls: [{ tool: "read", input: { path } }] };
}

export function edit(path: string, before: string, after: string): Step {
  return { calls: [{ tool: "edit", input: { path, old_string: before, new_string: after } }] };
}

interface Tried {
  readonly repair: Repair;
  readonly command: string;
  readonly cwd?: string;
  readonly config?: unknown;
  /** What the checks say of the wrong edits. */
  readonly type?: VerificationResult["type"];
  readonly wrong: readonly Place[];
  readonly worse: readonly Place[];
  /** How many pass with the right edit, with a wrong one all but those that it breaks; `null` = the runner does not count them. */
  readonly tests: number | null;
}

/** First wrong, then right; and wrong to the end. */
export function wrongThenRight(tried: Tried): readonly Run[] {
  const { repair, command, cwd, tests, type = "test_failure" } = tried;
  const { path, broken, wrong, worse, right } = repair;
  const where = { command, ...(cwd === undefined ? {} : { cwd }) };
  const failed = (details: readonly Place[]): Said => ({
    ...where,
    type,
    details,
    ...(type === "test_failure"
      ? { counts: { passed: tests === null ? null : tests - details.length, failed: details.length } }
      : {}),
  });
  const passed: Said = { ...where, type: "pass", details: [], counts: { passed: tests, failed: 0 } };
  const shared = tried.config === undefined ? {} : { config: tried.config };
  return [
    {
      ...shared,
      name: "repaired",
      steps: [read(path), edit(path, broken, wrong), done, edit(path, wrong, right), done],
      ends: { outcome: "VERIFIED", exitCode: 0, changed: [path], checks: [failed(tried.wrong), passed], holds: right },
    },
    {
      ...shared,
      name: "never right",
      steps: [read(path), edit(path, broken, wrong), done, edit(path, wrong, worse), done],
      ends: {
        outcome: "FAILED",
        exitCode: 1,
        changed: [path],
        checks: [failed(tried.wrong), failed(tried.worse)],
        holds: worse,
      },
    },
  ];
}

// What a session ended with, and what is wrong with it compared with the undisturbed run.
import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import type { EventOf } from "../../src/contract/event.ts";
import { sha256 } from "../../src/platform/files/hash.ts";
import { type Found, foldOf } from "./found.ts";
import type { Place } from "./life.ts";
import { tokenFile } from "./task.ts";

interface CallOutcome {
  readonly tool: string;
  readonly status: string;
  readonly output: string;
}

export interface Outcome {
  readonly task: string;
  readonly text: string;
  readonly exitCode: number | null;
  readonly changed: readonly unknown[];
  readonly todos: readonly unknown[];
  readonly calls: Readonly<Record<string, CallOutcome>>;
  readonly tree: Readonly<Record<string, string>>;
}

export function outcomeOf(place: Place, found: Found): Outcome {
  const accepted = found.log.filter((one) => one.accepted).map((one) => one.event);
  const state = foldOf(found.log);
  const replies = accepted.filter((event): event is EventOf<"model.replied"> => event.type === "model.replied");
  const summary = accepted.findLast((event): event is EventOf<"task.summarized"> => event.type === "task.summarized");
  const toolOf = new Map(replies.flatMap((event) => event.reply.calls.map((call) => [call.id, call.tool] as const)));
  const calls: Record<string, CallOutcome> = {};
  for (const event of accepted) {
    if (event.type !== "tool.settled") continue;
    const { status, output } = event.result;
    calls[event.callId] = { tool: toolOf.get(event.callId) ?? "", status, output };
  }
  return {
    task: state.task.phase,
    text: replies.at(-1)?.reply.text ?? "",
    exitCode: summary?.summary.exit_code ?? null,
    changed: summary?.summary.changed_files ?? [],
    todos: state.todos,
    calls: Object.fromEntries(Object.entries(calls).sort(([a], [b]) => a.localeCompare(b))),
    tree: treeOf(place.workspace),
  };
}

/** Path → mode and content, without what coder keeps for itself and what the commands wrote down. */
export function treeOf(folder: string): Record<string, string> {
  const tree: Record<string, string> = {};
  for (const path of readdirSync(folder, { recursive: true, encoding: "utf8" }).sort()) {
    if (path === tokenFile || path === ".coder" || path.startsWith(".coder/")) continue;
    const full = join(folder, path);
    const stat = lstatSync(full);
    const content = stat.isSymbolicLink() ? readlinkSync(full) : stat.isFile() ? sha256(readFileSync(full)) : "folder";
    tree[path] = `${stat.mode.toString(8)} ${content}`;
  }
  return tree;
}

/** Where it differs from the undisturbed run. A command that was cut in the middle must be reported so, and may differ. */
export function differences(outcome: Outcome, baseline: Outcome): readonly string[] {
  const isCut = ([, call]: [string, CallOutcome]): boolean => call.tool === "bash" && call.status === "unknown";
  const cut = new Set(
    Object.entries(outcome.calls)
      .filter(isCut)
      .map(([id]) => id),
  );
  const without = (whole: Outcome): Outcome => ({
    ...whole,
    calls: Object.fromEntries(Object.entries(whole.calls).filter(([id]) => !cut.has(id))),
  });
  const unlike = [...cut].filter((id) => !outcome.calls[id]?.output.includes("outcome unknown"));
  return [
    ...unlike.map((id) => `${id} is not reported as unknown`),
    ...unequal("", without(outcome), without(baseline)),
  ];
}

/** Where two values differ, by path. */
export function unequal(path: string, is: unknown, shall: unknown): readonly string[] {
  if (Bun.deepEquals(is, shall, true)) return [];
  const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;
  if (!isObject(is) || !isObject(shall)) {
    return [`${path.slice(1)} is ${shorten(is)} and should be ${shorten(shall)}`];
  }
  const keys = new Set([...Object.keys(is), ...Object.keys(shall)]);
  return [...keys].flatMap((key) => unequal(`${path}.${key}`, is[key], shall[key]));
}

function shorten(value: unknown): string {
  return (JSON.stringify(value) ?? "missing").slice(0, 200);
}

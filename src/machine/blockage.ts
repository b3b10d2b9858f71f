import { visible } from "../contract/show/visible.ts";
import type { Blockage } from "../contract/task.ts";
import { type Phrase, phrase } from "../contract/text/catalogue.ts";
import type { FailedCall } from "./state.ts";

const NAME = "[\\w@][\\w@./+-]{0,99}";

/** Messages that a program or module is missing. Relative names are excluded: they are the project's own files. */
const missing: readonly RegExp[] = [
  new RegExp(`(?:^|[\\s:])(${NAME}): command not found(?!:)`, "m"),
  new RegExp(`command not found: (${NAME})`),
  // dash, busybox
  new RegExp(`^[^\\s:]{1,200}: (?:line )?\\d{1,6}: (${NAME}): not found`, "m"),
  new RegExp(`^(?:/[^\\s:]{1,100}/)?sh: (${NAME}): not found`, "m"),
  new RegExp(`env: ['‘"]?(${NAME})['’"]?: No such file or directory`),
  new RegExp(`spawn (${NAME}) ENOENT`),
  new RegExp(`Executable not found in \\$PATH: "(${NAME})"`),
  new RegExp(`no such command: [\`'](${NAME})[\`']`),
  new RegExp(`No module named '?(${NAME})`),
  new RegExp(`Cannot find (?:module|package) ['"](${NAME})['"]`),
  new RegExp(`no required module provides package (${NAME})`),
  new RegExp(`cannot load such file -- (${NAME})`),
];

const noAccess: readonly RegExp[] = [
  /EACCES: permission denied, \w{1,20} '([^'\n]{1,300})'/,
  /Permission denied: '([^'\n]{1,300})'/,
  /(?:^|[\s'"‘`])([^\s:'"‘’`]{1,300})['"’`]?: Permission denied/im,
];

function firstIn(patterns: readonly RegExp[], text: string): string | null {
  for (const pattern of patterns) {
    const found = pattern.exec(text)?.[1];
    if (found) return found;
  }
  return null;
}

/** SM-8: names the missing dependency or permission, else quotes the call, and says what the user can do. */
export function blockageOf(failure: FailedCall): Blockage {
  const { error, said } = failure;
  const call = nameOf(failure);
  if (error?.code === "E_POLICY_DENIED")
    return {
      what: phrase("recovery.blocked.denied", { call, why: error.text }),
      steps: [error.advice ?? phrase("recovery.step.allow")],
    };
  const name = isCommand(failure) ? firstIn(missing, said) : null;
  if (name !== null)
    return {
      what: phrase("recovery.blocked.missing", { name, call }),
      steps: [phrase("recovery.step.install", { name })],
    };
  const path = isCommand(failure) ? firstIn(noAccess, said) : noAccessOf(failure);
  if (path !== null)
    return {
      what: phrase("recovery.blocked.access", { path, call }),
      steps: [phrase("recovery.step.grant", { path })],
    };
  return {
    what: phrase("recovery.blocked.failed", { call, why: error ? error.text : excerpt(said) }),
    steps: [error?.advice ?? phrase("recovery.step.by_hand", { call })],
  };
}

export function blockageOfStep(what: Phrase): Blockage {
  return { what, steps: [phrase("recovery.step.unblock")] };
}

export function nameOf({ tool, about }: Pick<FailedCall, "tool" | "about">): string {
  return about === "" ? tool : `${tool} (${visible(about)})`;
}

function isCommand({ access, error }: FailedCall): boolean {
  return access === "exec" && error === null;
}

function noAccessOf({ error }: FailedCall): string | null {
  const path = error?.text.args?.path;
  const isDenied = error?.text.key === "file.denied" || error?.text.key === "file.read_only";
  return isDenied && typeof path === "string" ? path : null;
}

const LONGEST_LINE = 200;

/** The first line is the exit code; the last one usually holds the reason. */
function excerpt(said: string): string {
  const lines = said.split("\n").filter((line) => line.trim() !== "");
  const shown = lines.length > 1 ? [lines[0], lines.at(-1)] : lines;
  return shown.map((line) => (line ?? "").trim().slice(0, LONGEST_LINE)).join(": ");
}

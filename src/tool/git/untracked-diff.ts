import { closeSync, lstatSync } from "node:fs";
import { join } from "node:path";
import type { ToolContext } from "../../contract/tool.ts";
import { openFile, readAll } from "../../platform/files/open.ts";
import { locate } from "../../platform/files/path.ts";
import { filesInDiff } from "./files-in-diff.ts";

const maxFiles = 100;
const maxFileBytes = 256 * 1024;
const maxBytes = 1024 * 1024;

type DiffPlace = Pick<ToolContext, "root" | "isSecret">;

interface Untracked {
  readonly diff: string;
  /** Only listed: too big, binary, or secret by name. */
  readonly left: readonly string[];
}

export function untrackedDiff(names: readonly string[], place: DiffPlace): Untracked {
  const left: string[] = [];
  let all = "";
  for (const [at, name] of names.entries()) {
    const text = at < maxFiles && all.length < maxBytes ? textOf(name, place) : null;
    if (text === null) left.push(name);
    else all += asDiff(name, text);
  }
  return { diff: all, left };
}

/** For diffs that go to a model; the user's own terminal shows everything. */
export function withoutSecretFiles(changes: string, { isSecret }: DiffPlace): string {
  return changes
    .split(/(?<=\n)(?=diff --)/)
    .filter((one) => !filesInDiff(one).some(({ path }) => isSecret?.(path)))
    .join("");
}

function textOf(name: string, { root, isSecret }: DiffPlace): string | null {
  const at = locate(name, { root, addDirs: [] });
  const isPlain = lstatSync(join(root, name), { throwIfNoEntry: false })?.isFile() === true;
  if (!at.ok || !isPlain || isSecret?.(name) || isSecret?.(at.value.real)) return null;
  const opened = openFile(at.value);
  if (!opened.ok) return null;
  const { fd, stat } = opened.value;
  try {
    if (stat.size > maxFileBytes) return null;
    const bytes = readAll(fd, stat.size);
    return bytes.includes(0) ? null : bytes.toString("utf8");
  } finally {
    closeSync(fd);
  }
}

function asDiff(name: string, text: string): string {
  const lines = text === "" ? [] : text.replace(/\n$/, "").split("\n");
  const shown = /["\\\n\t]/.test(name) ? JSON.stringify(`b/${name}`) : `b/${name}`;
  const head = `diff --git a/${name.replaceAll("\n", " ")} ${shown}\nnew file\n--- /dev/null\n+++ ${shown}\n`;
  const hunk = lines.length === 0 ? "" : `@@ -0,0 +1,${lines.length} @@\n`;
  return `${head}${hunk}${lines.map((line) => `+${line}\n`).join("")}`;
}

import { constants, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, extname, join } from "node:path";
import { type Lang, type PhraseArgs, phrase, say, type TextKey } from "../../contract/text/catalogue.ts";
import type { Environment } from "../../platform/environment.ts";
import { errnoOf } from "../../platform/files/failure.ts";
import { showSize } from "../../platform/files/open.ts";
import { findProgram, foreignPath } from "../../platform/find-program.ts";
import type { Started } from "../../surface/tui/app/deps.ts";

/** The limit of an input. */
const maxBytes = 16 * 2 ** 20;

interface EditorDeps {
  readonly workspace: string;
  readonly lang: Lang;
  readonly env: Environment;
}

/** The caller must have released the terminal. */
export function textEditor(deps: EditorDeps): Started["editText"] {
  return async (text, tell, { signal, name = "prompt.md" } = {}) => {
    const made = fileWith(text, ownName(name));
    if (made.code !== undefined) {
      tell(say(deps.lang, phrase("editor.unwritten", { code: made.code })), false);
      return null;
    }
    const { folder, file } = made;
    const forget = (): void => rmSync(folder, { recursive: true, force: true });
    // After an abort, this process may exit before the editor does.
    signal?.addEventListener("abort", forget, { once: true });
    try {
      const command = await openEditor(deps, file, tell, signal);
      if (command === null) return null;
      const refuse = (key: TextKey, args: PhraseArgs): null => {
        tell(say(deps.lang, phrase(key, { command, ...args })), false);
        return null;
      };
      const saved = await textOf(file);
      if (saved === null) return refuse("editor.too_big", { max: showSize(maxBytes) });
      if (typeof saved === "object") return refuse("editor.unread", saved);
      // Editors append a line break.
      return text.endsWith("\n") ? saved : saved.replace(/\r?\n$/, "");
    } finally {
      signal?.removeEventListener("abort", forget);
      forget();
    }
  };
}

/** The file itself, which the editor saves. */
export function fileEditor(deps: EditorDeps): Started["editFile"] {
  return async (file, tell, signal) => void (await openEditor(deps, file, tell, signal));
}

/** The command of the editor after it has ended well; `null`: it has not, and `tell` was called. */
async function openEditor(
  { workspace, lang, env }: EditorDeps,
  file: string,
  tell: (problem: string, hasDied: boolean) => void,
  signal: AbortSignal | undefined,
): Promise<string | null> {
  const refuse = (key: TextKey, args?: PhraseArgs, hasDied = false): null => {
    tell(say(lang, phrase(key, args)), hasDied);
    return null;
  };
  const variable = ["VISUAL", "EDITOR"].find((one) => env[one]?.trim());
  const command = variable === undefined ? usualEditor(env.PATH ?? "", workspace) : (env[variable]?.trim() ?? "");
  if (command === null) return refuse("editor.none");
  const code = await run(command, file, { cwd: workspace, env, ...(signal ? { signal } : {}) });
  if (signal?.aborted) return null;
  if (code === null || code === 127) return refuse("editor.missing", { command, variable: variable ?? "EDITOR" });
  if (code !== 0) return refuse("editor.failed", { command, code }, code > 128);
  return command;
}

/** The first is the choice of a person or a system that has made one (Debian). */
const usualEditors = ["sensible-editor", "editor", "nano", "vim", "vi", "nvim", "micro", "emacs"];

function usualEditor(path: string, workspace: string): string | null {
  return findProgram(usualEditors, foreignPath(path, [workspace]), [workspace]);
}

type Made = { readonly folder: string; readonly file: string; readonly code?: undefined } | { readonly code: string };

/** Editors choose colours by it. A path of the model's may have any signs, and editors give a meaning to some. */
function ownName(path: string): string {
  const name = basename(path).replace(/[^\p{L}\p{N}._-]/gu, "_");
  return /^[.-]|^$/.test(name) || Buffer.byteLength(name) > 100 ? `text${extname(name).slice(0, 20)}` : name;
}

function fileWith(text: string, name: string): Made {
  let folder = "";
  try {
    folder = mkdtempSync(join(tmpdir(), "coder-prompt-"));
    const file = join(folder, name);
    writeFileSync(file, text, { mode: 0o600, flag: "wx" });
    return { folder, file };
  } catch (error) {
    const code = errnoOf(error);
    if (folder !== "") rmSync(folder, { recursive: true, force: true });
    if (code === undefined) throw error;
    return { code };
  }
}

/** Git's rule: a command with these characters goes to a shell, so that whatever works for git works here. */
const forShell = /[|&;<>()$`\\"' \t\n*?[#~=%]/;

async function run(
  command: string,
  file: string,
  how: { readonly cwd: string; readonly env: Environment; readonly signal?: AbortSignal },
): Promise<number | null> {
  const argv = forShell.test(command) ? ["/bin/sh", "-c", `${command} "$@"`, command, file] : [command, file];
  try {
    return await Bun.spawn(argv, { ...how, stdin: "inherit", stdout: "inherit", stderr: "inherit" }).exited;
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return null;
  }
}

async function textOf(file: string): Promise<string | { readonly code: string } | null> {
  try {
    const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const { size } = await handle.stat();
      const bytes = Buffer.alloc(Math.min(size, maxBytes + 1));
      const { bytesRead } = await handle.read(bytes, 0, bytes.length, 0);
      return bytesRead > maxBytes ? null : bytes.toString("utf8", 0, bytesRead);
    } finally {
      await handle.close();
    }
  } catch (error) {
    const code = errnoOf(error);
    if (code === undefined) throw error;
    return { code };
  }
}

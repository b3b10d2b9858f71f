import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { fail, ok, type Result } from "../contract/error.ts";
import type { SystemPrompt } from "../contract/settings.ts";
import { phrase } from "../contract/text/catalogue.ts";
import { errnoOf } from "../platform/files/failure.ts";
import { decodeText } from "../platform/files/text/encoding.ts";

/** The text is part of every request, so a larger one would eat the context window. */
const maxBytes = 65_536;

interface PromptFlags {
  readonly systemPromptFile?: string | undefined;
  readonly appendSystemPrompt?: string | undefined;
}

/** CX-1: the replacement for the system text, and an addition to it; `null` = neither. */
export function promptOf(
  { systemPromptFile, appendSystemPrompt }: PromptFlags,
  cwd: string,
): Result<SystemPrompt | null> {
  if (systemPromptFile === undefined && appendSystemPrompt === undefined) return ok(null);
  if (Buffer.byteLength(appendSystemPrompt ?? "") > maxBytes)
    return fail("E_CONFIG", phrase("config.prompt_long", { max: maxBytes }));
  const append = appendSystemPrompt === undefined ? {} : { append: appendSystemPrompt };
  if (systemPromptFile === undefined) return ok(append);
  const replaced = textIn(resolve(cwd, systemPromptFile));
  return replaced.ok ? ok({ replace: replaced.value, ...append }) : replaced;
}

function textIn(file: string): Result<string> {
  const unusable = (why: string): Result<never> =>
    fail("E_CONFIG", phrase("config.prompt_file", { file, why }), {
      advice: phrase("config.prompt_file.advice", { max: maxBytes }),
    });
  try {
    const stat = statSync(file);
    if (!stat.isFile() || stat.size > maxBytes) return unusable(stat.isFile() ? `${stat.size} B` : "EISDIR");
    const text = decodeText(readFileSync(file))?.text.trim() ?? "";
    return text === "" ? unusable("ENODATA") : ok(text);
  } catch (error) {
    const code = errnoOf(error);
    if (code === undefined) throw error;
    return unusable(code);
  }
}

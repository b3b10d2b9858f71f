import type { Lang } from "../contract/text/catalogue.ts";
import type { Io } from "../surface/headless/io.ts";
import type { Flags } from "./flags.ts";

/** `coder resume`: the list, as /resume; with an id the session goes on, with what was left open or a new prompt. */
export async function resume(words: readonly string[], flags: Flags, io: Io, lang: Lang): Promise<number> {
  const [id, ...prompt] = words;
  if (id === undefined) return (await import("./sessions.ts")).sessions(flags, io);
  const output = flags.output ?? (flags.json ? "json" : undefined);
  const more = output === undefined ? {} : { output };
  return (await import("./run.ts")).run(prompt.join(" "), { ...flags, ...more, resume: id }, io, lang);
}

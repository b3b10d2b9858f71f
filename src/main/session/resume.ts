import type { Lang } from "../../contract/text/catalogue.ts";
import type { Io } from "../../surface/headless/io.ts";
import type { Flags } from "../cli/flags.ts";

/**
 * `coder resume`: with an id the session goes on, with what was left open or a new prompt; without one it is chosen. For a person at a
 * terminal in the application, else headless, where the list is all there is to choose from.
 */
export async function resume(words: readonly string[], flags: Flags, io: Io, lang: Lang): Promise<number> {
  const [id, ...prompt] = words;
  if (isForPerson(flags)) {
    const { canShow, showTerminal } = await import("../terminal/terminal.ts");
    const [text, more] = id === undefined ? ["/resume", {}] : [prompt.join(" "), { resume: id }];
    if (canShow()) return await showTerminal(text, { ...flags, ...more }, io);
  }
  if (id === undefined) return (await import("./sessions.ts")).sessions(flags, io);
  const output = flags.output ?? (flags.json ? "json" : undefined);
  const more = output === undefined ? {} : { output };
  return (await import("../run/run.ts")).run(prompt.join(" "), { ...flags, ...more, resume: id }, io, lang);
}

/** Whoever asks for a form of output wants to read it elsewhere. */
function isForPerson({ json, output, input, outputSchema }: Flags): boolean {
  return !json && [output, input, outputSchema].every((one) => one === undefined);
}

import type { Lang } from "../../contract/text/catalogue.ts";
import type { Io } from "../../surface/headless/io.ts";
import type { Flags } from "../cli/flags.ts";

/** `coder resume [ID]`: continues a session, or lets the user choose one; in the terminal application if possible, else headless. */
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

/** A requested output form means that a program reads it. */
function isForPerson({ json, output, input, outputSchema }: Flags): boolean {
  return !json && [output, input, outputSchema].every((one) => one === undefined);
}

import { resolve } from "node:path";
import { type Lang, phrase } from "../../contract/text/catalogue.ts";
import { runners } from "../../contract/verification.ts";
import { type Io, jsonLine } from "../../surface/headless/io.ts";
import { runVerify } from "../../surface/headless/verify.ts";
import { type Flags, oneOf, usage } from "../cli/flags.ts";
import { openForCall, resumeHow } from "../session/session-choice.ts";

/** `coder verify`: runs the checks, or with `--parse` reads the output of a test program (CLI-4). */
export async function verify(words: readonly string[], flags: Flags, io: Io, lang: Lang): Promise<number> {
  if (flags.parse !== undefined) return parse(flags.parse, words, flags, io, lang);
  if (flags.exitCode !== undefined) throw usage(phrase("workflow.exit_code_alone"));
  const { engine, resume } = await openForCall(flags, io);
  const options = { command: words.join(" "), resume, how: resumeHow(flags), json: flags.json === true };
  return runVerify(engine, options, io);
}

async function parse(given: string, words: readonly string[], flags: Flags, io: Io, lang: Lang): Promise<number> {
  if (words.length > 0) throw usage(phrase("workflow.parse_alone"));
  const runner = oneOf("--parse", given, [...runners, "auto"] as const);
  const exitCode = flags.exitCode === undefined ? null : numberIn("--exit-code", flags.exitCode);
  const { parseOutput } = await import("../../verify/parse.ts");
  const output = await boundedText(Bun.stdin.stream());
  const cwd = resolve(flags.cwd ?? ".");
  io.out(jsonLine(parseOutput({ runner, command: "", exitCode, output, timedOut: false, cwd, lang })));
  return 0;
}

export function numberIn(flag: string, given: string): number {
  if (!/^\d{1,10}$/.test(given)) throw usage(phrase("workflow.bad_number", { flag, given }));
  return Number(given);
}

const maxHead = 16 * 2 ** 20;
const maxTail = 48 * 2 ** 20;

/** Keeps the start and the end of oversized output: the first failures and the summary. */
async function boundedText(stream: AsyncIterable<Uint8Array>): Promise<string> {
  const head: Uint8Array[] = [];
  const tail: Uint8Array[] = [];
  let headBytes = 0;
  let tailBytes = 0;
  for await (const chunk of stream) {
    if (headBytes < maxHead) {
      head.push(chunk);
      headBytes += chunk.length;
      continue;
    }
    tail.push(chunk);
    tailBytes += chunk.length;
    while (tailBytes > maxTail) tailBytes -= tail.shift()?.length ?? 0;
  }
  return Buffer.concat([...head, ...tail]).toString("utf8");
}

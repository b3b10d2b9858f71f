import { nothingRun, verificationLines } from "../../command/text/verification.ts";
import type { ErrorInfo } from "../../contract/error.ts";
import { plain } from "../../contract/show/visible.ts";
import type { VerificationResult } from "../../contract/verification.ts";
import type { EnginePort } from "../../engine/port.ts";
import { type Io, jsonLine } from "./io.ts";
import { type ResumeHow, runHeadless } from "./run.ts";
import type { Show } from "./show.ts";

interface VerifyOptions {
  readonly command: string;
  readonly resume: string | null;
  readonly how: ResumeHow;
  readonly json: boolean;
}

/** `/verify` for scripts: prints each result; the exit code says pass, failure or inconclusive. */
export async function runVerify(port: EnginePort, options: VerifyOptions, io: Io): Promise<number> {
  const { resume, how, json } = options;
  const results: VerificationResult[] = [];
  const take = (result: VerificationResult): void => {
    results.push(result);
    io.out(json ? jsonLine(result) : `${plain(verificationLines(port.settings.lang, result).join("\n"))}\n`);
  };
  const show = (usual: Show): Show => ({
    ...usual,
    finished: (finished) => {
      const found = finished.result.command?.data?.verification;
      if (found) return take(found);
      const { error } = finished;
      // A script expects a result in every case.
      if (json && error) io.out(jsonLine(nothingRun(port.settings.lang, notRun(options.command, error))));
      usual.finished(finished);
    },
    // A command result that is not a check result is a refusal.
    command: ({ data, ...result }) => (isResult(data) ? take(data) : usual.command(result)),
  });
  const prompt = `/verify ${options.command}`;
  const code = await runHeadless(
    port,
    { prompt, output: "text", client: null, resume, how, onClientGone: () => {}, show },
    io,
  );
  return code > 3 || results.length === 0 ? code : exitOf(results);
}

function notRun(command: string, { text: why, advice }: ErrorInfo): Parameters<typeof nothingRun>[1] {
  return { kind: "none", command, why, ...(advice ? { advice } : {}) };
}

function isResult(value: unknown): value is VerificationResult {
  return typeof value === "object" && value !== null && "fingerprint" in value && "counts" in value;
}

function exitOf(results: readonly VerificationResult[]): number {
  if (results.some(({ ok, type }) => !ok && type !== "environment")) return 1;
  return results.every(({ ok }) => ok) ? 0 : 3;
}

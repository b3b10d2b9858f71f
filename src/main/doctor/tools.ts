import { phrase, type TextKey } from "../../contract/text/catalogue.ts";
import { packagedRipgrep } from "../../platform/search/ripgrep.ts";
import { type Finding, fine, problem, warning } from "./doctor.ts";
import { amount } from "./files.ts";

export function bashProbe(): Finding {
  const path = Bun.which("bash");
  if (path !== null) return fine(phrase("doctor.tool", { path }));
  return problem(phrase("doctor.no_bash"), phrase("doctor.no_bash.advice"));
}

export async function ripgrepProbe(): Promise<Finding> {
  return (await packagedRipgrep()) !== null ? fine(phrase("doctor.tool_own")) : wanted("rg", "doctor.no_rg.advice");
}

export const gitProbe = (): Finding => wanted("git", "doctor.no_git.advice");
export const pdfProbe = (): Finding => wanted("pdftotext", "doctor.no_pdf.advice");

function wanted(name: string, advice: TextKey): Finding {
  const path = Bun.which(name);
  if (path !== null) return fine(phrase("doctor.tool", { path }));
  return warning(phrase("doctor.no_tool"), phrase(advice));
}

/** Tests the sandbox, because many containers contain bwrap and forbid what it needs. */
export async function sandboxProbe(): Promise<readonly Finding[]> {
  const { sandboxState, sandboxProgram } = await import("../../platform/sandbox/state.ts");
  const state = await sandboxState();
  if (state.kind !== "ready") {
    const advice = state.kind === "missing" ? "doctor.no_sandbox.advice" : "doctor.sandbox_broken.advice";
    return [warning(state.reason, phrase(advice))];
  }
  const ready = fine(phrase("sandbox.ready", { name: state.name, path: sandboxProgram() }));
  return process.platform === "linux"
    ? [ready, await limitFinding(), await memoryFinding(), await loopbackFinding()]
    : [ready];
}

async function memoryFinding(): Promise<Finding> {
  const { memoryLimit } = await import("../../platform/sandbox/linux/memory.ts");
  return fine(phrase("sandbox.limit_memory", { size: amount(memoryLimit()) }));
}

async function loopbackFinding(): Promise<Finding> {
  const { canShareLoopback } = await import("../../platform/sandbox/linux/loopback.ts");
  if (await canShareLoopback()) return fine(phrase("sandbox.loopback_shared"));
  return warning(phrase("sandbox.loopback_own"), phrase("sandbox.loopback_own.advice"));
}

async function limitFinding(): Promise<Finding> {
  const { MOST_PROCESSES, processLimit } = await import("../../platform/sandbox/linux/processes.ts");
  const limit = processLimit();
  if (limit !== "none") return fine(phrase(`sandbox.limit_${limit}`, { n: MOST_PROCESSES }));
  return warning(phrase("sandbox.limit_none"), phrase("sandbox.limit_none.advice"));
}

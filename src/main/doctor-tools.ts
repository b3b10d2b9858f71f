import { phrase, type TextKey } from "../contract/text/catalogue.ts";
import { packagedRipgrep } from "../platform/ripgrep.ts";
import { type Finding, fine } from "./doctor.ts";

export function bashProbe(): Finding {
  const path = Bun.which("bash");
  if (path !== null) return fine(phrase("doctor.tool", { path }));
  return { level: "problem", text: phrase("doctor.no_bash"), advice: phrase("doctor.no_bash.advice") };
}

export async function ripgrepProbe(): Promise<Finding> {
  return (await packagedRipgrep()) !== null ? fine(phrase("doctor.tool_own")) : wanted("rg", "doctor.no_rg.advice");
}

export const gitProbe = (): Finding => wanted("git", "doctor.no_git.advice");
export const pdfProbe = (): Finding => wanted("pdftotext", "doctor.no_pdf.advice");

function wanted(name: string, advice: TextKey): Finding {
  const path = Bun.which(name);
  if (path !== null) return fine(phrase("doctor.tool", { path }));
  return { level: "warning", text: phrase("doctor.no_tool"), advice: phrase(advice) };
}

const SANDBOX_MS = 1_500;

/** Whether it is there is half the answer: many containers have it and forbid what it needs. */
export async function sandboxProbe(cwd: string): Promise<readonly Finding[]> {
  if (process.platform !== "linux") return [];
  const path = Bun.which("bwrap");
  // One that lies in the folder looked at could be anything.
  if (path === null || !path.startsWith("/") || path.startsWith(`${cwd}/`)) {
    return [{ level: "warning", text: phrase("doctor.no_tool"), advice: phrase("doctor.no_sandbox.advice") }];
  }
  const args = [
    "--ro-bind",
    "/",
    "/",
    "--unshare-user",
    "--unshare-pid",
    "--unshare-net",
    "--die-with-parent",
    "--",
    "true",
  ];
  const child = Bun.spawn([path, ...args], {
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
    env: { PATH: process.env.PATH ?? "" },
    timeout: SANDBOX_MS,
    killSignal: "SIGKILL",
  });
  const [said, code] = await Promise.all([new Response(child.stderr).text(), child.exited]);
  if (code === 0) return [fine(phrase("doctor.tool", { path }))];
  const what = said.trim().split("\n")[0]?.slice(0, 120) || String(code);
  const text = phrase("doctor.sandbox_unusable", { path, what });
  return [{ level: "warning", text, advice: phrase("doctor.sandbox_unusable.advice") }];
}

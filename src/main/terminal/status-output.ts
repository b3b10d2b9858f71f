import { existsSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { resolve } from "node:path";
import type { Confinement } from "../../contract/sandbox.ts";
import type { Settings } from "../../contract/settings.ts";
import { phrase, say } from "../../contract/text/catalogue.ts";
import { foreignPath } from "../../platform/find-program.ts";
import { runShell } from "../../platform/process/shell.ts";
import { gitHardening } from "../../policy/shell/programs/git-hardening.ts";
import type { Started } from "../../surface/tui/app/deps.ts";

const TIMEOUT_MS = 2_000;
const maxBytes = 8 * 1024;
/** In no JSON. */
const END = "END OF INPUT";

let runs = 0;

/**
 * Runs the command of `ui.statusline`, which is the user's own: a project cannot set it. It may only read, because it runs unasked in
 * folders that are not trusted: in the sandbox where there is one, without keys, and git starts nothing that the repository names.
 */
export function statusOutput(settings: Settings): Started["statusOutput"] {
  const { workspace, lang } = settings;
  return async (command, input, signal) => {
    const path = foreignPath(process.env.PATH ?? "", [workspace]);
    const result = await runShell({
      command: `(\n${command}\n) <<'${END}'\n${input}\n${END}`,
      ...{ cwd: workspace, timeoutMs: TIMEOUT_MS, maxStreamBytes: maxBytes, signal },
      ...{ isProved: true, set: { ...gitHardening, PATH: path }, confine: await confined(settings, command) },
      marker: `status/${process.pid}/${++runs}`,
      onSpawn: async () => {},
      onOutput: () => {},
    });
    if (!result.ok) return { problem: say(lang, result.error.text) };
    const { exitCode, timedOut, stdout } = result.value;
    if (exitCode === 0) return { text: stdout };
    const why = timedOut
      ? phrase("statusline.late", { s: TIMEOUT_MS / 1_000 })
      : phrase("statusline.ended", { code: exitCode ?? "–" });
    return { problem: say(lang, why) };
  };
}

async function confined({ sandbox, workspace, addDirs, home }: Settings, command: string): Promise<Confinement | null> {
  if (sandbox === "off") return null;
  const { sandboxState } = await import("../../platform/sandbox/state.ts");
  if ((await sandboxState()).kind !== "ready") return null;
  const { confinementFor } = await import("../../platform/sandbox/confine.ts");
  const places = { workspace, addDirs, home: homedir(), coderHome: realpathSync(home), coderHomeNamed: home };
  return confinementFor({ ...places, network: false, readOnly: true, allowed: namedFiles(command, workspace) });
}

/** The sandbox hides the user's home, where scripts of this kind lie. */
function namedFiles(command: string, workspace: string): readonly string[] {
  return command
    .split(/[\s;|&()<>"']+/)
    .map((word) => resolve(workspace, word.replace(/^(?:~|\$HOME|\$\{HOME\})(?=\/)/, homedir())))
    .filter((file) => file !== workspace && existsSync(file))
    .map((file) => realpathSync(file));
}

// Runs the user's pre-commit and commit-msg hooks in the sandbox, like every command of the call. Only their private temp directory is
// writable, so a hook can refuse a commit but not change files.
import { copyFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { fail, ok, type Result } from "../../contract/error.ts";
import { visible } from "../../contract/show/visible.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import type { ToolContext } from "../../contract/tool.ts";
import { word } from "../../platform/git/make-commit.ts";
import type { Git } from "../../platform/git/plumbing.ts";
import { makePrivateTemp } from "../../platform/sandbox/home/private-folder.ts";
import { quoted, runCommand } from "../shell/run-command.ts";

interface Checked {
  readonly message: string;
  readonly hooks: readonly string[];
}

/** `index`: an index with the commit alone. The commit-msg hook may change the message. */
export async function runHooks(git: Git, index: string, message: string, ctx: ToolContext): Promise<Result<Checked>> {
  // We override core.hooksPath through GIT_CONFIG_*; ask for the user's value.
  const found = word(await git.run("rev-parse", ["--git-path", "hooks"], { env: { GIT_CONFIG_COUNT: "0" } }));
  if (!found.ok) return found;
  const folder = resolve(git.top, found.value);
  const hooks = ["pre-commit", "commit-msg"].filter((name) => isProgram(join(folder, name)));
  if (hooks.length === 0) return ok({ message, hooks });
  const { outside, inside } = placeFor(ctx);
  try {
    copyFileSync(index, join(outside, "index"));
    writeFileSync(join(outside, "message"), message);
    for (const name of hooks) {
      const words = [join(folder, name), ...(name === "commit-msg" ? [`${inside}/message`] : [])].map(quoted).join(" ");
      const command = `GIT_INDEX_FILE=${quoted(`${inside}/index`)} GIT_EDITOR=: ${words}`;
      const ran = await runCommand({ command, cwd: git.top, timeoutMs: ctx.defaultTimeoutMs, isTerminal: false }, ctx);
      if (!ran.ok) return ran;
      const { exit_code: code } = ran.value.output.data;
      if (code === null) return fail("E_CANCELLED", phrase("git.cancelled"), { sideEffect: "none" });
      if (code !== 0) return refusedBy(name, ran.value.outcome);
    }
    return ok({ message: readFileSync(join(outside, "message"), "utf8"), hooks });
  } finally {
    rmSync(outside, { recursive: true, force: true });
  }
}

const maxOutput = 4_000;

function refusedBy(hook: string, { stdout, stderr }: { readonly stdout: string; readonly stderr: string }) {
  const lines = `${stdout}${stderr}`.slice(-maxOutput).trimEnd().split("\n");
  const text = phrase("git.hook_failed", { hook, output: lines.map(visible).join("\n") });
  return fail("E_BUILD_FAIL", text, { advice: phrase("git.hook_failed.advice"), sideEffect: "none" });
}

/** One directory under its paths outside and inside the sandbox. */
function placeFor({ commands: { confine } }: ToolContext): {
  readonly outside: string;
  readonly inside: string;
} {
  if (confine) makePrivateTemp(confine.temp);
  const temp = confine?.temp ?? tmpdir();
  const outside = mkdtempSync(join(temp, "coder-hook-"));
  return { outside, inside: join(confine?.environment.TMPDIR ?? temp, basename(outside)) };
}

function isProgram(path: string): boolean {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat?.isFile() === true && (stat.mode & 0o111) !== 0;
}

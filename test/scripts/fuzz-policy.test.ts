import { describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { sandboxState } from "../../src/platform/sandbox/state.ts";
import { straceProblem } from "../support/strace.ts";

const root = join(import.meta.dir, "..", "..");
const isPossible = straceProblem() === null && (await sandboxState()).kind === "ready";

function fuzz(...args: readonly string[]): { readonly said: string; readonly code: number | null } {
  const argv = ["--no-env-file", "--config=/dev/null", join(root, "scripts", "fuzz-policy.ts"), ...args];
  const done = spawnSync(process.execPath, argv, { cwd: root, encoding: "utf8" });
  return { said: done.stdout + done.stderr, code: done.status };
}

/** Needs strace and bubblewrap. */
describe.skipIf(!isPossible)("npm run fuzz-policy, the short form", () => {
  test("[PO-4] [PO-10] what is allowed without a question has no effect and reads nothing that is kept", () => {
    const { said, code } = fuzz("--lines", "440", "--seed", "1");
    expect([code, /FOUND.*/.exec(said)?.[0] ?? null, said]).toEqual([0, null, said]);
    expect(said).toMatch(/executed [1-9]\d{2,}, effects 0, leaks 0/);
  }, 300_000);

  test("[PO-10] without the second reader it finds the hole", () => {
    const { said, code } = fuzz("--lines", "240", "--seed", "2", "--kinds", "grammar", "--without", "second-reader");
    expect([code, said]).toEqual([0, expect.stringContaining("the hole was found")]);
  }, 300_000);

  test("[PO-6] without the bond between a rule and the input it finds the hole", () => {
    const { said, code } = fuzz("--lines", "60", "--seed", "3", "--kinds", "always", "--without", "rule-input");
    expect([code, said]).toEqual([0, expect.stringContaining("the hole was found")]);
  }, 300_000);

  for (const kind of ["kept", "opened"]) {
    test(`[PO-3] without what compares paths with rules it finds the hole, by lines of the kind ${kind}`, () => {
      const { said, code } = fuzz("--lines", "160", "--seed", "1", "--kinds", kind, "--without", "path-rules");
      expect([code, said]).toEqual([0, expect.stringContaining("the hole was found")]);
    }, 300_000);
  }
});

import { expect, test } from "bun:test";
import { play, type RunnerProject } from "./runner-projects.ts";

/** The three ways to play a project, and what each has to end with. */
export function expectRightVerdicts(project: RunnerProject): void {
  const { name, command, right, wrong, passed, says, programs } = project;
  const isHere = programs.every((program) => Bun.which(program) !== null);

  test.skipIf(!isHere)(`[VF-4] [VF-6] ${name}: right is VERIFIED, with its counts or by exit code`, async () => {
    const { outcome, code, verification } = await play(project, [right]);
    expect([outcome, code, verification.reason]).toEqual(["VERIFIED", 0, command]);
    const [result] = verification.results ?? [];
    if (passed !== null) expect([result?.counts.passed, result?.evidence]).toEqual([passed, undefined]);
    else expect(result?.ok).toBe(true);
  });

  test.skipIf(!isHere)(`[VF-4] [VF-6] ${name}: wrong is FAILED, and says what was asserted`, async () => {
    const { outcome, code, verification } = await play(project, [wrong]);
    expect([outcome, code, verification.status]).toEqual(["FAILED", 1, "fail"]);
    const told = (verification.results ?? []).flatMap(({ details }) => details);
    expect(told.map(({ test: of, error }) => `${of}\n${error}`).join("\n")).toMatch(says);
    expect(told.some(({ context }) => context.includes("node_modules"))).toBe(false);
  });

  test.skipIf(!isHere)(`[VF-4] [VF-5] ${name}: exit code 0 after a failure of the same command is a pass`, async () => {
    const { outcome, verification } = await play(project, [wrong, right]);
    expect([outcome, verification.attempts]).toEqual(["VERIFIED", 2]);
  });
}

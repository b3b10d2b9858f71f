// What a newcomer types by mistake, or from habit.
import { expect, test } from "bun:test";
import { Cli } from "../../support/cli.ts";

async function said(...args: readonly string[]): Promise<readonly [code: number, text: string]> {
  using cli = new Cli();
  const { code, out, err } = await cli.run([...args]);
  return [code, `${out}${err}`.split("\n")[0] ?? ""];
}

test("[SU-4] a mode that asks nothing is never suggested", async () => {
  for (const mode of ["foo", "yol", "yollo"])
    expect(await said("run", "--mode", mode, "x")).toEqual([
      2,
      "coder: --mode must be one of: plan, default, auto-edit, yolo",
    ]);
});

test("[SU-4] two letters in the wrong order are one slip", async () => {
  expect(await said("run", "--modle", "x")).toEqual([2, "coder: unknown flag --modle; did you mean --model?"]);
});

test("[SU-4] help and version are found as other programs have them", async () => {
  expect(await said("--cwd", "/tmp", "help", "run")).toEqual([0, "coder run [prompt…] [FLAGS]"]);
  for (const words of [["version"], ["-v"], ["-V"], ["--lang", "zh", "version"]])
    expect(await said(...words)).toEqual([0, expect.stringMatching(/^coder \d+\.\d+\.\d+/)]);
});

test("[SU-4] --sandbox and --no-sandbox together are refused", async () => {
  expect(await said("run", "--sandbox", "--no-sandbox", "x")).toEqual([
    2,
    "coder: --sandbox and --no-sandbox cannot be combined",
  ]);
});

test("[SU-4] help names the short forms of flags", async () => {
  using cli = new Cli();
  expect((await cli.run(["undo", "--help"])).out).toContain("  -n, --count <n> ");
  expect((await cli.run(["export", "--help"])).out).toContain("  -o, --output-file <file> ");
});

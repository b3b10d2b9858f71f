import { expect, test } from "bun:test";
import { Cli } from "../../support/cli.ts";

test("[CLI-2] [CLI-3] --verbose and trace name each call with its tool and what it is about", async () => {
  using cli = new Cli([
    {
      calls: [
        { tool: "read", input: { path: "a.txt" } },
        { tool: "grep", input: { pattern: "one", path: "." } },
        { tool: "bash", input: { command: "ls a.txt" } },
        { tool: "edit", input: { path: "a.txt", old_string: "absent", new_string: "x" } },
      ],
    },
    { text: "done" },
  ]);
  cli.file("a.txt", "one\n");
  const { err } = await cli.run(["run", ...cli.model, "--verbose", "go"]);
  const told = err.split("\n").filter((line) => line.startsWith("[call "));
  const about = ["read a.txt", "grep one", "bash ls a.txt", "edit a.txt"];
  for (const [at, name] of about.entries()) {
    const mine = told.filter((line) => line.startsWith(`[call r1/1/${at + 1}] ${name}: `));
    expect([name, mine.length >= 1]).toEqual([name, true]);
  }
  expect(told.every((line) => /^\[call \S+\] \w+ \S+/.test(line))).toBe(true);
  const [row] = JSON.parse((await cli.run(["sessions", "--json"])).out) as { id: string }[];
  const { out } = await cli.run(["trace", row?.id ?? ""]);
  for (const name of about) expect(out).toContain(`  ${name}  `);
});

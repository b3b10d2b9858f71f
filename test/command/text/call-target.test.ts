import { expect, test } from "bun:test";
import { callTarget } from "../../../src/command/text/call-target.ts";

const told: readonly (readonly [input: unknown, target: string])[] = [
  [{ path: "src/a.ts", offset: 3 }, "src/a.ts"],
  [{ command: "npm test\n&& ls", timeout_s: 9 }, "npm test && ls"],
  [{ command: "x".repeat(300) }, `${"x".repeat(100)}…`],
  [{ pattern: "TODO", path: "src", glob: "*.ts" }, "TODO src *.ts"],
  [{ pattern: "*.md", path: "." }, "*.md"],
  [{ url: "https://example.com/x" }, "https://example.com/x"],
  [{ patch: "*** Begin Patch\n*** Add File: a.txt\n+x\n*** Delete File: b.txt\n*** End Patch" }, "a.txt, b.txt"],
  [{ patch: "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n" }, "x"],
  [{ patch: "no patch" }, ""],
  [{ title: "look around", kind: "explore", prompt: "…" }, "look around"],
  [{ command: "echo \u001b[31m\u202e" }, "echo \\u001b[31m\\u202e"],
  [{ path: 7 }, ""],
  [null, ""],
];

test("[CLI-2] [CLI-3] a call is known by its command, file, pattern or address, on one line, without signs that hide", () => {
  expect(told.map(([input]) => callTarget(input))).toEqual(told.map(([, target]) => target));
});

import { expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { persistModel } from "../../../src/main/setup/persist-model.ts";

const cases: readonly (readonly [what: string, before: string | null, after: string | null])[] = [
  ["a file is made", null, '{\n  "model": "a/b"\n}\n'],
  [
    "comments and other keys stay",
    '{\n  // mine\n  "mode": "plan", // careful\n}\n',
    '{\n  // mine\n  "mode": "plan", // careful\n  "model": "a/b",\n}\n',
  ],
  ["an old choice is replaced where it stands", '{"model": "x/y" /* old */}', '{"model": "a/b" /* old */}'],
  ["a file that is no JSON is left alone", "{ nonsense", null],
  ["a file that is no object is left alone", "[1]", null],
];

for (const [what, before, after] of cases) {
  test(`[SL-1] the chosen model is kept in the workspace: ${what}`, () => {
    const workspace = mkdtempSync(join(tmpdir(), "coder-model-"));
    const file = join(workspace, ".coder", "config.json");
    try {
      if (before !== null) {
        mkdirSync(join(workspace, ".coder"));
        writeFileSync(file, before);
      }
      expect(persistModel({ workspace, home: join(workspace, "..", `${basename(workspace)}-home`) }, "a/b").ok).toBe(
        after !== null,
      );
      expect(readFileSync(file, "utf8")).toBe(after ?? before ?? "");
    } finally {
      for (const folder of [workspace, `${workspace}-home`]) rmSync(folder, { recursive: true, force: true });
    }
  });
}

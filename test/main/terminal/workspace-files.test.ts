import { afterAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { mentionable } from "../../../src/main/terminal/workspace-files.ts";

const base = mkdtempSync(join(tmpdir(), "coder-files-"));
afterAll(() => rmSync(base, { recursive: true, force: true }));

function workspaceWith(name: string, files: readonly string[]): string {
  const root = join(base, name);
  for (const file of files) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), "x");
  }
  return root;
}

const signal = new AbortController().signal;

describe("what can be mentioned", () => {
  test("[CX-1] is every file and folder that is not ignored, the nearest first", async () => {
    const files = [
      "b.md",
      "a/deep/er/x.ts",
      "a/y.ts",
      ".env",
      "中 文/z.md",
      "node_modules/p/i.js",
      ".git/config",
      "out.log",
    ];
    const workspace = workspaceWith("tree", files);
    writeFileSync(join(workspace, ".gitignore"), "node_modules\n*.log\n");
    expect(await mentionable({ workspace })(signal)).toEqual([
      ...[".env", ".gitignore", "a/", "b.md", "中 文/"],
      ...["a/deep/", "a/y.ts", "中 文/z.md"],
      ...["a/deep/er/"],
      ...["a/deep/er/x.ts"],
    ]);
  });

  test("[CX-1] is bounded, and the deepest are left out; a cancel ends it", async () => {
    const files = Array.from({ length: 300 }, (_, at) => `part-${at % 3}/f${at}`);
    const workspace = workspaceWith("many", ["deep/er/than/all.ts", ...files]);
    const all = await mentionable({ workspace }, 305)(signal);
    expect(all).toHaveLength(305);
    expect(all.slice(0, 4)).toEqual(["deep/", "part-0/", "part-1/", "part-2/"]);
    expect(all).not.toContain("deep/er/than/all.ts");
    expect(await mentionable({ workspace })(AbortSignal.abort())).toEqual([]);
  });
});

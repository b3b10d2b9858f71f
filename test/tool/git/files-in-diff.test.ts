import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { filesInDiff } from "../../../src/tool/git/files-in-diff.ts";
import { commitAll, git } from "../../support/repository.ts";

function inFolder(use: (folder: string) => void): void {
  const folder = mkdtempSync(join(tmpdir(), "coder-diff-"));
  try {
    use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const diffOf = (folder: string): string => git(folder, "diff", "--src-prefix=a/", "--dst-prefix=b/", "HEAD");

test("[SL-3] changed lines are numbered as they are now; where lines only went, those beside them count", () => {
  inFolder((folder) => {
    const put = (name: string, text: string): void => writeFileSync(join(folder, name), text);
    put("changed", "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n");
    put("cut", "1\n2\n3\n");
    put("gone", "1\n2\n");
    put("end", "1\n2");
    commitAll(folder);
    put("changed", "1\ntwo\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n12a\n12b\n13\n14\n");
    put("cut", "1\n3\n");
    put("end", "1\n2\n");
    put("new", "a\nb\n");
    rmSync(join(folder, "gone"));
    git(folder, "add", "-A");
    expect(filesInDiff(diffOf(folder))).toEqual([
      {
        path: "changed",
        change: "modify",
        lines: [
          [1, 2],
          [13, 14],
        ],
      },
      { path: "cut", change: "modify", lines: [[1, 2]] },
      { path: "end", change: "modify", lines: [[1, 2]] },
      { path: "gone", change: "delete", lines: [[1, 2]] },
      { path: "new", change: "create", lines: [[1, 2]] },
    ]);
  });
});

test("[SL-3] names that git quotes, and lines that look like headers, are read as what they are", () => {
  inFolder((folder) => {
    const names = ['a "b"\t\\.txt', "字 ä.txt", " b/x", "new\nline"].map((name) => name.replace("/", "_"));
    for (const name of names) writeFileSync(join(folder, name), "old\n");
    commitAll(folder);
    const nasty = "--- a/x\n+++ b/y\n@@ -1 +1 @@\ndiff --git a/z b/z\n";
    for (const name of names) writeFileSync(join(folder, name), nasty);
    const found = filesInDiff(diffOf(folder));
    expect(found.map(({ path }) => path).sort()).toEqual([...names].sort());
    for (const { lines } of found) expect(lines).toEqual([[1, 4]]);
  });
});

test("no text makes it throw or hang", () => {
  const line = fc.constantFrom(
    "diff --git a/x b/x",
    "--- a/x",
    "+++ b/x",
    "@@ -1,3 +1,2 @@",
    "@@ -0,0 +1 @@",
    "+a",
    "-b",
    " c",
    "\\ x",
    "",
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(line, fc.string()), { maxLength: 40 }), (lines) => {
      for (const { lines: ranges } of filesInDiff(lines.join("\n")))
        for (const [from, to] of ranges) expect(from <= to).toBe(true);
    }),
  );
});

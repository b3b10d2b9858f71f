import { describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import type { FileChange } from "../../../src/contract/message.ts";
import { showChanges } from "../../../src/engine/diff/show-diff.ts";
import { stampOf } from "../../../src/platform/files/open.ts";
import { folderMode, linkMode } from "../../../src/platform/files/stamp.ts";

type Content = string | Uint8Array | null;

/** Contents by hash, as a store would have them. */
class Kept {
  readonly contents = new Map<string, Uint8Array>();

  change(path: string, before: Content, after: Content, modes: readonly [number, number] = [0o644, 0o644]): FileChange {
    const stamp = (content: Content, mode: number) => {
      if (content === null) return null;
      const bytes = Buffer.from(content);
      const made = stampOf(bytes, mode);
      this.contents.set(made.hash, bytes);
      return { ...made, mode };
    };
    return { path, real: `/w/${path}`, before: stamp(before, modes[0]), after: stamp(after, modes[1]) };
  }

  show(
    changes: readonly FileChange[],
    more: { maxChars?: number; moved?: ReadonlyMap<string, string>; lang?: "en" | "zh" } = {},
  ) {
    const bytes = (hash: string) => this.contents.get(hash) ?? null;
    const options = { bytes, moved: new Map<string, string>(), lang: "en", maxChars: 100_000, ...more } as const;
    return showChanges(changes, { ...options, cleaned: (text) => text });
  }
}

describe("[RB-1] changes as a diff", () => {
  test("a changed, a created and a deleted file look as git shows them", async () => {
    const kept = new Kept();
    const shown = await kept.show([
      kept.change("a.txt", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nfive\n6\n7\n8\n9\n"),
      kept.change("new.txt", null, "x\ny"),
      kept.change("old.sh", "gone\n", null, [0o755, 0o644]),
    ]);
    expect(shown).toBe(`diff --git a/a.txt b/a.txt
--- a/a.txt
+++ b/a.txt
@@ -2,7 +2,7 @@
 2
 3
 4
-5
+five
 6
 7
 8
diff --git a/new.txt b/new.txt
new file mode 100644
--- /dev/null
+++ b/new.txt
@@ -0,0 +1,2 @@
+x
+y
\\ No newline at end of file
diff --git a/old.sh b/old.sh
deleted file mode 100755
--- a/old.sh
+++ /dev/null
@@ -1,1 +0,0 @@
-gone
`);
  });

  test("what is gone in one place and the same in another was moved, and so was what the tool says; permissions are shown", async () => {
    const kept = new Kept();
    const changes = [
      kept.change("a", "same\n", null),
      kept.change("b", null, "same\n", [0o644, 0o755]),
      kept.change("c", "1\n2\n", null),
      kept.change("d", null, "1\ntwo\n"),
      kept.change("empty-1", "", null),
      kept.change("empty-2", null, ""),
    ];
    expect(await kept.show(changes, { moved: new Map([["d", "c"]]) })).toBe(`diff --git a/a b/b
old mode 100644
new mode 100755
rename from a
rename to b
--- a/a
+++ b/b
diff --git a/c b/d
rename from c
rename to d
--- a/c
+++ b/d
@@ -1,2 +1,2 @@
 1
-2
+two
diff --git a/empty-1 b/empty-1
deleted file mode 100644
--- a/empty-1
+++ /dev/null
diff --git a/empty-2 b/empty-2
new file mode 100644
--- /dev/null
+++ b/empty-2
`);
  });

  test("each of five thousand moved files is shown under both names", async () => {
    const kept = new Kept();
    const changes = Array.from({ length: 5_000 }, (_, n) => [
      kept.change(`old/${n}`, `content ${n}\n`, null),
      kept.change(`new/${n}`, null, `content ${n}\n`),
    ]).flat();
    const shown = await kept.show(changes, { maxChars: 10_000_000 });
    expect(shown?.match(/^rename from /gm)?.length).toBe(5_000);
  });

  test("of what is no text, too large or not kept any more, the sizes are said in one line, in the person's language", async () => {
    const kept = new Kept();
    const changes = [
      kept.change("a.bin", new Uint8Array([0, 1, 2]), new Uint8Array([0, 1, 2, 3])),
      kept.change("large", null, "x\n".repeat(600_000)),
      kept.change("lost", "was\n", "is\n"),
    ];
    kept.contents.delete(changes[2]?.after?.hash ?? "");
    const notes = (text: string | null) => text?.split("\n").filter((line) => line.startsWith("\\"));
    expect(notes(await kept.show(changes))).toEqual([
      "\\ not text: 3 bytes → 4 bytes",
      "\\ too large to show: no file → 1.1 MiB",
      "\\ its content is no longer kept: 4 bytes → 3 bytes",
    ]);
    expect(notes(await kept.show(changes, { lang: "zh" }))?.[1]).toBe("\\ 过大，无法显示：无文件 → 1.1 MiB");
  });

  test("folders and what is as it was are no changes of files, a link shows where it leads", async () => {
    const kept = new Kept();
    const folder = kept.change("folder", null, "", [0, folderMode | 0o755]);
    expect(await kept.show([folder])).toBe(null);
    expect(await kept.show([])).toBe(null);
    expect(await kept.show([kept.change("link", "a", "b", [linkMode, linkMode])])).toBe(`diff --git a/link b/link
--- a/link
+++ b/link
@@ -1,1 +1,1 @@
-a
\\ No newline at end of file
+b
\\ No newline at end of file
`);
  });

  test("lines that all end with CR LF are shown without it, other ends of lines with them", async () => {
    const kept = new Kept();
    const crlf = await kept.show([kept.change("a", "1\r\n2\r\n", "1\r\n3\r\n")]);
    expect(crlf?.split("\n").slice(3)).toEqual(["@@ -1,2 +1,2 @@", " 1", "-2", "+3", "\\ lines end with CR LF", ""]);
    const turned = await kept.show([kept.change("a", "1\r\n", "1\n")]);
    expect(turned?.split("\n").slice(3)).toEqual(["@@ -1,1 +1,1 @@", "-1\r", "+1", ""]);
    const utf16 = Buffer.from("\ufeffone\n", "utf16le");
    const form = await kept.show([kept.change("a", "one\n", utf16)]);
    expect(form?.split("\n").slice(3)).toEqual(["\\ encoding: utf-8 → utf-16le (BOM)", ""]);
  });

  test("[SA-hidden-text] a file's name cannot look like a part of the diff", async () => {
    const kept = new Kept();
    const shown = await kept.show([kept.change("a\n+++ b/safe.txt\n\u202e", null, "x\n")]);
    expect(shown?.split("\n")[3]).toBe("+++ b/a\\n+++ b/safe.txt\\n\\u202e");
    expect(shown?.split("\n").length).toBe(7);
  });

  test("more than there is room for is cut between lines, and what is left out is said", async () => {
    const kept = new Kept();
    const long = Array.from({ length: 1_000 }, (_, n) => `line ${n}`).join("\n");
    const files = ["b", "c", "d"].map((name) => kept.change(name, null, "small\n"));
    const shown = await kept.show([kept.change("a", null, `${long}\n`), ...files], { maxChars: 1_000 });
    const lines = shown?.split("\n") ?? [];
    const added = lines.filter((line) => /^\+line/.test(line)).length;
    expect(lines[4]).toBe(`@@ -0,0 +1,${added} @@`);
    expect(lines.slice(-3)).toEqual([
      `\\ ${1_000 - added} more lines of this file are not shown`,
      "\\ 3 more files are not shown: b, c, d",
      "",
    ]);
    expect((shown ?? "").length).toBeLessThan(1_300);
  });

  test("of two long texts that have nothing in common, one is shown as replaced by the other", async () => {
    const kept = new Kept();
    const text = (salt: number) => Array.from({ length: 40_000 }, (_, n) => `${(n * 7919 + salt) % 99_991}`).join("\n");
    const shown = await kept.show([kept.change("a", `${text(1)}\n`, `${text(5)}\n`)], { maxChars: 10_000_000 });
    expect(shown?.split("\n")[3]).toBe("@@ -1,40000 +1,40000 @@");
  });
});

const text = fc
  .array(fc.constantFrom("", "a", "b", "--- x", "++ y", "@@ -1 +1 @@", "\\ no", "ü\r"), { maxLength: 30 })
  .chain((lines) => fc.constantFrom(lines.join("\n"), `${lines.join("\n")}\n`));

test("[RB-1] what is shown turns the old text into the new one: git agrees", async () => {
  const folder = mkdtempSync(join(tmpdir(), "coder-show-"));
  try {
    await fc.assert(
      fc.asyncProperty(text, text, async (before, after) => {
        fc.pre(before !== after && before !== "" && after !== "");
        const kept = new Kept();
        const shown = (await kept.show([kept.change("f", before, after)])) ?? "";
        fc.pre(!shown.includes("CR LF"));
        writeFileSync(join(folder, "f"), before);
        const ran = Bun.spawnSync(["git", "apply", "--whitespace=nowarn"], { cwd: folder, stdin: Buffer.from(shown) });
        expect([ran.exitCode, readFileSync(join(folder, "f"), "utf8")]).toEqual([0, after]);
      }),
      { numRuns: 40 },
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

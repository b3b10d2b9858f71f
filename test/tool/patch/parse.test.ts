import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { say } from "../../../src/contract/text/catalogue.ts";
import { parsePatch } from "../../../src/tool/patch/parse.ts";

const text = (...list: readonly string[]): string => list.map((line) => `${line}\n`).join("");

/** `action path -> to mode`, and for each hunk its line, its anchors and its lines; or the error. */
function parsed(patch: string): readonly string[] | string {
  const files = parsePatch(patch);
  if (!files.ok) return `${files.error.code}: ${say("en", files.error.text)}`;
  return files.value.map(({ action, path, to, hunks, isProgram }) => {
    const name = `${action} ${path}${to === null ? "" : ` -> ${to}`}${isProgram === null ? "" : isProgram ? " +x" : " -x"}`;
    const shown = hunks.map(({ line, anchors, lines, oldLacksBreak, newLacksBreak, isLast }) => {
      const body = lines.map((one) => one.sign + one.text).join("|");
      const ends = `${oldLacksBreak ? " old lacks" : ""}${newLacksBreak ? " new lacks" : ""}${isLast ? " last" : ""}`;
      return `[${line ?? "?"}${anchors.map((anchor) => ` ${anchor}`).join("")}: ${body}${ends}]`;
    });
    return [name, ...shown].join(" ");
  });
}

const hunk = ["@@ -1,2 +1,2 @@", " a", "-b", "+c"];
const change = "change f.txt [0:  a|-b|+c]";

describe("[TL-2] names of files in a diff", () => {
  const names: readonly (readonly [old: string, fresh: string, file: string])[] = [
    ["a/f.txt", "b/f.txt", "change f.txt"],
    ["f.txt", "f.txt", "change f.txt"],
    ["a/f.txt\t2024-01-02 03:04:05.000000000 +0100", "b/f.txt\t2024-01-02", "change f.txt"],
    ["f.txt 2024-01-02 03:04:05 +0100", "f.txt 2024-01-02 03:04:06 +0100", "change f.txt"],
    ["f.txt.orig", "f.txt", "change f.txt"],
    ["a/my file.txt", "b/my file.txt", "change my file.txt"],
    ['"a/\\344\\275\\240\\"\\\\\\t.txt"', '"b/\\344\\275\\240\\"\\\\\\t.txt"', 'change 你"\\\t.txt'],
    ["/dev/null", "b/f.txt", "create f.txt"],
    ["a/f.txt", "/dev/null", "delete f.txt"],
    ["/abs/f.txt", "/abs/f.txt", "change /abs/f.txt"],
    ["a/old.txt", "b/new.txt", "change old.txt -> new.txt"],
    ["a/x", "a/x", "change a/x"],
  ];
  for (const [old, fresh, file] of names) {
    test(`${old} and ${fresh}: ${JSON.stringify(file)}`, () => {
      const body = file.startsWith("create") ? ["@@ -0,0 +1 @@", "+c"] : hunk;
      const shown = file.startsWith("create") ? "[0: +c]" : "[0:  a|-b|+c]";
      expect(parsed(text(`--- ${old}`, `+++ ${fresh}`, ...body))).toEqual([`${file} ${shown}`]);
    });
  }

  test("a name that is no text, is empty, or is /dev/null twice", () => {
    for (const [old, fresh] of [
      ['"a/\\377"', '"b/\\377"'],
      ['"a/x', '"b/x'],
      ["/dev/null", "/dev/null"],
    ]) {
      expect(parsed(text(`--- ${old}`, `+++ ${fresh}`, ...hunk))).toBe(
        `E_INVALID_ARGS: line 1 of the patch names no usable path: --- ${old}`,
      );
    }
  });
});

describe("[TL-2] what git writes in front of a file", () => {
  test("renames, modes, creations and deletions, with and without hunks", () => {
    expect(
      parsed(
        text(
          ...["From 0123456 Mon Sep 17 00:00:00 2001", "From: A <a@b.c>", "Subject: [PATCH] do", "- all of it", "---"],
          ...[" f.txt | 2 +-", " 1 file changed", ""],
          ...["diff --git a/f.txt b/f.txt", "index 123..456 100644", "--- a/f.txt", "+++ b/f.txt", ...hunk],
          ...["diff --git a/x b/y", "similarity index 100%", "rename from x", "rename to y"],
          ...["diff --git a/p q b/r s", "similarity index 90%", "rename from p q", "rename to r s"],
          ...["index 1..2 100644", "--- a/p q", "+++ b/r s", ...hunk],
          ...["diff --git a/run b/run", "old mode 100644", "new mode 100755"],
          ...["diff --git a/a b b/a b", "deleted file mode 100644", "index e69de29..0000000"],
          ...['diff --git "a/\\303\\244" "b/\\303\\244"', "new file mode 100755", "index 0000000..e69de29"],
          ...["-- ", "2.39.5", ""],
        ),
      ),
    ).toEqual([
      change,
      "change x -> y",
      "change p q -> r s [0:  a|-b|+c]",
      "change run +x",
      "delete a b",
      "create ä +x",
    ]);
  });

  test("names with spaces, which end at a tab, and with what looks like a time", () => {
    const odd = (name: string) => [`--- a/${name}\t`, `+++ b/${name}\t`, ...hunk];
    const time = "at 2024-01-01 10:00.txt";
    const renamed = [`diff --git a/${time} b/f.txt`, "similarity index 100%", `rename from ${time}`, "rename to f.txt"];
    expect(parsed(text(...odd(time), ...odd("end "), ...odd(" start"), ...renamed))).toEqual([
      `change ${time} [0:  a|-b|+c]`,
      "change end  [0:  a|-b|+c]",
      "change  start [0:  a|-b|+c]",
      `change ${time} -> f.txt`,
    ]);
    expect(
      parsed(text("--- a/f.txt 2024-01-01 10:00:00 +0100", "+++ b/f.txt 2024-01-01 10:00:00 +0100", ...hunk)),
    ).toEqual([change]);
  });

  test("prefixes of other trees, and no prefixes", () => {
    expect(
      parsed(
        text(
          ...["diff --git i/f.txt w/f.txt", "--- i/f.txt", "+++ w/f.txt", ...hunk],
          ...["diff --git c/f.txt c/f.txt", "--- c/f.txt", "+++ c/f.txt", ...hunk],
          ...["diff --git f.txt f.txt", "new mode 100755"],
        ),
      ),
    ).toEqual([change, "change c/f.txt [0:  a|-b|+c]", "change f.txt +x"]);
  });

  test("binary patches, links, submodules, copies and merges are refused by name", () => {
    const git = (...more: readonly string[]): string => text("diff --git a/f b/f", ...more);
    const unsupported = (line: number, what: string): string =>
      `E_INVALID_ARGS: line ${line} of the patch is not supported (copies, links, submodules, merges): ${what}`;
    expect(parsed(git("index 1..2", "GIT binary patch", "literal 5"))).toContain("the patch of a/f b/f is binary");
    expect(parsed(git("index 1..2", "Binary files a/f and b/f differ"))).toContain("is binary");
    expect(parsed("Binary files x.png and y.png differ\n")).toContain("the patch of x.png and y.png is binary");
    expect(parsed(git("new file mode 120000"))).toBe(unsupported(2, "new file mode 120000"));
    expect(parsed(git("new file mode 160000"))).toBe(unsupported(2, "new file mode 160000"));
    expect(parsed(git("copy from x", "copy to y"))).toBe(unsupported(2, "copy from x"));
    expect(parsed("diff --cc f\n")).toBe(unsupported(1, "diff --cc f"));
    expect(parsed(text("--- a/f", "+++ b/f", "@@@ -1 -1 +1 @@@", "--a"))).toBe(unsupported(3, "@@@ -1 -1 +1 @@@"));
  });
});

describe("[TL-2] hunks as models write them", () => {
  const head = ["--- a/f.txt", "+++ b/f.txt"];

  test("counts that are missing or wrong", () => {
    for (const line of ["@@ -1 +1 @@", "@@ -1,9 +1,9 @@", "@@ -1,1 +1,1 @@", "@@ -1,2 @@", "@@ -1,2 +1,2 @@ words"]) {
      expect(parsed(text(...head, line, " a", "-b", "+c"))).toEqual([change]);
      expect(parsed(text(...head, line, " a", "-b", "+c", "", ...head, ...hunk))).toEqual([change, change]);
    }
    for (const line of ["@@", "@@ ... @@", "@@ @@"]) {
      expect(parsed(text(...head, line, " a", "-b", "+c"))).toEqual(["change f.txt [?:  a|-b|+c]"]);
    }
    expect(parsed(text(...head, "@@ def f(): @@", "-b"))).toEqual(["change f.txt [? def f():: -b]"]);
  });

  test("one line too many counted does not swallow the next file", () => {
    expect(parsed(text(...head, "@@ -1,3 +1,3 @@", " a", "-b", "+c", ...head, ...hunk))).toEqual([change, change]);
  });

  test("right counts hold a removed line that looks like a header", () => {
    expect(parsed(text(...head, "@@ -1,2 +1,1 @@", "--- x", "+++ y", "-b", ...head, ...hunk))).toEqual([
      "change f.txt [0: --- x|+++ y|-b]",
      change,
    ]);
  });

  test("blank lines that lost their space, inside and at the end", () => {
    expect(parsed(text(...head, "@@ -1,4 +1,4 @@", " a", "", "-b", "+c", ""))).toEqual([
      "change f.txt [0:  a| |-b|+c| ]",
    ]);
    expect(parsed(text(...head, "@@ -1,9 +1,9 @@", " a", "", "-b", "+c", "", ""))).toEqual([
      "change f.txt [0:  a| |-b|+c]",
    ]);
  });

  test("only insertions with a count of 0 are believed where they stand", () => {
    expect(parsed(text(...head, "@@ -5,0 +6,2 @@", "+a", "+b"))).toEqual(["change f.txt [5: +a|+b]"]);
    expect(parsed(text(...head, "@@ -5,3 +6,5 @@", "+a", "+b"))).toEqual(["change f.txt [?: +a|+b]"]);
  });

  test("the marks of a missing line break belong to the line before", () => {
    const mark = "\\ No newline at end of file";
    const ends = (...body: readonly string[]) => parsed(text(...head, "@@ -1 +1 @@", ...body));
    expect(ends("-a", mark, "+b")).toEqual(["change f.txt [0: -a|+b old lacks]"]);
    expect(ends("-a", "+b", mark)).toEqual(["change f.txt [0: -a|+b new lacks]"]);
    expect(ends("-a", mark, "+b", mark)).toEqual(["change f.txt [0: -a|+b old lacks new lacks]"]);
    expect(ends("-x", " a", mark)).toEqual(["change f.txt [0: -x| a old lacks new lacks]"]);
  });

  test("no added or removed line is ever dropped", () => {
    const bad = (line: number, what: string): string =>
      `E_INVALID_ARGS: line ${line} of the patch does not start with space, + or -: ${what}`;
    expect(parsed(text(...head, ...hunk, "d", "-e", "+f"))).toBe(bad(8, "-e"));
    expect(parsed(text(...head, "@@ -1,9 +1,9 @@", " a", "-b", "d", "-e"))).toBe(bad(6, "d"));
    expect(parsed(text(...head, ...hunk, "", "and also", "+more"))).toBe(bad(9, "+more"));
    expect(parsed(text("*** Begin Patch", "*** Update File: f", "-a", "b", "+c", "*** End Patch"))).toBe(bad(4, "b"));
    expect(parsed(text("*** Begin Patch", "*** Add File: f", "+a", "b", "*** End Patch"))).toBe(bad(4, "b"));
    expect(parsed(text("*** Begin Patch", "-a", "*** Add File: f", "+b", "*** End Patch"))).toBe(bad(2, "-a"));
    expect(parsed(text("@@ -1 +1 @@", "-a"))).toContain("starts a hunk, but no file is named");
  });
});

describe("[TL-2] what stands around a patch", () => {
  const diff = ["--- a/f.txt", "+++ b/f.txt", ...hunk];

  test("prose, fences, CRLF", () => {
    expect(parsed(text("Here it is:", "- one thing", "", ...diff))).toEqual([change]);
    expect(parsed(text("Here:", "```diff", ...diff, "```", "- that was it", "```diff", ...diff, "```"))).toEqual([
      change,
      change,
    ]);
    expect(parsed(text("~~~", ...diff))).toEqual([change]);
    expect(parsed(text(...diff).replaceAll("\n", "\r\n"))).toEqual([change]);
    expect(parsed(text(...diff, "", "That was it."))).toEqual([change]);
    expect(parsed(text("*** Begin Patch", ...diff, "*** End Patch"))).toEqual([change]);
  });

  test("no patch, a cut-off patch, too many files", () => {
    expect(parsed("hello")).toBe(
      "E_INVALID_ARGS: the text contains no patch: neither a unified diff (---, +++, @@) nor *** Begin Patch",
    );
    expect(parsed(text("*** Begin Patch", "*** Add File: f", "+a"))).toBe(
      "E_INVALID_ARGS: the patch is cut off: *** End Patch is missing",
    );
    expect(parsed(text("--- a/f", "+++ b/f"))).toContain("adds and removes nothing");
    expect(parsed(text("diff --git a/f b/f"))).toContain("adds and removes nothing");
    const many = Array.from({ length: 1001 }, (_, index) => `*** Delete File: f${index}`);
    expect(parsed(text("*** Begin Patch", ...many, "*** End Patch"))).toBe(
      "E_INVALID_ARGS: the patch names 1001 files; the limit is 1000",
    );
  });

  test("the envelope: all its lines, several of them, and text around", () => {
    expect(
      parsed(
        text(
          ...["apply_patch <<'EOF'", "*** Begin Patch", "*** Add File: new.txt ", "+a", "", "+b", ""],
          ...["*** Update File: f.txt", "*** Move to: g.txt", "@@ class A", "@@ def f", " a", "-b", "", "+c"],
          ...[
            "@@ -7,2 +7,2 @@",
            "-x",
            "*** End of File",
            "",
            "*** Delete File: d.txt",
            "*** End Patch",
            "EOF",
            "+ignored",
          ],
          ...["*** Begin Patch", "*** Update File: m", "*** Move to: n", "*** Add File: empty", "*** End Patch"],
        ),
      ),
    ).toEqual([
      "create new.txt [0: +a|+|+b]",
      "change f.txt -> g.txt [? class A def f:  a|-b| |+c] [6: -x last]",
      "delete d.txt",
      "change m -> n",
      "create empty",
    ]);
    expect(parsed(text("*** Begin Patch", "*** Add File: ", "*** End Patch"))).toContain("names no usable path");
    expect(parsed(text("*** Begin Patch", "*** Update File: f", "*** End Patch"))).toContain(
      "adds and removes nothing",
    );
  });
});

test("[TL-2] any text is parsed or refused, at once", () => {
  const piece = fc.oneof(
    fc.constantFrom(
      "--- a/f\n",
      "+++ b/f\n",
      "@@ -1,2 +1,2 @@\n",
      "@@\n",
      " a\n",
      "-b\n",
      "+c\n",
      "\\ No\n",
      "```\n",
      "\n",
    ),
    fc.constantFrom(
      "*** Begin Patch\n",
      "*** End Patch\n",
      "*** Update File: f\n",
      "*** Add File: f\n",
      "*** Move to: g\n",
    ),
    fc.constantFrom(
      "diff --git a/f b/f\n",
      "rename from f\n",
      "rename to g\n",
      "new file mode 100644\n",
      "*** End of File\n",
    ),
    fc.string({ maxLength: 8 }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const files = parsePatch(pieces.join(""));
      if (files.ok) expect(files.value.length).toBeGreaterThan(0);
      else expect(files.error.code).toBe("E_INVALID_ARGS");
    }),
    { numRuns: 3_000 },
  );
  const long = 300_000;
  const hostile = [
    `--- ${" ".repeat(long)}`,
    `--- a${" ".repeat(long)}x\n+++ b${" ".repeat(long)}x\n@@ -1 +1 @@\n-a`,
    `--- a/f\n+++ b/f\n@@${" ".repeat(long)}x\n-a`,
    `--- a/f\n+++ b/f\n@@ -1 +1 @@${" @@".repeat(long)}\n-a`,
    `--- "${"\\".repeat(long)}\n+++ b`,
    `*** Begin Patch\n*** Update File:${" ".repeat(long)}x\n-a\n*** End Patch`,
    "*** Begin Patch\n*** End Patch\n".repeat(20_000),
    `--- a/f\n+++ b/f\n${"@@ -1,9 +1,9 @@\n-a\n".repeat(20_000)}`,
    `--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a${"\n".repeat(long)}`,
    `diff --git ${"a ".repeat(long)}`,
  ];
  // Anything worse than linear would not end within the time of this test.
  for (const one of hostile) expect(typeof parsed(one)).toBeOneOf(["string", "object"]);
}, 120_000);

// Every way in which a call may differ from the file and still be carried out, as `docs/reference/files.md` lists them.

export interface Tolerance {
  readonly name: string;
  /** `null`: there is no such file. */
  readonly before: string | null;
  readonly call: { readonly old: string; readonly fresh: string; readonly all?: true } | { readonly patch: string };
  readonly after: string;
  /** What the result says of it. */
  readonly says?: string;
}

const envelope = (...lines: readonly string[]): string =>
  ["*** Begin Patch", "*** Update File: f.txt", ...lines, "*** End Patch", ""].join("\n");

export const tolerances: readonly Tolerance[] = [
  {
    name: "line ends",
    before: "a\r\nb\r\nc\r\n",
    call: { old: "a\nb", fresh: "a\nx\ny" },
    after: "a\r\nx\r\ny\r\nc\r\n",
  },
  {
    name: "white space at line ends",
    before: "if x:  \n  y\t\nz\n",
    call: { old: "if x:\n  y\n", fresh: "if x:\n  w\n" },
    after: "if x:  \n  w\nz\n",
    says: "trailing white space",
  },
  {
    name: "indentation, all of it by the same",
    before: "class A:\n    def f():\n        pass\n",
    call: { old: "def f():\n    pass\n", fresh: "def f():\n    go()\n" },
    after: "class A:\n    def f():\n        go()\n",
    says: "indentation",
  },
  {
    name: "indentation lost in the old text only",
    before: "class A:\n    def f():\n        pass\n",
    call: { old: "def f():\n    pass\n", fresh: "    def f():\n        go()\n" },
    after: "class A:\n    def f():\n        go()\n",
    says: "indentation",
  },
  {
    name: "indentation of the first line, in the new text only",
    before: "def f():\n    x()\n    return 1\n",
    call: { old: "return 1", fresh: "    y()\n    return 2" },
    after: "def f():\n    x()\n    y()\n    return 2\n",
    says: "indentation",
  },
  {
    name: "tabs against spaces, equally nested",
    before: "func f() {\n\tif x {\n\t\treturn\n\t}\n}\n",
    call: {
      old: "    if x {\n        return\n    }\n",
      fresh: "    if x {\n        y()\n        return\n    }\n",
    },
    after: "func f() {\n\tif x {\n\t\ty()\n\t\treturn\n\t}\n}\n",
    says: "tabs and spaces",
  },
  {
    name: "quotes, dashes and fixed spaces, in one place only",
    before: "say “it’s here” — now\nand “that”\n",
    call: { old: `say "it's here" - now`, fresh: `say "it's here" - later` },
    after: "say “it’s here” — later\nand “that”\n",
    says: "quotes, dashes or spaces",
  },
  {
    name: "a final line break that the file lacks",
    before: "a \nb",
    call: { old: "a\nb\n", fresh: "a\nc\n" },
    after: "a \nc",
    says: "trailing white space",
  },
  {
    name: "`replace_all` with another indentation",
    before: "  f(\n  1)\n    f(\n    1)\n",
    call: { old: "f(\n1)\n", fresh: "g(\n1)\n", all: true },
    after: "  g(\n  1)\n    g(\n    1)\n",
    says: "in 2 places",
  },
  {
    name: "an empty `old_string` for a missing or empty file",
    before: null,
    call: { old: "", fresh: "a\n" },
    after: "a\n",
    says: "created f.txt",
  },
  {
    name: "white space around `***` markers",
    before: "a\nb\n",
    call: { patch: "  *** Begin Patch\n  ***Update File : f.txt \n  @@\n  -a\n  +x\n   b\n  *** End Patch  \n" },
    after: "x\nb\n",
  },
  {
    name: "a sole hunk that only adds lines, under a bare `@@`",
    before: "a\n",
    call: { patch: envelope("@@", "+b", "+c") },
    after: "a\nb\nc\n",
    says: "they were added at the end",
  },
  {
    name: "line numbers and line counts of a hunk",
    before: "a\nb\nc\n",
    call: { patch: "--- a/f.txt\n+++ b/f.txt\n@@ -17,9 +17,4 @@\n b\n-c\n+d\n" },
    after: "a\nb\nd\n",
  },
  {
    name: "a blank context line without its space",
    before: "a\n\nb\n",
    call: { patch: "--- a/f.txt\n+++ b/f.txt\n@@ -1,3 +1,3 @@\n a\n\n-b\n+c\n" },
    after: "a\n\nc\n",
  },
  {
    name: "fences and words around a patch",
    before: "a\n",
    call: { patch: `This does it:\n\`\`\`diff\n--- a/f.txt\n+++ b/f.txt\n@@ -1 +1 @@\n-a\n+b\n\`\`\`\nDone.\n` },
    after: "b\n",
  },
  {
    name: "any of the above differences of lines in a hunk",
    before: "\tif (x) {\n\t\t“a”\n\t}\n",
    call: { patch: envelope("@@", "     if (x) {", `-        "a"`, `+        "a", 1`, "     }") },
    after: "\tif (x) {\n\t\t“a”, 1\n\t}\n",
    says: "quotes, dashes or spaces",
  },
];

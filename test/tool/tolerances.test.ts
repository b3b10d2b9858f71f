import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { edit } from "../../src/tool/edit/edit.ts";
import { write } from "../../src/tool/edit/write.ts";
import { patch } from "../../src/tool/patch/patch.ts";
import { read } from "../../src/tool/read/read.ts";
import { tolerances } from "./tolerances.ts";
import { makeWorkspace, snapshot, told, type Workspace } from "./workspace.ts";

let ws: Workspace;
beforeEach(() => {
  ws = makeWorkspace();
});
afterEach(() => ws[Symbol.dispose]());

async function put(before: string): Promise<void> {
  ws.put("f.txt", before);
  await ws.run(read, { path: "f.txt" });
}

const toEdit = (old: string, fresh: string, all?: true) =>
  ws.change(edit, { path: "f.txt", old_string: old, new_string: fresh, ...(all ? { replace_all: true } : {}) });

/** The file, or why it is as it was. */
async function edited(before: string, old: string, fresh: string, all?: true): Promise<string> {
  await put(before);
  const result = await toEdit(old, fresh, all);
  if (!result.ok) expect(ws.text("f.txt")).toBe(before);
  return result.ok ? ws.text("f.txt") : told(result);
}

const table = readFileSync(join(import.meta.dir, "..", "..", "docs", "reference", "files.md"), "utf8")
  .split("## What edit and patch forgive")[1]!
  .split("\n## ")[0]!
  .split("\n")
  .filter((line) => line.startsWith("| ") && !line.startsWith("| what "))
  .map((line) => line.split(" | ")[0]!.slice(2));

test("[TL-2] the table of tolerances is what is tested", () => {
  expect(table).toEqual(tolerances.map(({ name }) => name));
});

describe("[TL-2] forgiven:", () => {
  for (const { name, before, call, after, says } of tolerances) {
    test(name, async () => {
      if (before !== null) await put(before);
      const result = await ("patch" in call ? ws.change(patch, call) : toEdit(call.old, call.fresh, call.all));
      expect(result.ok ? ws.text("f.txt") : told(result)).toBe(after);
      if (says !== undefined) expect(told(result)).toContain(says);
    });
  }
});

describe("[TL-7] lines in place of others are refused:", () => {
  const before = "a();\nb();\nc();\nd();\n";
  const elided = [
    "// ... rest unchanged",
    "# ... existing code ...",
    "/* … the rest of the file stays the same … */",
    "<!-- ... other sections remain unchanged ... -->",
    "// rest of the code remains the same",
    "# Rest of file unchanged",
    "-- remaining code here",
    "// ... (keep the imports)",
    "{/* ... existing JSX ... */}",
    "// ...",
    "// 其余代码保持不变",
    "# ……省略……",
    "...rest of the function as before",
    "// your existing code here",
    "// your existing route handlers",
    "# existing helper functions remain unchanged",
    "# other methods remain the same",
    "// All other functions remain unchanged",
    "// everything else stays the same",
    "// Keep existing code",
    "// code omitted for brevity",
    "// lines 10-50 unchanged",
    "// [50 lines omitted]",
    "// [rest of file unchanged]",
    "[rest of the file unchanged]",
    "// ===== REST OF FILE UNCHANGED =====",
    "<!-- rest of the HTML -->",
    "{/* Rest of the JSX remains the same */}",
    "--[[ ... rest unchanged ... ]]",
    "{{!-- ... rest of template ... --}}",
    "{# ... rest of template ... #}",
    "<%-- ... rest of the page ... --%>",
    "(* ... rest unchanged ... *)",
    "{- ... rest unchanged -}",
    "//! ... rest unchanged",
    "function b() { /* ... existing code ... */ }",
    "pass  # ... existing code ...",
    "...  # rest of the method",
    "// 原有代码",
    "// 中间代码省略",
    "// ... imports ...",
    "// ... other imports",
    "// ... methods",
    "// unchanged",
    "// omitted for brevity",
    "// same as before",
    "function b() { /* ... */ }",
    "// [Rest of the file remains exactly the same]",
    "// All existing tests remain the same",
    "// Everything below is unchanged",
    "// leave the rest as is",
    "// Here goes the rest of the code",
    "// insert existing code here",
    "// [original content preserved]",
    "// existing code above remains unchanged",
    "' ... rest unchanged",
    "REM ... rest unchanged",
    "// 保持原有代码不变",
    "// 省略其余代码",
    "// ... 20 more lines",
    "// ... code continues ...",
    "// other methods...",
    "// more code here",
    "// original code here",
    "# implementation unchanged",
    "# Same as original",
    "# No other changes",
    "# . . .",
    "// ⋮",
    "// etc.",
  ];
  for (const line of elided) {
    test(line, async () => {
      const refusal = `E_INVALID_ARGS: the new text for f.txt has a placeholder line where other lines would be lost: ${line}`;
      expect(await edited(before, before, `x();\n    ${line}\n`)).toStartWith(refusal);
      const all = await ws.change(write, { path: "f.txt", content: `x();\n${line}\nd();\n` });
      expect(told(all)).toStartWith(refusal);
      const hunk = ["-a();", "-b();", "-c();", `+${line}`, " d();"].join("\n");
      const text = `*** Begin Patch\n*** Update File: f.txt\n@@\n${hunk}\n*** End Patch\n`;
      expect(told(await ws.change(patch, { patch: text }))).toStartWith(refusal);
      expect(snapshot(ws.root)).toEqual({ "f.txt": `644 ${before}` });
    });
  }

  test("what the old text had stays, and a new file may say what it likes", async () => {
    const old = "a();\n  // ... rest unchanged\nb();\n";
    expect(await edited(old, old, "// ... rest unchanged\nc();\n")).toBe("// ... rest unchanged\nc();\n");
    expect(told(await ws.change(write, { path: "new.md", content: "// ... rest unchanged\n" }))).toStartWith("created");
  });

  test("what may be the heading of new lines is one where every old line stays", async () => {
    expect(await edited("a\nb\n", "a\n", "a\n# Existing config\nc\n")).toBe("a\n# Existing config\nc\nb\n");
    expect(await edited("a\nb\n", "a\n", "# Existing config\nc\n")).toStartWith("E_INVALID_ARGS: the new text");
  });

  test("one more of them than the old text had, and none whose dots alone are written otherwise", async () => {
    const old = "# … existing code …\na\nb\n";
    expect(await edited(old, old, "# ... existing code ...\nb\n")).toBe("# ... existing code ...\nb\n");
    expect(await edited(old, "a\nb\n", "# … existing code …\n")).toStartWith("E_INVALID_ARGS: the new text");
  });

  test("an example in a document may have one where every old line stays", async () => {
    const line = "# ... the rest of your settings ...";
    ws.put("doc.md", "Text.\n\nMore.\n");
    await ws.run(read, { path: "doc.md" });
    const change = (old: string, fresh: string) =>
      ws.change(edit, { path: "doc.md", old_string: old, new_string: fresh });
    expect(told(await change("Text.\n", `${line}\n`))).toStartWith("E_INVALID_ARGS: the new text for doc.md");
    expect(told(await change("Text.\n", `Text.\n    ${line}\n`))).toStartWith("edited doc.md");
  });

  test("words that only resemble them are no such lines", async () => {
    const fine = [
      "// wait for the rest...",
      "# Removing existing containers...",
      "// keep the existing order",
      "def f(): ...",
      "...",
      "const { a, ...rest } = props;",
      "  ...existing,",
      "  ...rest",
      "(...rest) => {",
      "  ...(isOther ? existing : rest),",
      "  ...other.rest, x: 1,",
      "f(...other);",
      "// the rest of the items is sorted",
      "// ...",
      '"// ... rest unchanged"',
      "// 顺序保持不变",
      "// Existing public routes.",
      '"{# ... rest of template ... #}",',
      ">>> def f(x):\n...     return x in existing\n...     keep",
      "// Does not overwrite the\n// existing file.",
      "// The modules of a package are in its folder\n// ... but should not leak into other modules.",
      "  ... rest,",
      "  ...rest as Props",
      "// see https://example.com/...",
      "if c == '(':  # (...+...)",
      "// unchanged",
      "# ...or without.",
      "//..............................",
      "// other options",
      "// previous state",
      "// Previous code used a map",
      "// more than one",
      "// same line",
      "# original order matters",
      "// 保持连接",
    ];
    for (const line of fine) expect(await edited("a\nb\n", "b\n", `${line}\n`)).toBe(`a\n${line}\n`);
  });
});

describe("[TL-2] not forgiven:", () => {
  const refused: Readonly<Record<string, readonly [before: string, old: string, why: string]>> = {
    "a first and a last line with a gap between": ["a\nb\nc\n", "a\n...\nc", "does not occur"],
    "letters that nearly fit": ["function total(items) {}\n", "function total(item) {}", "does not occur"],
    "escapes in place of signs": ["a\nb\n", "a\\nb", "does not occur"],
    "indentation that differs from line to line": ["  a\n      b\n", "a\n  b", "does not occur"],
    "tabs against spaces, nested otherwise": ["\ta\n\t\tb\n", "  a\n  b\n", "does not occur"],
    "blank lines left out": ["a\n\nb\n", "a\nb\n", "does not occur"],
    "letters of another case": ["Abc\n", "abc", "does not occur"],
    "full-width signs": ["f（x）\n", "f(x)", "does not occur"],
    "plain quotes where two places have curly ones": ["“a”\n„a”\n", '"a"', "occurs 2 times"],
    "one place in LF and the same in CRLF": ["a\nb\nx\na\r\nb\r\n", "a\nb", "occurs 2 times"],
  };
  for (const [name, [before, old, why]] of Object.entries(refused)) {
    test(name, async () => {
      expect(await edited(before, old, "x")).toStartWith(`E_INVALID_ARGS: old_string ${why}`);
    });
  }

  test("curly quotes in many places, and nobody is advised to replace them all", async () => {
    const answer = await edited("“a”\n“a”\n", '"a"', '"b"', true);
    expect(answer).toStartWith("E_INVALID_ARGS: old_string occurs 2 times");
    expect(answer).not.toContain("replace_all");
  });
});

describe("[TL-2] the file's own signs stay:", () => {
  test("in every word that is not changed", async () => {
    const before = "«x» “one” and “two” – it’s\u00a0so\n  “three”\n";
    expect(await edited(before, `«x» "one" and "two" - it's so\n`, `«x» "one" or "2" - it's not so, "no"\n`)).toBe(
      `«x» “one” or “2” – it’s\u00a0not so, "no"\n  “three”\n`,
    );
  });

  test("in a line that stays, though a new one beside it resembles it", async () => {
    const before = "from\u00a0a import “b”\nx\u00a0= “b”\n";
    const old = 'from a import "b"\nx = "b"\n';
    expect(await edited(before, old, `from a import "c"\n${old}y = "c"\n`)).toBe(
      `from a import "c"\n${before}y = "c"\n`,
    );
  });

  test("in Chinese, Russian and French", async () => {
    expect(await edited("他说：“好”——走。\n", '他说："好"--走。', '他说："不好"--走。')).toBe("他说：“不好”——走。\n");
    expect(await edited("Он: „да“ — нет\n", 'Он: "да" - нет', 'Он: "да" - не')).toBe("Он: „да“ — не\n");
    expect(await edited("L’été\u202f: «\u00a0oui\u00a0»\n", "L'été : « oui »", "L'été : « non »")).toBe(
      "L’été\u202f: «\u00a0non\u00a0»\n",
    );
  });

  test("with another indentation and other line ends at once", async () => {
    expect(await edited("\t“a”\r\n\t\tb – c\r\n", '"a"\n\tb - c\n', '"a"\n\tb - d\n')).toBe("\t“a”\r\n\t\tb – d\r\n");
  });
});

test("[TL-2] new words get no curly quotes where the file has plain ones", async () => {
  const before = `log("it's")\n`;
  expect(await edited(before, "log(”it’s”)\n", "log(”it’s”)\nlog(“that’s”)\n")).toBe(`${before}log("that's")\n`);
  expect(await edited(before, "log(”it’s”)", "log(”it’s”) — “so”")).toBe(`log("it's") — "so"\n`);
});

describe("[TL-2] indentation is never given twice:", () => {
  const before = "class A:\n    def f(self):\n        return 1\n\n    def g(self):\n        pass\n";
  const old = "def f(self):\n    return 1\n\ndef g(self):\n";
  test("a new text at the file's depth stays there", async () => {
    const fresh = "    def f(self):\n        return 2\n\n    def h(self):\n        return 3\n\n    def g(self):\n";
    expect(await edited(before, old, fresh)).toBe(`class A:\n${fresh}        pass\n`);
  });
  test("one at the depth of the old text is moved", async () => {
    const fresh = "def f(self):\n    return 2\n\ndef g(self):\n";
    expect(await edited(before, old, fresh)).toBe(
      "class A:\n    def f(self):\n        return 2\n\n    def g(self):\n        pass\n",
    );
  });
  test("too deep an old text, and a new one as the file has it", async () => {
    expect(await edited("a:\n  b\nc\n", "    a:\n      b\n", "a:\n  b\n  d\n")).toBe("a:\n  b\n  d\nc\n");
  });
  test("a wrapped block: the line that is in both decides", async () => {
    expect(await edited("  x()\n  y()\nz\n", "x()\ny()\n", "  if a:\n    x()\n  y()\n")).toBe(
      "  if a:\n    x()\n  y()\nz\n",
    );
    expect(await edited("  x()\n  y()\nz\n", "x()\ny()\n", "if a:\n  x()\ny()\n")).toBe("  if a:\n    x()\n  y()\nz\n");
  });
  test("behind the indentation of the first line, whatever the new text begins with", async () => {
    const rows: readonly (readonly [old: string, fresh: string, after: string])[] = [
      ["b()\n    c()\n", "    b2()\n    c()\n", "a:\n    b2()\n    c()\nd\n"],
      ["b()\n    c()\n", "    if x:\n        b()\n    c()\n", "a:\n    if x:\n        b()\n    c()\nd\n"],
      ["b()\n    c()\n", "    c()\n", "a:\n    c()\nd\n"],
      ["c()", "        b()\n    c()", "a:\n    b()\n        b()\n    c()\nd\n"],
      // A call that only gets deeper, and one in the middle of a line, are what they say.
      ["c()", "    c()", "a:\n    b()\n        c()\nd\n"],
      ["()\n    c", "    ()\n    c2", "a:\n    b    ()\n    c2()\nd\n"],
    ];
    for (const [old, fresh, after] of rows) expect(await edited("a:\n    b()\n    c()\nd\n", old, fresh)).toBe(after);
    // In front of what ends a block lines are deeper than it is.
    expect(await edited("a {\n    }\n", "}", "    b\n    }")).toBe("a {\n        b\n    }\n");
    expect(await edited("a {\n    }\n", "}", "        b\n    }")).toBe("a {\n        b\n    }\n");
    expect(await edited("\tf(1)\r\n\tf(1)\r\n", "f(1)", "\tg(1)", true)).toBe("\tg(1)\r\n\tg(1)\r\n");
  });
  test("too deep an old text, and new lines that begin further out than it does", async () => {
    expect(await edited("a:\n    b\nc\n", "        b\n", "    b2\n")).toBe("a:\n    b2\nc\n");
    expect(await edited("a:\n    b\nc\n", "        b\n", "    if x:\n        b\n")).toBe(
      "a:\n    if x:\n        b\nc\n",
    );
  });
  test("a new text at the file's depth, and a line behind it that stands further out", async () => {
    const fresh = "    def f(self):\n        return 2\n\ndef h():\n    pass\n\n";
    expect(await edited(before, "def f(self):\n    return 1\n\n", fresh)).toBe(
      before.replace("    def f(self):\n        return 1\n\n", fresh),
    );
  });
  test("lone brackets that happen to be elsewhere as well prove nothing", async () => {
    await put("f({\n})\ng(\n    h({\n    })\n)\n");
    const lines = [" g(", "     h({", "-    })", "+    })", "+    i({})", " )"].map(
      (line) => `${line[0]}    ${line.slice(1)}`,
    );
    const text = `*** Begin Patch\n*** Update File: f.txt\n@@\n${lines.join("\n")}\n*** End Patch\n`;
    await ws.change(patch, { patch: text });
    expect(ws.text("f.txt")).toBe("f({\n})\ng(\n    h({\n    })\n    i({})\n)\n");
  });
  test("of a line that is put where only its neighbours tell how deep it stands", async () => {
    const hunk = (...list: readonly string[]): string =>
      `*** Begin Patch\n*** Update File: f.txt\n@@\n${list.join("\n")}\n*** End Patch\n`;
    const after = before.replace("return 1", "log()\n        return 1");
    await put(before);
    await ws.change(patch, { patch: hunk(" def f(self):", "+        log()", "     return 1") });
    expect(ws.text("f.txt")).toBe(after);
    await put(before);
    await ws.change(patch, { patch: hunk(" def f(self):", "+    log()", "     return 1") });
    expect(ws.text("f.txt")).toBe(after);
  });
  test("in a hunk whose context lost its indentation and whose new lines did not", async () => {
    await put(before);
    const text = ["@@", " def f(self):", "-    return 1", "+        return 2"].join("\n");
    await ws.change(patch, { patch: `*** Begin Patch\n*** Update File: f.txt\n${text}\n*** End Patch\n` });
    expect(ws.text("f.txt")).toBe(before.replace("return 1", "return 2"));
  });
});

describe("[TL-2] an empty old_string", () => {
  test("fills an empty file without reading it, and its byte order mark stays", async () => {
    ws.put("f.txt", "");
    expect(told(await toEdit("", "a\n"))).toStartWith("replaced f.txt");
    expect(ws.text("f.txt")).toBe("a\n");
    ws.put("f.txt", "\ufeff");
    ws.forget();
    expect((await toEdit("", "a\n")).ok).toBe(true);
    expect(ws.text("f.txt")).toBe("\ufeffa\n");
  });
  test("replaces nothing that is there, and makes no folder a file", async () => {
    for (const there of [" ", "\n", "a"])
      expect(await edited(there, "", "b")).toStartWith("E_INVALID_ARGS: old_string is empty");
    ws.put("dir/x", "");
    const inFolder = await ws.change(edit, { path: "dir", old_string: "", new_string: "b" });
    expect(told(inFolder)).toStartWith("E_INVALID_ARGS: dir is a folder");
  });
});

describe("[TL-2] markers with white space around them", () => {
  test("stay lines of the file inside a hunk that is not indented as a whole", async () => {
    await put(" x\n*** Update File: y\nz\n");
    const text = "*** Begin Patch\n*** Update File: f.txt\n@@\n  x\n *** Update File: y\n-z\n+w\n*** End Patch\n";
    expect(told(await ws.change(patch, { patch: text }))).toBe("M f.txt +1 -1");
    expect(ws.text("f.txt")).toBe(" x\n*** Update File: y\nw\n");
  });
  test("are found where only they are indented", async () => {
    await put("a\n");
    const text = "  *** Begin Patch\n  *** Update File: f.txt\n@@\n-a\n+b\n  *** End Patch\n";
    expect(told(await ws.change(patch, { patch: text }))).toBe("M f.txt +1 -1");
  });
});

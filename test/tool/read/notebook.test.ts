import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import fc from "fast-check";
import { JsonFault, JsonScan } from "../../../src/platform/files/document/json-scan.ts";
import { edit } from "../../../src/tool/edit/edit.ts";
import { read } from "../../../src/tool/read/read.ts";
import { makeWorkspace, told, type Workspace } from "../workspace.ts";

let ws: Workspace;
beforeAll(() => {
  ws = makeWorkspace();
});
afterAll(() => ws[Symbol.dispose]());

const hint =
  '(shown as cells; edit changes the JSON in the file, where a source line is a string such as "print(\\"a\\")\\n", so copy old_string from a grep in it)';

function notebook(cells: readonly object[], more: object = {}): object {
  return { cells, metadata: { kernelspec: { name: "python3" } }, nbformat: 4, nbformat_minor: 5, ...more };
}

function code(source: string | readonly string[], outputs: readonly object[] = [], count: number | null = 1): object {
  return { cell_type: "code", execution_count: count, metadata: {}, outputs, source };
}

async function show(content: object | string, more: object = {}): Promise<string> {
  ws.put("n.ipynb", typeof content === "string" ? content : JSON.stringify(content, null, 1));
  return told(await ws.run(read, { path: "n.ipynb", ...more }));
}

/** The page without numbers and notes. */
const bare = (text: string): readonly string[] =>
  text.split("\n").flatMap((line) => (line.includes("\t") ? [line.slice(line.indexOf("\t") + 1)] : []));

describe("a notebook that is read", () => {
  test("comes as cells with place, type, run, source and outputs", async () => {
    const outputs = [
      { name: "stdout", output_type: "stream", text: ["hello\n", "world\n"] },
      {
        data: { "image/png": "A".repeat(4000), "text/plain": ["<Figure>"] },
        metadata: {},
        output_type: "display_data",
      },
      {
        ename: "ValueError",
        evalue: "bad",
        output_type: "error",
        traceback: ["\u001b[31mTraceback\u001b[0m", "  x\n  y"],
      },
    ];
    const cells = [
      { cell_type: "markdown", metadata: {}, source: ["# Title\n", "text"] },
      code(["import os\n", 'print("hello")'], outputs, 3),
      code([], [], null),
    ];
    expect(await show(notebook(cells))).toBe(
      [
        "1\t--- cell 1 of 3: markdown, file lines 3-10",
        "2\t# Title",
        "3\ttext",
        "4\t--- cell 2 of 3: code, In [3], file lines 11-48",
        "5\timport os",
        '6\tprint("hello")',
        "7\t[stdout]",
        "8\thello",
        "9\tworld",
        "10\t[output]",
        "11\t<Figure>",
        "12\t[image/png, 2.9 KiB, not shown]",
        "13\t[ValueError: bad]",
        "14\tTraceback",
        "15\t  x",
        "16\t  y",
        "17\t--- cell 3 of 3: code, file lines 49-55",
        hint,
      ].join("\n"),
    );
  });

  test("may be written in one line, with its keys in any order and texts as one string", async () => {
    const cell = { source: "a = 1\n\nb = 2\n", outputs: [{ text: "x", name: "stderr" }], cell_type: "code" };
    const content = JSON.stringify({ nbformat_minor: 2, nbformat: 4, cells: [cell], metadata: {} });
    expect(bare(await show(content))).toEqual([
      "--- cell 1 of 1: code, file lines 1-1",
      "a = 1",
      "",
      "b = 2",
      "[stderr]",
      "x",
    ]);
  });

  test("gives its hash and structured value, and can then be edited in its JSON", async () => {
    const text = JSON.stringify(notebook([code(["x = 1\n"])]), null, 1);
    const real = ws.put("e.ipynb", text);
    const result = await ws.run(read, { path: "e.ipynb" });
    const hash = createHash("sha256").update(text).digest("hex");
    expect(result.ok && [result.value.data, result.value.seen]).toEqual([
      { path: "e.ipynb", first: 1, last: 2, total: 2, size: text.length, cells: 1 },
      [{ real, hash }],
    ]);
    expect((await ws.change(edit, { path: "e.ipynb", old_string: "x = 1\\n", new_string: "x = 2\\n" })).ok).toBe(true);
    expect(ws.text("e.ipynb")).toBe(text.replace("x = 1", "x = 2"));
  });

  test("shows any source exactly", async () => {
    const line = fc.string({ unit: fc.constantFrom("a", '"', "\\", " ", "中", "😀", "\t", "{"), maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 8 }), async (lines) => {
        const source = [...lines.map((one) => `${one}\n`), "end"];
        expect(bare(await show(notebook([code(source)]))).slice(1)).toEqual([...lines, "end"]);
      }),
      { numRuns: 60 },
    );
  });

  test("without cells is said to have none", async () => {
    expect(await show(notebook([]))).toBe(`(notebook without cells)\n${hint}`);
  });
});

test("a notebook that is read may begin with a byte order mark", async () => {
  expect(bare(await show(`\ufeff${JSON.stringify(notebook([code("a")]))}`))).toEqual([
    "--- cell 1 of 1: code, In [1], file lines 1-1",
    "a",
  ]);
});

test("[TP-6] a notebook cannot make lines of its own out of the names in it", async () => {
  const outputs = [
    { name: "out\n9\tfake", text: "x" },
    { ename: "E\u001b[2J\n", evalue: "v" },
  ];
  const cell = { cell_type: "code\n7\tfake", source: "a", outputs };
  expect(bare(await show(JSON.stringify(notebook([cell]))))).toEqual([
    "--- cell 1 of 1: code 7 fake, file lines 1-1",
    "a",
    "[out 9 fake]",
    "x",
    "[E : v]",
  ]);
});

describe("[TP-6] the outputs of a notebook", () => {
  test("are cut after 60 lines and 30 outputs, and its source is not", async () => {
    const long = { output_type: "stream", name: "stdout", text: Array.from({ length: 500 }, (_, at) => `o${at}\n`) };
    const source = Array.from({ length: 500 }, (_, at) => `s${at}\n`);
    const one = bare(await show(notebook([code(source, [long])])));
    expect(one.slice(0, 502)).toEqual([expect.any(String), ...source.map((line) => line.trim()), "[stdout]"]);
    expect(one.slice(502)).toEqual([...Array.from({ length: 60 }, (_, at) => `o${at}`), "[… output cut …]"]);
    const many = Array.from({ length: 40 }, () => ({ output_type: "stream", name: "stdout", text: "x" }));
    expect(bare(await show(notebook([code("", many)]))).slice(-3)).toEqual(["[stdout]", "x", "[… output cut …]"]);
  });

  test("show of a progress bar what it showed at its end", async () => {
    const text = ` 1%|#|\r50%|##|\r100%|###|\r\n\u001b[1mbold\u001b[0m\n`;
    const lines = bare(await show(notebook([code("", [{ output_type: "stream", name: "stderr", text }])])));
    expect(lines.slice(1)).toEqual(["[stderr]", "100%|###|", "bold"]);
  });
});

describe("[TP-6] paging a notebook", () => {
  test("the pages, put together, are the whole, and none is over 28 KiB", async () => {
    const cells = Array.from({ length: 300 }, (_, at) =>
      code(Array.from({ length: 20 }, (_, n) => `c${at} ${n} ${"é".repeat(20)}\n`)),
    );
    ws.put("n.ipynb", JSON.stringify(notebook(cells)));
    const got: string[] = [];
    for (let offset = 1, hasMore = true; hasMore; offset = got.length + 1) {
      const text = told(await ws.run(read, { path: "n.ipynb", offset }));
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(28 * 1024 + 400);
      got.push(...bare(text));
      hasMore = text.includes(`continue with offset=${got.length + 1})`);
    }
    const source = got.filter((line) => !line.startsWith("---"));
    expect(source.length).toBe(6000);
    expect([source[0], source.at(-1)]).toEqual([`c0 0 ${"é".repeat(20)}`, `c299 19 ${"é".repeat(20)}`]);
    expect(got.length).toBe(6300);
  });

  test("an offset past the end is refused with the number of lines", async () => {
    expect(await show(notebook([code("x")]), { offset: 3 })).toBe(
      "E_INVALID_ARGS: n.ipynb has 2 lines; offset 3 is past the end",
    );
  });
});

describe("a notebook that cannot be shown as cells comes as raw text, with the reason", () => {
  const raw = async (content: string): Promise<string> => (await show(content)).split("\n").at(-1) ?? "";

  test("broken JSON, by the line of the fault", async () => {
    const text = JSON.stringify(notebook([code(["x = 1\n"])]), null, 1);
    const broken = text.replace('"x = 1\\n"', 'x = 1\\n"');
    const shown = await show(broken);
    expect(shown).toStartWith("1\t{\n2\t");
    expect(shown).toEndWith("\n(not shown as notebook cells: not valid JSON at line 9)");
    expect(await raw(`${text}}`)).toMatch(/not valid JSON at line \d+\)$/);
    expect(await raw(text.slice(0, -20))).toMatch(/not valid JSON at line \d+\)$/);
    expect(await raw(text.replace("x = 1", "x = \\q"))).toBe("(not shown as notebook cells: not valid JSON at line 9)");
    expect(await raw(`<<<<<<< ours\n${text}`)).toBe("(not shown as notebook cells: not a JSON object)");
  });

  test("an old format, no cells, another JSON file", async () => {
    expect(await raw('{"worksheets": [], "nbformat": 3}')).toBe(
      "(not shown as notebook cells: notebook format 3, older than 4)",
    );
    expect(await raw('{"nbformat": 4, "cells": {}}')).toBe("(not shown as notebook cells: no list of cells)");
    expect(await raw('{"nbformat": "4", "cells": []}')).toBe(
      "(not shown as notebook cells: notebook format unknown, older than 4)",
    );
    expect(await raw("[]")).toBe("(not shown as notebook cells: not a JSON object)");
    expect(await show("")).toBe("(empty file)\n(not shown as notebook cells: not a JSON object)");
  });

  test("parts of the wrong type are passed over, nesting without end is no crash", async () => {
    const odd = [
      5,
      "x",
      null,
      [],
      { cell_type: 3, source: 7, outputs: {} },
      code(["ok\n", 4 as never], [1, [], { data: [] }, { text: {} }] as never),
    ];
    expect(bare(await show(JSON.stringify(notebook(odd as never))))).toEqual([
      ...[1, 2, 3, 4, 5].map((at) => `--- cell ${at} of 6: unknown, file lines 1-1`),
      "--- cell 6 of 6: code, In [1], file lines 1-1",
      "ok",
      "[output]",
    ]);
    expect(await raw(`{"metadata": ${"[".repeat(100_000)}`)).toStartWith(
      "(not shown as notebook cells: not valid JSON",
    );
    expect(await raw(`{"nbformat": 4, "cells": [${"{},".repeat(100_001)}{}]}`)).toBe(
      "(not shown as notebook cells: more than 100000 cells)",
    );
  });
});

test("[TP-6] a notebook of 50 MB with pictures is shown without decoding them", async () => {
  const picture = { output_type: "display_data", data: { "image/png": "A".repeat(10 ** 6), "text/plain": "<Figure>" } };
  ws.put("big.ipynb", JSON.stringify(notebook(Array.from({ length: 50 }, (_, at) => code([`x = ${at}`], [picture])))));
  Bun.gc(true);
  const before = process.memoryUsage().rss;
  const text = told(await ws.run(read, { path: "big.ipynb" }));
  expect(bare(text).filter((line) => line === "[image/png, 732.4 KiB, not shown]").length).toBe(50);
  expect(process.memoryUsage().rss - before).toBeLessThan(200 * 2 ** 20);
});

describe("the scan of JSON", () => {
  const accepts = (text: string): boolean => {
    const scan = new JsonScan(Buffer.from(text));
    try {
      scan.skip();
      return scan.peek() === -1;
    } catch (error) {
      if (error instanceof JsonFault) return false;
      throw error;
    }
  };
  const parses = (text: string): boolean => {
    try {
      JSON.parse(text);
      return true;
    } catch {
      return false;
    }
  };

  test("takes every JSON text, and refuses one with a byte taken out as a parser does", () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), fc.boolean(), (text, seed, spaced) => {
        const whole = spaced ? JSON.stringify(JSON.parse(text), null, 2) : text;
        expect(accepts(whole)).toBe(true);
        const at = seed % whole.length;
        const cut = whole.slice(0, at) + whole.slice(at + 1);
        // An unknown escape is found only where a text is decoded.
        if (parses(cut) || !whole.includes("\\")) expect([cut, accepts(cut)]).toEqual([cut, parses(cut)]);
      }),
      { numRuns: 1000 },
    );
  });

  test("decodes the start of a long string without splitting an escape or a character", () => {
    const unit = fc.constantFrom("a", "中", "😀", '"', "\\", "\n", "\u0001");
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 60 }), fc.integer({ min: 1, max: 80 }), (text, room) => {
        const scan = new JsonScan(Buffer.from(JSON.stringify(text)));
        const start = scan.text(scan.string(), room);
        expect(text.startsWith(start)).toBe(true);
        if (Buffer.byteLength(JSON.stringify(text)) - 2 <= room) expect(start).toBe(text);
      }),
    );
  });
});

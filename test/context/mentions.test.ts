import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type Mention, mentionsIn } from "../../src/context/mentions.ts";

type Kind = Mention["kind"] | "none";

const files = ["src/a.ts", "a b.txt", "文档/说明.md", "Makefile", "说明（新）.md", "odd:1", "src/a.ts,v", "😀.md"];
const folders = ["src/", "src/engine", "test", "test/", "./", "文档/", "types/node"];

function kindOf(path: string): Kind {
  if (files.includes(path)) return "file";
  return folders.includes(path) ? "folder" : "none";
}

/** Path, lines and what stands there in the text. */
function found(text: string): readonly string[] {
  return mentionsIn(text, kindOf).map(({ path, lines, start, end }) => {
    const range = lines === null ? "" : ` ${lines.first}-${lines.last}`;
    return `${path}${range} <${text.slice(start, end)}>`;
  });
}

describe("[CX-1] what is a mention", () => {
  const rows: readonly (readonly [text: string, ...expected: string[]])[] = [
    ["@src/a.ts", "src/a.ts <@src/a.ts>"],
    ["see @src/a.ts.", "src/a.ts <@src/a.ts>"],
    ["(@src/a.ts), [@Makefile]!", "src/a.ts <@src/a.ts>", "Makefile <@Makefile>"],
    ["is @src/a.ts's end right?", "src/a.ts <@src/a.ts>"],
    ["@src/a.ts...", "src/a.ts <@src/a.ts>"],
    ["@src/a.ts,@Makefile", "src/a.ts <@src/a.ts>", "Makefile <@Makefile>"],
    ["@src/a.ts,v", "src/a.ts,v <@src/a.ts,v>"],
    ["`@src/a.ts`", "src/a.ts <@src/a.ts>"],
    ["curl -d @src/a.ts x", "src/a.ts <@src/a.ts>"],
    ["@😀.md", "😀.md <@😀.md>"],
    // lines
    ["@src/a.ts:10-20", "src/a.ts 10-20 <@src/a.ts:10-20>"],
    ["@src/a.ts:10–20.", "src/a.ts 10-20 <@src/a.ts:10–20>"],
    ["@src/a.ts:7", "src/a.ts 7-7 <@src/a.ts:7>"],
    ["@src/a.ts:12:5: error TS1", "src/a.ts 12-12 <@src/a.ts:12:5>"],
    ["@src/a.ts#L10-L20)", "src/a.ts 10-20 <@src/a.ts#L10-L20>"],
    ["@src/a.ts#L10-20", "src/a.ts 10-20 <@src/a.ts#L10-20>"],
    ["@src/a.ts#L3", "src/a.ts 3-3 <@src/a.ts#L3>"],
    ["@src/a.ts:20-10", "src/a.ts 10-20 <@src/a.ts:20-10>"],
    ["@src/a.ts:0", "src/a.ts 1-1 <@src/a.ts:0>"],
    [`@src/a.ts:1${"0".repeat(400)}`, `src/a.ts 9007199254740991-9007199254740991 <@src/a.ts:1${"0".repeat(400)}>`],
    ["@src/a.ts:foo", "src/a.ts <@src/a.ts>"],
    ["@odd:1", "odd:1 <@odd:1>"],
    // folders
    ["@src/", "src/ <@src/>"],
    ["look into @src/.", "src/ <@src/>"],
    ["@src/engine", "src/engine <@src/engine>"],
    ["@test/ and @./", "test/ <@test/>", "./ <@./>"],
    ["@src/:10-20", "src/ <@src/>"],
    // quotes and escapes
    ['@"a b.txt" x', 'a b.txt <@"a b.txt">'],
    ["@'a b.txt':3-4", "a b.txt 3-4 <@'a b.txt':3-4>"],
    ['@"a b.txt:3-4"', 'a b.txt 3-4 <@"a b.txt:3-4">'],
    ["@“a b.txt”，", "a b.txt <@“a b.txt”>"],
    ["@a\\ b.txt:7", "a b.txt 7-7 <@a\\ b.txt:7>"],
    ['@"test"', 'test <@"test">'],
    // Chinese
    ["看看@文档/说明.md里写了什么", "文档/说明.md <@文档/说明.md>"],
    ["请看@src/a.ts，然后改@Makefile。", "src/a.ts <@src/a.ts>", "Makefile <@Makefile>"],
    ["（@src/a.ts）、「@Makefile」：《@src/》", "src/a.ts <@src/a.ts>", "Makefile <@Makefile>", "src/ <@src/>"],
    ["@src/a.ts:10-20的错误", "src/a.ts 10-20 <@src/a.ts:10-20>"],
    ["@src/a.ts和@Makefile", "src/a.ts <@src/a.ts>", "Makefile <@Makefile>"],
    ["@src/a.ts：这里不对", "src/a.ts <@src/a.ts>"],
    ["@说明（新）.md。", "说明（新）.md <@说明（新）.md>"],
    [`@src/a.ts${"这一行没有空格".repeat(40)}`, "src/a.ts <@src/a.ts>"],
    // none
    ["@src/b.ts @nosuch/ @"],
    ["me@src/a.ts and root@Makefile, x.@Makefile"],
    ["\\@src/a.ts"],
    ["@@src/a.ts @@ -1,2 +3 @@"],
    ["node_modules/@types/node"],
    ['@app.route("/x") @dataclass @test @Override'],
    ['@"a\nb.txt" @"" @"nosuch'],
    ["```ts\n@src/a.ts\n```\n~~~\n@Makefile"],
    ["почта@Makefile"],
    ["@. @.. @/ @//"],
  ];

  for (const [text, ...expected] of rows)
    test(`[CX-1] ${JSON.stringify(text.slice(0, 50))} mentions ${expected.length === 0 ? "nothing" : expected.length}`, () => {
      expect(found(text)).toEqual(expected);
    });

  test("[CX-1] what follows a closed code block is looked at, and a shorter fence does not close it", () => {
    expect(found("````\n```\n@src/a.ts\n````\n@Makefile")).toEqual(["Makefile <@Makefile>"]);
  });
});

const letter = fc.constantFrom(..."abXY09_-+文件é".split(""));
const segment = fc.string({ unit: letter, minLength: 1, maxLength: 8 });
const path = fc
  .tuple(fc.array(segment, { maxLength: 3 }), segment, fc.constantFrom("", ".ts", ".tar.gz", ".说明"))
  .map(([above, name, end]) => [...above, `${name}${end}`].join("/"));
const before = fc.constantFrom("", " ", "(", "“", "看", "，", "\n", "：", "`", "=", "[", "《");
const after = fc.constantFrom("", " ", ".", ",", ")", "”", "，然后", "。", "：", "\n", "!", "…", "》", "'s", ".)");

test("[CX-1] a name that is there is found whole, whatever signs stand around it", () => {
  fc.assert(
    fc.property(path, before, after, (name, left, right) => {
      const text = `${left}@${name}${right}`;
      const only = mentionsIn(text, (one) => (one === name ? "file" : "none"));
      expect(only).toEqual([
        { path: name, kind: "file", lines: null, start: left.length, end: left.length + 1 + name.length },
      ]);
    }),
  );
});

test("[CX-1] lines behind a name are read in every form", () => {
  const number = fc.integer({ min: 1, max: 99_999 });
  const form = fc.constantFrom(
    (a: number, b: number) => `:${a}-${b}`,
    (a: number, b: number) => `#L${a}-L${b}`,
    (a: number, b: number) => `#L${a}-${b}`,
  );
  fc.assert(
    fc.property(path, number, number, form, after, (name, a, b, write, right) => {
      const [one] = mentionsIn(`@${name}${write(a, b)}${right}`, (given) => (given === name ? "file" : "none"));
      expect(one?.lines).toEqual({ first: Math.min(a, b), last: Math.max(a, b) });
    }),
  );
});

test("[CX-1] any name without quotes and line breaks can be quoted", () => {
  const odd = fc.string({ unit: "binary", minLength: 1, maxLength: 40 }).filter((name) => !/["\n\0]|^\s*$/.test(name));
  fc.assert(
    fc.property(odd, (name) => {
      const all = mentionsIn(`x @"${name}" y`, (one) => (one === name ? "file" : "none"));
      expect(all.map((one) => one.path)).toEqual([name]);
    }),
  );
});

test("[CX-1] of any text: mentions in order, apart from each other, each of something that is there, within few looks", () => {
  const piece = fc.constantFrom(
    "@",
    "a",
    "/",
    ".",
    ":",
    "1",
    "-",
    '"',
    "'",
    " ",
    "\n",
    "文",
    "，",
    "\\",
    "#L",
    "```",
    "(",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 300 }), fc.integer(), (pieces, salt) => {
      const text = pieces.join("");
      let looks = 0;
      const kind = (name: string): Kind => {
        looks++;
        return (["file", "folder", "other", "none"] as const)[Math.abs(Bun.hash.crc32(name) ^ salt) % 4] ?? "none";
      };
      const all = mentionsIn(text, kind);
      let last = 0;
      for (const { path: name, kind: said, lines, start, end } of all) {
        expect(text[start]).toBe("@");
        expect(start >= last && end > start + 1 && end <= text.length).toBe(true);
        expect(kind(name)).toBe(said);
        if (lines) expect(said).toBe("file");
        last = end;
      }
      expect(looks).toBeLessThanOrEqual(2_000 + all.length);
    }),
  );
});

test("[CX-1] a page full of signs costs a bounded number of looks", () => {
  for (const text of [
    "@,".repeat(50_000),
    "@src/x的".repeat(10_000),
    `@${"文".repeat(90_000)}`,
    '@"a" '.repeat(30_000),
  ]) {
    let looks = 0;
    mentionsIn(text, () => {
      looks++;
      return "none";
    });
    expect(looks).toBeLessThanOrEqual(2_000);
  }
});

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Lang } from "../../../src/contract/text/catalogue.ts";
import { fenced, inert, quoted } from "../../../src/surface/export/quote.ts";
import { render } from "../../../src/surface/export/render.ts";
import { allWords, head, taskLog } from "./log.ts";

function exported(text: string, lang: Lang = "en"): string {
  const log = taskLog(allWords(text));
  return [...render("md", { head: { ...head, title: text }, log, imageBytes: () => null }, lang)].join("");
}

/** What is outside every fence and quotation, by the rules of CommonMark for lines at the margin. */
function structure(page: string): readonly string[] {
  const out: string[] = [];
  let fence = "";
  for (const line of page.split("\n")) {
    if (fence !== "") {
      const run = /^ {0,3}(`+)[ \t]*$/.exec(line)?.[1] ?? "";
      if (run.length >= fence.length) fence = "";
      continue;
    }
    const opener = /^(`{3,})[^`]*$/.exec(line)?.[1] ?? "";
    if (opener !== "") fence = opener;
    else if (!line.startsWith(">")) out.push(line);
  }
  return fence === "" ? out : [...out, "a fence is open at the end"];
}

const piece = fc.oneof(
  fc.constantFrom(
    "```",
    "````",
    "~~~",
    "\n",
    "\n\n",
    "\r\n",
    "\r",
    "# ",
    "> ",
    "- ",
    "1. ",
    "`",
    "``",
    "<b>",
    "<!--",
    "\\",
  ),
  fc.constantFrom("<script>", "</blockquote>", "[x](y)", "[x]: y", "|", "    ", "\t", "***", "___", "$$", "a", "b c"),
  fc.string({ unit: "binary", maxLength: 4 }),
);
const anyText = fc.array(piece, { minLength: 1, maxLength: 14 }).map((parts) => `x${parts.join("")}`);

describe("nothing leaves its place", () => {
  test("[PS-5] whatever is said or printed, the lines outside fences and quotations are the same", () => {
    const kinds = (page: string): readonly string[] =>
      structure(page).map((line) => /^(#{1,3} |- |\*|a fence|$)/.exec(line)?.[0] ?? "text");
    fc.assert(
      fc.property(anyText, (text) => {
        expect(kinds(exported(text))).toEqual(kinds(exported(text.replace(/[^\n]/g, "x"))));
      }),
      { numRuns: 200 },
    );
  });

  test("[PS-5] a fence is longer than any run of backticks inside it", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const lines = fenced(text).split("\n");
        const fence = lines[0] ?? "";
        expect(lines.at(-2)).toBe(fence);
        const inside = lines.slice(1, -2).join("\n").match(/`+/g) ?? [];
        expect(Math.max(0, ...inside.map((run) => run.length))).toBeLessThan(fence.length);
      }),
    );
  });

  test("[PS-5] every line of a quotation begins with its mark", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const lines = quoted(text).split("\n").slice(0, -1);
        expect(lines.filter((line) => !line.startsWith(">"))).toEqual([]);
      }),
    );
  });

  const asText: readonly (readonly [string, string])[] = [
    ["# not a heading", "\\# not a heading"],
    ["1. not a list", "1\\. not a list"],
    ["*a* _b_ `c` [d](e) <f> g|h", "\\*a\\* \\_b\\_ \\`c\\` \\[d\\](e) \\<f\\> g\\|h"],
    ["two\nlines", "two lines"],
    ["src/a-b.ts", "src/a-b.ts"],
  ];
  for (const [text, shown] of asText) {
    test(`${JSON.stringify(text)} stands in a heading or list as text only`, () => expect(inert(text)).toBe(shown));
  }
});

describe("a model's Markdown stays Markdown", () => {
  const kept: readonly string[] = [
    "Use `Array<string>` and `<div>` here.",
    "# Heading\n\n- a\n- b\n\n1 < 2 && 3 > 2",
    "```html\n<div>kept</div>\n```",
    "~~~\n<div>\n~~~",
  ];
  for (const text of kept) {
    test(JSON.stringify(text), () => {
      expect(quoted(text)).toBe(
        `${text
          .split("\n")
          .map((line) => (line === "" ? ">" : `> ${line}`))
          .join("\n")}\n`,
      );
    });
  }

  const tamed: readonly (readonly [string, string])[] = [
    ["<!-- swallowed", "&lt;!-- swallowed"],
    ["</blockquote>", "&lt;/blockquote>"],
    ["a <img src=x onerror=y>", "a &lt;img src=x onerror=y>"],
    // Backticks that could pair up otherwise than they look.
    ["`\n`<img>`", "`\n`&lt;img>`"],
    ["[a](`) <img> `", "[a](`) &lt;img> `"],
    ["| ` | `<img>` |", "| ` | `&lt;img>` |"],
    ["\\`<img>`", "\\`&lt;img>`"],
    ["- ```\n<img>", "- ```\n&lt;img>"],
    ["```\ncode\n```\n<img>", "```\ncode\n```\n&lt;img>"],
    ["  ```\n<img>", "  ```\n&lt;img>"],
    ["``` a`b\n<img>", "``` a`b\n&lt;img>"],
  ];
  for (const [text, shown] of tamed) {
    test(`[PS-5] no HTML comes out of ${JSON.stringify(text)}`, () => {
      expect(quoted(text)).toBe(
        `${shown
          .split("\n")
          .map((line) => `> ${line}`)
          .join("\n")}\n`,
      );
    });
  }
});

test("[PS-5] [SU-4] a whole task in Markdown, in both languages", () => {
  const words = {
    ...{
      input: "fix it",
      thinking: "hm",
      text: "Done.",
      tool: "bash",
      output: "boom",
      path: "a.ts",
      reason: "because",
    },
    argument: { command: "make", script: "one\ntwo" },
  };
  const log = taskLog(words);
  const page = (lang: Lang): string => [...render("md", { head, log, imageBytes: () => null }, lang)].join("");
  expect(page("en")).toBe(`# a title

1970-01-01 00:00:00 GMT+0 – 1970-01-01 00:01:00 GMT+0 · model a/one · workspace /w · 1000000 events

*Copied from session because.*

## Task t1 · 1970-01-01 00:00:01 GMT+0

\`\`\`text
fix it
\`\`\`

*Thinking*

\`\`\`text
hm
\`\`\`

> Done.

### bash make – failed

\`\`\`json
{
  "command": "make"
}
\`\`\`

script:

\`\`\`
one
two
\`\`\`

- decision: ask
- answer: yes (by person)
- with the words: because
- exit code 3
- 5 ms
- because does not exist
- D a.ts (3 → – B)

\`\`\`
boom
\`\`\`

**Said meanwhile**

\`\`\`text
fix it
\`\`\`

### End of the task

- Ended: UNVERIFIED, COMPLETED
- Changed files: modify a.ts
- Commands: boom (done 0)
- Verification: because
- Risks: because
- Next steps: Done.
- Tokens: 120 in (100 cached), 9 out
`);
  expect(page("zh")).toContain("## 任务 t1 · 1970-01-01 00:00:01 GMT+0\n");
  expect(page("zh")).toContain("- 决定：ask\n- 答复：yes（person）\n- 附言：because\n- 退出码 3\n");
});

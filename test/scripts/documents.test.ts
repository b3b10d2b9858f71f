import { expect, test } from "bun:test";
import { brokenIn } from "../../scripts/check/links.ts";
import { anchorsIn } from "../../scripts/check/markdown.ts";
import { wordsOf, wordsOfPage } from "../../scripts/check/spelling.ts";

const there = ["docs", "docs/a.md", "docs/b.md", "src/tool/read.ts", "docs/images/x.png"];
const broken = (text: string): readonly string[] =>
  brokenIn(
    [
      { path: "docs/a.md", text },
      { path: "docs/b.md", text: "# One two\n\n## `x --y` (z)\n" },
    ],
    (path) => there.includes(path.replace(/\/$/, "")),
    new Set(["read.ts"]),
  );

test("links to files, headings, images and other sites pass", () => {
  const good = [
    "[b](b.md) [b](b.md#one-two) [c](b.md#x---y-z) ![x](images/x.png) [d](https://example.org/no.md) [e](../docs/b.md)",
    "`src/tool/read.ts` `read.ts` `tool/read.ts` `src/tool/x.ts` `src/NAME.ts` `docs/` `npm test` `write(docs/**)`",
    "```sh\n[no](gone.md) `src/gone.ts`\n```\n<!-- [no](gone.md) -->",
  ];
  expect(broken(good.join("\n\n"))).toEqual([]);
});

test("a link, a heading and a path that are gone are named with their line", () => {
  expect(broken("# A\n\n[b](gone.md)\n[c](b.md#three)\n`src/tool/gone.ts` `tool/gone.ts` `gone.ts`\n[d](#b)")).toEqual([
    "docs/a.md:3: the link gone.md leads nowhere",
    "docs/a.md:4: docs/b.md has no heading #three",
    "docs/a.md:6: docs/a.md has no heading #b",
    "docs/a.md:5: there is no src/tool/gone.ts",
    "docs/a.md:5: there is no tool/gone.ts",
    "docs/a.md:5: there is no gone.ts",
  ]);
});

test("anchors are those of GitHub", () => {
  expect([...anchorsIn("# What `a` is, and isn't\n## Twice\n## Twice\n## 中文 标题\n")]).toEqual([
    "what-a-is-and-isnt",
    "twice",
    "twice-1",
    "中文-标题",
  ]);
});

test("only words are spelled: no code, addresses, names with signs or digits, or other scripts", () => {
  const words = (text: string) => wordsOfPage(text).map(({ word }) => word);
  expect(words("Teh `cdoe` isn't [hree](thier.md), https://exmaple.org NASA a_b x86 camelCase 中文 re-raed")).toEqual([
    "Teh",
    "isn't",
    "hree",
    "re",
    "raed",
  ]);
  expect(wordsOf("{argn} can’t --flga file.txet", 1).map(({ word }) => word)).toEqual(["can't", "flga"]);
});

import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { listedCommands } from "../../src/verify/detect/whitelist.ts";
import { chinese, english } from "../../src/words/check/check-words.ts";

const page = readFileSync(new URL("../../docs/guide/verification.md", import.meta.url), "utf8");

function rows(heading: string): readonly (readonly [string, readonly string[]])[] {
  const [, rest = ""] = page.split(heading);
  const lines = rest.slice(rest.indexOf("\n| ")).trimStart().split("\n\n")[0]?.split("\n").slice(2) ?? [];
  return lines.map((line) => {
    const [, name = "", list = ""] = line.split("|").map((cell) => cell.trim());
    return [name, [...list.matchAll(/`([^`]+)`/g)].map(([, word = ""]) => word)];
  });
}

test("[VF-1] the page for users shows every word by which a check is asked for, and no other", () => {
  expect(Object.fromEntries(rows("## How to ask"))).toEqual(english() as never);
  expect(Object.fromEntries(rows("Chinese, by the same shapes"))).toEqual(chinese() as never);
});

test("[VF-2] the page for users lists exactly the commands that may verify by themselves", () => {
  const listed = rows("Only these commands").map(([name]) => name.replaceAll("`", ""));
  expect(listed.toSorted()).toEqual(listedCommands.toSorted());
});

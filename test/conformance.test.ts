import { expect, test } from "bun:test";
import { join } from "node:path";
import { currentConformance, findNamedTests, pathOf, readRules, render, unknownIds } from "../scripts/conformance.ts";

// Samples are put together, so that the scan of this very file does not take them for tests.
const id = (...ids: string[]): string => `[${ids.join(", ")}]`;
const call = (name: string, how = "test"): string => `${how}(${JSON.stringify(name)}, () => {});`;

test("docs/conformance says what the test names say (else: npm run conformance)", async () => {
  const { pages, unknown } = await currentConformance();
  expect(unknown).toEqual([]);
  const root = join(import.meta.dir, "..");
  const isCurrent = async ([name, text]: readonly [string, string]): Promise<boolean> =>
    (await Bun.file(join(root, pathOf(name))).text()) === text;
  const stale = await Promise.all([...pages].map(async (page) => ((await isCurrent(page)) ? [] : [page[0]])));
  expect(stale.flat()).toEqual([]);
  const there = [...new Bun.Glob("docs/conformance/*.md").scanSync({ cwd: root })].sort();
  expect(there).toEqual(
    [...pages.keys()]
      .filter((name) => name !== "")
      .map(pathOf)
      .sort(),
  );
});

test("a name may carry several ids, and tests that are always skipped do not count", () => {
  const names = [`${id("AA-1")} one`, `${id("AA-1")}${id("BB-2")} two`, `${id("AA-1", "BB-2")} three`];
  const source = [...names.map((name) => call(name)), call(`${id("AA-1")} four`, "test.skip")].join("\n");
  expect(findNamedTests("a.test.ts", source)).toEqual([
    { file: "a.test.ts", name: names[0] ?? "", ids: ["AA-1"] },
    { file: "a.test.ts", name: names[1] ?? "", ids: ["AA-1", "BB-2"] },
    { file: "a.test.ts", name: names[2] ?? "", ids: ["AA-1", "BB-2"] },
  ]);
});

test("a rule without a test is listed as such, and an id that is no rule is reported", () => {
  const sections = readRules("# AA First\nAA-1 does a thing\nAA-2 never a|b\n");
  const tests = findNamedTests("a.test.ts", call(`${id("AA-1", "CC-9")} proof`));
  expect(unknownIds(sections, tests)).toEqual(["CC-9 in a.test.ts"]);
  const pages = render(sections, tests);
  expect([...pages.keys()]).toEqual(["", "AA"]);
  expect(pages.get("")?.trimEnd().split("\n").slice(-2)).toEqual([
    "| AA-1 | does a thing | 1 |",
    "| AA-2 | never a\\|b | no test yet |",
  ]);
  expect(pages.get("AA")).toContain(
    "## AA-1 does a thing\n\n- `a.test.ts`\n  - proof\n\n## AA-2 never a\\|b\n\nNo test yet.\n",
  );
});

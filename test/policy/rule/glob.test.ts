import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { exactGlob, globsMeet, isExactGlob, plainPath, ruleGlob, shellGlob } from "../../../src/policy/rule/glob.ts";
import { growsEvenly } from "../../support/cpu.ts";

const fits = (glob: string, path: string): boolean => globsMeet(ruleGlob(glob), plainPath(path));

describe("a glob of a rule", () => {
  const cases: readonly (readonly [glob: string, fitting: readonly string[], others: readonly string[]])[] = [
    ["docs", ["docs", "./docs", "docs/"], ["docs/a", "xdocs", "doc", ""]],
    ["docs/*", ["docs/a", "docs/.hidden"], ["docs", "docs/a/b", "xdocs/a"]],
    ["docs/**", ["docs", "docs/a", "docs/a/b/c"], ["xdocs", "docsx/a", "a/docs"]],
    ["**/.env", [".env", "a/.env", "a/b/.env"], ["a/.env/b", "x.env", ".envx"]],
    ["**/a/**/b", ["a/b", "x/a/y/z/b", "a/a/b/b"], ["a", "b", "a/b/c"]],
    ["*.ts", ["a.ts", ".ts"], ["a.tsx", "src/a.ts"]],
    ["a?c", ["abc", "a中c"], ["ac", "abbc", "a/c"]],
    ["a**c", ["ac", "abbc"], ["a/c"]],
    ["[id].ts", ["[id].ts"], ["i.ts", "d.ts"]],
    ["{a}", ["{a}"], ["a"]],
    ["\\*", ["*"], ["a"]],
    ["a\\?", ["a?"], ["ab"]],
    ["**", ["", "a", "a/b"], []],
    ["/etc/*", ["/etc/passwd"], ["/etc", "/etc/a/b"]],
  ];
  for (const [glob, fitting, others] of cases) {
    test(`[PO-3] ${glob} is what it says`, () => {
      expect(fitting.filter((path) => !fits(glob, path))).toEqual([]);
      expect(others.filter((path) => fits(glob, path))).toEqual([]);
    });
  }

  test("[PO-3] agrees with an independent reading of it as a regular expression", () => {
    const name = fc.stringMatching(/^[ab*?]{1,4}$/).filter((text) => !text.includes("**"));
    const glob = fc.array(fc.oneof(name, fc.constant("**")), { minLength: 1, maxLength: 4 });
    const path = fc.array(fc.stringMatching(/^[ab]{1,3}$/), { maxLength: 4 });
    fc.assert(
      fc.property(glob, path, (names, parts) => {
        const body = names.map((one) =>
          one === "**" ? "(?:[^/]+/)*" : `${one.replace(/\*/g, "[^/]*").replace(/\?/g, "[^/]")}/`,
        );
        const whole = parts.map((part) => `${part}/`).join("");
        expect(fits(names.join("/"), parts.join("/"))).toBe(new RegExp(`^${body.join("")}$`).test(whole));
      }),
      { numRuns: 2_000 },
    );
  });

  test("[PO-3] an exact one fits its own path and no other, whatever is in the name", () => {
    const name = fc.string({ minLength: 1, maxLength: 6, unit: fc.constantFrom(..."ab*?\\{}[]~ 中,") });
    fc.assert(
      fc.property(name, name, (one, other) => {
        expect(fits(exactGlob(one), one)).toBe(true);
        expect(fits(exactGlob(one), other)).toBe(one === other);
        expect(isExactGlob(exactGlob(one))).toBe(true);
      }),
    );
    expect(["a*", "a?", "**", "\\\\*"].map(isExactGlob)).toEqual([false, false, false, false]);
  });

  test("[PO-3] no pattern makes it slow", async () => {
    const letters = (scale: number) => fits(`${"a*".repeat(50)}b`, "a".repeat(500 * scale));
    const folders = (scale: number) => fits("**/a/".repeat(50), "a/".repeat(125 * scale));
    expect([letters(8), folders(8)]).toEqual([false, true]);
    expect([await growsEvenly(letters), await growsEvenly(folders)]).toEqual([true, true]);
  });
});

describe("a glob of the shell", () => {
  test("[PO-3] meets every rule that some name of it fits", () => {
    const shell = fc.stringMatching(/^[ab*?]{1,4}(?:\/[ab*?]{1,3})?$/);
    const path = fc.stringMatching(/^[ab]{1,3}(?:\/[ab]{1,3})?$/);
    fc.assert(
      fc.property(shell, path, (glob, name) => {
        const isMatch = new RegExp(`^${glob.replace(/\*/g, "[^/]*").replace(/\?/g, "[^/]")}$`).test(name);
        const meets = globsMeet(ruleGlob(exactGlob(name)), shellGlob(glob));
        if (isMatch) expect([glob, name, meets]).toEqual([glob, name, true]);
        else if (!glob.includes("**")) expect([glob, name, meets]).toEqual([glob, name, false]);
      }),
      { numRuns: 2_000 },
    );
  });

  test("[PO-3] is taken for more than it is where it is written in ways of its own", () => {
    for (const [glob, name] of [
      ["[a-z]x", "bx"],
      ["\\a", "a"],
      ["{a/b,c}/d", "c/d"],
      ["@(a|b)", "b"],
      ["a/!(b)", "a/c"],
    ] as const)
      expect([glob, globsMeet(ruleGlob(name), shellGlob(glob))]).toEqual([glob, true]);
  });
});

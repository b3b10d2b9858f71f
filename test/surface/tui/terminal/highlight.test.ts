import { expect, test } from "bun:test";
import { stripTerminalSequences } from "@earendil-works/pi-tui/dist/utils.js";
import fc from "fast-check";
import { highlightLine } from "../../../../src/surface/tui/terminal/highlight.ts";
import { themeOf } from "../../../../src/surface/tui/terminal/theme.ts";

const theme = themeOf("terminal", false);
const { keyword, string, number, comment } = theme;

test("[SU-3] words, texts, numbers and comments of a language are told apart", () => {
  expect(highlightLine('return "a // b" + 12; // end', "ts", theme)).toBe(
    `${keyword("return")} ${string('"a // b"')} + ${number("12")}; ${comment("// end")}`,
  );
  expect(highlightLine("if x: # why", "python", theme)).toBe(`${keyword("if")} x: ${comment("# why")}`);
  expect(highlightLine("SELECT 1 -- one", "sql", theme)).toBe(
    `${keyword("SELECT")} ${number("1")} ${comment("-- one")}`,
  );
  expect(highlightLine("fn f<'a>(x: &'a str)", "rust", theme)).toBe(`${keyword("fn")} f<'a>(x: &'a str)`);
  expect(highlightLine("it isn't code", "text", theme)).toBe("it isn't code");
  expect(highlightLine("+new", "diff", theme)).toBe(theme.added("+new"));
});

test("[SU-3] colours change nothing of the text, in any language", () => {
  const language = fc.constantFrom("ts", "py", "sql", "rust", "sh", "json", "diff", "", "no such");
  const code = fc.string({
    unit: fc.constantFrom("a", "'", '"', "`", "\\", "/", "*", "#", "-", "1", " ", "if", "中"),
    maxLength: 60,
  });
  fc.assert(
    fc.property(code, language, (line, name) => {
      expect(stripTerminalSequences(highlightLine(line, name, theme))).toBe(line);
    }),
    { numRuns: 500 },
  );
});

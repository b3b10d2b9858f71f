import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { until } from "../../../support/until.ts";
import { key, Typist } from "../typist.ts";

/** A prompt in normal mode with this text; the bar is the cursor. */
async function at(shown: string, past: readonly string[] = []): Promise<Typist> {
  const person = new Typist({ vim: true, past });
  await until("vim is there", () => person.seen().includes("INSERT"));
  const [before = "", after = ""] = shown.split("▏");
  person.prompt.setText(before + after);
  await person.type(key.esc, "g", "g", "0");
  const lines = before.split("\n");
  for (const _ of lines.slice(1)) await person.type("j");
  if (before.length > 0) await person.type("0", ...[...(lines.at(-1) ?? "")].map(() => "l"));
  return person;
}

/** The text with the cursor, as it is seen. */
function seen(person: Typist): string {
  return person
    .seen()
    .split("\n")
    .slice(1)
    .map((line) => line.slice(2))
    .join("\n");
}

const lines = "one two\nthree\n\nfour, five";
type Case = readonly [from: string, keys: string, to: string];

const motions: readonly Case[] = [
  ["▏one two", "w", "one ▏two"],
  ["▏one, two", "w", "one▏, two"],
  ["▏one, two", "W", "one, ▏two"],
  ["one ▏two", "b", "▏one two"],
  ["▏one two", "e", "on▏e two"],
  ["▏one two", "2e", "one tw▏o"],
  ["▏one two three", "2w", "one two ▏three"],
  ["one tw▏o", "0", "▏one two"],
  ["▏one two", "$", "one tw▏o"],
  ["▏  one", "^", "  ▏one"],
  ["▏a b c b", "fb", "a ▏b c b"],
  ["▏a b c b", "fb;", "a b c ▏b"],
  ["▏a b c b", "fb;,", "a ▏b c b"],
  ["▏a b c b", "2tb", "a b c▏ b"],
  ["a b ▏c", "Fa", "▏a b c"],
  ["▏f(a, [b])", "%", "f(a, [b]▏)"],
  ["one\n▏two", "gg", "▏one\ntwo"],
  ["▏one\ntwo\nthree", "G", "one\ntwo\n▏three"],
  ["▏one\ntwo\nthree", "2G", "one\n▏two\nthree"],
  ["on▏e\ntwo", "j", "one\ntw▏o"],
  ["▏中文 字", "w", "中文 ▏字"],
];

const changes: readonly Case[] = [
  ["▏one two", "dw", "▏two"],
  ["▏one two three", "d2w", "▏three"],
  ["▏a b c d e", "2d2w", "▏e"],
  ["one ▏two", "dw", "one▏"],
  ["▏one\ntwo", "dw", "▏\ntwo"],
  ["one ▏two", "db", "▏two"],
  ["▏one two", "de", "▏ two"],
  ["one ▏two three", "D", "one▏"],
  ["▏one two", "x", "▏ne two"],
  ["▏one two", "3x", "▏ two"],
  ["on▏e two", "X", "o▏e two"],
  ["one\n▏two\nthree", "dd", "one\n▏three"],
  ["▏one\ntwo\nthree", "2dd", "▏three"],
  ["one\n▏two", "dd", "▏one"],
  ["▏one\ntwo\nthree", "dj", "▏three"],
  ["one\n▏two\nthree", "dG", "▏one"],
  ["one\n▏two\nthree", "dgg", "▏three"],
  ["▏a, b", "dt,", "▏, b"],
  ["▏a, b", "df,", "▏ b"],
  ["say(▏a, b) now", "di(", "say(▏) now"],
  ["say(▏a, b) now", "dab", "say▏ now"],
  ['x = "▏a b"', 'di"', 'x = "▏"'],
  ["one ▏two three", "diw", "one ▏ three"],
  ["one ▏two three", "daw", "one ▏three"],
  ["▏one two", "cwnew", "new▏ two"],
  ["▏one two", "ccnew", "new▏"],
  ["one ▏two", "Cnew", "one new▏"],
  ["▏one", "snew", "new▏ne"],
  ["▏one", "Snew", "new▏"],
  ["▏one", "inew", "new▏one"],
  ["▏one", "anew", "onew▏ne"],
  ["on▏e", "Inew ", "new ▏one"],
  ["▏one", "A new", "one new▏"],
  ["▏one\ntwo", "onew", "one\nnew▏\ntwo"],
  ["one\n▏two", "Onew", "one\nnew▏\ntwo"],
  ["▏one", "rx", "▏xne"],
  ["▏one", "2rx", "x▏xe"],
  ["▏one", "9rx", "▏one"],
  ["▏one", "2~", "ON▏e"],
  ["▏one\n  two", "J", "one▏ two"],
  ["▏one two", "dwP", "one▏ two"],
  ["▏one two", "dwp", "tone▏ wo"],
  ["▏one\ntwo", "yyp", "one\n▏one\ntwo"],
  ["▏one\ntwo", "ddp", "two\n▏one"],
  ["▏one", "yy2P", "▏one\none\none"],
  ["▏one two", "yiwP", "on▏eone two"],
  ["▏a b c d", "dw.", "▏c d"],
  ["▏a b", "xxu", "▏ b"],
  ["▏a b", "xxuu", "▏a b"],
];

describe("vim keys", () => {
  test.each([...motions, ...changes])("[SU-3] %j with %s gives %j", async (from, keys, to) => {
    const person = await at(from);
    await person.type(keys);
    expect(seen(person)).toBe(to);
  });

  test("[SU-3] Esc leads to normal mode, i back; the rule says which it is and what was begun", async () => {
    const person = await at("▏one");
    expect(person.seen()).toContain(" NORMAL ─\n");
    await person.type("2d");
    expect(person.seen()).toContain(" NORMAL 2d ─\n");
    expect(person.prompt.takesCancel).toBe(true);
    await person.type(key.esc);
    // The next Escape is for the task.
    expect([person.prompt.takesCancel, person.prompt.text]).toEqual([false, "one"]);
    await person.type("i", "x");
    expect(person.seen()).toContain(" INSERT ─\n");
    expect(person.prompt.takesCancel).toBe(true);
  });

  test("[SU-3] one insertion is undone as a whole, redone, and repeated", async () => {
    const person = await at("▏one two");
    await person.type("c", "w", "new words", key.esc);
    expect(seen(person)).toBe("new word▏s two");
    await person.type("u");
    expect(seen(person)).toBe("▏one two");
    await person.type(key.ctrlR);
    expect(person.prompt.text).toBe("new words two");
    await person.type("w", ".");
    expect(seen(person)).toBe("new words new word▏s");
  });

  test("[IN-5] Enter sends from normal mode too, and the next input begins in insert mode", async () => {
    const person = await at("▏one");
    await person.type(key.enter, "two");
    expect([person.sent, person.prompt.text]).toEqual([[["one", "steer"]], "two"]);
    expect(person.seen()).toContain("INSERT");
  });

  test("[SU-3] beyond the first and the last line are the other inputs", async () => {
    const person = await at("▏new", ["older", "old"]);
    await person.type("k");
    expect(person.prompt.text).toBe("old");
    await person.type("j");
    expect(person.prompt.text).toBe("new");
  });

  test("[SU-3] a paste is one character", async () => {
    const person = await at("▏");
    await person.type("i");
    person.paste("line\n".repeat(50));
    await person.type(" end", key.esc, "0", "x");
    expect(person.prompt.text).toBe(" end");
  });

  test("[SU-3] whatever is pressed, the cursor stays in the text, and undo leads back to where it began", async () => {
    const sign = fc.constantFrom(
      ...'hjklwbeWBE0^$gGfFtT;,%{}dcyxXDCYsSrJpP~.123iaoIA"()a b'.split(""),
      key.esc,
      key.ctrlR,
    );
    await fc.assert(
      fc.asyncProperty(fc.array(sign, { maxLength: 30 }), async (keys) => {
        const person = await at(`▏${lines}`);
        for (const one of keys) {
          await person.type(one);
          const { cursor, lines: rows } = person.prompt.frame(60, 20);
          expect(cursor?.row).toBeLessThan(rows.length);
        }
        await person.type(key.esc, key.esc, "2", "0", "0", "u");
        expect(person.prompt.text).toBe(lines);
      }),
      { numRuns: 150 },
    );
  });
});

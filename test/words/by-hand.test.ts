// What is read letter by letter, so that a start need not build patterns, is held against those patterns.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { actionWords, codeNouns, dangerWords, diskNouns } from "../../src/words/action-words.ts";
import { complexWords } from "../../src/words/complex-words.ts";
import { actionsIn } from "../../src/words/foreseen.ts";
import { isBlank, isWordPart } from "../../src/words/letters.ts";
import { missingIn } from "../../src/words/missing.ts";
import { announced, attached, error, pronoun } from "../../src/words/missing-forms.ts";
import { isNegated } from "../../src/words/negation.ts";
import { isChineseOrder, isEnglishOrder } from "../../src/words/order-place.ts";
import { withoutPaths } from "../../src/words/paths.ts";
import { withoutCourtesy } from "../../src/words/polite.ts";
import { wordCount } from "../../src/words/word-count.ts";

const signs = [
  ..." \t\n\r\u00a0\u3000\u2028.,;:!?'’\"`-_*+•/\\~@%()（）、，。；：！？…09xAéк가ー㐀豈",
  "\ud840\udc00",
  "\ud840",
  "😀",
];
const textOf = (words: string): fc.Arbitrary<string> => {
  const some = words.split(" ");
  const word = fc.constantFrom(...some, ...some.map((one) => one.toUpperCase()));
  return fc.array(fc.oneof(word, word, fc.constant(" "), fc.constantFrom(...signs))).map((parts) => parts.join(""));
};
const same = (text: fc.Arbitrary<string>, byHand: (text: string) => unknown, plain: (text: string) => unknown): void =>
  fc.assert(
    fc.property(text, (one) => expect(byHand(one)).toEqual(plain(one))),
    { numRuns: 2000 },
  );

test("[SM-3] letters and blanks are those of the patterns, for every code", () => {
  const wrong: number[] = [];
  for (let code = 0; code <= 0xffff; code++) {
    const char = String.fromCharCode(code);
    if (isBlank(code) !== /^\s$/.test(char) || isWordPart(code) !== /^\w$/.test(char)) wrong.push(code);
  }
  expect(wrong).toEqual([]);
});

test("[PL-1] words are counted as the patterns for them would", () => {
  same(textOf("fix don't foo.bar a-b 修复 テスト é"), wordCount, (text) => {
    let words = 0;
    const rest = text.replace(
      /(?:[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]|[\ud840-\ud8ff][\udc00-\udfff])+/g,
      (run) => {
        words += Math.ceil([...run].length / 2);
        return " ";
      },
    );
    return (
      words + (rest.match(/[\w\u00c0-\u1fff\uac00-\ud7a3]+(?:['’.-][\w\u00c0-\u1fff\uac00-\ud7a3]+)*/g) ?? []).length
    );
  });
});

function isPath(word: string): boolean {
  if (!/[A-Za-z0-9]/.test(word)) return false;
  if (/^(?:\.{0,2}[\\/]|~[\\/]|[A-Za-z]:[\\/]|[A-Za-z][\w+.-]{1,20}:\/\/)/.test(word)) return true;
  const parts = word.split(/[\\/]/);
  const name = parts.at(-1) ?? "";
  if (parts.length > 2) return true;
  if (/^(?:[A-Za-z]\.)+[A-Za-z]$/.test(name) || /[a-z]\.[A-Z][a-z]/.test(name)) return false;
  return /^[\w@+-][\w.@+-]*\.[A-Za-z][A-Za-z0-9]{0,9}$/.test(name);
}

test("[PL-1] paths are left out as the patterns for them would", () => {
  const some = textOf(
    "src/a.ts a.txt e.g. done.Then ./x ../y ~/z C:\\a https://x.y and/or .rc x.abcdefghij x.abcdefghijk v1.2",
  );
  same(some, withoutPaths, (text) =>
    text.replace(/[\w.~@+%:\\/-]+/g, (word) => {
      const bare = word.replace(/(?<![.:])[.:]+$/, "");
      return isPath(bare) ? word.slice(bare.length) : word;
    }),
  );
});

test("[SM-3] courtesy is left out as the pattern for it would", () => {
  const polite =
    /^(?:(?:hi|hello|hey|ok|okay|so|now|and|then|also|please|kindly|pls|just)\b[\s,!]*|(?:can|could|would|will)\s+you\s+(?:please\s+|kindly\s+)?|i(?:['’]d| would)?\s+(?:want|need|like)\s+(?:you\s+)?to\s+|help\s+me\s+(?:to\s+)?|let['’]?s\s+|(?:请|麻烦|劳驾|你好|帮忙|帮我|给我|能不能|能否|可以|可不可以|你能|你可以|我想|我想要|我需要|我要|需要)+[\s，,]*)+/i;
  const words =
    "hi so please kindly can could you i i'd i’d would want need like to help me let's lets let s d 请 麻烦 你好 帮我 能不能 你能 我想 我想要 我需要 需要 fix";
  same(textOf(words), withoutCourtesy, (text) => text.replace(polite, ""));
});

test("[SM-3] an order can stand where the patterns for it say", () => {
  const english =
    /(?:^|[.,;:!?()\n"“”，。；：！？、]|\b(?:and|then|to|please|also|you|just|should|must|now|or|first|next|finally|let['’]?s|will|we|i|so|but|step|need|want|help|me|by|not|never|don['’]?t|go|again|run|execute))[\s*_`-]*$|^\s*(?:[-*+•]|\(?[0-9a-zA-Z一二三四五六七八九十]{1,3}[.)、])?\s*$|(?:请|并|然后|再|先|帮我|给我)\s*$/i;
  const noun = /^\s+(?:is|are|was|were|fails?|failed|does|do|has|have|time|times|coverage)\b/i;
  const before = "and then to let's lets let don't don’t dont i run the foo 请 然后 后 帮我 把 将 一、 a) 12. + •";
  same(
    textOf(before),
    (text) => isEnglishOrder(text, ""),
    (text) => english.test(text),
  );
  same(
    textOf("is fails failed time coverage the i fail"),
    (text) => isEnglishOrder("", text),
    (text) => !noun.test(text),
  );
  const short = /(?:^|[\s，。；：！？、,;:!?)）.]|请|并|再|然后|后|帮我|给我|来|去|只|先|要|[把将].{1,20})$/;
  same(
    textOf(before),
    (text) => isChineseOrder(text, "", "改"),
    (text) => short.test(text),
  );
});

test("[SM-3] every lead makes the English verb behind it an order", () => {
  const leads =
    "and then to please also you just should must now or first next finally let's let’s lets will we i so but step need want help me by not never don't don’t dont go again run execute 请 并 然后 再 先 帮我 给我 + • - * 1. a) 一、";
  expect(leads.split(" ").filter((lead) => !isEnglishOrder(`${lead} `, ""))).toEqual([]);
});

test("[SM-3] whatever a form fits is asked about", () => {
  for (const form of [...pronoun(), ...error(), ...attached()]) {
    const text = fc.stringMatching(new RegExp(form.source), { maxLength: 110 }).map((one) => one.replace(/\s/g, " "));
    fc.assert(fc.property(text, (one) => expect(missingIn(one)).toHaveLength(1)));
  }
});

test("[SM-3] a text is asked about exactly where one of the forms fits it", () => {
  const forms = [...pronoun(), ...error(), ...attached(), ...announced()];
  const words =
    "please|can you|help me to|fix|solve|debug|do|explain|look at|check|help with|what does|what's|how to fix|see|summarise|analyze|it|this|that one|this issue|the problem|this error|the following|the above|stack trace|the attached|my enclosed|file|logs|attachment|screenshot|mean|again|for me|asap|as follows:|below:|:|请|帮我|把|修复|改|处理|看看|解释|总结|一下|它|它们|这个|那些|该|问题|bug|错误|报错|堆栈|附件|截图|的内容|怎么解决|是什么意思|吧|呢|如下：|。|?|x|的";
  const text = fc
    .array(fc.constantFrom(...words.split("|")), { minLength: 1, maxLength: 5 })
    .chain((parts) => fc.constantFrom(parts.join(" "), parts.join("")));
  let asked = 0;
  fc.assert(
    fc.property(text, (one) => {
      const isAsked = missingIn(one).length > 0;
      if (isAsked) asked++;
      expect(isAsked).toBe(one.length <= 120 && forms.some((form) => form.test(one.trim())));
    }),
    { numRuns: 5000 },
  );
  expect(asked).toBeGreaterThan(20);
});

test("[SM-3] every negation forbids what stands behind it, in any case", () => {
  const english =
    "do not, does not, did not, must not, should not, shall not, will not, can not, cannot, don't, don’t, dont, doesn't, doesnt, mustn't, mustnt, shouldn't, shouldnt, won't, wont, can't, never, without, avoid, not, no need to, instead of, rather than, refrain from, nor";
  const chinese =
    "不要 不能 不得 不许 不准 不可 不可以 不用 不必 不需要 不想 不希望 无需 无须 切勿 请勿 勿 别 禁止 避免 而不是 先不 不再";
  const all = [...english.split(", ").map((word) => `${word} `), ...chinese.split(" ")];
  const missed = [...all, ...all.map((word) => word.toUpperCase())].filter(
    (word) => !isNegated(`${word}delete`, word.length),
  );
  expect(missed).toEqual([]);
});

describe("the tables of words", () => {
  const tables = { complexWords, codeNouns, diskNouns, dangerWords };
  const named = [
    ...Object.entries(tables),
    ...actionWords.map(({ foresees, words }) => [foresees.join(), words] as const),
  ];
  for (const [name, rows] of named) {
    const words = rows.join(", ").split(", ");
    test(`[SM-3] ${name}: no word comes before a phrase that begins with it, none twice`, () => {
      const hidden = words.filter((word, at) =>
        words.slice(0, at).some((before) => word.startsWith(before) && !/^[a-z]/.test(word)),
      );
      expect(hidden).toEqual([]);
      expect(new Set(words).size).toBe(words.length);
      expect(words.filter((word) => !/^(?:[a-z]{2}[a-z.-]*(?: [a-z0-9-]+)*\*?|[\u4e00-\u9fff]+)$/.test(word))).toEqual(
        [],
      );
    });
  }

  test("[SM-3] every verb of the tables is foreseen", () => {
    const verbs = actionWords.flatMap(({ foresees, words }) =>
      words.flatMap((row) => row.split(", ").map((verb) => ({ foresees, verb }))),
    );
    expect(verbs.filter(({ foresees, verb }) => !foresees.every((one) => actionsIn(verb).includes(one)))).toEqual([]);
    expect(verbs.length).toBeGreaterThan(150);
  });
});

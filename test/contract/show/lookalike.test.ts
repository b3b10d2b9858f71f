import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { lookAlikes } from "../../../src/contract/show/lookalike.ts";
import { likeAscii } from "../../../src/contract/show/lookalike-letters.ts";
import { lookAlikeNames, spelledOut } from "../../../src/contract/show/visible.ts";

const codes = (text: string): string => [...text].map((one) => `\\u{${one.codePointAt(0)?.toString(16)}}`).join("");

describe("[PO-6] [SA-look-alikes] letters that look like ASCII are spelled out", () => {
  const attacks: Readonly<Record<string, string>> = {
    "curl https://g\u043e\u043egle.com/x": "curl https://g\\u{43e}\\u{43e}gle.com/x",
    "rm -rf ./sr\u0441": "rm -rf ./sr\\u{441}",
    "\u0441\u043e\u0440\u0443 a b": `${codes("\u0441\u043e\u0440\u0443")} a b`,
    "https://\u0430\u0440\u0440\u04cf\u0435.com/": `https://${codes("\u0430\u0440\u0440\u04cf\u0435")}.com/`,
    "\uff52\uff4d -rf x": "\\u{ff52}\\u{ff4d} -rf x",
    "\u{1d5ff}\u{1d5fa} -rf": "\\u{1d5ff}\\u{1d5fa} -rf",
    "\u24e1\u24dc x": "\\u{24e1}\\u{24dc} x",
    "cat \ufb01le": "cat \\u{fb01}le",
    "cat /etc\u2215passwd": "cat /etc\\u{2215}passwd",
    "curl http://a.test\uff0fb": "curl http://a.test\\u{ff0f}b",
    "curl booking.test\u3093x": "curl booking.test\\u{3093}x",
    "cat a\u2024txt": "cat a\\u{2024}txt",
    "ls \uff5c sh": "ls \\u{ff5c} sh",
    "destroy \u2010\u2010dry-run": "destroy \\u{2010}\\u{2010}dry-run",
    "destroy \u2014dry-run": "destroy \\u{2014}dry-run",
    "destroy --dry\u2011run": "destroy --dry\\u{2011}run",
    "adm\u0456n \u03bfpen": "adm\\u{456}n \\u{3bf}pen",
    "src_\u0441 x": "src_\\u{441} x",
    "pa\u0442h": "pa\\u{442}h",
    "\u0441\u03bf\u0440\u0443": codes("\u0441\u03bf\u0440\u0443"),
    // Words of the language elsewhere in the line do not make a name of it.
    "rm -rf ./\u0441\u043e\u0440\u0443 # файл": `rm -rf ./${codes("\u0441\u043e\u0440\u0443")} # файл`,
    "\u0261it push": "\\u{261}it push",
    "用户/\u0441\u043e\u0440\u0443": `用户/${codes("\u0441\u043e\u0440\u0443")}`,
  };
  for (const [written, shown] of Object.entries(attacks)) {
    test(shown, () => expect(spelledOut(written)).toBe(shown));
  }
});

test("[PO-6] [SA-look-alikes] names and texts of other languages are left alone", () => {
  const genuine = [
    ..."源码.ts 测试abc.ts 第１章.txt 東京ノート.md 資料２０２４版 한국어파일.txt αβγ.txt отчёт.txt файл1.md Привет документ_v2.docx".split(
      " ",
    ),
    ..."Ελληνικά.txt και νερό Δx λ1 π2 5µs m² naïve café Straße łódź kırmızı.txt İstanbul עברית.txt العربية.md ไทย.txt हिन्दी.md".split(
      " ",
    ),
    "git commit -m 'отчёт о работе с сахаром'",
    'git commit -m "исправил хор и рос"',
    "git commit -m '修复：登录（第一步）；完成，谢谢！'",
    "echo “quoted” – and — dashes… it’s 1–2 €5 ½ ™ © № ① 😀",
    "мама мыла раму, а у нас с ней всё хорошо",
    "日本語、テスト。ファイル／フォルダ",
  ];
  expect(genuine.filter((text) => spelledOut(text) !== text)).toEqual([]);
  expect(genuine.flatMap((text) => lookAlikeNames(text))).toEqual([]);
});

const letter = fc.constantFrom(..."abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
const word = fc.string({ unit: letter, minLength: 2, maxLength: 12 });
const others = [...likeAscii().keys()];
const styles = [0xff41 - 97, 0x1d41a - 97, 0x1d44e - 97, 0x1d4ea - 97, 0x1d5ba - 97, 0x1d68a - 97, 0x24d0 - 97];
const styled = fc
  .tuple(fc.constantFrom(..."abcdefgijklmnopqrstuvwxyz"), fc.constantFrom(...styles))
  .map(([ascii, shift]) => String.fromCodePoint(ascii.charCodeAt(0) + shift));
const foreign = fc.oneof(fc.constantFrom(...others), styled);
const place = fc.constantFrom(
  "rm -rf ./%",
  "%/x",
  "curl https://%.test/a",
  "cat '%'",
  'echo "a %"',
  "--%=1",
  "ls;%",
  "$(%)",
  "a_%-b",
);

test("[PO-6] [SA-look-alikes] whatever letter of an ASCII word is replaced by one that looks like it, wherever it stands, it shows", () => {
  fc.assert(
    fc.property(word, foreign, fc.nat(), place, (ascii, odd, at, where) => {
      const cut = at % (ascii.length + 1);
      const line = where.replace("%", `${ascii.slice(0, cut)}${odd}${ascii.slice(cut)}`);
      expect(spelledOut(line)).toContain(codes(odd));
      expect(/[^\0-\x7f]/.test(spelledOut(line))).toBe(false);
      expect(lookAlikeNames(line)).toHaveLength(1);
    }),
    { numRuns: 3_000 },
  );
});

test("[PO-6] [SA-look-alikes] a name made of nothing but such letters shows, too", () => {
  const firm = others.filter((one) => /\p{L}/u.test(one) && !"εκηωχσγ".includes(one));
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...firm), { minLength: 1, maxLength: 8 }), place, (letters, where) => {
      expect(/[^\0-\x7f]/.test(spelledOut(where.replace("%", letters.join(""))))).toBe(false);
    }),
    { numRuns: 2_000 },
  );
});

test("[PO-6] marks stand in order, say what the text has there, and a text spelled out twice is the same", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.oneof(letter, foreign, fc.constantFrom(..." .-/'\"файл源")), maxLength: 60 }),
      (line) => {
        const found = lookAlikes(line);
        expect(found.map(({ at, char }) => line.slice(at, at + char.length))).toEqual(found.map(({ char }) => char));
        expect(found.map(({ at }) => at)).toEqual([...new Set(found.map(({ at }) => at))].toSorted((a, b) => a - b));
        const once = spelledOut(line);
        expect(spelledOut(once)).toBe(once);
      },
    ),
    { numRuns: 2_000 },
  );
});

test("[PO-6] what a name looks like, and the host that is looked up, stand beside it", () => {
  expect(lookAlikeNames("rm ./sr\u0441; curl https://g\u043e\u043egle.com/x http://münchen.de")).toEqual([
    "./sr\\u{441} ≠ ./src",
    "https://g\\u{43e}\\u{43e}gle.com/x ≠ https://google.com/x = xn--ggle-55da.com",
    "http://münchen.de = xn--mnchen-3ya.de",
  ]);
  expect(lookAlikeNames("ssh me@g\u043e\u043egle.com")).toEqual([
    "me@g\\u{43e}\\u{43e}gle.com ≠ me@google.com = xn--ggle-55da.com",
  ]);
});

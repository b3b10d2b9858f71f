// A reply comes in pieces, and only differences are written. Wherever it is cut, the terminal ends up with the same cells, styles and links
// as one that got the whole at once.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { ReplyBlock } from "../../../../src/surface/tui/blocks/reply.ts";
import { changed, fresh } from "../../../../src/surface/tui/terminal/line-change.ts";
import { Screen } from "../../../../src/surface/tui/terminal/screen.ts";
import { themeOf } from "../../../../src/surface/tui/terminal/theme.ts";
import { Emulator } from "../emulator.ts";

const isLong = process.env.CODER_TEST_LONG !== undefined;
const theme = themeOf("dark", false);

interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** The reply between other lines, as the layout draws it. */
class Reading {
  readonly term: Emulator;
  private readonly screen: Screen;
  private readonly block: ReplyBlock;
  private frames = 0;

  constructor(term: Emulator, { columns, rows }: Size) {
    this.term = term;
    term.terminal.reset();
    term.terminal.resize(columns, rows);
    this.screen = new Screen(this.term);
    this.block = new ReplyBlock({ theme, lang: "en", width: () => columns });
    this.draw();
  }

  draw(): void {
    this.screen.commit(this.block.take());
    const below = [theme.dim(`working ${this.frames++}`), "─".repeat(this.term.columns()), "> ", "● default"];
    const lines = [...this.block.live(this.term.rows() - below.length), ...below];
    this.screen.draw({ lines, cursor: { row: lines.length - 2, column: 2 } });
  }

  push(piece: string): void {
    this.block.push(piece);
    this.draw();
  }

  async end(): Promise<readonly string[]> {
    this.block.end();
    this.screen.commit(this.block.take());
    this.screen.draw({ lines: ["> "], cursor: { row: 0, column: 2 } });
    await this.term.settled();
    return this.term.styled();
  }
}

const urls = ["https://example.com/", "http://a.test/x?y=1&z=2", `https://long.example/${"path/".repeat(9)}`];
const words = fc.constantFrom(
  ...[
    "word",
    " ",
    " ",
    "\n",
    "\n\n",
    ". ",
    "中文，",
    "e\u0301",
    "क्षि",
    "😀",
    "👩‍👩‍👧",
    "🇨🇳",
    "❤️",
    "\t",
    "\r\n",
    "\u200d",
  ],
  ...[
    "**",
    "_",
    "~~",
    "`",
    "# ",
    "- ",
    "1. ",
    "> ",
    "\n```ts\n",
    "\n```\n",
    "\n| a | b |\n|---|---|\n| 1 | 中 |\n",
    "![",
    "](",
  ],
  ...[
    "const a = 'x'; // y",
    "\x1b]8;;http://evil.test\x07",
    "\x1b[31m",
    "\x07",
    "<",
    ">",
    "|",
    "www.example.com",
    "a@b.test",
  ],
  ...urls.flatMap((url) => [url, `${url} `, `<${url}>`, `[text](${url})`, `**${url}**`, `[**b** \`c\`](${url})`]),
);

test("[SU-3] a stream that is cut anywhere ends on the same screen as the whole", async () => {
  const stream = fc.record({
    text: fc.array(words, { minLength: 1, maxLength: 24 }).map((parts) => parts.join("")),
    cuts: fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 12 }),
    size: fc.record({ columns: fc.integer({ min: 12, max: 90 }), rows: fc.integer({ min: 7, max: 20 }) }),
  });
  const terminals = [new Emulator(80, 24), new Emulator(80, 24)] as const;
  await fc.assert(
    fc.asyncProperty(stream, async ({ text, cuts, size }) => {
      const [pieces, whole] = [new Reading(terminals[0], size), new Reading(terminals[1], size)];
      for (let at = 0, n = 0; at < text.length; n++) {
        const next = at + (cuts[n % cuts.length] ?? 1);
        pieces.push(text.slice(at, next));
        at = next;
      }
      whole.push(text);
      expect(await pieces.end()).toEqual(await whole.end());
    }),
    { numRuns: isLong ? 6_000 : 300 },
  );
});

test("[SU-3] a line that changes into any other looks as if it had been written anew, whatever its escape sequences", async () => {
  const link = (end: string) => (text: string) => `\x1b]8;;${urls[0]}${end}${text}\x1b]8;;${end}`;
  const styles: readonly ((text: string) => string)[] = [
    ...[link("\x07"), link("\x1b\\"), theme.bold, theme.accent, theme.link, theme.addedPart],
    (text) => `\x1b[1;38;5;80;48;5;22m${text}\x1b[0m`,
    (text) => link("\x1b\\")(theme.link(text)),
    (text) => theme.link(link("\x07")(text)),
    (text) => text,
  ];
  const sign = fc.constantFrom("a", "b", "8", ";", "\\", "]", "[", "m", " ", "中", "e\u0301", "o\u0301", "😀", "❤️");
  const part = fc
    .tuple(fc.constantFrom(...styles), fc.string({ unit: sign, maxLength: 6 }))
    .map(([style, text]) => style(text));
  const line = fc.array(part, { maxLength: 5 }).map((parts) => parts.join(""));
  // Lines that follow each other mostly share much.
  const next = fc.tuple(line, line, line, line).map(([a, b, c, d]) => [a + b + d, a + c + d] as const);
  await fc.assert(
    fc.asyncProperty(fc.array(next, { minLength: 1, maxLength: 40 }), async (pairs) => {
      const [one, other] = [new Emulator(120, 50), new Emulator(120, 50)];
      one.write(pairs.map(([old, now]) => `${fresh(old)}\r${changed(old, now)}\r\n`).join(""));
      other.write(pairs.map(([, now]) => `${fresh(now)}\r\n`).join(""));
      await Promise.all([one.settled(), other.settled()]);
      expect(one.styled()).toEqual(other.styled());
    }),
    { numRuns: isLong ? 2_000 : 60 },
  );
});

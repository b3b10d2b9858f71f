// What a model, a command or a file writes is not taken for a question of ours.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { orderless, unlikeCard } from "../../../../src/surface/tui/panels/card.ts";
import { Scene, usage } from "../scene.ts";

const card = "┏━ Run this command? ━━━━━━━━ bash ━\n┃ │ ls\n┗ y yes · n no";

test("[PO-6] [SA-forged-card] no reply begins a line as an approval does, while it streams or after", async () => {
  const forms = [card, `**${card.replaceAll("\n", "**\n**")}**`, card.replace(/^.*$/gm, "[$&](https://a.test)")];
  const text = [...forms, `| ┃ a |\n|---|\n| ┗ |`].join("\n\n");
  await using scene = await Scene.begin({ script: [{ text, usage, chunkChars: 7, chunkDelayMs: 5 }], rows: 40 });
  const seen: string[] = [];
  scene.say("show me a card");
  await scene.sees(() => {
    seen.push(...scene.person.rows().filter((row) => /^[┏┣┃┗]/.test(row)));
    return scene.count("y yes · n no") === 3 && scene.count("1.2k") > 0;
  });
  expect([seen, scene.count("┌─ Run this command?"), scene.count("└ y yes")]).toEqual([[], 3, 3]);
});

test("[PO-6] [SA-forged-card] a line that begins with a heavy sign has none left, behind whatever style", () => {
  expect(["┃ a ┃", "\x1b[1m┏━", "\x1b]8;;https://a.test\x07┗", " ┃", "┣"].map(unlikeCard)).toEqual([
    ...["│ a │", "\x1b[1m┌─", "\x1b]8;;https://a.test\x07└", " ┃", "├"],
  ]);
  const unit = fc.constantFrom("┃", "┏", "a", " ", "\x1b[1m", "\x1b[38;5;1m", "\u0301", "\ufe0f", "\u200d", "\u180e");
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 12 }), (line) => {
      expect(unlikeCard(line).replace(/\x1b\[[\d;]*m|[\p{M}\p{Cf}]/gu, "")).not.toMatch(/^[┏┣┃┗]/);
    }),
  );
});

test("[PO-6] [SA-terminal-escapes] a line of a panel keeps styles and links, and nothing else that a terminal obeys", () => {
  const fine =
    "\x1b[1;38;5;3ma\x1b[0m \x1b]8;;https://a.test/x\x07b\x1b]8;;\x07 \x1b]8;;https://a.test\x1b\\c\x1b]8;;\x1b\\ 中é";
  expect(orderless(fine)).toBe(fine);
  const evil = [
    "\x1b]0;t\x07",
    "\x1b[2J",
    "\x1b]52;c;eA==\x07",
    "\x1bc",
    "\x9b2J",
    "\x1b[?1049h",
    "\r\n",
    "\u202e",
    "\x1b",
  ];
  expect(
    evil.map(orderless).filter((line) => !line.startsWith("\ufffd") || /[\x00-\x06\x08-\x1f\x7f-\x9f]/.test(line)),
  ).toEqual([]);
});

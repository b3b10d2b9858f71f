// A hit far inside a line that nobody could read as a whole.
import { afterAll, describe, expect, test } from "bun:test";
import { closeSync, mkdtempSync, openSync, realpathSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { searchText } from "../../../src/platform/search/search.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "coder-around-")));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const place = (name: string) => ({
  ...{ root, real: join(root, name), max: 50, timeoutMs: 60_000, signal: new AbortController().signal },
});

/** `undefined`: ripgrep; `null`: without it. */
async function textsOf(name: string, pattern: string, rg?: null | undefined): Promise<readonly string[]> {
  const found = await searchText({ ...place(name), pattern }, rg);
  if (!found.ok) throw new Error(JSON.stringify(found.error));
  return found.value.found.map(({ line, text }) => `${line}:${text}`);
}

function bigFile(name: string, before: number, middle: string, after: number): void {
  const fd = openSync(join(root, name), "w");
  const filler = Buffer.from("lorem ipsum ".repeat(8_192));
  const fill = (bytes: number): void => {
    for (let left = bytes; left > 0; left -= filler.length) writeSync(fd, filler, 0, Math.min(left, filler.length));
  };
  writeSync(fd, "first line\n");
  fill(before);
  writeSync(fd, middle);
  fill(after);
  writeSync(fd, "\nlast line\n");
  closeSync(fd);
}

describe("a hit in a long line", () => {
  test("[TP-6] deep in one of 50 MB is shown with what stands around it, bounded", async () => {
    bigFile("big.txt", 40_000_000, " NEEDLE_42 and its neighbour ", 10_000_000);
    const [text = "", ...more] = await textsOf("big.txt", "NEEDLE_\\d+");
    expect(more).toEqual([]);
    expect(text).toStartWith("2:… ");
    expect(text).toContain(" NEEDLE_42 and its neighbour lorem ipsum");
    expect(text).toEndWith(" …");
    expect(text.length).toBeLessThan(450);
  });

  test("[TP-6] near its beginning is shown from there, as before", async () => {
    bigFile("near.txt", 0, "NEEDLE first ", 10_000);
    expect((await textsOf("near.txt", "NEEDLE"))[0]).toMatch(/^2:NEEDLE first lorem.* \[line cut at 400 characters\]$/);
  });

  test("[TP-6] at its very end is shown to the end", async () => {
    bigFile("end.txt", 100_000, " the NEEDLE", 0);
    expect((await textsOf("end.txt", "NEEDLE$"))[0]).toMatch(/^2:… .* the NEEDLE$/);
  });

  test("[TP-6] is found among many long lines, each with its own", async () => {
    const line = (n: number): string => `${"x ".repeat(1_000)}HERE${n} ${"y ".repeat(1_000)}`;
    writeFileSync(join(root, "many.txt"), Array.from({ length: 20 }, (_, n) => line(n)).join("\n"));
    const texts = await textsOf("many.txt", "HERE\\d+");
    expect(texts.map((text) => /HERE\d+/.exec(text)?.[0])).toEqual(Array.from({ length: 20 }, (_, n) => `HERE${n}`));
  });

  test("[TP-6] is not cut in the middle of a word: half a secret would not be recognised", async () => {
    const token = ["gh", "p_", "a1B2".repeat(9)].join("");
    const words = `${"word ".repeat(100)}${token} ${"z".repeat(20)} HIT ${"q ".repeat(120)}${token}${" tail".repeat(50)}`;
    writeFileSync(join(root, "secret.txt"), words);
    for (const rg of [undefined, null] as const) {
      const [text = ""] = await textsOf("secret.txt", "HIT", rg);
      expect(text).toContain("HIT");
      for (const piece of text.match(/[\w]{6,}/g) ?? []) expect([token, "z".repeat(20)]).toContain(piece);
    }
  });

  test("[TP-6] inside a word that is longer than what is shown shows little of that", async () => {
    writeFileSync(join(root, "key.txt"), `${"begin ".repeat(100)}${"k".repeat(400)}HIT${"v".repeat(400)} end`);
    for (const rg of [undefined, null] as const)
      expect((await textsOf("key.txt", "HIT", rg))[0]).toMatch(/^1:… HITv{37}… ?…?$/);
  });

  test("[TP-6] wherever it lies, with and without ripgrep, is in what is shown", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: 1_900 }), fc.nat({ max: 5_000 }), async (before, after) => {
        const filler = (n: number): string => "ab cd é ".repeat(Math.ceil(n / 8)).slice(0, n);
        writeFileSync(join(root, "any.txt"), `one\n${filler(before)}*HIT*${filler(after)}\ntwo\n`);
        for (const rg of [undefined, null] as const) {
          const found = await searchText({ ...place("any.txt"), pattern: "\\*HIT\\*" }, rg);
          if (!found.ok) throw new Error("not found");
          const [hit] = found.value.found;
          expect([hit?.line, hit?.text.includes("*HIT*"), (hit?.text.length ?? 0) < 480]).toEqual([2, true, true]);
        }
      }),
      { numRuns: 40 },
    );
  });
});

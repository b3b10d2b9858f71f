import { describe, expect, test } from "bun:test";
import { buildMessages } from "../../src/context/build.ts";
import { compact, compactOnDemand } from "../../src/context/compact.ts";
import { overviewRoom, overviewText, placesText, treeText } from "../../src/context/overview.ts";
import { summaryRequest } from "../../src/context/summary/request.ts";
import { estimateTokens } from "../../src/context/tokens.ts";
import { Made, nothing, whole } from "./make.ts";

const map = `MAP ${"definition ".repeat(400)}`;

function made(): Made {
  const one = new Made().task("do it").apply({ type: "overview.given", part: "map", text: map });
  for (let at = 0; at < 6; at++) one.step({ out: `result ${at} ${"x".repeat(300)}` });
  return one;
}

const textOf = (one: Made, view = whole): string => JSON.stringify(buildMessages(one.history, view).messages);

describe("overviews in a request", () => {
  test("[CX-4] stand where they were given, and count", () => {
    const { messages, tokens } = buildMessages(made().history, whole);
    expect(messages[1]).toEqual({ role: "user", text: `[coder] ${map}` });
    const without = buildMessages(made().history, { ...whole, overviewsFrom: 2 });
    expect(without.messages).toEqual(messages.toSpliced(1, 1));
    expect(tokens - without.tokens).toBe(estimateTokens(`[coder] ${map}`) + 4);
  });

  test("[CX-2] [CX-4] are the first to go: where that is enough, nothing else does", () => {
    const one = made();
    const full = buildMessages(one.history, whole).tokens;
    const done = compact(one.history, whole, { target: full - 100, keepRecent: 3 }, nothing);
    expect(done).toMatchObject({ stage: "prune", pruneBefore: 0, trimBefore: 0, overviewsFrom: 2, tokensBefore: full });
    const { pruneBefore, trimBefore, overviewsFrom } = done;
    const shown = textOf(one, { pruneBefore, trimBefore, ...(overviewsFrom ? { overviewsFrom } : {}) });
    expect(shown).not.toContain("MAP");
    for (let at = 0; at < 6; at++) expect(shown).toContain(`result ${at}`);
  });

  test("[CX-2] [CX-4] are gone in every later stage too, and in a summary that the person asks for", () => {
    const one = made();
    for (const target of [600, 200, 40]) {
      const done = compact(one.history, whole, { target, keepRecent: 3 }, nothing);
      expect(done.stage === "exhausted" || done.overviewsFrom === 2).toBe(true);
      if (done.stage !== "exhausted") expect(textOf(one, done)).not.toContain("MAP");
    }
    const asked = compactOnDemand(one.history, whole, { target: 10_000, keepRecent: 2 }, nothing);
    expect(asked && textOf(one, asked)).not.toContain("MAP");
  });

  test("[CX-2] [CX-4] that are given after a compaction are shown", () => {
    const one = made();
    const view = { ...whole, overviewsFrom: 2 };
    one.task("next").apply({ type: "overview.given", part: "map", text: "NEW MAP" });
    expect(textOf(one, view)).toContain("NEW MAP");
    expect(textOf(one, view)).not.toContain("definition");
  });

  test("[CX-2] [CX-4] are nothing that a summary is made of", () => {
    const request = summaryRequest(made().history, whole, { room: 9000, words: 100, focus: "" });
    expect(request?.text).toContain("result 5");
    expect(request?.text).not.toContain("MAP");
  });
});

describe("room for overviews", () => {
  test("[CX-4] is what the person allows, less in a small window, and none where there is no room", () => {
    const roomOf = (wanted: number, window: number, free: number) => {
      const { map: forMap, places } = overviewRoom(wanted, window, free);
      return [forMap > 0, places > 0, forMap + estimateTokens(overviewText("map", "", "0".repeat(13)))] as const;
    };
    expect(roomOf(1000, 200_000, 150_000)).toEqual([true, true, 1000]);
    expect(roomOf(1000, 8_000, 4_000)).toEqual([true, false, 240]);
    expect(roomOf(1000, 200_000, 1_500)).toEqual([true, true, 300]);
    for (const [wanted, window, free] of [
      [0, 200_000, 150_000],
      [1000, 4_000, 3_000],
      [1000, 200_000, 100],
      [1000, 200_000, -5_000],
    ] as const)
      expect(overviewRoom(wanted, window, free)).toEqual({ tree: 0, map: 0, places: 0 });
  });

  test("[CX-4] holds as many places as fit, the best first, and the names of those whose text does not", () => {
    const file = (path: string, text: string) => ({ path, snippets: [{ from: 1, to: 2, text }] });
    const files = [file("a.ts", "one\ntwo"), file("b.ts", "long ".repeat(100)), file("c\nd.ts", "three")];
    expect(placesText(files, 40)).toBe("a.ts:1-2\none\ntwo\nb.ts\nc\\nd.ts:1-2\nthree");
    expect(placesText(files, 2)).toBe("a.ts");
    expect(placesText([], 100)).toBe("");
    for (const room of [0, 5, 17, 100, 400]) expect(estimateTokens(placesText(files, room))).toBeLessThanOrEqual(room);
  });
});

test("[CX-4] a tree shows the upper folders first, within its room, with nothing hidden in a name", () => {
  const paths = ["src/engine/loop.ts", "src/main.ts", "README.md", "a\u202eb/x.ts", "src/engine/deep/er/z.ts"];
  expect(treeText(paths, 400)).toBe(
    "a\\u202eb/\n  x.ts\nsrc/\n  engine/\n    deep/\n      er/\n        z.ts\n    loop.ts\n  main.ts\nREADME.md",
  );
  expect(treeText(paths, estimateTokens("a\\u202eb/…\nsrc/…\nREADME.md"))).toBe("a\\u202eb/…\nsrc/…\nREADME.md");
  const many = Array.from({ length: 3_000 }, (_, at) => `d${at % 60}/e${at % 7}/f${at}.ts`);
  for (const room of [0, 20, 150, 400]) expect(estimateTokens(treeText(many, room))).toBeLessThanOrEqual(2 * room);
  expect([treeText([], 100), treeText(many, 5)]).toEqual(["", ""]);
});

test("[CX-4] [SA-injection] what hides in the text of a place is spelled out", () => {
  const text = "// a\u202eb\u001b[2Jc\r\n\tindented";
  expect(placesText([{ path: "a.ts", snippets: [{ from: 1, to: 2, text }] }], 500)).toBe(
    "a.ts:1-2\n// a\\u202eb\\u001b[2Jc\r\n\tindented",
  );
});

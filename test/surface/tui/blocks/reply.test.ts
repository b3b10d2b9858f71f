import { describe, expect, setSystemTime, test } from "bun:test";
import fc from "fast-check";
import { Feed } from "../../../../src/surface/tui/story/feed.ts";
import { lookIn } from "../frames.ts";
import { delta, event, problemsIn, replied, Telling } from "../telling.ts";

const failed = (attempt: number, retryInMs: number | null = 2_000) =>
  event({
    ...{ type: "model.failed", runId: "r1", index: 1, attempt, retryInMs, fault: "connection" },
    error: { code: "E_MODEL", text: { key: "model.silent", args: {} } as never },
  });
const text = (words: string, attempt = 1) => delta({ kind: "text", text: words }, attempt);
const start = (attempt = 1) => delta({ kind: "start" }, attempt);

describe("a reply", () => {
  test("[SU-3] is committed as far as it is finished, while it still comes", () => {
    const told = new Telling();
    told.hear(start(), text("First **para"), text("graph**.\n\nSecond par"));
    told.take();
    expect([told.text, told.live()]).toEqual(["First paragraph.", ["", "Second par"]]);
    told.hear(text("agraph."), replied({ text: "First **paragraph**.\n\nSecond paragraph." }));
    told.take();
    expect([told.text, told.live()]).toEqual(["First paragraph.\n\nSecond paragraph.", []]);
  });

  test("[SU-3] of a log without deltas is shown from what was kept, in the order of its parts", () => {
    const told = new Telling();
    const parts = [
      ...[
        { kind: "thinking" as const, length: 3 },
        { kind: "text" as const, length: 4 },
      ],
      ...[
        { kind: "thinking" as const, length: 9 },
        { kind: "text" as const, length: 5 },
      ],
    ];
    told.hear(replied({ text: "One.Later", thinking: "hmmand again", parts }));
    told.take();
    expect(told.text).toBe("∴ Thought (1 word)\n\nOne.\n\n∴ Thought (2 words)\n\nLater");
  });

  test("[MD-4] a retry says in one line that what stands above does not count, and nothing else is shown twice", () => {
    const told = new Telling({ width: 120 });
    told.hear(start(), text("Old first.\n\nOld second, not fin"));
    told.take();
    told.hear(failed(1));
    told.take();
    expect(told.live().join("\n")).toContain("retrying in 2 s");
    told.clock += 1_500;
    expect(told.live().join("\n")).toContain("retrying in 1 s");
    told.hear(event({ type: "retry.due", runId: "r1", index: 1, attempt: 1 }), start(2), text("New reply.", 2));
    told.hear(replied({ text: "New reply." }, 2));
    told.take();
    const lines = told.text.split("\n").filter((line) => line !== "");
    expect([lines[0], lines.at(-2), lines.at(-1)]).toEqual([
      "Old first.",
      "  The reply above was cut off and does not count; coder asks for it again.",
      "New reply.",
    ]);
    expect(told.text).not.toContain("Old second");
  });

  test("[MD-4] an attempt of which nothing stands in the scrollback leaves nothing behind but its failure", () => {
    const told = new Telling({ width: 120 });
    told.hear(start(), delta({ kind: "thinking", text: "thoughts" }), text("Not shown"), failed(1));
    told.hear(start(2), text("Shown.", 2), replied({ text: "Shown." }, 2));
    told.take();
    expect(told.text).not.toContain("Not shown");
    expect(told.text).not.toContain("cut off");
    expect(told.text).not.toContain("Thought");
    expect(told.text.split("\n").at(-1)).toBe("Shown.");
  });

  test("[MD-4] what came of a reply that broke off can be read until there is something in its place", () => {
    const told = new Telling({ width: 120 });
    const live = (): string => {
      told.take();
      return told.live().join("\n");
    };
    told.hear(start(), text("Half of it"), failed(1));
    expect(live()).toContain("Half of it");
    told.hear(event({ type: "retry.due", runId: "r1", index: 1, attempt: 1 }), start(2));
    expect(live()).toContain("Half of it");
    expect(live()).toMatch(/– retrying$/m);
    told.hear(delta({ kind: "error", error: {} as never, fault: {} as never }, 2), failed(2));
    expect(live()).toContain("Half of it");
    told.hear(event({ type: "retry.due", runId: "r1", index: 1, attempt: 2 }), start(3), text("Whole.", 3));
    expect([live().includes("Half"), live().includes("Whole.")]).toEqual([false, true]);
    told.hear(replied({ text: "Whole." }, 3));
    told.take();
    expect(told.text.split("\n").filter((line) => line !== "")).toEqual([
      expect.stringContaining("retried (attempt 3)"),
      "Whole.",
    ]);
  });

  test("[MD-4] that is waited for no longer leaves the words that there were, and says that they are not all", () => {
    const told = new Telling({ width: 120 });
    told.hear(start(), text("Half of it"), failed(1));
    told.hear(event({ type: "retry.due", runId: "r1", index: 1, attempt: 1 }), start(2));
    told.hear(failed(2), event({ type: "cancel.requested", source: "esc" }));
    told.take();
    const lines = told.text.split("\n").filter((line) => line !== "");
    expect([lines[0], lines.at(-1)]).toEqual(["Half of it", "  The reply above was cut off."]);
  });

  test("[MD-4] an outage is one line, however often it was tried", () => {
    const told = new Telling({ width: 120 });
    for (let attempt = 1; attempt <= 15; attempt++) {
      told.hear(start(attempt), failed(attempt, 30_000));
      told.clock += 29_000;
      told.take();
      expect([told.text, told.live().length]).toEqual(["", 1]);
      expect(told.live()[0]).toContain("retrying in 1 s");
      told.hear(event({ type: "retry.due", runId: "r1", index: 1, attempt }));
    }
    told.hear(start(16), replied({ text: "There." }, 16));
    told.take();
    expect(told.text.split("\n").filter((line) => line !== "")).toEqual([
      expect.stringContaining("retried (attempt 16)"),
      "There.",
    ]);
  });

  test("[MD-4] the wait is counted down as it is, also when the clock of the machine is set back meanwhile", () => {
    const feed = new Feed(lookIn("en"), { changesOf: async () => null, changed: () => {} });
    try {
      feed.hear(failed(1, 40_000));
      setSystemTime(Date.now() - 86_400_000);
      expect(feed.live(10).join("\n")).toContain("retrying in 40 s");
    } finally {
      setSystemTime();
    }
  });

  test("[MD-4] a new attempt is told as one, also where nobody has said that the last one failed", () => {
    const told = new Telling();
    told.hear(start(), text("Old.\n\nmore"));
    told.take();
    told.hear(start(2), text("New.", 2), replied({ text: "New." }, 2));
    told.take();
    expect(told.text).toBe(
      "Old.\n\n▲ The reply above was cut off and does not count; coder asks for it again.\n\nNew.",
    );
  });

  test("[MD-1] what was kept counts: what is missing of it is added, and what differs is told again with a word", () => {
    const more = new Telling();
    more.hear(start(), text("One.\n\nTw"));
    more.take();
    more.hear(replied({ text: "One.\n\nTwo." }));
    more.take();
    expect(more.text).toBe("One.\n\nTwo.");

    const unseen = new Telling();
    unseen.hear(start(), text("key=abc"), replied({ text: "key=[redacted]" }));
    unseen.take();
    expect(unseen.text).toBe("key=[redacted]");

    const seen = new Telling();
    seen.hear(start(), text("key=abc\n\nrest"));
    seen.take();
    seen.hear(replied({ text: "key=[redacted]\n\nrest" }));
    seen.take();
    expect(seen.text).toBe(
      "key=abc\n\n▲ The reply above does not count; this is the stored one:\n\nkey=[redacted]\n\nrest",
    );
  });

  test("[CAN-2] what was said until a cancel stays", () => {
    const told = new Telling();
    told.hear(start(), text("Half a sen"), event({ type: "cancel.requested", source: "esc" }));
    told.take();
    expect([told.text, told.live()]).toEqual(["Half a sen", []]);
  });

  test("[SU-3] calls that are being written are seen before they are there", () => {
    const told = new Telling();
    told.hear(start(), delta({ kind: "tool_call_start", ordinal: 0, providerId: null, tool: "write" }));
    told.hear(
      delta({ kind: "tool_call_args", ordinal: 0, text: `{"path":"src/a.ts","content":"${"x".repeat(3_000)}` }),
    );
    told.take();
    expect([told.text, told.live()]).toEqual(["", ["· Write src/a.ts  writing, 3.0k characters"]]);
  });

  test("[SU-3] a character that is cut in two by the pieces is one again", () => {
    const told = new Telling();
    told.hear(start(), text("a\ud83d"), text("\ude00b\r"), text("\nc"), replied({ text: "a😀b\r\nc" }));
    told.take();
    expect(told.text).toBe("a😀b\nc");
  });
});

describe("links and what else Markdown hides", () => {
  const shown = (words: string, width = 100): { plain: string; raw: string } => {
    const told = new Telling({ width });
    told.hear(replied({ text: words }));
    told.take();
    return { plain: told.text, raw: told.committed.join("\n") };
  };

  test("[SU-3] [SA-terminal-escapes] an address can be followed only where it is shown", () => {
    const { plain, raw } = shown("see [the docs](https://evil.example/x) or https://good.example");
    expect(plain).toBe("see the docs (https://evil.example/x) or https://good.example");
    const links = [...raw.matchAll(/\u001b\]8;;([^\u0007\u001b]+)(?:\u0007|\u001b\\)(.*?)\u001b\]8;;/g)];
    expect(links.map(([, url]) => url)).toEqual(["https://evil.example/x", "https://good.example"]);
    for (const [, url, words] of links) expect(words).toContain(url ?? "");
    expect(shown("[go](javascript:alert(1)) [f](file:///etc/passwd)").raw).not.toContain("\u001b]8;;j");
    expect(shown("[f](file:///etc/passwd)").raw).not.toContain("\u001b]8;;f");
    expect(shown("[https://good.example](https://evil.example)").plain).toContain("(https://evil.example)");
  });

  test("[SU-3] definitions, footnotes, images, cells too many and lists below lists are not lost", () => {
    expect(shown("[1]: https://a.example/b").plain).toBe("[1]: https://a.example/b");
    expect(shown("[^1]: word").plain).toBe("[^1]: word");
    expect(shown("![a picture](https://a.example/p.png) `![x](y)`").plain).toBe(
      "a picture (https://a.example/p.png) ![x](y)",
    );
    expect(shown("| a | b |\n|---|---|\n| x | `c|d` | more |").plain).toContain("c|d");
    expect(shown("| a | b |\n|---|---|\n| x | y | more |").plain).toContain("y | more");
    const list = "1. one\n\n    - below\n\n      words\n2. two\n\n   ```sh\n   echo\n\n   hi\n   ```\n\nend";
    expect(shown(list).plain.split("\n")).toEqual([
      ...["1. one", "", "    - below", "", "      words", "2. two", "", "   sh", "     echo", "", "     hi", "", "end"],
    ]);
  });

  test("[SU-3] every word of a reply is shown exactly once, however it arrives and whatever stands around it", () => {
    const word = fc.integer({ min: 0, max: 999_999 }).map((n) => `w${n}w`);
    const piece = fc.oneof(
      { weight: 6, arbitrary: word },
      {
        weight: 5,
        arbitrary: fc.constantFrom(
          ...[
            " ",
            "\n",
            "\n\n",
            "\n- ",
            "\n1. ",
            "\n# ",
            "\n> ",
            "\n| ",
            " | ",
            " |\n|---|---|\n",
            "\n```js\n",
            "\n```\n",
          ],
          ...[
            "`",
            "**",
            "_",
            "    ",
            "\t",
            "中文",
            "😀",
            "\\",
            "\n\n    ",
            "\r\n",
            "~~",
            "[",
            "]",
            "](http://x/",
            ")",
            "![",
          ],
        ),
      },
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 60 }),
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 20, max: 120 }),
        (pieces, sizes, width) => {
          const whole = pieces.join(" ");
          const told = new Telling({ width });
          told.hear(start());
          for (let at = 0, n = 0; at < whole.length; n++) {
            const size = sizes[n % sizes.length] ?? 1;
            told.hear(text(whole.slice(at, at + size)));
            expect(problemsIn(told.feed.live(10), width)).toEqual([]);
            told.take();
            at += size;
          }
          told.hear(replied({ text: whole }));
          told.take();
          expect(problemsIn(told.committed, width)).toEqual([]);
          // Lines break within words where these are too long: what counts is that all of it is there, in order.
          const seen = told.text.replace(/[\s│|]/g, "");
          for (const one of new Set(whole.match(/w\d+w/g) ?? [])) {
            const want = whole.split(one).length - 1;
            expect([one, seen.split(one).length - 1]).toEqual([one, want]);
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});

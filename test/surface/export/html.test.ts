import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Lang } from "../../../src/contract/text/catalogue.ts";
import { follow } from "../../../src/engine/loop/republish.ts";
import { render } from "../../../src/surface/export/render.ts";
import { timeline } from "../../../src/surface/export/timeline.ts";
import { traceHtml } from "../../../src/surface/export/trace-html.ts";
import { allWords, call, head, recordedLog, taskLog } from "./log.ts";

const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47]);

function exported(text: string, lang: Lang = "en"): string {
  const source = { head: { ...head, title: text, workspace: text, model: text }, log: taskLog(allWords(text)) };
  return [...render("html", { ...source, imageBytes: () => png }, lang)].join("");
}

function traced(text: string): string {
  const log = follow(taskLog(allWords(text)));
  return [...traceHtml({ ...head, title: text, workspace: text, model: text }, timeline(log), "en")].join("");
}

/** Every element and attribute name that an HTML reader finds, with the values that are not ours to compare left out. */
function elements(page: string): readonly string[] {
  const found: string[] = [];
  new HTMLRewriter()
    .on("*", {
      element: (one) => {
        found.push(`${one.tagName} ${[...one.attributes].map(([name]) => name).join(" ")}`.trim());
      },
    })
    .transform(page);
  return found;
}

const nasty = [
  "</script><script>alert(1)</script>",
  '"><img src=x onerror=alert(1)>',
  "<!-- ",
  "</pre></details><h1>",
  "]]><![CDATA[",
  "&lt;b&gt; &#60;b&#62;",
  "' onmouseover='x",
  "`onload=x",
  "<style>*{}</style>",
  "</title><b>",
  "\u0000<b>",
  "\ud800<b>\udc00",
  "javascript:alert(1)",
];

describe("nothing that was said or printed becomes markup", () => {
  const plainPage = elements(exported("word"));
  const plainTrace = elements(traced("word"));

  test("the plain page has what it should have, and no script", () => {
    expect(plainPage.slice(0, 10)).toEqual([
      ...["html lang", "head", "meta charset", "meta http-equiv content", "meta name content", "meta name content"],
      ...["title", "style", "body", "h1"],
    ]);
    expect(plainPage.filter((one) => one.startsWith("script") || one.startsWith("link"))).toEqual([]);
    expect(plainPage).toContain("details");
    expect(plainTrace).toContain("rect class x width height");
  });

  for (const text of nasty) {
    test(`[PS-5] ${JSON.stringify(text)}`, () => {
      expect(elements(exported(text))).toEqual(plainPage);
      expect(elements(traced(text))).toEqual(plainTrace);
    });
  }

  test("[PS-5] any text", () => {
    const piece = fc.oneof(
      fc.constantFrom(...nasty, "<", ">", '"', "'", "&", "`", "=", "/", "--", "script", "\n", "\r", "\t", " "),
      fc.string({ unit: "binary", maxLength: 6 }),
    );
    const words = fc.array(piece, { minLength: 1, maxLength: 12 }).map((parts) => `x${parts.join("")}`);
    fc.assert(
      fc.property(words, (text) => {
        // Arguments of several lines are laid out as blocks of their own.
        const harmless = text.replace(/[^\n]/g, "x");
        expect(elements(exported(text))).toEqual(elements(exported(harmless)));
        expect(elements(traced(text))).toEqual(elements(traced(harmless)));
      }),
      { numRuns: 150 },
    );
  });

  test("[PS-5] the policy allows no script, no request and no style but the page's own, whose hash is right", () => {
    const page = exported("word");
    const style = /<style>([\s\S]*?)<\/style>/.exec(page)?.[1] ?? "";
    const hash = new Bun.CryptoHasher("sha256").update(style).digest("base64");
    expect(page).toContain(
      `content="default-src 'none'; style-src 'sha256-${hash}'; img-src data:; form-action 'none'; base-uri 'none'"`,
    );
    expect(/(?:src|href|action)="(?!data:)|url\(|@import|\sstyle=/.test(page + traced("word"))).toBe(false);
  });
});

test("[PO-6] terminal codes, bidi marks, NUL and broken surrogates are spelled out, other scripts stay", () => {
  const page = exported("a\u001b[31m\u202eb\u0000\ud83d c\u200bd \u{e0041} 修复 😀");
  expect(page).toContain("a\\u001b[31m\\u202eb\\u0000\\ud83d c\\u200bd \\udb40\\udc41 修复 😀");
  expect(/[\u0000-\u0008\u000b-\u001f\u202a-\u202e\u2066-\u2069]|\p{Cs}/u.test(page)).toBe(false);
});

describe("images", () => {
  const image = (mediaType: string, bytes: Uint8Array | null): string => {
    const read = call("r1/1/0", "read", { path: "a.png" });
    const ref = { hash: "a".repeat(64), mediaType: mediaType as "image/png", bytes: 4, width: 1, height: 2 };
    const result = { status: "done", output: "image", key: "k", ms: 1, images: [ref] } as const;
    const log = recordedLog(
      { type: "run.started", runId: "r1", calls: [read] },
      { type: "tool.settled", runId: "r1", callId: read.id, result },
    );
    return [...render("html", { head, log, imageBytes: () => bytes }, "en")].join("");
  };

  test("[PS-5] are inside the page, from the stored bytes", () => {
    expect(image("image/png", png)).toContain(
      `<img alt="image image/png, 1×2" src="data:image/png;base64,${Buffer.from(png).toString("base64")}">`,
    );
  });

  test("whose bytes are gone, or whose type is none of ours, are told in words", () => {
    expect(image("image/png", null)).toContain("image image/png, 1×2: its content is no longer stored");
    const odd = image('text/html" onerror="x', png);
    expect(odd).not.toContain("<img");
    expect(odd).toContain("text/html&quot; onerror=&quot;x");
  });
});

test("[SU-4] a page in Chinese says so and has Chinese labels", () => {
  const page = exported("词", "zh");
  expect(page).toContain('<html lang="zh-CN">');
  expect(page).toContain("<h2>任务 t1 · 1970-01-01 00:00:01 GMT+0</h2>");
  expect(page).toContain("<summary>思考</summary>");
});

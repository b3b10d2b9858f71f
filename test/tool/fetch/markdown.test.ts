import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { markdownOf } from "../../../src/tool/fetch/markdown.ts";

const base = new URL("https://ex.example/docs/page");
const md = (html: string): string => markdownOf(html, base).markdown;

const rows: readonly (readonly [what: string, html: string, markdown: string])[] = [
  ["headings", "<h1>One</h1><h3>Th<em>r</em>ee</h3>", "# One\n\n### Th*r*ee"],
  ["the link of a heading to itself is left out", '<h2>Use <a href="#use">¶</a></h2>', "## Use"],
  ["paragraphs without ends", "<p>a\n  b<p>c<br>d", "a b\n\nc\nd"],
  ["marks keep blanks outside", "x<b> bold </b>y <i></i><del>no</del>", "x **bold** y ~~no~~"],
  ["links are whole addresses", '<a href="../a?b=1&amp;c=2">to\na</a>', "[to a](https://ex.example/a?b=1&c=2)"],
  ["links to scripts and places of the page are words", '<a href="javascript:x()">a</a> <a href="#b">b</a>', "a b"],
  ["a base address counts", '<base href="/z/"><a href="y">a</a>', "[a](https://ex.example/z/y)"],
  [
    "images with words",
    '<img alt="A &amp; B" src="i.png"><img src="j.png">',
    "![A & B](https://ex.example/docs/i.png)",
  ],
  ["images in data are words", '<img alt="pic" src="data:image/png;base64,AAAA">', "![pic]"],
  ["lists in lists", "<ul><li>a<ul><li>b<li>c</ul><li>d</ul>", "- a\n  - b\n  - c\n- d"],
  ["numbers from where they start", '<ol start="9"><li>a<li>b</ol>', "9. a\n10. b"],
  ["paragraphs in items", "<ul><li><p>a</p><p>b</p></li><li>c</li></ul>", "- a\n\n  b\n- c"],
  ["an item without a list", "<li>a<li>b", "- a\n\n- b"],
  ["quotes", "<blockquote><p>a</p><p>b</p></blockquote>c", "> a\n>\n> b\n\nc"],
  ["a list in a quote", "<blockquote><ul><li>a<li>b</ul></blockquote>", "> - a\n> - b"],
  ["terms", "<dl><dt>a<dd>b<dt>c<dd>d</dl>e", "a\n: b\n\nc\n: d\n\ne"],
  [
    "code with its language",
    '<pre><code class="hl language-TS">a &lt; b\n\n  c</code></pre>',
    "```ts\na < b\n\n  c\n```",
  ],
  ["code with fences in it", "<pre>```\nx\n```</pre>", "````\n```\nx\n```\n````"],
  ["code in an item", "<ol><li>a<pre>b\nc</pre></ol>", "1. a\n\n   ```\n   b\n   c\n   ```"],
  ["code in a line", "<code>a</code> <kbd>`b`</kbd>", "`a` `` `b` ``"],
  ["powers are not digits", "10<sup>6</sup> H<sub>2</sub>O e<sup>i pi</sup>", "10^6 H_2O e^(i pi)"],
  [
    "tables",
    "<table><tr><th>a<th>b|c<tr><td><p>1</p><p>2</p><td>3<tr><td>4</table>",
    "| a | b\\|c |\n| --- | --- |\n| 1 2 | 3 |\n| 4 |  |",
  ],
  ["a table of one column is no table", "<table><tr><td>a<tr><td>b</table>", "a\n\nb"],
  ["a table around code is no table", "<table><tr><td>1<td><pre>x\ny</pre></table>", "1\n\n```\nx\ny\n```"],
  [
    "a table around tables is none",
    "<table><tr><td>a<td><table><tr><td>b<td>c</table></table>",
    "a\n\n| b | c |\n| --- | --- |",
  ],
  ["a rule", "a<hr>b", "a\n\n---\n\nb"],
  ["a mark over several blocks marks each", "<b>a<p>b</p></b>c", "**a**\n\n**b**\n\nc"],
  [
    "scripts, styles, menus and buttons are left out",
    "<style>p{}</style>a<script>if(1<2)'<p>'</script><nav>m</nav><button>b</button>",
    "a",
  ],
  ["comments are left out, whatever is in them", "a<!-- <p>x</p> --><!--> b<!doctype x>", "a b"],
  [
    "hidden parts are left out",
    "<div hidden><div>x</div>y</div><span style='DISPLAY : none'>z</span><a aria-hidden=true>w</a>a",
    "a",
  ],
  [
    "entities",
    "&lt;&#60;&#x3C;&eacute;&alpha;&#150;&copy;&amp;lt; &unknown; a&b &#0; &amp",
    "<<<éα–©&lt; &unknown; a&b \ufffd &",
  ],
  ["entities that browsers know without their end", "&copy 1 &notaword; &bigstar;", "© 1 ¬aword; ★"],
  ["a comment that ends as browsers let it", "a<!-- x --!> b", "a b"],
  ["a sign that begins no tag", "a < b && c <3 d", "a < b && c <3 d"],
  ["a quote that begins no value", '<p title=it\'s>a</p><p class="x>y">b</p>', "a\n\nb"],
  ["what was never closed", "<div><ul><li><b>a", "- **a**"],
  ["what was never opened", "</ul></b></blockquote></table></td>a</pre>", "a"],
];

describe("Markdown of", () => {
  for (const [what, html, markdown] of rows) test(what, () => expect(md(html)).toBe(markdown));

  test("the title is one line, and no part of the text", () => {
    expect(markdownOf("<head><title>\n A &ndash; B\n</title></head><p>x", base)).toEqual({
      title: "A – B",
      markdown: "x",
      hidden: 0,
    });
  });

  test("only the main part, where it is long enough to be the page", () => {
    const long = "word ".repeat(60).trim();
    expect(md(`<div>menu</div><main><p>${long}</p></main><footer>foot</footer>`)).toBe(long);
    expect(md("<div>menu</div><main><p>x</p></main>")).toBe("menu\n\nx");
  });
});

describe("hostile pages", () => {
  const parts = [
    "<div>",
    "<ul><li>x",
    "<b>x",
    "<table><tr><td>",
    "<blockquote>x</ul>",
    '<a b="',
    "<!--",
    "&nbsp;",
    "<b> </b>",
  ];

  // What is not in proportion to its length would take minutes.
  test("come to an end, however deep they are nested", () => {
    for (const part of parts) expect(md(part.repeat(150_000)).length).toBeLessThan(5_000_000);
  }, 120_000);

  test("do not grow without bound: margins of deep nesting stop, and so does the text", () => {
    const deep = md(`${"<blockquote>".repeat(300)}<pre>${"x\n".repeat(1_000_000)}`);
    expect(deep.length).toBeLessThan(4_000_000);
    expect(deep.slice(0, 40)).toBe("> > > > > > > > ```\n> > > > > > > > x\n> ");
  });

  test("of any tags in any order are text in the end", () => {
    const names = [
      "p",
      "ul",
      "ol",
      "li",
      "table",
      "tr",
      "td",
      "pre",
      "code",
      "b",
      "a",
      "blockquote",
      "h2",
      "dd",
      "main",
      "nav",
    ];
    const tag = fc
      .tuple(fc.constantFrom(...names), fc.constantFrom("", "/"))
      .map(([name, slash]) => `<${slash}${name}>`);
    const piece = fc.oneof(tag, fc.constantFrom("x", " ", "\n", "<", "&amp;", "<!--", "-->", "'", '"', "`"));
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const said = md(pieces.join(""));
        expect(said).toBe(said.trim());
      }),
      { numRuns: 500 },
    );
  });

  test("keep every word of a page that hides nothing, once and in order", () => {
    const names = [
      "p",
      "ul",
      "li",
      "table",
      "tr",
      "td",
      "pre",
      "code",
      "b",
      "a",
      "blockquote",
      "h2",
      "dl",
      "dt",
      "dd",
      "div",
    ];
    const open = fc.constantFrom(...names).map((name) => `<${name}>`);
    const close = fc.constantFrom(...names).map((name) => `</${name}>`);
    fc.assert(
      fc.property(fc.array(fc.oneof(open, close, fc.constant("word")), { maxLength: 60 }), (pieces) => {
        let count = 0;
        const html = pieces.map((one) => (one === "word" ? ` w${count++}w ` : one)).join("");
        const words: readonly string[] = md(html).match(/w\d+w/g) ?? [];
        expect(words).toEqual(Array.from({ length: count }, (_, at) => `w${at}w`));
      }),
      { numRuns: 500 },
    );
  });
});

// Text that a person who looks at the page does not see is not told to the model either.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { markdownOf } from "../../../src/tool/fetch/markdown.ts";

const base = new URL("https://ex.example/");
const md = (html: string): string => markdownOf(html, base).markdown;
/** Which of the two are told. */
const told = (html: string): string => (md(html).match(/SECRET|SEEN/g) ?? []).join(" ");

/** Declarations that make the text of an element disappear. */
const hiding = [
  ..."display:none|DISPLAY : NONE !important|display:/**/none|display:n\\6f ne|d\\69splay:none|visibility:hidden|visibility:collapse".split(
    "|",
  ),
  ..."opacity:0|opacity:0.0|opacity:.01|opacity:0%|filter:opacity(0)|content-visibility:hidden|zoom:0".split("|"),
  ..."font-size:0|font-size:0px|font-size:1px|font-size:.01em|font-size:0%|font:0/0 a|font: 1px serif|font-size:calc(0px)".split(
    "|",
  ),
  ..."color:transparent|color:rgba(0,0,0,0)|color:rgb(9 9 9 / 0%)|color:#fff0|color:#12345600|-webkit-text-fill-color:transparent".split(
    "|",
  ),
  ..."color:white;background:white|color:#fff;background-color:#fefefe|color:hsl(0,0%,100%);background:#fff url|color:tomato;background:tomato".split(
    "|",
  ),
  ..."color:white|color:#FFFFFF|color:rgb(255,255,255)|background:#000|color:red;background:red none".split("|"),
  ..."color:oklch(1 0 0)|color:oklab(100% 0 0)|color:lab(100 0 0)|color:lch(99% 0 0)|color:hwb(0 100% 0%)|color:color(srgb 1 1 1)".split(
    "|",
  ),
  ..."color:color-mix(in srgb, white, #fff 30%)|color:oklch(.5 .1 20 / 0)|color:oklch(.5 .1 20);background:oklch(.5 .1 20)".split(
    "|",
  ),
  ..."position:absolute;left:-9999px|position:fixed;top:-100vh|position:absolute;right:-200em|position:absolute;left:calc(-1 * 0px - 9999px)".split(
    "|",
  ),
  ..."text-indent:-9999px|margin-left:-9999px|position:absolute;left:99999px|transform:translateX(-9999px)|transform:translate(-100%)".split(
    "|",
  ),
  ..."transform:scale(0)|transform:scaleY(0)|scale:0|transform:rotateY(90deg)|transform:matrix(0,0,0,0,0,0)".split("|"),
  ..."position:absolute;clip:rect(0,0,0,0)|clip:rect(1px 1px 1px 1px)|clip-path:inset(50%)|clip-path:inset(100%)|clip-path:circle(0)|clip-path:polygon(0 0,0 0)".split(
    "|",
  ),
  ..."width:0;overflow:hidden|height:0;overflow:hidden|max-height:0px;overflow:clip|width:1px;height:1px;overflow:hidden".split(
    "|",
  ),
  ..."--d:none;display:var(--d)|display:var(--no, none)".split("|"),
];

const elements =
  "p div span b i em a li h1 h3 td th blockquote section code pre font dd dt label ul ol table main article custom-tag small".split(
    " ",
  );

describe("hidden by its style", () => {
  for (const style of hiding) {
    test(style, () => {
      for (const name of elements) {
        const html = `<p>a</p><${name} style="${style}">SECRET<b>SECRET</b></${name}><p>SEEN`;
        expect([name, told(html)]).toEqual([name, "SEEN"]);
      }
    });
  }

  test("however the attribute is written", () => {
    const forms = [
      "style='display:none'",
      "style=display:none",
      'STYLE = "display:none"',
      'style="display&#58;none"',
      'style="&#100;isplay:none"',
      'style="display&colon;none"',
      'a="1"style="display:none"',
      'style="color:red;;display:none;"',
      'style="background:url(data:image/png;base64,AA==);display:none"',
      "style=\"content:';';display:none\"",
      `data-x="${"y".repeat(60_000)}" style="display:none"`,
      'style="display:none" style="display:block"',
      "hidden",
      'hidden=""',
      'hidden="until-found"',
      "HIDDEN",
      "popover",
      'aria-hidden="true"',
    ];
    for (const form of forms)
      expect([form.slice(0, 60), told(`<div ${form}>SECRET</div>SEEN`)]).toEqual([form.slice(0, 60), "SEEN"]);
    expect(told('<div/style="display:none">SECRET</div>SEEN')).toBe("SEEN");
  });
});

test("what is put back into view is told: letters of a size, colour or visibility of their own", () => {
  const rows = [
    '<ul style="font-size:0"><li style="font-size:16px">SEEN</ul>',
    '<div style="visibility:hidden">SECRET<b style="visibility:visible">SEEN</b></div>',
    '<div style="color:white;background:white">SECRET<b style="color:black">SEEN</b></div>',
    '<div style="color:white;background:navy">SEEN</div>',
    '<div style="color:white;background:url(a.png)">SEEN</div>',
    '<link rel=stylesheet href=a.css><div style="color:white">SEEN</div>',
    '<div style="position:absolute;left:calc(50% - 640px)">SEEN</div>',
    '<div style="position:absolute;transform:translate(-50%,-50%);left:50%">SEEN</div>',
    '<div style="overflow:hidden;max-width:100%;height:auto">SEEN</div>',
    '<div style="margin:0 -15px;text-indent:-1em;opacity:.8;font:bold 12px/1.5 Arial">SEEN</div>',
    '<body style="visibility:hidden;opacity:0">SEEN</body>',
    '<html style="display:none"><p>SEEN',
    '<div style="display:block;display:inline">SEEN</div>',
    '<p style="font-size:small">SEEN<p style="font-size:80%">',
    '<div style="width:0">SEEN</div>',
  ];
  for (const html of rows) expect([html, told(html)]).toEqual([html, "SEEN"]);
});

describe("hidden by a style sheet in the page", () => {
  const sheets: readonly (readonly [css: string, tag: string])[] = [
    [".x{display:none}", '<p class="a x b">'],
    ["#x{display:none}", "<div id=x>"],
    ["custom-tag{display:none}", "<custom-tag>"],
    [".x , .y{opacity:0}", '<p class="y">'],
    ["p.x.y{display:none}", '<p class="y x">'],
    [".x{color:red}.x{display:none}", "<p class=x>"],
    [".x{display:none!important}", '<p class=x style="display:block">'],
    [".a .x{display:none}", "<div class=a><b><p class=x>"],
    [".a > .x{display:none}", "<div class=a><p class=x>"],
    ["h2 + .x{display:none}", "<h2>t</h2><p class=x>"],
    ["h2 ~ .x{display:none}", "<h2>t</h2><i></i><p class=x>"],
    ["[data-x]{display:none}", "<p data-x=1>"],
    ['p[data-x="1"]{display:none}', "<p data-x=1>"],
    ['[class^="x"]{display:none}', "<p class=xyz>"],
    ["p:not(.y){display:none}", "<p class=x>"],
    [":is(.x,.y){display:none}", "<p class=x>"],
    [".x:first-child{display:none}", "<div><p class=x>"],
    ["@media screen{.x{display:none}}", "<p class=x>"],
    ["@media (min-width:100px){.x{display:none}}", "<p class=x>"],
    ["@supports (display:block){@layer a{.x{display:none}}}", "<p class=x>"],
    [".a{.x{display:none}}", "<div class=a><p class=x>"],
    [".a{&.x{display:none}}", '<p class="a x">'],
    ["/* } */ .x{content:'}';display:none}", "<p class=x>"],
    [".\\78 {display:none}", "<p class=x>"],
    ["<!-- .x{display:none} -->", "<p class=x>"],
    [":root{--h:none}.x{display:var(--h)}", "<p class=x>"],
    [".x{position:absolute;left:-9999px}", "<p class=x>"],
    ["body{background:#111;color:#eee}.x{color:#111}", "<p class=x>"],
    [`${".x".repeat(600)}{display:none}`, "<p class=x>"],
    ["*{display:block}.x{display:none}", "<p class=x>"],
  ];
  for (const [css, tag] of sheets) {
    test(css.slice(0, 80), () => {
      const close = /<(custom-tag|div|p)/.exec(tag.slice(tag.lastIndexOf("<")))?.[1] ?? "p";
      for (const html of [
        `<style>${css}</style>${tag}SECRET</${close}>`,
        `${tag}SECRET</${close}><style>${css}</style>`,
      ]) {
        expect(told(html)).toBe("");
      }
      const link = `<link rel="stylesheet" href="data:text/css,${encodeURIComponent(css)}">`;
      if (!css.includes("'")) expect(told(`${link}${tag}SECRET</${close}>`)).toBe("");
    });
  }

  test("is not hidden by rules for print, for a small screen, for a state, for something else, or that another one undoes", () => {
    const rows = [
      "@media print{.x{display:none}}",
      "@media (max-width:600px){.x{display:none}}",
      "@media not screen{.x{display:none}}",
      ".x:hover{display:none}",
      ".x::before{display:none}",
      ".y .x{display:none}",
      ".xx{display:none}",
      "#x{display:none}",
      ".x{display:none}p.x{display:block}",
      ".x{display:none}.x{display:block}",
      "@keyframes a{from{visibility:hidden}}",
      "@font-face{font-size:0}",
      ".x:not(p){display:none}",
    ];
    for (const css of rows) expect([css, told(`<style>${css}</style><p class=x>SEEN`)]).toEqual([css, "SEEN"]);
    expect(told("<style media=print>.x{display:none}</style><p class=x>SEEN")).toBe("SEEN");
    expect(told("<style type=text/x>.x{display:none}</style><p class=x>SEEN")).toBe("SEEN");
    expect(told("<noscript><style>.x{display:none}</style></noscript><p class=x>SEEN")).toBe("SEEN");
  });
});

test("what is no text of the page is left out, and the page goes on behind it", () => {
  const rows = [
    ..."template noscript script style svg iframe object canvas audio video select button nav textarea dialog datalist progress meter".split(
      " ",
    ),
  ].map((name) => `<${name}>SECRET</${name}>SEEN`);
  rows.push(
    "<!-- SECRET -->SEEN",
    "<math><semantics><mi>SEEN</mi><annotation>SECRET</annotation></semantics></math>",
    "<script><!--<script></script>SECRET</script>--></script>SEEN",
    '<img alt="SECRET" hidden><img alt="SECRET" style="display:none">SEEN',
    '<font color="white">SECRET</font>SEEN',
    '<table bgcolor="#ff0000"><tr><td><font color="red">SECRET</font>SEEN</table>',
    "<noscript><noscript>SECRET</noscript>SEEN",
  );
  for (const html of rows) expect([html, told(html)]).toEqual([html, "SEEN"]);
});

test("missing and crossed ends neither bring hidden text to light nor hide the rest of the page", () => {
  const none = 'style="display:none"';
  const rows = [
    `<p ${none}>SECRET<p>SEEN`,
    `<p ${none}>SECRET<div>SEEN</div>`,
    `<ul><li ${none}>SECRET<li>SEEN</ul>`,
    `<dl><dt ${none}>SECRET<dd>SEEN</dl>`,
    `<table><tr><td ${none}>SECRET<td>SEEN</table>`,
    `<table><tr ${none}><td>SECRET<tr><td>SEEN</table>`,
    `<section><div ${none}>SECRET</section>SEEN`,
    `<h2 ${none}>SECRET</h3>SEEN`,
    `<div><span ${none}>SECRET</div>SEEN`,
    `<div ${none}><table><tr><td></div>SECRET</td></tr></table>SECRET</div>SEEN`,
    `<span ${none}><div></span>SECRET</div>SECRET</span>SEEN`,
    `<div ${none}>SECRET</p></b></li>SECRET</div>SEEN`,
    `<div ${none}><br/><img/><div/>SECRET</div>SECRET</div>SEEN`,
    `<b ${none}>SECRET</b>SEEN`,
    `<p><b ${none}></p><p>SECRET</p></b>SEEN`,
    `<a ${none} href=x>SECRET<a href=y>SEEN</a>`,
    `<div ${none}><svg/>SECRET</div>SEEN`,
    `<svg ${none} />SEEN`,
  ];
  for (const html of rows) expect([html, told(html)]).toEqual([html, "SEEN"]);
  expect(told(`${"<div>".repeat(6_000)}<div ${none}>SECRET`)).toBe("");
});

test("any element with any of these styles, in any others, hides its text and nothing else", () => {
  const tag = fc.constantFrom(...elements.filter((name) => !["pre", "code"].includes(name)));
  const around = fc.constantFrom("div", "section", "ul", "blockquote", "article", "span");
  fc.assert(
    fc.property(
      tag,
      fc.constantFrom(...hiding),
      fc.array(around, { maxLength: 4 }),
      fc.boolean(),
      (name, style, outer, isClosed) => {
        const inside = `<${name} style="${style}">SECRET <i>SECRET</i>${isClosed ? `</${name}>` : ""}`;
        const html = `${outer.map((one) => `<${one}>`).join("")}${inside}${outer
          .map((one) => `</${one}>`)
          .toReversed()
          .join("")}`;
        expect(told(html)).toBe("");
        if (isClosed) expect(told(`${html}<p>SEEN`)).toBe("SEEN");
      },
    ),
    { numRuns: 500 },
  );
});

test("a page that is too much to work out tells less, not more, and comes to an end", () => {
  const rules = Array.from({ length: 5_000 }, (_, at) => `.a .b${at} .a > .a ~ .a{color:red}`).join("");
  const html = `<style>${rules}.x{display:none}</style>${'<div class="a">'.repeat(400)}${'<i class="a"></i>'.repeat(20_000)}<p class="x">SECRET`;
  expect(told(html)).toBe("");
});

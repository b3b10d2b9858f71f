// An HTML page that loads nothing and runs nothing.
import type { Lang } from "../../contract/text/catalogue.ts";
import { visible } from "./visible.ts";

const names: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Escapes text for an element or a double-quoted attribute. */
export function escaped(text: string): string {
  return visible(text).replace(/[&<>"]/g, (mark) => names[mark] ?? "");
}

const style = `
:root { color-scheme: light dark; --line: #8886; --soft: #8881; --model: #4a7fd6; --tool: #3f9b5f; --person: #d08a2e;
  --retry: #c0504d; --other: #8889; --away: #8884; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; overflow-wrap: anywhere; } h2 { font-size: 1.2rem; margin-top: 2.5rem; border-top: 1px solid var(--line);
  padding-top: 1rem; }
pre, .text { white-space: pre-wrap; overflow-wrap: anywhere; } pre { font: 13px/1.45 ui-monospace, monospace; margin: .5rem 0;
  padding: .6rem .8rem; background: var(--soft); border-radius: .4rem; max-height: 40rem; overflow: auto; }
.said { border-left: 4px solid var(--model); padding-left: .8rem; font-weight: 600; }
.note, .head { color: GrayText; font-size: .9rem; overflow-wrap: anywhere; } details { margin: .5rem 0; } summary { cursor: pointer;
  overflow-wrap: anywhere; } ul { padding-left: 1.2rem; overflow-wrap: anywhere; } img { max-width: 100%; }
.failed, .denied, .unknown, .cancelled { color: var(--retry); }
svg { width: 100%; height: 1.1rem; display: block; background: var(--soft); border-radius: .2rem; }
table { border-collapse: collapse; width: 100%; font-size: .85rem; } td { padding: .15rem .4rem; vertical-align: top;
  overflow-wrap: anywhere; } td:first-child { white-space: nowrap; text-align: right; } td:last-child { width: 35%; }
.model { fill: var(--model); } .tool { fill: var(--tool); } .person { fill: var(--person); } .retry { fill: var(--retry); }
.other { fill: var(--other); } .away { fill: var(--away); } svg.key { width: .8rem; height: .8rem; display: inline; }
`;

/** The policy allows only the style above and embedded images: no script and no request, even if an escape was missed. */
export function pageStart(lang: Lang, title: string): string {
  const hash = new Bun.CryptoHasher("sha256").update(style).digest("base64");
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; img-src data:; form-action 'none'; base-uri 'none'`;
  return `<!doctype html>
<html lang="${lang === "zh" ? "zh-CN" : "en"}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${escaped(title)}</title>
<style>${style}</style>
</head>
<body>
<h1>${escaped(title)}</h1>
`;
}

export const pageEnd = "</body>\n</html>\n";

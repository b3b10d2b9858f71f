/**
 * A line that stands for others instead of giving them: `// ... rest unchanged`. Whoever writes one into a file deletes
 * what it stands for. `null` when the new text has none that the old one lacks.
 */
export function elisionIn(old: string, fresh: string): string | null {
  if (!suspicious.test(fresh)) return null;
  const [before, after] = [linesOf(old), linesOf(fresh)];
  const known = new Set(before);
  const isShorter = after.length < before.length;
  return after.find((line) => !known.has(line) && isElision(line, isShorter)) ?? null;
}

/** A look at the whole text: most have nothing of the kind. */
const suspicious = /\.{3}|…|\b(?:rest|remain|existing|unchanged)|不变|略/i;
const longest = 160;

const opening = /^(?:\/\/+|#+|--+|\/\*+|\*+|<!--|\{\s*\/\*+|%+|;+)\s*/;
const closing = /\s*(?:\*+\/\s*\}?|-->)$/;

const dots = "(?:\\.{3,}|…+)";
const things =
  "(?:code|file|function|method|class|implementation|component|module|document|content|script|config|configuration|test|import|body|page|logic|field|prop|style|route|type|definition|entry|item|line)s?";
const states = "(?:unchanged|omitted|elided|the same(?: as before)?|as before|as is|as-is|intact|here|goes here)";

/** `... existing code ...`: dots first, and then what they stand for. */
const dotted = new RegExp(
  `^[([<{]?\\s*${dots}\\s*[([]?.*\\b(?:rest|remain\\w*|existing|unchanged|omitted|elided|previous|same|as before|other|no changes?|keep)\\b`,
  "i",
);
/** `rest of the file unchanged`: nothing else in the comment. */
const worded = new RegExp(
  `^[([]?(?:the )?(?:(?:rest|remainder) of (?:the |this |your )?(?:\\w+ )?${things}|(?:existing|remaining|unchanged) ${things})(?:,? (?:is|are|remains?|stays?|continues?))?(?: ${states})?\\s*(?:${dots}|\\.)?[)\\]]?$`,
  "i",
);
const chinese =
  /^(?:\.{3,}|…+|[(（]?(?:其余|其它|其他|剩余|原有|现有|后面|以下)).{0,12}(?:不变|省略|略|代码)\s*[.…。)）]*$/;
/** `// ...`, which only means something where lines are lost. */
const bare = new RegExp(`^[([]?${dots}[)\\]]?$`);

function isElision(line: string, isShorter: boolean): boolean {
  if (line.length > longest) return false;
  const body = line.replace(opening, "").replace(closing, "").trim();
  // Without the sign of a comment it may be code: `...rest,` spreads a list.
  const isText = body !== line || /^[([<]?(?:\.{3,}|…+)(?:\s|[^(){}[\],;=?]* [^(){}[\],;=?]*$)/.test(body);
  if ((isText && dotted.test(body)) || (/^(?:\.{3}|…)/.test(body) && chinese.test(body))) return true;
  if (body === line) return false;
  return worded.test(body) || chinese.test(body) || (isShorter && bare.test(body));
}

function linesOf(text: string): readonly string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

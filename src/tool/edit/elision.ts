/**
 * A placeholder for omitted lines, such as `// ... rest unchanged`: writing it into a file deletes the lines it stands for. `null` if
 * the new text has no such line that the old text lacks.
 */
export function elisionIn(old: string, fresh: string, path: string): string | null {
  if (!suspicious.test(fresh)) return null;
  const [before, after] = [linesOf(old), linesOf(fresh)];
  // Documents contain such lines as examples; if all old lines stay, nothing is omitted.
  const keepsAll = before.every((line) => after.includes(line));
  if (document.test(path) && keepsAll) return null;
  const known = new Map<string, number>();
  for (const line of before.map(plain)) known.set(line, (known.get(line) ?? 0) + 1);
  const isShorter = after.length < before.length;
  const found = after.find((line, at) => {
    const left = known.get(plain(line)) ?? 0;
    known.set(plain(line), left - 1);
    return left <= 0 && isElision(line, isShorter, keepsAll) && !isGoingOn(after, at);
  });
  return found ?? null;
}

/** Cheap test of the whole text: most texts contain nothing of the kind. */
const suspicious =
  /\.{3}|…|[⋮⋯]|\. \.|\b(?:rest|etc|so on|before|original|your|other|more|code|nothing|remain|existing|unchanged|untouched|omitted|truncated|snip|same|previous|everything|no changes?)|不变|略|代码|原样/i;
const document = /\.(?:mdx?|markdown|rst|adoc)$/i;
const longest = 160;
const longestExample = 200;

/** The start of a comment. After `{` or `pass` it is all that is left of a block. */
const opening =
  /^(?:'|"|[Rr][Ee][Mm]\b)\s*(?=(?:\.{3}|…)[^'"]*$)|^(?:[^"'`]*?(?:[{([]|(?:=>|\bpass|\.{3})\s))??\s*(?:\/\/+!?|#+|--+(?:\[\[)?|\{\s*\/\*+|\/\*+|<!--+|<%(?:--|#)?|\{\{!(?:--)?|\{[#-]|\(\*+|@\*)\s*|^(?:\*+|%+|;+)\s*/;
const closing = /\s*(?:\*+\/\s*\}?|--+>|\]\]|(?:--)?%>|(?:--)?\}\}|[#-]\}|\*+[)@])?\s*[});,]*$/;
/** Decoration around headings and asides in comments. */
const frame = /^[-=~*_<[({\s]+|[-=~*_>\])}\s]+$/g;

const dots = "(?:\\.{3,6}|…+|[⋮⋯]+)";
const things =
  "(?:code|file|function|method|class|implementation|component|module|document|content|script|config|configuration|test|import|export|body|page|logic|field|prop|style|rule|route|type|definition|entry|entrie|item|line|section|handler|helper|constant|variable|option|setting|column|row|case|branch|branche|element|attribute|declaration|statement|block|jsx|html|css|markup|template|schema|table|query|querie|program)s?";
const states =
  "(?:exactly |entirely |completely )?(?:unchanged|untouched|unmodified|unaltered|identical|preserved|retained|omitted|elided|truncated|the same(?: as (?:before|above))?|as before|as is|as-is|as (?:it|they) (?:is|are|was|were)|intact)(?: for (?:brevity|clarity))?";
const verb = "(?:,? (?:is|are|remains?|stays?|continues?|goes|go))?";

const strong = "rest|remain\\w*|existing|unchanged|untouched|omitted|elided|as before|no changes?";
/** `... existing code ...`: dots, then the omitted thing. Other words can occur anywhere in a sentence, so they must follow closely. */
const dotted = new RegExp(
  `^${dots}\\s*[([]?(?:.*\\b(?:${strong})\\b|(?:\\S+\\s+){0,3}?(?:other|previous|original|same|keep)\\b)`,
  "i",
);
/** `rest of the file unchanged`, with nothing else in the comment. */
const worded = new RegExp(
  [
    `(?:(?:here (?:goes|comes|is) the )?(?:rest|remainder) of (?:the |this |your )?(?:\\w+ ){0,2}?${things}|your existing (?:\\w+ )?${things}|(?:existing|remaining|unchanged) ${things})${verb}(?: (?:${states}|here))?`,
    `(?:all (?:the )?)?(?:existing|remaining) (?:\\w+ )?${things}(?: above| below)?${verb} (?:${states}|here)`,
    `(?:(?:all )?(?:the )?other (?:\\w+ )?${things}|(?:the )?rest|(?:everything|all) (?:else|above|below)|lines? \\d+ ?(?:-|–|to|through) ?\\d+)${verb} ${states}`,
    `(?:keep|with) (?:(?:all|the|your) ){0,2}(?:(?:rest of (?:the |your )?)?(?:existing |remaining |other )?${things})(?: ${states}| here)?`,
    `(?:${things} |\\d+ lines )?omitted for (?:brevity|clarity)|\\d+ (?:more )?lines? ${states}`,
    `(?:previous|original|old) (?:${things})${verb} (?:${states}|here)`,
    `(?:leave|left|keep|kept) (?:the )?(?:rest|remainder|everything else|others?) ${states}`,
    `(?:insert|paste|put|include|continue with) (?:the |your )?(?:existing|original|previous|remaining) (?:\\w+ )?${things}(?: here)?`,
  ]
    .map((form) => `^(?:todo: |note: )?(?:the )?${form}\\s*(?:${dots}|\\.)?$`)
    .join("|"),
  "i",
);
const chinese =
  /^(?:\.{3,}|…+|[(（]?(?:其余|其它|其他|剩余|剩下|原有|现有|已有|之前|后面|以下|中间|此处|这里)).{0,12}(?:不变|省略|略|原样|代码)\s*[.…。)）]*$|^[(（]?(?:(?:保持|保留)(?:原有|原来|现有|其余|其他|以上|以下)|省略(?:了)?(?:其余|其他|原有|部分|中间|以上|以下)).{0,8}$/;
/** Forms that count only if lines are lost: `// ...`, `// ... imports`, `// unchanged`. */
const sentence = `(?:(?:original|previous|old|other|same|more|your|remaining|existing) (?:\\w+ )?(?:${things} (?:here|above|below|unchanged|as before)|${things}\\s*${dots}|(?:code|implementation|content|logic))|${things} (?:continues?|goes on|unchanged|as before|as is)(?: here)?\\s*(?:${dots})?)`;
const short = new RegExp(
  `^(?:${dots}|${dots}\\s*(?:[\\w-]+\\s+){0,2}[\\w-]+\\s*${dots}|${dots}\\s*(?:\\d+ )?(?:more )?(?:${things}|etc|and so on)\\.?|${states}|(?:no(?: other| further| more)?|nothing else) changes?(?: here| below| needed)?|same as (?:before|above|(?:the )?original)|etc\\.?|and so on|[.](?: [.])+|(?:unchanged|same)(?: as)? (?:above|below)|${sentence}|snip(?:ped)?|保持(?:原样|不变))$`,
  "i",
);
/** `...rest,` spreads a list. */
const spread =
  /^\.{3}\s?(?:await |new )?[\w$.?!]+(?: (?:as|satisfies) (?:[A-Z][\w.]*|any|const|never|unknown))?[,;)\]}]*$/;

/** If nothing is lost, this may be the heading of what follows. */
const heading = new RegExp(`^(?:existing|remaining|unchanged) ${things}$`, "i");

function isElision(line: string, isShorter: boolean, keepsAll: boolean): boolean {
  if (line.length > longest) return false;
  const bare = line.replace(opening, "");
  const isComment = bare !== line;
  const body = (isComment ? bare.replace(closing, "") : line).replace(frame, "").trim();
  // Without a comment sign the line may be code.
  const isText =
    isComment || (/^(?:\.{3,}|…+)(?:\s|[^(){}[\],;=?]* [^(){}[\],;=?]*$)/.test(body) && !spread.test(body));
  if ((isText && dotted.test(body)) || (/^(?:\.{3}|…)/.test(body) && chinese.test(body))) return true;
  if (!isComment) return /^[[(<]/.test(line) && worded.test(body) && /\s/.test(body);
  if (keepsAll && heading.test(body)) return false;
  return worded.test(body) || chinese.test(body) || (isShorter && short.test(body));
}

/** A Python example (`...` after `>>>`), or the end of a sentence that the previous comment line began. */
function isGoingOn(lines: readonly string[], at: number): boolean {
  const line = lines[at] ?? "";
  let from = at;
  while (lines[from]?.startsWith("...") && at - from < longestExample) from--;
  if (from < at && lines[from]?.startsWith(">>>")) return true;
  const sign = /^(?:\/\/+|#+|--+|\*+|;+|%+)\s+(?=[a-z])/.exec(line)?.[0];
  return sign !== undefined && at > 0 && lines[at - 1]!.startsWith(sign) && /[\w,]$/.test(lines[at - 1]!);
}

function plain(line: string): string {
  return line.replaceAll("…", "...").replace(/\s+/g, " ");
}

function linesOf(text: string): readonly string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

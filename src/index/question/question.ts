import { segmentsOf } from "./chinese.ts";
import { isWide, maxTokenChars, stem, termsOf, tokensIn } from "./words.ts";

export interface Question {
  /** Search terms with their weights. */
  readonly terms: ReadonlyMap<string, number>;
  /** Unchanged words, for a search in the files themselves. */
  readonly words: readonly string[];
  /** Identifiers, error codes and quoted text, for exact matches. */
  readonly exact: readonly string[];
  readonly paths: readonly string[];
}

const askingWords = new Set(
  "a an the is are was were be been being do does did done has have had it its this that these those there here where what which who whom whose why how when then than of to in on at by for from with without into onto over under up down out off as if or and not no nor but so such can could may might must should would will shall i we you they he she them our your their my me us about after before between during while per via each every any some all both only own same other another more most much many file files code function functions place please tell show find look locate explain see".split(
    " ",
  ),
);
const weakStems = new Set(
  "decide define implement handle happen make create set live come get put keep use call take go work need want give let"
    .split(" ")
    .map(stem),
);
const asking =
  /在哪里|在哪儿|哪里|哪儿|哪个|哪些|什么时候|什么|怎么样|怎么|怎样|如何|为什么|请问|是不是|是否|决定|定义|实现|代码|文件|之后|之前|所有|全部/g;
/** Ignored only between technical terms: 会 asks, 会话 is a session. */
const particles = /[的了是在被由谁会和与或把对从到中里时所]/;

const weak = 0.3;
/** Weight of pairs of characters that are not a technical term. */
const pairWeight = 0.5;
const maxTerms = 24;

export function readQuestion(text: string): Question {
  const head = text.slice(0, 4000);
  const paths = head.match(/(?:[\w@.-]+\/)+[\w@.-]+|\b[\w-]+\.[a-z]{1,5}\b/g) ?? [];
  const dotted = head.match(/\b[a-z]+(?:\.[a-z_]+)+\b/g) ?? [];
  const exact = [...quotedIn(head), ...tokensIn(head).filter(isName), ...dotted];
  const terms = new Map<string, number>();
  const words: string[] = [];
  const add = (term: string, weight: number): void => {
    if (terms.size < maxTerms || terms.has(term)) terms.set(term, Math.max(weight, terms.get(term) ?? 0));
  };
  for (const token of tokensIn(head.replace(asking, " "))) {
    if (askingWords.has(token.toLowerCase())) continue;
    if (isWide(token)) {
      for (const { text: run, meanings } of segmentsOf(token)) {
        for (const meaning of meanings) add(stem(meaning), 1);
        const pieces = (meanings.length > 0 ? [run] : run.split(particles)).filter((piece) => piece !== "");
        for (const pair of pieces.flatMap(termsOf)) add(pair, pairWeight);
        words.push(...meanings, ...pieces.filter((piece) => piece.length > 1));
      }
      continue;
    }
    if (token.length > 2) words.push(token);
    for (const term of termsOf(token)) add(term, weakStems.has(term) ? weak : 1);
  }
  return { terms, words: unique(words), exact: unique(exact), paths: unique(paths) };
}

/** camelCase, snake_case and CONSTANT_CASE occur only in code. */
function isName(token: string): boolean {
  return token.length <= maxTokenChars && /^[A-Za-z_$]/.test(token) && /[a-z][A-Z]|[A-Za-z0-9]_[A-Za-z0-9]/.test(token);
}

function quotedIn(text: string): readonly string[] {
  return [...text.matchAll(/[`"“「]([^`"”」\n]{2,80})[`"”」]/g)].map(([, inner = ""]) => inner);
}

function unique(list: readonly string[]): readonly string[] {
  return [...new Set(list)];
}

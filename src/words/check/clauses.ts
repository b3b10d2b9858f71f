import { once } from "../phrase-table.ts";

/** The user's own words, in lower case, split where a thought ends. */
export interface Clause {
  readonly text: string;
  /** The following clause of the same paragraph. */
  readonly next: string;
}

/** Placeholder for a test command: nobody types this character. */
export const testCommand = "\u{e000}";
/** Placeholder for quoted text: somebody else's words, or a name. */
const quoted = "\u{e001}";

/** Nobody writes a longer clause; pasted text may be endless. */
const maxClause = 600;

const commandWords = (): RegExp =>
  /(?<![\w./-])(?:(?:npm|pnpm|yarn|bun) (?:run )?test(?::[\w:-]+)?(?: (?:-- )?--watch=false)?|npx (?:jest|vitest(?: run)?|mocha)|(?:python3? -m )?pytest(?: -[a-z]+)*|python3? -m unittest|go test(?: \.\/[\w./-]*)|go test(?= *$)|cargo (?:nextest run|test)|mvn(?: -q)? (?:test|verify)|(?:\.\/)?gradlew? test|make (?:test|check)|node --test|deno test|dotnet test|mix test|jest|vitest|mocha|tox|ctest|rspec|phpunit)(?![\w-])/g;

export function clausesOf(text: string): readonly Clause[] {
  const plain = withoutCode(text.replace(/\r\n?/g, "\n")).toLowerCase().normalize("NFKC");
  const simple = plain
    .replace(/[‘’`´]/g, "'")
    .replace(/[測試驗證運執過確檢結果請後無須認為]/g, (char) => simplified()[char] ?? char);
  const lines = withoutQuotes(simple)
    .split("\n")
    .map((line) => line.replace(commandWords(), testCommand));
  const cut = lines.flatMap((line) => [
    ...line.split(/[!?;:()[\]。;…,、|—]|\.(?=\s|$|[^\x00-\x7f])|\b(?=but )|(?=但是?)/),
    "",
  ]);
  const clean = cut.map((one) =>
    one
      .replace(/^\s*(?:[-*+#>]+|\d+[.)]|step \d+)\s+/, "")
      .replace(/\s+/g, " ")
      .trim(),
  );
  let next = "";
  const found = clean.toReversed().flatMap((one) => {
    if (one === "" || one.length > maxClause) return [];
    const clause = { text: one, next };
    next = one;
    return [clause];
  });
  return found.reverse();
}

const simplified = once(
  (): Readonly<Record<string, string>> =>
    Object.fromEntries(
      [..."測测試试驗验證证運运執执過过確确檢检結结請请後后無无須须認认為为"].flatMap((char, at, all) =>
        at % 2 === 0 ? [[char, all[at + 1] ?? char]] : [],
      ),
    ),
);

/** Removes fenced and indented blocks and lines quoted with `>`; an unclosed fence extends to the end. */
function withoutCode(text: string): string {
  const kept: string[] = [];
  let fence: string | null = null;
  let wasBlank = true;
  for (const line of text.split("\n")) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence !== null) {
      if (mark?.startsWith(fence)) fence = null;
      continue;
    }
    if (mark !== undefined) {
      fence = mark;
      continue;
    }
    const isBlock: boolean = wasBlank && /^(?: {4}|\t)\s*[^\s\-*\d]/.test(line);
    wasBlank = line.trim() === "" || isBlock;
    if (!isBlock && !/^\s*>/.test(line)) kept.push(line);
  }
  return kept.join("\n");
}

const pairs = (): readonly RegExp[] => [
  /''([^\n]+?)''/g,
  /"([^"\n]*)"/g,
  /“([^”\n]*)”/g,
  /「([^」\n]*)」/g,
  /『([^』\n]*)』/g,
  /«([^»\n]*)»/g,
  /(?<![\w'])'([^'\n]+)'(?!\w)/g,
];

/** A quoted test command keeps its meaning: users quote commands that they want run. */
function withoutQuotes(text: string): string {
  return pairs().reduce(
    (rest, pair) =>
      rest.replace(pair, (_, inside: string) =>
        inside.trim().replace(commandWords(), testCommand) === testCommand ? testCommand : quoted,
      ),
    text,
  );
}

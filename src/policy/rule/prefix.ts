import { once } from "../secret/pattern.ts";
import type { Word } from "../shell/verdict/judgement.ts";

/**
 * The first words of a command of a build or test tool, and the options that may follow without naming another program, config or output.
 * Unlisted options are asked about: such tools can be told to run anything (`go test -exec`, `cargo build --config`, `npm test
 * --script-shell`).
 */
interface Beginning extends OptionSet {
  readonly words: readonly string[];
  /** One more word belongs to it: the name of a script. */
  readonly hasName?: true;
  /** Allowed after `--`: these words go to a script or to the project's tests, and the program that reads them is unknown. */
  readonly passes?: OptionSet;
}

interface OptionSet {
  readonly options: ReadonlySet<string>;
  /** Options with a value, as the next word or after `=`. */
  readonly valued: ReadonlySet<string>;
}

const list = (text: string): ReadonlySet<string> => new Set(text.split(" ").filter((word) => word !== ""));

const row = (words: string, options: string, valued = "", more: Partial<Beginning> = {}): Beginning => ({
  words: words.split(" "),
  options: list(options),
  valued: list(valued),
  ...more,
});

/** Without one of these the same command does more: it writes files, or runs what it would otherwise only inspect. */
const holding = list("--check --no-run --noEmit -n --co --collect-only --listTests --list --ci --help --version");

/** Only options with the same meaning in all common runners: `-e`, `-r`, `-p` and `--config` name programs in some of them. */
const toScripts: OptionSet = {
  options: list(
    "--watch=false --watchAll=false --watch --run --ci --coverage --bail --verbose --silent --quiet --passWithNoTests " +
      "--runInBand --no-color --color --no-coverage --help --version --check --noEmit",
  ),
  valued: list("-t --testNamePattern --test-name-pattern --grep --maxWorkers --testTimeout --timeout --bail --shard"),
};
const toRustTests: OptionSet = {
  options: list("--nocapture --no-capture --show-output --ignored --include-ignored --exact --list -q --quiet"),
  valued: list("--test-threads --skip --color --format"),
};

const scripts = "-s --silent -q --quiet --if-present --workspaces --no-color";
const cargo =
  "-r --release --workspace --all --all-targets --all-features --no-default-features --lib --bins --tests --examples " +
  "--benches --doc --offline --locked --frozen --no-run --no-fail-fast --keep-going -q --quiet -v -vv --verbose --no-deps --check";
const cargoValued =
  "-p --package -F --features --test --bin --example --bench -j --jobs --profile --message-format --color";
const go = "-v -x -race -short -cover -failfast -json -benchmem -trimpath";
const goValued = "-run -skip -bench -count -timeout -cpu -parallel -tags -benchtime -p -shuffle";
const pytest =
  "-q -qq -v -vv -vvv -x -s -l --lf --ff --nf --sw --no-header --no-summary --last-failed --failed-first --exitfirst --quiet --verbose --co --collect-only -ra -rA -rf -rs";
const jest =
  "--ci --verbose --silent --bail -b --runInBand -i --onlyChanged -o --onlyFailures --passWithNoTests --no-color --listTests";

const beginnings = once((): readonly Beginning[] => [
  ...["npm", "pnpm", "yarn"].flatMap((tool) => [
    row(`${tool} test`, scripts, "", { passes: toScripts }),
    row(`${tool} run`, scripts, "", { passes: toScripts, hasName: true }),
  ]),
  row("bun test", "--bail --todo --only --coverage", "-t --test-name-pattern --timeout"),
  ...["build", "check", "clippy", "doc", "fmt"].map((word) => row(`cargo ${word}`, cargo, cargoValued)),
  ...["test", "bench"].map((word) => row(`cargo ${word}`, cargo, cargoValued, { passes: toRustTests })),
  ...["test", "vet", "build"].map((word) => row(`go ${word}`, go, goValued)),
  row("go fmt", "-n -x"),
  row("pytest", pytest, "-k -m -n --maxfail --tb --durations --timeout --color"),
  row("jest", jest, "-t --testNamePattern --maxWorkers -w"),
  row("vitest run", "--silent --no-color --passWithNoTests", "-t --testNamePattern --bail"),
  row("tsc", "--noEmit --pretty --strict --skipLibCheck --incremental --version"),
  row("eslint", "--quiet --no-color --fix-dry-run --cache", "--max-warnings --ext"),
  row("prettier", "--check -c --list-different -l --no-color"),
  row("ruff check", "-q --quiet -v --verbose --no-cache --statistics --diff --show-files", "--select --ignore"),
  row("mypy", "--strict --pretty --no-incremental --show-error-codes --ignore-missing-imports"),
]);

/** How many words identify what a command does; `null` if only the whole command does. */
export function beginningOf(words: readonly Word[]): number | null {
  const found = findBeginning(words);
  return found === undefined ? null : lengthOf(found);
}

/** Whether the words after the beginning certainly name no other program, config or output. */
export function isTailHarmless(words: readonly Word[]): boolean {
  const found = findBeginning(words);
  if (found === undefined) return false;
  const tail = words.slice(lengthOf(found));
  const end = tail.findIndex((word) => word.kind === "literal" && word.value === "--");
  if (end === -1) return areHarmless(found, tail);
  const { passes } = found;
  return passes !== undefined && areHarmless(found, tail.slice(0, end)) && areHarmless(passes, tail.slice(end + 1));
}

/** Whether an option restricts the command, so that its beginning alone would allow more: `tsc` writes files, `tsc --noEmit` does not. */
export function isHeldBack(words: readonly Word[]): boolean {
  const { options, passes } = findBeginning(words) ?? { options: new Set<string>() };
  const isKnown = (word: string): boolean => options.has(word) || passes?.options.has(word) === true;
  return words.some((word) => word.kind === "literal" && holding.has(word.value) && isKnown(word.value));
}

/** Whether its input cannot be a program. A script of any name may be an interpreter (`"repl": "node"`). */
export function isDeafToInput(words: readonly Word[]): boolean {
  return isTailHarmless(words) && !findBeginning(words)?.hasName;
}

function areHarmless(known: OptionSet, words: readonly Word[]): boolean {
  return words.every((word) => (word.kind === "literal" ? isHarmless(known, word.value) : isOperand(word)));
}

function isHarmless({ options, valued }: OptionSet, word: string): boolean {
  // `@file` reads more options from a file. Code outside the workspace was not part of the question.
  if (!word.startsWith("-")) return !/^[@/~]|(?:^|\/)\.\.(?:\/|$)/.test(word);
  const equals = word.indexOf("=");
  return options.has(word) || valued.has(equals === -1 ? word : word.slice(0, equals));
}

function isOperand(word: Exclude<Word, { kind: "literal" }>): boolean {
  return word.kind !== "any" && /^[^-@/~]/.test(word.start) && !/(?:^|\/)\.\./.test(word.start);
}

function findBeginning(words: readonly Word[]): Beginning | undefined {
  const plain = (at: number): string => {
    const word = words[at];
    return word?.kind === "literal" ? word.value : "";
  };
  return beginnings().find(
    (one) =>
      one.words.every((word, at) => plain(at) === word) &&
      // An option in place of the name may change what is run.
      (!one.hasName || /^[^-]/.test(plain(one.words.length))),
  );
}

function lengthOf({ words, hasName }: Beginning): number {
  return words.length + (hasName ? 1 : 0);
}

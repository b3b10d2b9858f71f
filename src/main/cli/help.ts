import { type Lang, phrase, say, type TextKey } from "../../contract/text/catalogue.ts";
import { type Flag, usage } from "./flags.ts";
import { type CliCommand, COMMANDS, commandsIn, firstWords, GROUPS, nameOf, ROOT } from "./table.ts";
import { TOPICS } from "./topics.ts";

const WIDTH = 79;
const COLUMN = 30;

export function helpFor(words: readonly string[], lang: Lang): string {
  const word = words.join(" ");
  if (word === "") return commandHelp(ROOT, lang);
  const command = COMMANDS.find((one) => nameOf(one) === word);
  if (command) return commandHelp(command, lang);
  if (Object.hasOwn(GROUPS, word)) return groupHelp(word, lang);
  if (Object.hasOwn(TOPICS, word)) return topicHelp(word, lang);
  const topics = [...firstWords(), ...Object.keys(TOPICS)].join(", ");
  throw usage(phrase("cli.unknown_topic", { word }), phrase("cli.unknown_topic.advice", { topics }));
}

function commandHelp(command: CliCommand, lang: Lang): string {
  const text = (key: TextKey) => say(lang, phrase(key));
  const isRoot = command === ROOT;
  const flags = command.flags.map((one) =>
    row(`${shortOf(one)}--${one.name}${one.value ? ` <${one.value}>` : ""}`, text(one.about)),
  );
  return [
    isRoot ? "coder [prompt…] [FLAGS]\ncoder COMMAND [FLAGS]" : `coder ${command.form} [FLAGS]`,
    wrap(text(command.about), 0),
    ...(isRoot ? [section(text("cli.commands"), commandRows(COMMANDS, text))] : []),
    section(text("cli.flags"), flags),
    section(text("cli.example"), [`  ${command.example}`]),
    ...(isRoot ? [ending(lang)] : []),
  ].join("\n\n");
}

function ending(lang: Lang): string {
  const topics = Object.keys(TOPICS).join(", ");
  const lines = [phrase("cli.help_slash"), phrase("cli.topics", { topics })];
  return lines.map((line) => wrap(say(lang, line), 0)).join("\n");
}

function groupHelp(group: string, lang: Lang): string {
  const text = (key: TextKey) => say(lang, phrase(key));
  const subs = commandsIn(group);
  const about = GROUPS[group];
  return [
    `coder ${group} COMMAND [FLAGS]`,
    ...(about ? [wrap(text(about), 0)] : []),
    section(text("cli.commands"), commandRows(subs, text)),
    section(
      text("cli.example"),
      subs.map((one) => `  ${one.example}`),
    ),
  ].join("\n\n");
}

function topicHelp(topic: string, lang: Lang): string {
  const found = TOPICS[topic];
  if (!found) return "";
  const rows = found.rows.map(([left, about]) => row(left, say(lang, phrase(about))));
  return section(say(lang, phrase(found.about)), rows);
}

function commandRows(commands: readonly CliCommand[], text: (key: TextKey) => string): readonly string[] {
  return commands.map((one) => row(one.form, text(one.about)));
}

function section(title: string, rows: readonly string[]): string {
  return [title, ...rows].join("\n");
}

function shortOf({ name, short }: Flag): string {
  const letter = short ?? (name === "help" ? "h" : name === "version" ? "v" : "");
  return letter === "" ? "" : `-${letter}, `;
}

/** Two columns; a long left side pushes the right one to the next line. */
function row(left: string, about: string): string {
  const lines = wrap(about, COLUMN);
  return left.length + 3 < COLUMN ? `  ${left.padEnd(COLUMN - 2)}${lines}` : `  ${left}\n${" ".repeat(COLUMN)}${lines}`;
}

/** Breaks at spaces, and anywhere between Chinese characters. */
function wrap(text: string, indent: number): string {
  const lines = [""];
  for (const piece of text.match(/[\u2e80-\uffef]|[^\s\u2e80-\uffef]+|\s+/gu) ?? []) {
    const line = lines.at(-1) ?? "";
    if (Bun.stringWidth(line + piece.trimEnd()) <= WIDTH - indent || line === "")
      lines[lines.length - 1] = line + piece;
    // Closing punctuation must not start a line.
    else if (/^[，。；：、）]$/u.test(piece)) lines[lines.length - 1] = line + piece;
    else lines.push(piece.trimStart());
  }
  return lines.map((line) => line.trimEnd()).join(`\n${" ".repeat(indent)}`);
}

// Proposes commit and pull request messages from the log and the diff, without a model.

import { visible } from "../../contract/show/visible.ts";
import { type Lang, type Phrase, phrase, say } from "../../contract/text/catalogue.ts";
import type { PastTask } from "../../contract/undo.ts";
import type { FileStat } from "../../platform/git/stat.ts";
import { filesChange, saidChange } from "./subject.ts";

export interface Story {
  readonly lang: Lang;
  readonly tasks: readonly PastTask[];
  readonly stats: readonly FileStat[];
  readonly isWhole: boolean;
  readonly withoutSecrets: (text: string) => string;
}

const maxColumns = 72;
const maxFiles = 50;

export function commitMessage(story: Story): string {
  const { lang, tasks } = story;
  const titles = titlesOf(story);
  const requests = titles.length < 2 ? [] : [[say(lang, phrase("git.did")), ...titles.map(bullet)].join("\n")];
  const verified = verifiedLines(lang, tasks, story.isWhole).join("\n");
  const body = [...requests, fileLines(story).join("\n"), verified].filter((block) => block !== "");
  return `${[subjectOf(story), ...body].join("\n\n")}\n`;
}

export function pullRequest(story: Story): string {
  const { lang, tasks } = story;
  const head = (key: "summary" | "changes" | "verification" | "undo") => say(lang, phrase(`git.pr.${key}`));
  const verified = verifiedLines(lang, tasks, story.isWhole);
  const blocks = [
    `# ${subjectOf(story)}`,
    ...[head("summary"), summaryLines(story).map(bullet).join("\n")],
    ...[head("changes"), fileLines(story).join("\n")],
    ...[head("verification"), verified.length > 0 ? verified.join("\n") : say(lang, phrase("git.unverified"))],
    ...[head("undo"), say(lang, phrase("git.pr.undo_how"))],
  ];
  return `${blocks.join("\n\n")}\n`;
}

/** The user's own message, without invisible characters and secrets. */
export function givenMessage(text: string, withoutSecrets: Story["withoutSecrets"]): string {
  const lines = withoutSecrets(text).split(/\r\n|[\r\n]/);
  return `${lines
    .map((line) => plain(line).trimEnd())
    .join("\n")
    .trim()}\n`;
}

function summaryLines(story: Story): readonly string[] {
  const titles = titlesOf(story);
  return titles.length > 0 ? titles : [subjectOf(story)];
}

function bullet(title: string): string {
  return `- ${title}`;
}

function titlesOf({ lang, tasks, withoutSecrets }: Story): readonly string[] {
  const titles = tasks.map((task) => {
    if (task.kind === "undo") return say(lang, phrase("git.taken_back"));
    if (task.kind === "redo") return say(lang, phrase("git.brought_back"));
    return saidChange(lines(withoutSecrets(task.told ?? "")), withoutSecrets(task.asked ?? task.title));
  });
  return [...new Set(titles)].filter((title) => title !== "");
}

/** The first title, because later tasks build on it. */
function subjectOf(story: Story): string {
  return cutAtWord(titlesOf(story)[0] ?? filesChange(story.stats, story.lang));
}

function lines(text: string): string {
  return text
    .split(/\r\n|[\r\n]/)
    .map(plain)
    .join("\n");
}

function plain(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u2028\u2029]/gu, " ")
    .replace(/ {2,}/g, " ")
    .trim();
}

function cutAtWord(text: string): string {
  if (Bun.stringWidth(text) <= maxColumns) return text;
  let kept = "";
  let columns = 0;
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    columns += Bun.stringWidth(segment);
    if (columns > maxColumns - 1) break;
    kept += segment;
  }
  const blank = kept.lastIndexOf(" ");
  // Text without spaces may break at any character.
  return `${(blank > kept.length / 2 ? kept.slice(0, blank) : kept).trimEnd()}…`;
}

function fileLines({ lang, stats }: Story): readonly string[] {
  const lines = stats.slice(0, maxFiles).map((stat) => {
    const args = { path: visible(stat.path), from: visible(stat.from ?? ""), lines: counts(stat) };
    return say(lang, phrase(`git.file.${stat.change}`, args));
  });
  const more = stats.length - maxFiles;
  return more > 0 ? [...lines, bullet(say(lang, phrase("git.more", { n: more })))] : lines;
}

function counts({ change, added, removed }: FileStat): string | Phrase {
  if (added === null || removed === null) return phrase("git.binary");
  if (change === "create") return `+${added}`;
  return change === "delete" ? `-${removed}` : `+${added} -${removed}`;
}

/** The checks of the newest task, which saw all earlier changes; none if some changes are not in the commit. */
function verifiedLines(lang: Lang, tasks: readonly PastTask[], isWhole: boolean): readonly string[] {
  const checks = isWhole ? (tasks.at(-1)?.verified ?? []) : [];
  return checks.map(({ command, passed }) =>
    say(
      lang,
      passed === null
        ? phrase("git.verified.plain", { command: visible(command) })
        : phrase("git.verified", { command: visible(command), n: passed }),
    ),
  );
}

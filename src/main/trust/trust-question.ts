// PO-9: asks on the first start in a workspace with configuration or instructions.
import { relative } from "node:path";
import { type SettingsSources, workspaceOf } from "../../config/load.ts";
import { homeOf } from "../../config/values.ts";
import { unwrap } from "../../contract/error.ts";
import { plain, visible } from "../../contract/show/visible.ts";
import { type Lang, type PhraseArgs, phrase, say, type TextKey } from "../../contract/text/catalogue.ts";
import type { Questions } from "../../surface/tui/app/deps.ts";
import type { Flags } from "../cli/flags.ts";
import { type About, aboutOf, textOf } from "./trust.ts";
import { notPerson, trustNow, trustState } from "./trust-state.ts";

/** A `no` counts for this run only. */
export type TrustAnswer = "nothing" | "yes" | "no" | "left";

export async function askTrust(flags: Flags, lang: Lang, ask: Questions): Promise<TrustAnswer> {
  const sources: SettingsSources = { flags, env: process.env, cwd: process.cwd(), withModel: false };
  const workspace = unwrap(workspaceOf(sources));
  const home = homeOf(process.env, process.cwd());
  const state = trustState(workspace, home);
  const isOpen = state.kind !== "trusted" && state.problem === null && state.items.length > 0;
  if (!isOpen || flags.trust === true || notPerson("trust")) return "nothing";
  const about = aboutOf(workspace, state, sources);
  const words = (key: TextKey, args?: PhraseArgs): string => say(lang, phrase(key, args));
  const question = plain([...summaryOf(about, words), words("terminal.trust")].join("\n"));
  // Enter alone only shows details.
  const options = [words("terminal.trust.look"), words("terminal.trust.yes"), words("terminal.trust.no")];
  for (;;) {
    const answer = await ask.choose(question, options);
    if (answer === null) return "left";
    if (answer === 2) return "no";
    if (answer === 1) {
      // Trusts what was shown, even if the files have changed since.
      trustNow(workspace, home, state);
      return "yes";
    }
    ask.tell(plain([textOf(about, true, lang).trimEnd(), ...rulesIn(about, words)].join("\n")));
  }
}

type Words = (key: TextKey, args?: PhraseArgs) => string;

const MOST_ROWS = 8;

function summaryOf({ workspace, state, settings, rules }: About, words: Words): readonly string[] {
  const rows = state.items.map(({ path, kind }) => {
    const counts = { settings: settings.length, rules: rules.length };
    const what = kind === "config" ? words("terminal.trust.config", counts) : words(`trust.kind.${kind}`);
    return `  ${visible(path)}: ${what}`;
  });
  const rest = rows.length - MOST_ROWS;
  const addresses = settings.flatMap(({ path, value }) => (path.at(-1) === "base_url" ? [visible(String(value))] : []));
  return [
    words(state.kind === "changed" ? "terminal.trust.changed" : "terminal.trust.new", {
      workspace: visible(workspace),
    }),
    ...rows.slice(0, MOST_ROWS),
    ...(rest > 0 ? [`  ${words("terminal.trust.more", { n: rest })}`] : []),
    ...[...new Set(addresses)].map((url) => `  ${words("terminal.trust.address", { url })}`),
  ];
}

const MOST_LINES = 40;
const LONGEST_LINE = 300;

function beginningOf(line: string): string {
  const rest = line.length - LONGEST_LINE;
  return `${visible(line.slice(0, LONGEST_LINE))}${rest > 0 ? ` … (+${rest})` : ""}`;
}

/** The beginning of the instructions that the model would get. */
function rulesIn({ workspace, state }: About, words: Words): readonly string[] {
  return state.project.rules.flatMap(({ file, bytes }) => {
    const lines = new TextDecoder().decode(bytes).trimEnd().split(/\r?\n/);
    const rest = lines.length - MOST_LINES;
    return [
      "",
      `${visible(relative(workspace, file))}:`,
      ...lines.slice(0, MOST_LINES).map((line) => `  | ${beginningOf(line)}`),
      ...(rest > 0 ? [`  ${words("terminal.trust.lines", { n: rest })}`] : []),
    ];
  });
}

import { effectiveSettings, type Setting } from "../../config/effective.ts";
import { type SettingsSources, workspaceOf } from "../../config/load.ts";
import { type ProjectRules, projectRules } from "../../config/permission/permission.ts";
import { firstFew, type ProjectValues, projectValues } from "../../config/project/project.ts";
import { configFile, homeOf, readConfig } from "../../config/values.ts";
import { CoderError, unwrap } from "../../contract/error.ts";
import { plain, visible } from "../../contract/show/visible.ts";
import { type Lang, type Phrase, phrase, say } from "../../contract/text/catalogue.ts";
import { ruleText } from "../../policy/rule/text.ts";
import { revokeTrust } from "../../store/trust.ts";
import { type Io, jsonLine } from "../../surface/headless/io.ts";
import { type Flags, usage } from "../cli/flags.ts";
import { mustBePerson, type TrustState, trustNow, trustState } from "./trust-state.ts";

/** `coder trust`: shows what the workspace configures, and trusts exactly that. */
export async function trustCommand(flags: Flags, io: Io, lang: Lang): Promise<number> {
  if (flags.show && flags.revoke) throw usage(phrase("trust.show_or_revoke"));
  const sources: SettingsSources = { flags, env: process.env, cwd: process.cwd(), withModel: false };
  const workspace = unwrap(workspaceOf(sources));
  const home = homeOf(process.env, process.cwd());
  const found = trustState(workspace, home);
  if (flags.revoke) return revoke(workspace, home, found, flags, io, lang);
  if (!flags.show && found.problem !== null) {
    const text = phrase("trust.refused", { workspace, problem: found.problem });
    throw new CoderError({ code: "E_CONFIG", text, advice: phrase("trust.refused.advice") });
  }
  const about = aboutOf(workspace, flags.show ? found : trustNow(workspace, home, found), sources);
  if (flags.json) io.out(jsonLine(jsonOf(about, lang)));
  else io.out(plain(textOf(about, flags.show === true, lang)));
  return 0;
}

function revoke(workspace: string, home: string, found: TrustState, flags: Flags, io: Io, lang: Lang): number {
  mustBePerson("trust");
  const wasTrusted = revokeTrust(home, workspace);
  const state = found.items.length === 0 ? "nothing" : "untrusted";
  if (flags.json) io.out(jsonLine({ workspace, state, was_trusted: wasTrusted }));
  else io.out(`${say(lang, phrase(wasTrusted ? "trust.revoked" : "trust.was_not"))}\n`);
  return 0;
}

export interface About {
  readonly workspace: string;
  readonly state: TrustState;
  readonly settings: readonly Setting[];
  readonly rules: ProjectRules["rules"];
  readonly ignored: readonly Phrase[];
}

export function aboutOf(workspace: string, state: TrustState, sources: SettingsSources): About {
  const { config } = state.project;
  const trust = { state: "trusted", ignored: [], config } as const;
  const all = config === null ? [] : unwrap(effectiveSettings({ ...sources, trust }));
  const person = unwrap(readConfig(configFile(sources), sources.flags.config !== undefined));
  const judged: ProjectValues = config === null ? { applied: [], ignored: [] } : projectValues(config, person);
  const rules: ProjectRules = config === null ? { rules: [], ignored: [] } : projectRules(config);
  const settings = all.filter(({ source }) => source.kind === "project");
  return { workspace, state, settings, rules: rules.rules, ignored: firstFew([...judged.ignored, ...rules.ignored]) };
}

function jsonOf({ workspace, state, settings, rules, ignored }: About, lang: Lang) {
  return {
    workspace,
    state: state.kind,
    hash: state.project.hash,
    problem: state.problem === null ? null : say(lang, state.problem),
    items: state.project.items.map(({ path, kind, hash, isUsed }) => ({ path, kind, takes_effect: isUsed, hash })),
    settings: settings.map(({ path, value }) => ({ key: path.join("."), value })),
    rules: rules.map((rule) => ({ decision: rule.decision, rule: ruleText(rule) })),
    ignored: ignored.map((one) => say(lang, one)),
  };
}

/** `isShown`: only shown, nothing was trusted. */
export function textOf(about: About, isShown: boolean, lang: Lang): string {
  const { workspace, state } = about;
  const text = (what: Phrase) => say(lang, what);
  const head = isShown || state.kind !== "trusted" ? [text(phrase(`trust.state.${state.kind}`, { workspace }))] : [];
  const rows = state.project.items.flatMap(({ path, kind, hash, isUsed }) => {
    const what = phrase(isUsed ? `trust.kind.${kind}` : "trust.unused", { what: visible(hash) });
    const row = `  ${visible(path).padEnd(28)} ${text(what)}`;
    return kind === "config" && isUsed ? [row, ...configLines(about, lang)] : [row];
  });
  const none = rows.length === 0 ? [text(phrase("trust.state.nothing"))] : [];
  const problem = state.problem === null ? [] : [text(phrase("trust.refused", { workspace, problem: state.problem }))];
  const done = isShown ? [] : [text(phrase("trust.done"))];
  return `${[...head, ...rows, ...none, ...problem, ...done].join("\n")}\n`;
}

function configLines({ settings, rules, ignored }: About, lang: Lang): readonly string[] {
  const lines = [
    ...settings.map(({ path, value }) => `${path.join(".")} = ${JSON.stringify(value)}`),
    ...rules.map((rule) => `${rule.decision} ${ruleText(rule)}`),
    ...ignored.map((one) => say(lang, one)),
  ];
  return lines.map((line) => `      ${line}`);
}

import type { Grant } from "../../contract/grant.ts";
import type { KeptRule, PermissionRule } from "../../contract/permission.ts";
import { spelledOut } from "../../contract/show/visible.ts";
import { modes, type Preset, presets } from "../../contract/task.ts";
import { type Lang, phrase, say } from "../../contract/text/catalogue.ts";
import type { CommandResult, EnginePort, SlashCommand } from "../../engine/port.ts";
import type { SessionState } from "../../machine/state.ts";
import { effectiveTable } from "../../policy/effective-table.ts";
import { sourcePhrase } from "../../policy/mode-table.ts";
import { ruleText } from "../../policy/rule/text.ts";
import { done, refused, tooMany } from "../text/answer.ts";
import { grantLines } from "../text/cover.ts";
import { switchMode } from "./mode.ts";
import { yoloQuestion } from "./yolo.ts";

export const permissions: SlashCommand = {
  name: "permissions",
  args: "[strict|balanced|auto-edit|yolo|rm N]",
  help: "command.permissions.help",
  whileRunning: true,
  run: (port, args) => {
    const { lang } = port.settings;
    const [wanted, ...more] = args;
    if (wanted === "rm") return remove(port, more);
    const isYes = wanted === "yolo" && more[0] === "yes";
    const extra = tooMany(lang, "/permissions", args, isYes ? 2 : 1);
    if (extra) return extra;
    const found = presets.find((one): one is Preset => one === wanted);
    if (wanted !== undefined && !found)
      return refused(lang, phrase("command.permissions.unknown", { given: wanted, presets: presets.join(", ") }));
    const asked = isYes ? null : yoloQuestion(port, found, "/permissions yolo yes");
    return asked ?? (found ? setPreset(port, found) : show(port, port.state()));
  },
};

/** The stricter of mode and preset decides, so a looser preset also sets the mode of the same name, and says so. */
function setPreset(port: EnginePort, preset: Preset): CommandResult {
  port.setPreset(preset);
  const mode = modes.find((one) => one === preset);
  if (mode === undefined || mode === port.state().mode) return show(port, { mode: port.state().mode, preset });
  const switched = switchMode(port, mode);
  const shown = show(port, { mode, preset });
  return { ...shown, text: `${switched}\n${shown.text}` };
}

function show(port: EnginePort, { mode, preset }: Pick<SessionState, "mode" | "preset">): CommandResult {
  const { lang } = port.settings;
  const rows = effectiveTable(mode, preset);
  const rules = port.rules();
  const head = say(lang, phrase("command.permissions.is", { mode, preset: preset ?? "–" }));
  const lines = rows.map(
    (row) => `  ${decisionText(row.decision, lang)}${column(sourceText(row.source, lang), 20)}${say(lang, row.what)}`,
  );
  const state = port.state();
  const { grant } = state;
  const agreed = grantLines(state, lang, (at) => oneLine(ruleText(grant?.rules[at] as PermissionRule)));
  const data = { mode, preset, rows, rules: rules.map(ruleData), ...(grant ? { grant: grantData(grant) } : {}) };
  return done([head, ...lines, "", ...agreed, ...ruleLines(rules, lang)].join("\n"), data);
}

function grantData({ scope, listed, steps, rules }: Grant) {
  return { scope, covers: listed.filter(({ step }) => steps.includes(step)), rules: rules.map(ruleText) };
}

function decisionText(decision: PermissionRule["decision"], lang: Lang): string {
  return column(say(lang, phrase(`words.decision.${decision}`)), 7);
}

function sourceText(source: string, lang: Lang): string {
  const by = sourcePhrase(source);
  return by === null ? source : say(lang, by);
}

/** Pads to a display width: a Han character is two columns wide. */
function column(text: string, width: number): string {
  const wide = text.match(/\p{Script=Han}/gu)?.length ?? 0;
  return text.padEnd(width - wide);
}

function ruleLines(rules: readonly (PermissionRule | KeptRule)[], lang: Lang): readonly string[] {
  if (rules.length === 0) return [say(lang, phrase("permission.no_rules"))];
  const texts = rules.map((rule) => oneLine(ruleText(rule)));
  const width = Math.min(40, Math.max(...texts.map((text) => text.length))) + 2;
  const lines = rules.map((rule, at) => {
    const number = "id" in rule ? String(rule.id) : "–";
    const reason = rule.reason === undefined ? "" : `  ${oneLine(rule.reason)}`;
    return `  ${number.padEnd(4)}${decisionText(rule.decision, lang)}${(texts[at] ?? "").padEnd(width)}${rule.source}${reason}`;
  });
  const hint = rules.some((rule) => "id" in rule) ? [say(lang, phrase("permission.cautious"))] : [];
  return [say(lang, phrase("permission.rules")), ...lines, ...hint];
}

/** Text of a model or a repository must not pass for a row of its own. */
function oneLine(text: string): string {
  return spelledOut(text).replaceAll("\n", "\\n");
}

function ruleData(rule: PermissionRule | KeptRule) {
  const { decision, source, by, reason } = rule;
  const id = "id" in rule ? { id: rule.id } : {};
  return { ...id, decision, rule: ruleText(rule), source, by, ...(reason === undefined ? {} : { reason }) };
}

function remove(port: EnginePort, [given, ...more]: readonly string[]): CommandResult {
  const { lang } = port.settings;
  const extra = tooMany(lang, "/permissions rm", more, 0);
  if (extra) return extra;
  if (given === undefined || !/^[1-9][0-9]{0,15}$/.test(given)) return refused(lang, phrase("permission.rm_usage"));
  const kept = port.rules().flatMap((rule) => ("id" in rule ? [rule] : []));
  const rule = kept.find(({ id }) => id === Number(given));
  if (!rule || !port.forgetRule(rule.id)) {
    const known = kept.map(({ id }) => id).join(", ") || "–";
    return refused(lang, phrase("permission.rm_missing", { given, known }), phrase("permission.rm_elsewhere"));
  }
  return done(say(lang, phrase("permission.removed", { rule: ruleText(rule) })), { removed: ruleData(rule) });
}

import type { Decision } from "../contract/event.ts";
import { type Mode, modes, type Preset } from "../contract/task.ts";
import { type Phrase, phrase } from "../contract/text/catalogue.ts";
import type { PolicyQuestion, PolicyVerdict } from "./decide.ts";
import { exactRules } from "./rule/always.ts";
import { allowFlag } from "./rule/text.ts";

type Judge = (question: PolicyQuestion) => { readonly decision: Decision };

/** Names the mode, rule or preset that would let this call through. Each is verified by judging again, so the advice always works. */
export function adviceFor(question: PolicyQuestion, verdict: PolicyVerdict, judge: Judge): Phrase {
  const { preset, interactive, paths, hosts = [] } = question;
  // No mode makes such a path usable.
  if (paths.some((path) => path.real === null || path.kind === "other")) return phrase("policy.advice.path");
  const isLetThrough = (changed: Partial<PolicyQuestion>): boolean => {
    const { decision } = judge({ ...question, ...changed });
    return decision === "allow" || (interactive && decision === "ask");
  };
  const helps = (mode: Mode, chosen: Preset | null) => isLetThrough({ mode, preset: chosen });
  const mode = modes.find((other) => helps(other, preset));
  const modeWithoutPreset = modes.find((other) => helps(other, null));
  const flagsFor = (): string | null => {
    const rules = exactRules(question);
    const isEnough = rules !== null && isLetThrough({ rules: [...question.rules, ...rules] });
    return isEnough ? rules.map(allowFlag).join(" ") : null;
  };
  if (verdict.decision === "ask") {
    const flags = flagsFor();
    if (flags !== null && mode !== undefined) return phrase("policy.advice.either", { flags, mode });
    if (flags !== null) return phrase("policy.advice.rule", { flags });
    if (mode !== undefined) return phrase("policy.advice.approval", { mode });
  }
  if (mode !== undefined)
    return phrase(question.mode === "plan" ? "policy.advice.plan" : "policy.advice.mode", { mode });
  if (modeWithoutPreset !== undefined)
    return phrase("policy.advice.preset", { mode: modeWithoutPreset, preset: preset ?? "" });
  // A non-public host is never asked about, but a rule can name it.
  const named = hosts.length > 0 && !verdict.isByRule ? flagsFor() : null;
  if (named !== null) return phrase("policy.advice.host", { flags: named });
  return phrase(verdict.isByRule ? "policy.advice.denied" : "policy.advice.person");
}

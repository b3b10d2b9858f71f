import { loadSettings, type SettingsSources } from "../../config/load.ts";
import { dollars, inDollars } from "../../contract/show/money.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import { costOf } from "../../engine/model/cost.ts";
import type { Flags } from "../cli/flags.ts";
import { type Finding, fine, problem } from "./doctor.ts";

/** `--live`: makes one small real call with a tool, at the usual price. */
export async function liveFindings(flags: Flags): Promise<readonly Finding[]> {
  const sources: SettingsSources = { flags, env: process.env, cwd: process.cwd() };
  const settings = loadSettings(sources);
  const model = settings.ok ? settings.value.model : null;
  // The model probe reports broken settings.
  if (!settings.ok) return [];
  if (!model) {
    const text = phrase("doctor.live_none", { why: phrase("session.no_model") });
    return [problem(text, phrase("doctor.no_model.advice"))];
  }
  if (model.provider.protocol === "builtin") return [fine(phrase("doctor.live_builtin", { model: model.ref }))];
  const { liveTry } = await import("./live-try.ts");
  const { error, isCalled, ms, firstMs, usage, text } = await liveTry(model, sources);
  if (error) return [problem(error.text, error.advice ?? phrase("setup.unreachable.advice"))];
  const about = { model: model.ref, ms: Math.round(ms) };
  if (!isCalled) {
    const noCall = phrase("doctor.live_text", { ...about, text: text || "–" });
    return [problem(noCall, phrase("setup.no_call.advice"))];
  }
  const cost = usage && model.price ? dollars(inDollars(costOf(usage, model.price))) : null;
  return [
    fine(
      phrase("doctor.live", {
        ...about,
        first: Math.round(firstMs ?? ms),
        input: usage?.input ?? "?",
        output: usage?.output ?? "?",
        cost: cost === null ? "" : phrase("doctor.live_cost", { cost }),
      }),
    ),
  ];
}

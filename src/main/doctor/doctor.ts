import type { ErrorInfo } from "../../contract/error.ts";
import { plain } from "../../contract/show/visible.ts";
import { type Lang, type Phrase, phrase, say } from "../../contract/text/catalogue.ts";
import { type Io, jsonLine } from "../../surface/headless/io.ts";
import type { Flags } from "../cli/flags.ts";

export interface Finding {
  readonly level: "ok" | "warning" | "problem";
  readonly text: Phrase;
  readonly advice?: Phrase;
}

export type Probe = () => Finding | readonly Finding[] | Promise<Finding | readonly Finding[]>;

export function fine(text: Phrase): Finding {
  return { level: "ok", text };
}

export function warning(text: Phrase, advice?: Phrase): Finding {
  return { level: "warning", text, ...(advice ? { advice } : {}) };
}

export function problem(text: Phrase, advice?: Phrase): Finding {
  return { level: "problem", text, ...(advice ? { advice } : {}) };
}

export function problemOf({ text, advice }: ErrorInfo): Finding {
  return problem(text, advice);
}

/** The limit per probe: a dead network disk must not hold up the rest of the report. */
const PATIENCE_MS = 2_000;

/** `coder doctor`: must work even with a broken configuration or database. */
export async function doctor(flags: Flags, io: Io, lang: Lang): Promise<number> {
  const { text, data } = await doctorReport(flags, lang);
  io.out(flags.json ? jsonLine(data) : text);
  return data.ok ? 0 : 1;
}

/** The same inside the application. */
export async function doctorReport(flags: Flags, lang: Lang) {
  const { probesFor } = await import("./probes.ts");
  const areas = Object.entries(probesFor(flags, lang));
  const found = await Promise.all(areas.map(async ([area, probe]) => ({ area, findings: await bounded(probe) })));
  if (flags.live) found.push({ area: "live", findings: await (await import("./live.ts")).liveFindings(flags) });
  const rows = found.flatMap(({ area, findings }) => findings.map((finding) => ({ area, ...finding })));
  const problems = rows.filter((row) => row.level === "problem").length;
  const checks = rows.map(({ area, level, text, advice }) => ({
    area,
    level,
    message: say(lang, text),
    advice: advice ? say(lang, advice) : null,
  }));
  const warnings = rows.filter((row) => row.level === "warning").length;
  const text = `${plain(rows.map((row) => lineOf(row, lang)).join(""))}\n${say(lang, endOf(problems, warnings))}\n`;
  return { text, data: { ok: problems === 0, checks } };
}

function endOf(problems: number, warnings: number): Phrase {
  if (problems > 0) return phrase("doctor.problems", { n: problems, warnings });
  return warnings > 0 ? phrase("doctor.only_warnings", { n: warnings }) : phrase("doctor.no_problem");
}

function lineOf({ area, level, text, advice }: Finding & { readonly area: string }, lang: Lang): string {
  const word = say(lang, phrase(`doctor.${level}`));
  const first = `${word}${" ".repeat(Math.max(1, 9 - Bun.stringWidth(word)))}${area.padEnd(11)}${say(lang, text)}\n`;
  return advice ? `${first}${" ".repeat(20)}→ ${say(lang, advice)}\n` : first;
}

async function bounded(probe: Probe): Promise<readonly Finding[]> {
  const late = Promise.withResolvers<readonly Finding[]>();
  const slow = warning(phrase("doctor.slow", { s: PATIENCE_MS / 1000 }), phrase("doctor.slow.advice"));
  const timer = setTimeout(() => late.resolve([slow]), PATIENCE_MS);
  try {
    const found = await Promise.race([Promise.resolve().then(probe), late.promise]);
    return "level" in found ? [found] : found;
  } catch (error) {
    // An unforeseen failure of a probe becomes a finding, so that the others are still reported.
    const what = error instanceof Error ? error.message : String(error);
    return [problem(phrase("doctor.failed", { what }))];
  } finally {
    clearTimeout(timer);
  }
}

import type { ContextKind, WindowUse } from "../../contract/show/insight.ts";
import { type Lang, phrase, say } from "../../contract/text/catalogue.ts";
import type { SlashCommand } from "../../engine/port.ts";
import { done } from "../text/answer.ts";
import { inColumns } from "../text/rows.ts";

export const context: SlashCommand = {
  name: "context",
  args: "",
  help: "command.context.help",
  whileRunning: true,
  run: async (port) => {
    const { lang } = port.settings;
    const use = await port.windowUse();
    const used = use.parts.reduce((sum, { tokens }) => sum + tokens, 0);
    const free = Math.max(0, use.window - used);
    const parts = Object.fromEntries(use.parts.map(({ kind, tokens }) => [kind, tokens]));
    return done(text(use, used, free, lang), { window: use.window, used, free, compacts_at: use.compactsAt, parts });
  },
};

const CELLS = 40;
/** One sign per kind, so that the bar is read without colours. */
const SIGNS: Readonly<Record<ContextKind, string>> = {
  ...{ system: "S", tools: "T", rules: "R", map: "M", summary: "Σ", said: "U", replies: "A", results: "O" },
  ...{ commands: "!", notes: "N" },
};
const FREE = "·";

function text({ parts, window, compactsAt }: WindowUse, used: number, free: number, lang: Lang): string {
  const share = (tokens: number): string => (window === 0 ? "–" : `${Math.round((tokens * 100) / window)}%`);
  const row = (sign: string, name: string, tokens: number) => [
    sign,
    name,
    tokens.toLocaleString("en-US"),
    share(tokens),
  ];
  const rows = [
    ...parts
      .filter(({ tokens }) => tokens > 0)
      .map(({ kind, tokens }) => row(SIGNS[kind], say(lang, phrase(`command.context.${kind}`)), tokens)),
    ...(window === 0 ? [] : [row(FREE, say(lang, phrase("command.context.free")), free)]),
  ];
  const head = phrase("command.context.head", {
    used: used.toLocaleString("en-US"),
    window: window.toLocaleString("en-US"),
  });
  const compacts =
    compactsAt === null
      ? phrase("command.context.manual")
      : phrase("command.context.auto", { share: share(compactsAt) });
  const bar = window === 0 ? [] : [`[${barOf(parts, window)}]`];
  return [say(lang, head), ...bar, ...inColumns(rows), say(lang, compacts)].join("\n");
}

/** What there is little of is still seen. */
function barOf(parts: WindowUse["parts"], window: number): string {
  const cells = parts.map(({ kind, tokens }) =>
    SIGNS[kind].repeat(tokens === 0 ? 0 : Math.max(1, Math.round((tokens * CELLS) / window))),
  );
  return cells.join("").slice(0, CELLS).padEnd(CELLS, FREE);
}

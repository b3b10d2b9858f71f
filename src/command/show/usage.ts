import type { SpentOn } from "../../contract/show/insight.ts";
import { dollars, inDollars } from "../../contract/show/money.ts";
import { visible } from "../../contract/show/visible.ts";
import { phrase, say, type TextKey } from "../../contract/text/catalogue.ts";
import type { SlashCommand } from "../../engine/port.ts";
import { done } from "../text/answer.ts";
import { inColumns } from "../text/rows.ts";

const LONGEST = 40;

export const usage: SlashCommand = {
  name: "usage",
  args: "",
  help: "command.usage.help",
  whileRunning: true,
  run: (port) => {
    const { lang } = port.settings;
    const { models, tasks } = port.spending();
    const word = (key: TextKey) => say(lang, phrase(key));
    if (models.length === 0) return done(word("command.usage.none"), { models: [], tasks: [] });
    const heads = (["requests", "input", "cached", "output", "cost"] as const).map((one) =>
      word(`command.usage.${one}`),
    );
    const rows = (title: TextKey, all: readonly SpentOn[]) => [[word(title), ...heads], ...all.map(cells)];
    const lines = [
      ...inColumns(rows("command.usage.models", models)),
      "",
      ...inColumns(rows("command.usage.tasks", tasks)),
    ];
    return done(lines.join("\n"), { models: models.map(json), tasks: tasks.map(json) });
  },
};

function cells({ name, requests, usage: { input, cachedInput, output }, cost }: SpentOn): readonly string[] {
  const shown = [...visible(name)];
  const short = shown.length > LONGEST ? `${shown.slice(0, LONGEST - 1).join("")}…` : shown.join("");
  const counts = [requests, input, cachedInput, output].map((one) => one.toLocaleString("en-US"));
  return [short || "–", ...counts, cost === null ? "?" : dollars(inDollars(cost))];
}

function json({ name, requests, usage: { input, cachedInput, output }, cost }: SpentOn) {
  const spent = cost === null ? {} : { cost_usd: inDollars(cost) };
  return { name, requests, input, cached_input: cachedInput, output, ...spent };
}

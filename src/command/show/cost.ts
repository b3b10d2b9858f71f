import { dollars, inDollars } from "../../contract/show/money.ts";
import { phrase, say } from "../../contract/text/catalogue.ts";
import type { SlashCommand } from "../../engine/port.ts";
import { done } from "../text/answer.ts";

export const cost: SlashCommand = {
  name: "cost",
  args: "",
  help: "command.cost.help",
  whileRunning: true,
  run: (port) => {
    const { lang } = port.settings;
    const { cost: micro, usage } = port.state();
    const { input, output, cachedInput: cached } = usage;
    const used = phrase("command.usage", { input, output, cached });
    const text =
      micro === null
        ? phrase("command.cost.unknown", { usage: used })
        : phrase("command.cost.spent", { cost: dollars(inDollars(micro)), usage: used });
    const data = { usage, ...(micro === null ? {} : { cost_usd: inDollars(micro) }) };
    return done(say(lang, text), data);
  },
};

import type { SlashCommand } from "../../engine/port.ts";
import { failedWith } from "../text/answer.ts";
import { openedResult } from "../text/opened.ts";

export const redo: SlashCommand = {
  name: "redo",
  args: "",
  help: "workflow.redo.help",
  whileRunning: false,
  run: async (port) => {
    const { rewound, tasks } = port.state();
    // A rewind is undone as a whole, as long as nothing was done since.
    if (rewound === null || rewound.tasks !== tasks)
      return { ok: true, text: "", calls: [{ tool: "undo", input: { redo: true } }] };
    const redone = await port.unrewind();
    return redone.ok
      ? openedResult(port, redone.value.opened, rewound.from)
      : failedWith(port.settings.lang, redone.error);
  },
};

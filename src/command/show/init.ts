import { phrase } from "../../contract/text/catalogue.ts";
import type { SlashCommand } from "../../engine/port.ts";
import { failedWith } from "../text/answer.ts";

export const init: SlashCommand = {
  name: "init",
  args: "",
  help: "init.help",
  whileRunning: false,
  run: async (port) => {
    const draft = await port.firstRules();
    if (!draft.ok) return failedWith(port.settings.lang, draft.error);
    const calls = [{ tool: "patch", input: asPatch(draft.value) }];
    return { ok: true, text: "", calls, notice: phrase("init.notice") };
  },
};

/** Adding a file by patch fails if the file exists by then, however late the user approves. */
function asPatch({ path, content }: { readonly path: string; readonly content: string }): { readonly patch: string } {
  const lines = content.replace(/\n$/, "").split("\n");
  return {
    patch: ["*** Begin Patch", `*** Add File: ${path}`, ...lines.map((line) => `+${line}`), "*** End Patch"].join("\n"),
  };
}

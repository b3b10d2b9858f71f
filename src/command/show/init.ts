import { phrase } from "../../contract/text/catalogue.ts";
import type { SlashCommand } from "../../engine/port.ts";
import { failedWith, tooMany } from "../text/answer.ts";

export const init: SlashCommand = {
  name: "init",
  args: "",
  help: "init.help",
  whileRunning: false,
  run: async (port, args) => {
    const { lang } = port.settings;
    const extra = tooMany(lang, "/init", args, 0);
    if (extra) return extra;
    const draft = await port.firstRules();
    if (!draft.ok) return failedWith(lang, draft.error);
    return {
      ok: true,
      text: "",
      calls: [{ tool: "patch", input: asPatch(draft.value) }],
      notice: phrase("init.notice"),
    };
  },
};

/** Adding a file by patch fails if the file exists by then, however late the user approves. */
function asPatch({ path, content }: { readonly path: string; readonly content: string }): { readonly patch: string } {
  const lines = content.replace(/\n$/, "").split("\n");
  return {
    patch: ["*** Begin Patch", `*** Add File: ${path}`, ...lines.map((line) => `+${line}`), "*** End Patch"].join("\n"),
  };
}

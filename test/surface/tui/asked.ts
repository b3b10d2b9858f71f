import { phrase } from "../../../src/contract/text/catalogue.ts";
import type { Answer, OpenApproval, ProposedFile } from "../../../src/engine/port.ts";
import type { EditText } from "../../../src/surface/tui/app/deps.ts";
import { ApprovalPanel } from "../../../src/surface/tui/panels/approval.ts";
import type { Panel } from "../../../src/surface/tui/panels/panel.ts";
import { lookIn } from "./frames.ts";

export const command = "rm -rf build && npm run build";
const usual: OpenApproval = {
  ...{ callId: "r1/1/1" as OpenApproval["callId"], tool: "bash", input: { command, timeout_s: 60 }, shown: command },
  reasons: [phrase("approval.refused_with_words", { words: "it deletes files" }), phrase("approval.no_always")],
  always: ["bash(npm run build)"],
  scopes: ["call"],
  isChange: false,
};

/** A call that is asked about, and what was answered. */
export class Asked {
  readonly answers: Answer[] = [];
  readonly edits: (readonly [name: string, text: string])[] = [];
  file: ProposedFile | null = null;
  editor: EditText = async () => null;
  cancels = 0;
  top: Panel | null = null;
  readonly panel: ApprovalPanel;

  constructor(
    more: Partial<OpenApproval> = {},
    preview: Promise<string | null> = Promise.resolve(null),
    lang: "en" | "zh" = "en",
    homes: readonly string[] = [],
  ) {
    this.panel = new ApprovalPanel(lookIn(lang), {
      ...{ approval: { ...usual, ...more }, preview, where: "/home/me/shop", redraw: () => {}, homes },
      proposed: async () => this.file,
      editText: async (text, tell, name) => {
        this.edits.push([name ?? "", text]);
        return await this.editor(text, tell);
      },
      answer: (answer) => this.answers.push(answer),
      cancel: () => this.cancels++,
      open: (panel) => {
        this.top = panel;
        return () => {
          this.top = null;
        };
      },
    });
  }
}

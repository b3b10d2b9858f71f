import { phrase, say } from "../../contract/text/catalogue.ts";
import type { CommandResult, EnginePort, Rewindable, SlashCommand } from "../../engine/port.ts";
import { done, failedWith, refused } from "../text/answer.ts";
import { openedResult } from "../text/opened.ts";

/** With the words that users of other agents know. */
const kinds = { both: "both", messages: "messages", files: "files", conversation: "messages", code: "files" } as const;
type Kind = (typeof kinds)[keyof typeof kinds];

function kindOf(word: string): Kind | null {
  return Object.hasOwn(kinds, word) ? kinds[word as keyof typeof kinds] : null;
}

export const rewind: SlashCommand = {
  name: "rewind",
  args: "[n] [both|messages|files]",
  help: "rewind.help",
  whileRunning: false,
  run: (port, args) => {
    const { lang } = port.settings;
    const messages = port.rewindable();
    if (messages.length === 0) return refused(lang, phrase("rewind.nothing"), phrase("command.nothing.advice"));
    const [given, wanted = "both", ...more] = args;
    if (given === undefined) return done(messages.map(line).join("\n"), { messages });
    const kind = kindOf(wanted);
    if (kind === null || more.length > 0 || !/^[1-9]\d{0,3}$/.test(given)) return refused(lang, phrase("rewind.usage"));
    const message = messages.find(({ n }) => n === Number(given));
    if (!message) return refused(lang, phrase("rewind.unknown"), phrase("rewind.unknown.advice"));
    return back(port, message, kind);
  },
};

function line({ n, text, files }: Rewindable): string {
  return [`${n}  ${text}`, ...(files.length > 0 ? [files.join(", ")] : [])].join(" · ");
}

async function back(port: EnginePort, { n, taskId }: Rewindable, kind: Kind): Promise<CommandResult> {
  const { lang } = port.settings;
  if (kind === "files") return { ok: true, text: "", calls: [{ tool: "undo", input: { since: taskId } }] };
  const { id } = port.state();
  const rewound = await port.rewind(taskId, kind === "both", `/rewind ${n} ${kind}`);
  if (!rewound.ok) return failedWith(lang, rewound.error);
  const { opened, text } = rewound.value;
  const result = openedResult(port, opened, id);
  if (!opened.ok) return result;
  const message = say(lang, phrase("rewind.message", { text }));
  return { ...result, text: `${result.text}\n${message}`, data: { ...(result.data as object), text }, draft: text };
}

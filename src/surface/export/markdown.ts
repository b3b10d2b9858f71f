import type { Recorded } from "../../contract/event.ts";
import { type Lang, phrase, say, type TextKey } from "../../contract/text/catalogue.ts";
import { argumentParts, callFacts, callTitle, changeLine, summaryLines } from "./call-rows.ts";
import { type ExportHead, headLine, shownTime } from "./head.ts";
import { type CallPiece, narrate, type Piece } from "./narrate.ts";
import { fenced, inert, quoted } from "./quote.ts";

/** The session as Markdown, in pieces. Text of people, models and programs stays inside its quotation or fence. */
export function* markdown(head: ExportHead, log: Iterable<Recorded>, lang: Lang): Generator<string> {
  yield `# ${inert(head.title || say(lang, phrase("export.session", { id: head.id })))}\n\n`;
  yield `${inert(headLine(head, lang))}\n`;
  yield* narrate(log, (piece) => `\n${pieceText(piece, head, lang)}`);
}

function pieceText(piece: Piece, head: ExportHead, lang: Lang): string {
  const label = (key: TextKey): string => say(lang, phrase(key));
  switch (piece.kind) {
    case "task": {
      const title = say(lang, phrase("export.task", { id: piece.id }));
      return `## ${inert(title)} · ${inert(shownTime(piece.at, head.timezone))}\n\n${fenced(piece.text, "text")}`;
    }
    case "said":
      return `**${label("export.said")}**\n\n${fenced(piece.text, "text")}`;
    case "reply": {
      const thinking =
        piece.thinking === "" ? "" : `*${label("export.thinking")}*\n\n${fenced(piece.thinking, "text")}`;
      const text = piece.text === "" ? "" : quoted(piece.text);
      return [thinking, text].filter((part) => part !== "").join("\n");
    }
    case "cut":
      return `*${inert(say(lang, piece.why))}*\n\n${quoted(piece.text)}\n*${inert(label("export.cut_reply.end"))}*\n`;
    case "call":
      return callText(piece, lang);
    case "note":
      return `*${inert(say(lang, piece.text))}*\n`;
    case "end":
      return `### ${label("export.ended.title")}\n\n${summaryLines(piece.summary, piece.usage, piece.cost, lang)
        .map((line) => `- ${inert(line)}\n`)
        .join("")}`;
  }
}

function callText(piece: CallPiece, lang: Lang): string {
  const { call, result } = piece;
  const { rest, texts } = argumentParts(call.input);
  const parts = [`### ${inert(callTitle(piece, lang))}\n`];
  if (rest !== "") parts.push(fenced(rest, "json"));
  for (const [name, text] of texts) parts.push(`${inert(name)}:\n\n${fenced(text)}`);
  const facts = callFacts(piece).map((fact) => `- ${inert(say(lang, fact))}\n`);
  const files = (result?.changes ?? []).map((change) => `- ${inert(changeLine(change))}\n`);
  const images = (result?.images ?? []).map(
    ({ mediaType, width, height }) =>
      `- ${inert(say(lang, phrase("export.image", { type: mediaType, width, height })))}\n`,
  );
  if (facts.length + files.length + images.length > 0) parts.push([...facts, ...files, ...images].join(""));
  if (result !== null && result.output !== "") parts.push(fenced(result.output));
  return parts.join("\n");
}

import type { Recorded } from "../../contract/event.ts";
import type { CallResult, ImageRef } from "../../contract/message.ts";
import { type Lang, phrase, say, type TextKey } from "../../contract/text/catalogue.ts";
import { argumentParts, callFacts, callTitle, changeLine, summaryLines } from "./call-rows.ts";
import { type ExportHead, headLine, shownTime } from "./head.ts";
import { type CallPiece, narrate, type Piece } from "./narrate.ts";
import { escaped, pageEnd, pageStart } from "./page.ts";

type ImageBytes = (hash: string) => Uint8Array | null;

interface Page {
  readonly head: ExportHead;
  readonly lang: Lang;
  readonly imageBytes: ImageBytes;
}

export function* html(page: Page, log: Iterable<Recorded>): Generator<string> {
  const { head, lang } = page;
  yield pageStart(lang, head.title || say(lang, phrase("export.session", { id: head.id })));
  yield `<p class="head">${escaped(headLine(head, lang))}</p>\n`;
  yield* narrate(log, (piece) => pieceHtml(piece, page));
  yield pageEnd;
}

function pieceHtml(piece: Piece, page: Page): string {
  const { lang, head } = page;
  const label = (key: TextKey): string => escaped(say(lang, phrase(key)));
  switch (piece.kind) {
    case "task": {
      const title = say(lang, phrase("export.task", { id: piece.id }));
      const time = shownTime(piece.at, head.timezone);
      return `<h2>${escaped(title)} · ${escaped(time)}</h2>\n<div class="text said">${escaped(piece.text)}</div>\n`;
    }
    case "said":
      return `<p class="note">${label("export.said")}</p>\n<div class="text said">${escaped(piece.text)}</div>\n`;
    case "reply": {
      const thinking = piece.thinking === "" ? "" : folded(label("export.thinking"), pre(piece.thinking));
      return `${thinking}${piece.text === "" ? "" : `<div class="text">${escaped(piece.text)}</div>\n`}`;
    }
    case "cut":
      return `<p class="note">${escaped(say(lang, piece.why))}</p>\n<div class="text">${escaped(piece.text)}</div>\n<p class="note">${label("export.cut_reply.end")}</p>\n`;
    case "call":
      return callHtml(piece, page);
    case "note":
      return `<p class="note">${escaped(say(lang, piece.text))}</p>\n`;
    case "end":
      return `<h3>${label("export.ended.title")}</h3>\n${list(summaryLines(piece.summary, piece.usage, piece.cost, lang))}`;
  }
}

function callHtml(piece: CallPiece, { lang, imageBytes }: Page): string {
  const { call, result } = piece;
  const { rest, texts } = argumentParts(call.input);
  const facts = callFacts(piece).map((fact) => say(lang, fact));
  const changes = (result?.changes ?? []).map(changeLine);
  const body = [
    rest === "" ? "" : pre(rest),
    ...texts.map(([name, text]) => `<p class="note">${escaped(name)}</p>\n${pre(text)}`),
    list([...facts, ...changes]),
    ...(result?.images ?? []).map((ref) => imageHtml(ref, imageBytes, lang)),
    result === null || result.output === "" ? "" : pre(result.output),
  ].join("");
  return folded(escaped(callTitle(piece, lang)), body, statusClass(result));
}

const statuses: readonly CallResult["status"][] = ["done", "failed", "denied", "cancelled", "unknown", "refused"];

function statusClass(result: CallResult | null): string {
  return statuses.find((one) => one === result?.status) ?? "unknown";
}

const imageTypes: readonly ImageRef["mediaType"][] = ["image/png", "image/jpeg", "image/gif", "image/webp"];

function imageHtml(ref: ImageRef, imageBytes: ImageBytes, lang: Lang): string {
  const about = say(lang, phrase("export.image", { type: ref.mediaType, width: ref.width, height: ref.height }));
  const type = imageTypes.find((one) => one === ref.mediaType);
  const bytes = type === undefined ? null : imageBytes(ref.hash);
  if (bytes === null) return `<p class="note">${escaped(`${about}: ${say(lang, phrase("export.image_gone"))}`)}</p>\n`;
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
  return `<p><img alt="${escaped(about)}" src="data:${type};base64,${data}"></p>\n`;
}

/** `summary` and `body` are HTML already. */
function folded(summary: string, body: string, className = ""): string {
  const name = className === "" ? "" : ` class="${className}"`;
  return `<details><summary${name}>${summary}</summary>\n${body}</details>\n`;
}

/** Browsers drop the first line break after `<pre>`, so one is added for them to drop. */
function pre(text: string): string {
  return `<pre>\n${escaped(text)}</pre>\n`;
}

function list(lines: readonly string[]): string {
  return lines.length === 0 ? "" : `<ul>\n${lines.map((line) => `<li>${escaped(line)}</li>\n`).join("")}</ul>\n`;
}

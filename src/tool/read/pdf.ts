import { fail, ok, type Result } from "../../contract/error.ts";
import { visible } from "../../contract/show/visible.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import type { ToolContext, ToolOutput } from "../../contract/tool.ts";
import { type PdfText, readPdf } from "../../platform/files/document/pdf.ts";
import { showSize } from "../../platform/files/open.ts";
import type { LocatedPath } from "../../platform/files/path.ts";
import { type PageWish, pastEnd } from "../../platform/files/text/page.ts";
import { numbered } from "./pages.ts";

export async function pdfOutput(
  at: LocatedPath,
  size: number,
  wish: PageWish,
  ctx: ToolContext,
): Promise<Result<ToolOutput>> {
  const timeoutMs = ctx.defaultTimeoutMs;
  const read = await readPdf(at, { ...ctx, ...wish, timeoutMs });
  if (!read.ok) return read;
  const { page, ending, unstopped } = read.value;
  if (ending === "cancel" || ending === "timeout") {
    const stopped = stoppedEarly(at, ending, read.value, timeoutMs);
    // Return a result instead of an error: the pipeline looks there for processes that could not be killed.
    return unstopped.length === 0 ? stopped : ok(unstoppedOutput(ending, unstopped));
  }
  if (ending === "exit" && page.count === 0) return withoutText(at, read.value);
  if (page.lines.length === 0) return pastEnd(at, wish.offset, page.count);
  return ok(outputOf(at, size, wish, read.value));
}

function stoppedEarly(at: LocatedPath, ending: "cancel" | "timeout", { tool }: PdfText, timeoutMs: number) {
  if (ending === "cancel") return fail("E_CANCELLED", phrase("run.cancelled_call"), { sideEffect: "none" });
  const args = { path: visible(at.shown), tool, seconds: timeoutMs / 1000 };
  return fail("E_TOOL_TIMEOUT", phrase("pdf.timeout", args), {
    advice: phrase("pdf.fewer_pages"),
    sideEffect: "none",
  });
}

function unstoppedOutput(ending: "cancel" | "timeout", unstopped: readonly string[]): ToolOutput {
  const flag = ending === "cancel" ? { cancelled: true } : { timed_out: true };
  return { text: `(could not be ended: ${unstopped.join(", ")})`, data: { ...flag, unstopped }, failed: true };
}

function withoutText(at: LocatedPath, { exitCode, complaint, pages, tool }: PdfText): Result<ToolOutput> {
  const path = visible(at.shown);
  if (exitCode === 0) {
    const text = `(PDF document, pages: ${pages}; no text in it: scanned pages need OCR, such as ocrmypdf)`;
    return ok({ text, data: { path: at.shown, pages, tool } });
  }
  if (/password/i.test(complaint))
    return fail("E_INVALID_ARGS", phrase("pdf.locked", { path }), { advice: phrase("pdf.unlock") });
  const problem = firstWords(complaint) || (exitCode === null ? "it was ended by a signal" : `exit code ${exitCode}`);
  return fail("E_INVALID_ARGS", phrase("pdf.broken", { path, tool, problem }), { advice: phrase("pdf.other_copy") });
}

function outputOf(at: LocatedPath, size: number, wish: PageWish, pdf: PdfText): ToolOutput {
  const { page, pages, tool, ending, exitCode, complaint } = pdf;
  const first = wish.offset;
  const last = first + page.lines.length - 1;
  const total = page.isFull ? null : page.count;
  const isPartial = ending === "exit" && exitCode !== 0;
  const notes = [
    ...(page.isFull ? [`(lines ${first}-${last} of ${showSize(size)} of PDF; continue with offset=${last + 1})`] : []),
    ...(isPartial ? [`(damaged, the rest could not be read: ${firstWords(complaint)})`] : []),
  ];
  return {
    text: [...numbered(page.lines, first), ...notes].join("\n"),
    data: { path: at.shown, first, last, total, size, pages: page.isFull ? null : pages, tool },
  };
}

/** Programs complain at length and name our path to the file: take the first line about the document. */
function firstWords(complaint: string): string {
  const lines = complaint.split("\n").map((line) => line.replace(/\/proc\/\d+\/fd\/\d+/g, "the file").trim());
  const telling = lines.find((line) => /error/i.test(line)) ?? lines.find((line) => line !== "") ?? "";
  return visible(telling.slice(0, 200));
}

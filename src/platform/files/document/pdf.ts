import { closeSync, existsSync } from "node:fs";
import { basename } from "node:path";
import { fail, ok, type Result } from "../../../contract/error.ts";
import { visible } from "../../../contract/show/visible.ts";
import { phrase } from "../../../contract/text/catalogue.ts";
import { findProgram, foreignPath } from "../../find-program.ts";
import { type ProgramEnd, type ProgramRequest, runProgram } from "../../process/program.ts";
import { openFile } from "../open.ts";
import type { AllowedPlaces, LocatedPath } from "../path.ts";
import { LinePage, maxLineChars, type PageWish } from "../text/page.ts";

type PdfWish = PageWish & AllowedPlaces & Pick<ProgramRequest, "timeoutMs" | "marker" | "onSpawn">;

export interface PdfText extends ProgramEnd {
  readonly page: LinePage;
  readonly pages: number;
  readonly tool: string;
}

/** Best first. Both write UTF-8 with a form feed after each page. */
const programs: Readonly<Record<string, (file: string) => readonly string[]>> = {
  // -layout, because tables are unreadable without it. Not -q, which would hide that a password is needed.
  pdftotext: (file) => ["-layout", "-enc", "UTF-8", "-eol", "unix", file, "-"],
  mutool: (file) => ["draw", "-q", "-F", "txt", file],
};

export async function readPdf(at: LocatedPath, wish: PdfWish): Promise<Result<PdfText>> {
  const { root, addDirs, signal, timeoutMs, marker, onSpawn } = wish;
  const keepOut = [root, ...addDirs];
  const path = foreignPath(process.env.PATH ?? "", keepOut);
  const program = findProgram(Object.keys(programs), path, keepOut);
  if (program === null)
    return fail("E_IO", phrase("pdf.no_tool", { path: visible(at.shown) }), { advice: phrase("pdf.install") });
  const opened = openFile(at);
  if (!opened.ok) return opened;
  try {
    const tool = basename(program);
    const text = new PdfPages(wish);
    const argv = [program, ...(programs[tool]?.(openedPath(opened.value.fd, at.real)) ?? [])];
    const request = { cwd: "/", env: { PATH: path, LC_ALL: "C" }, timeoutMs, signal, marker, onSpawn };
    const ended = await runProgram({ ...request, argv, eat: (chunk) => text.take(chunk) });
    if (!ended.ok) return ended;
    text.end();
    return ok({ ...ended.value, page: text.page, pages: text.pages, tool });
  } finally {
    closeSync(opened.value.fd);
  }
}

/** The very file that was opened and judged, even if its path leads elsewhere by now. */
function openedPath(fd: number, real: string): string {
  const own = `/proc/${process.pid}/fd/${fd}`;
  return existsSync(own) ? own : real;
}

/** Splits chunks into lines, with a header per page; collapses empty lines, and drops leading and trailing ones. */
class PdfPages {
  readonly page: LinePage;
  pages = 0;
  private readonly decoder = new TextDecoder();
  private open = "";
  private isHeadDue = true;
  private isGapDue = false;

  constructor(wish: PageWish) {
    this.page = new LinePage(wish);
  }

  take(chunk: Uint8Array): boolean {
    for (const [piece, end] of pieces(this.decoder.decode(chunk, { stream: true }))) {
      if (this.open.length <= maxLineChars) this.open += piece.slice(0, maxLineChars + 1);
      if (end === "\n") this.endLine();
      if (end === "\f") this.endPage();
      if (this.page.isFull) return false;
    }
    return true;
  }

  end(): void {
    if (this.open !== "") this.endLine();
  }

  private endPage(): void {
    this.end();
    this.pages++;
    this.isHeadDue = true;
  }

  private endLine(): void {
    const line = this.open.trimEnd();
    this.open = "";
    if (line === "") {
      this.isGapDue = true;
      return;
    }
    // A page without text gets no header: after the last form feed there is no further page.
    if (this.isHeadDue) this.page.add(`--- page ${this.pages + 1}`);
    else if (this.isGapDue) this.page.add("");
    this.isHeadDue = false;
    this.isGapDue = false;
    this.page.add(line);
  }
}

function* pieces(text: string): Generator<readonly [piece: string, end: string]> {
  let from = 0;
  for (const match of text.matchAll(/[\n\f]/g)) {
    yield [text.slice(from, match.index), match[0]];
    from = match.index + 1;
  }
  yield [text.slice(from), ""];
}

import type { Failure } from "../reading.ts";

export function isLocationTail(tail: string | undefined): boolean {
  return tail === undefined || tail === "" || tail.startsWith("in ") || /^[\w.]+$/.test(tail);
}

export function unrailed(text: string, rail: number): string | null {
  let from = 0;
  let to = text.length;
  while (from < to && text.charCodeAt(from) === rail) from++;
  while (to > from && text.charCodeAt(to - 1) === rail) to--;
  if (from === 0 || to === text.length || text[from] !== " " || text[to - 1] !== " ") return null;
  const title = text.slice(from, to).trim();
  return title === "" ? null : title;
}

/** An id may contain ` - ` inside its parameters. */
export function splitEntry(rest: string): { id: string; message: string } {
  const open = rest.indexOf("[");
  let cut = rest.indexOf(" - ");
  if (open >= 0 && open < cut) {
    const close = rest.indexOf("] - ", open);
    cut = close < 0 ? cut : close + 1;
  }
  return cut < 0 ? { id: rest.trim(), message: "" } : { id: rest.slice(0, cut), message: rest.slice(cut + 3).trim() };
}

/** The traceback of `a.py::TestX::test_y[z]` is headed `TestX.test_y[z]`. */
export function headerOf(id: string): string {
  const cut = id.indexOf("::");
  if (cut < 0) return id;
  const tail = id.slice(cut + 2);
  const open = tail.indexOf("[");
  const name = open < 0 ? tail : tail.slice(0, open);
  return name.split("::").join(".") + (open < 0 ? "" : tail.slice(open));
}

export function plainHeader(header: string): string {
  return header.replace(/^ERROR (?:at (?:setup|teardown) of|collecting) /, "");
}

export function conftest(text: string): string {
  const path = text.slice(text.indexOf("'") + 1, -2);
  return path.slice(path.lastIndexOf("/") + 1) || "conftest.py";
}

/** For every runner, `own-code.ts` decides later whether the missing module is the project's own. */
export function collectionKind(error: string): Failure["kind"] {
  if (/(?:^|\n)(?:SyntaxError|IndentationError|TabError):/.test(error)) return "build";
  return /(?:^|\n)ModuleNotFoundError: No module named '/.test(error) ? "missing" : "test";
}

// Parses unified diffs. Only the numbers in a hunk's head tell how long it is: a changed line may look like anything.

export interface DiffRow {
  readonly kind: "same" | "added" | "removed" | "gap" | "head" | "note";
  readonly number: number | null;
  readonly text: string;
  readonly change?: "A" | "D";
}

export interface FileCount {
  readonly path: string;
  readonly added: number;
  readonly removed: number;
}

const hunk = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;
const remark = /^(?:Binary files |rename (?:from|to) )/;
/** Changes of the executable bit. Git prints them before the file name; they are shown after it. */
const runs = /^(?:(?:old|new) mode |new file mode 100(?=\d*[1357]))/;
/** The file has CRLF line ends throughout; these are shown only where the diff changes them. */
const returns = /^ .*\r$/m;
export const maxChars = 2_000;

export function rowsIn(text: string, most: number): readonly DiffRow[] {
  const rows: DiffRow[] = [];
  for (const line of linesOf(text)) {
    if (rows.length > most) break;
    if (line.kind === "hunk") {
      if (!line.isFirst) rows.push({ kind: "gap", number: null, text: "" });
    } else rows.push(line);
  }
  return rows;
}

export function countsIn(text: string): readonly FileCount[] {
  const counts: { path: string; added: number; removed: number }[] = [];
  for (const { kind, text: path } of linesOf(text)) {
    const last = counts.at(-1);
    if (kind === "head") counts.push({ path, added: 0, removed: 0 });
    else if (kind === "added" && last) last.added++;
    else if (kind === "removed" && last) last.removed++;
  }
  return counts;
}

type DiffLine = DiffRow | { readonly kind: "hunk"; readonly isFirst: boolean; readonly text: string };

function* linesOf(text: string): Generator<DiffLine> {
  let [old, now, oldLeft, nowLeft] = [0, 0, 0, 0];
  let [before, isFirst] = ["", true];
  let modes: readonly DiffRow[] = [];
  const hasReturns = returns.test(text.slice(0, 50_000));
  for (const line of eachLine(text)) {
    if (oldLeft > 0 || nowLeft > 0) {
      const [sign, rest] = [line[0] ?? " ", cutLine(line.slice(1), hasReturns)];
      if (sign === "\\") {
        yield { kind: "note", number: null, text: line.slice(2) };
        continue;
      }
      if (sign !== "-") nowLeft--;
      if (sign !== "+") oldLeft--;
      if (sign === "+") yield { kind: "added", number: now++, text: rest };
      else if (sign === "-") yield { kind: "removed", number: old++, text: rest };
      else {
        yield { kind: "same", number: now++, text: rest };
        old++;
      }
      continue;
    }
    const begins = hunk.exec(line);
    if (begins) {
      [old, oldLeft] = [Number(begins[1]), Number(begins[2] ?? 1)];
      [now, nowLeft] = [Number(begins[3]), Number(begins[4] ?? 1)];
      yield { kind: "hunk", isFirst, text: "" };
      isFirst = false;
    } else if (line.startsWith("--- ")) before = nameIn(line);
    else if (line.startsWith("+++ ")) {
      yield headOf(before, nameIn(line));
      yield* modes;
      [modes, isFirst] = [[], true];
    } else if (line.startsWith("\\ ")) yield { kind: "note", number: null, text: line.slice(2) };
    else if (remark.test(line)) yield { kind: "note", number: null, text: line };
    else if (runs.test(line)) modes = [...modes, { kind: "note", number: null, text: line }];
  }
  yield* modes;
}

function headOf(before: string, after: string): DiffRow {
  if (after === "/dev/null") return { kind: "head", number: null, text: before, change: "D" };
  return { kind: "head", number: null, text: after, ...(before === "/dev/null" ? { change: "A" } : {}) };
}

function* eachLine(text: string): Generator<string> {
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf("\n", from);
    yield end === -1 ? text.slice(from) : text.slice(from, end);
    from = end === -1 ? text.length : end + 1;
  }
}

/** A tab separates the name from a time stamp. */
function nameIn(line: string): string {
  return (
    line
      .slice("+++ ".length)
      .split("\t", 1)[0]
      ?.replace(/^[ab]\//, "") ?? ""
  );
}

function cutLine(line: string, hasReturns: boolean): string {
  const own = hasReturns && line.endsWith("\r") ? line.slice(0, -1) : line;
  if (own.length <= maxChars) return own;
  return `${own.slice(0, /[\ud800-\udbff]/.test(own[maxChars - 1] ?? "") ? maxChars - 1 : maxChars)}…`;
}

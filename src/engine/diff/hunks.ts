/** Lines with their sign, as a unified diff has them. */
export interface Hunk {
  /** The first line of it on each side, from 1. */
  readonly oldStart: number;
  readonly newStart: number;
  readonly lines: readonly string[];
}

const context = 3;

/** What takes longer is shown as replaced as a whole, which is true as well. */
export async function hunksOf(before: string, after: string, timeoutMs: number): Promise<readonly Hunk[]> {
  if (before === after) return [];
  const { structuredPatch } = await import("diff");
  const made = structuredPatch("", "", before, after, "", "", { context, timeout: timeoutMs });
  return made?.hunks ?? [{ oldStart: 1, newStart: 1, lines: [...signed("-", before), ...signed("+", after)] }];
}

/** Its numbers are those of the lines that are there: also of one that was cut, so that a reader can trust them. */
export function hunkHead({ oldStart, newStart, lines }: Hunk): string {
  const count = (signs: string): number => lines.filter((line) => signs.includes(line[0] ?? "\\")).length;
  const [old, now] = [count("- "), count("+ ")];
  // Of an empty side the line before it is named.
  return `@@ -${old === 0 ? oldStart - 1 : oldStart},${old} +${now === 0 ? newStart - 1 : newStart},${now} @@`;
}

function signed(sign: "-" | "+", text: string): readonly string[] {
  if (text === "") return [];
  const lines = text.split("\n").map((line) => `${sign}${line}`);
  if (!text.endsWith("\n")) return [...lines, "\\ No newline at end of file"];
  return lines.slice(0, -1);
}

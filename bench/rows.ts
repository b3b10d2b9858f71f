// The figures of a bench, each beside its limit.
import { cpus } from "node:os";

interface Row {
  readonly name: string;
  readonly ours: string;
  readonly theirs: string;
  readonly ratio: string;
  readonly limit: string;
  readonly ok: boolean;
}

const rows: Row[] = [];

export function ratioRow(name: string, ours: number, theirs: number, limit: number, unit: string): void {
  const ratio = ours / theirs;
  rows.push({
    name,
    ours: `${ours.toFixed(1)} ${unit}`,
    theirs: `${theirs.toFixed(1)} ${unit}`,
    ratio: `${ratio.toFixed(2)}×`,
    limit: `≤ ${limit}×`,
    ok: ratio <= limit,
  });
}

export function absoluteRow(name: string, ours: number, limit: number, unit: string, digits = 1): void {
  rows.push({
    name,
    ours: `${ours.toFixed(digits)} ${unit}`,
    theirs: "–",
    ratio: "–",
    limit: `≤ ${limit} ${unit}`,
    ok: ours <= limit,
  });
}

export function surplusRow(name: string, ours: number, theirs: number, limit: number): void {
  rows.push({
    name,
    ours: `${ours.toFixed(1)} ms`,
    theirs: `${theirs.toFixed(1)} ms`,
    ratio: `+${(ours - theirs).toFixed(1)} ms`,
    limit: `≤ +${limit} ms`,
    ok: ours - theirs <= limit,
  });
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** Is every figure within its limit? */
export function printRows(): boolean {
  const width = Math.max(...rows.map((row) => row.name.length));
  process.stdout.write(`bun ${Bun.version}, ${cpus().length} cores, ${cpus()[0]?.model ?? ""}\n`);
  process.stdout.write(
    `${"".padEnd(width)}  ${"coder".padStart(11)}  ${"floor".padStart(11)}  ${"ratio".padStart(7)}  limit\n`,
  );
  for (const row of rows) {
    process.stdout.write(
      `${row.name.padEnd(width)}  ${row.ours.padStart(11)}  ${row.theirs.padStart(11)}  ${row.ratio.padStart(7)}  ${row.limit}  ${row.ok ? "ok" : "MISSED"}\n`,
    );
  }
  return rows.every((row) => row.ok);
}

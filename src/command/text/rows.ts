import { zonedTime } from "../../contract/show/zoned-time.ts";
import type { SessionRow } from "../../contract/store.ts";
import type { StatePort } from "../../engine/port.ts";

export function sessionLines(port: Pick<StatePort, "settings">, rows: readonly SessionRow[]): string {
  const time = sessionTime(port);
  return rows.map((row) => `${row.id}  ${time.format(row.updatedAt)}  ${row.model || "–"}  ${row.title}`).join("\n");
}

/** Columns as wide as their widest cell; figures stand to the right. */
export function inColumns(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => Bun.stringWidth(row[at] ?? ""))));
  return rows.map((row) => {
    const cells = row.map((cell, at) => {
      const gap = " ".repeat(Math.max(0, (widths[at] ?? 0) - Bun.stringWidth(cell)));
      return /^[$?–]?[\d,.]*%?$/.test(cell) && at > 0 ? gap + cell : cell + gap;
    });
    return cells.join("  ").trimEnd();
  });
}

export function sessionTime({ settings }: Pick<StatePort, "settings">): Intl.DateTimeFormat {
  return zonedTime(settings.timezone);
}

export function sessionJson({ id, title, workspace, model, createdAt, updatedAt, events }: SessionRow) {
  return { id, title, workspace, model, created_at: createdAt, updated_at: updatedAt, events };
}

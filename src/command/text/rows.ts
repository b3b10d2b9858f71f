import { zonedTime } from "../../contract/show/zoned-time.ts";
import type { SessionRow } from "../../contract/store.ts";
import type { StatePort } from "../../engine/port.ts";

export function sessionLines(port: Pick<StatePort, "settings">, rows: readonly SessionRow[]): string {
  const time = sessionTime(port);
  return rows.map((row) => `${row.id}  ${time.format(row.updatedAt)}  ${row.model || "–"}  ${row.title}`).join("\n");
}

export function sessionTime({ settings }: Pick<StatePort, "settings">): Intl.DateTimeFormat {
  return zonedTime(settings.timezone);
}

export function sessionJson({ id, title, workspace, model, createdAt, updatedAt, events }: SessionRow) {
  return { id, title, workspace, model, created_at: createdAt, updated_at: updatedAt, events };
}

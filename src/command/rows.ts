import type { SessionRow } from "../contract/store.ts";
import type { EnginePort } from "../engine/port.ts";

/** id, time, model, title: one line each. */
export function sessionLines(port: Pick<EnginePort, "settings">, rows: readonly SessionRow[]): string {
  const time = new Intl.DateTimeFormat("sv-SE", {
    timeZone: port.settings.timezone,
    dateStyle: "short",
    timeStyle: "short",
  });
  return rows.map((row) => `${row.id}  ${time.format(row.updatedAt)}  ${row.model || "–"}  ${row.title}`).join("\n");
}

/** A session as every JSON output names it. */
export function sessionJson({ id, title, workspace, model, createdAt, updatedAt, events }: SessionRow) {
  return { id, title, workspace, model, created_at: createdAt, updated_at: updatedAt, events };
}

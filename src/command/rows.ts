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

import { cleanUnended } from "../../engine/call/redact.ts";
import { knowOurs } from "../setup/own-secrets.ts";

/** TP-6: a session's title is what the person typed, cut to a line, maybe within a secret. */
export function shownRow<Row extends { readonly title: string }>(row: Row): Row {
  knowOurs();
  return { ...row, title: cleanUnended(row.title) };
}

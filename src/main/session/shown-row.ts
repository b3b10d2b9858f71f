import { cleanUnended } from "../../engine/call/redact.ts";
import { knowOurs } from "../setup/own-secrets.ts";

/** TP-6: a title is a line of user input, which may end within a secret. */
export function shownRow<Row extends { readonly title: string }>(row: Row): Row {
  knowOurs();
  return { ...row, title: cleanUnended(row.title) };
}

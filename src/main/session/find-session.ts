import { closest } from "../../config/file/nearest.ts";
import type { SessionRow, Store } from "../../contract/store.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import { cleanUnended } from "../../engine/call/redact.ts";
import { usage } from "../cli/flags.ts";
import { knowOurs } from "../setup/own-secrets.ts";

/** Accepts a full id or a unique prefix; otherwise the error lists the nearest ids. */
export function findSession(store: Store, given: string): SessionRow {
  const rows = given === "" ? [] : store.find(given);
  const row = rows.find((one) => one.id === given) ?? (rows.length === 1 ? rows[0] : undefined);
  if (row) return shownRow(row);
  const ids = (rows.length > 0 ? rows : store.sessions({ limit: 1000 })).map(({ id }) => id);
  const near = closest(given, ids, 3);
  const text =
    rows.length > 1
      ? phrase("command.resume.several", { id: given, ids: ids.slice(0, 5).join(", ") })
      : phrase("command.resume.missing", { id: given });
  throw usage(
    text,
    near.length > 0 ? phrase("cli.session_near.advice", { ids: near.join(", ") }) : phrase("cli.session_none.advice"),
  );
}

/** TP-6: a title is a line of user input, which may end within a secret. */
export function shownRow<Row extends { readonly title: string }>(row: Row): Row {
  knowOurs();
  return { ...row, title: cleanUnended(row.title) };
}

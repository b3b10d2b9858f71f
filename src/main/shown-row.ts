import { cleanUnended, knowSecrets } from "../engine/clean.ts";
import { secretValues } from "../platform/environment.ts";

/** TP-6: a session's title is what the person typed, cut to a line, maybe within a secret. */
export function shownRow<Row extends { readonly title: string }>(row: Row): Row {
  knowOurs();
  return { ...row, title: cleanUnended(row.title) };
}

let isKnown = false;

/** Before anything leaves the store without an engine, which knows them by itself. */
export function knowOurs(): void {
  if (!isKnown) knowSecrets(secretValues(process.env));
  isKnown = true;
}

import { describe } from "../../command/text/answer.ts";
import { sessionJson, sessionTime } from "../../command/text/rows.ts";
import { CoderError, type ErrorInfo, exitCodeOf } from "../../contract/error.ts";
import { plain } from "../../contract/show/visible.ts";
import { type Holding, holderText, type LeaseHolder, type SessionRow } from "../../contract/store.ts";
import { phrase, say } from "../../contract/text/catalogue.ts";
import { jsonLine } from "../../surface/headless/io.ts";
import { ageOf, countOf, shownSize, sizeOf } from "../cli/amounts.ts";
import { usage } from "../cli/flags.ts";
import { findSession, shownRow } from "./find-session.ts";
import { chooseOld, type Rule, removeWhole } from "./retention.ts";
import type { SessionPlace } from "./sessions.ts";

/** On explicit request, the time to shrink the database; the rest is done next time. */
const shrinkMs = 30_000;

/** `coder sessions rm ID…`: looks up all ids before removing any. */
export function removeNamed(ids: readonly string[], place: SessionPlace): number {
  if (ids.length === 0) throw usage(phrase("cli.sessions.no_ids"));
  const { store } = place;
  const rows = [...new Map(ids.map((id) => findSession(store, id)).map((row) => [row.id, row])).values()];
  const holders = new Map(store.holdings().map(({ id, holder }) => [id, holder]));
  for (const { id } of rows) {
    const holder = holders.get(id);
    if (holder) throw new CoderError(heldError(id, holder));
  }
  return removeAll(rows, place);
}

/** `coder sessions prune`: a dry run without `--yes`. */
export function prune(place: SessionPlace): number {
  const { store, settings, flags, io, lang } = place;
  const rule: Rule = {
    olderThan: flags.olderThan === undefined ? null : ageOf("--older-than", flags.olderThan),
    keep: flags.keep === undefined ? null : countOf("--keep", flags.keep),
    maxBytes: flags.maxSize === undefined ? null : sizeOf("--max-size", flags.maxSize),
  };
  if (rule.olderThan === null && rule.keep === null && rule.maxBytes === null)
    throw usage(phrase("cli.sessions.no_rule"));
  const holdings = store.holdings().filter(({ workspace }) => flags.all || workspace === settings.workspace);
  const all = holdings.map(shownRow);
  const chosen = chooseOld(all, rule, Date.now());
  if (!flags.yes) return showChosen(chosen, all.length, place);
  const code = removeAll(chosen, place);
  const left = all.filter((one) => !chosen.includes(one)).reduce((sum, { bytes }) => sum + bytes, 0);
  if (rule.maxBytes !== null && left > rule.maxBytes)
    io.err(`${say(lang, phrase("cli.sessions.still_large", { size: shownSize(left) }))}\n`);
  return code;
}

function showChosen(chosen: readonly Holding[], all: number, { settings, flags, io, lang }: SessionPlace): number {
  const time = sessionTime({ settings });
  const bytes = chosen.reduce((sum, one) => sum + one.bytes, 0);
  if (flags.json) {
    const rows = chosen.map((one) => ({ ...sessionJson(one), bytes: one.bytes }));
    io.out(jsonLine({ would_remove: rows, bytes, sessions: all }));
    return 0;
  }
  if (chosen.length === 0) io.out(`${say(lang, phrase("cli.sessions.none"))}\n`);
  for (const { id, title, updatedAt, bytes: own } of chosen) {
    const args = { id, title, time: time.format(updatedAt), size: shownSize(own) };
    io.out(`${plain(say(lang, phrase("cli.sessions.would", args)))}\n`);
  }
  const total = phrase("cli.sessions.would_all", { n: chosen.length, all, size: shownSize(bytes) });
  if (chosen.length > 0) io.out(`${say(lang, total)}\n`);
  return 0;
}

function removeAll(rows: readonly SessionRow[], { store, flags, io, lang }: SessionPlace): number {
  const removed: SessionRow[] = [];
  const errors: ErrorInfo[] = [];
  for (const row of rows) {
    const answer = removeWhole(store, row);
    if (answer.ok) removed.push(row);
    else if (answer.reason === "held") errors.push(heldError(row.id, answer.holder));
    if (answer.ok && !flags.json)
      io.out(`${plain(say(lang, phrase("cli.sessions.removed", { id: row.id, title: row.title })))}\n`);
  }
  const { before, after } = store.shrink(shrinkMs);
  if (flags.json)
    io.out(
      jsonLine({ removed: removed.map(({ id }) => id), held: errors.length, bytes_before: before, bytes_after: after }),
    );
  else if (removed.length > 0) {
    const sizes = { before: shownSize(before), after: shownSize(after) };
    io.out(`${say(lang, phrase("cli.sessions.freed", { n: removed.length, ...sizes }))}\n`);
  } else io.out(`${say(lang, phrase("cli.sessions.none"))}\n`);
  for (const error of errors) io.err(`coder: ${plain(describe(lang, error))}\n`);
  return errors.length > 0 ? exitCodeOf("E_STORE") : 0;
}

function heldError(id: string, holder: LeaseHolder): ErrorInfo {
  const text = phrase("cli.sessions.kept", { id, who: holderText(holder) });
  return { code: "E_STORE", text, advice: phrase("cli.sessions.kept.advice") };
}

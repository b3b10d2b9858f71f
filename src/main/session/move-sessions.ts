import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { sessionJson } from "../../command/text/rows.ts";
import { exitCodeOf } from "../../contract/error.ts";
import { plain, visible } from "../../contract/show/visible.ts";
import { phrase, say } from "../../contract/text/catalogue.ts";
import { jsonLine } from "../../surface/headless/io.ts";
import { usage } from "../cli/flags.ts";
import { type Moved, movedHere, moveHere } from "./moved.ts";
import type { SessionPlace } from "./sessions.ts";

/** `coder sessions move`: lists sessions of this project that were recorded elsewhere; `--yes` moves them here. */
export async function moveCommand(place: SessionPlace): Promise<number> {
  const { store, settings, flags, io, lang } = place;
  const tell = (key: Parameters<typeof phrase>[0], args = {}): void =>
    io.out(`${plain(say(lang, phrase(key, args)))}\n`);
  const moved = flags.from === undefined ? await movedHere(store, settings.workspace) : named(place, flags.from);
  if (!flags.yes) {
    if (flags.json)
      io.out(jsonLine({ would_move: moved.map(({ from, rows }) => ({ from, sessions: rows.map(sessionJson) })) }));
    else if (moved.length === 0) tell("moved.none");
    else {
      for (const { from, rows } of moved) tell("moved.would", { n: rows.length, from: visible(from) });
      tell("moved.would.yes");
    }
    return 0;
  }
  const { done, held } = moveHere(store, moved, settings.workspace);
  if (flags.json) io.out(jsonLine({ moved: done, held }));
  else if (done.length + held.length === 0) tell("moved.none");
  else tell("moved.done", { n: done.length });
  if (held.length > 0) io.err(`${plain(say(lang, phrase("moved.held", { ids: held.join(", ") })))}\n`);
  return held.length > 0 ? exitCodeOf("E_STORE") : 0;
}

/** With an explicit old path nothing needs to be recognised, but that path must be gone. */
function named({ store, settings }: SessionPlace, given: string): readonly Moved[] {
  const from = resolve(given);
  if (existsSync(from))
    throw usage(phrase("moved.still_there", { from: visible(from) }), phrase("moved.still_there.advice"));
  const rows = store.elsewhere(settings.workspace).filter(({ workspace }) => workspace === from);
  return rows.length > 0 ? [{ from, rows }] : [];
}

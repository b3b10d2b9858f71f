import { sessionJson, sessionLines } from "../../command/text/rows.ts";
import type { Settings } from "../../contract/settings.ts";
import { plain } from "../../contract/show/visible.ts";
import type { SessionRow, Store } from "../../contract/store.ts";
import { type Lang, phrase, say } from "../../contract/text/catalogue.ts";
import { type Io, jsonLine } from "../../surface/headless/io.ts";
import { countOf } from "../cli/amounts.ts";
import { type Flags, usage } from "../cli/flags.ts";
import { withStore } from "../setup/setup.ts";
import { shownRow } from "./find-session.ts";

export interface SessionPlace {
  readonly store: Store;
  readonly settings: Settings;
  readonly flags: Flags;
  readonly io: Io;
  readonly lang: Lang;
}

const flagsOf: Readonly<Record<string, readonly (keyof Flags)[]>> = {
  list: ["all", "limit"],
  rm: [],
  prune: ["all", "olderThan", "keep", "maxSize", "yes"],
  move: ["from", "yes"],
};

export async function sessionsCommand(words: readonly string[], flags: Flags, io: Io, lang: Lang): Promise<number> {
  const [sub = "list", ...ids] = words;
  if (!Object.hasOwn(flagsOf, sub)) throw usage(phrase("cli.sessions.unknown", { word: sub }));
  for (const name of ["all", "limit", "olderThan", "keep", "maxSize", "yes", "from"] as const) {
    const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    if (flags[name] !== undefined && !flagsOf[sub]?.includes(name))
      throw usage(phrase("cli.sessions.flag", { sub, flag }));
  }
  if (sub !== "rm" && ids.length > 0) throw usage(phrase("cli.extra_word", { word: ids.join(" ") }));
  if (sub === "list") return sessions(flags, io);
  if (sub === "move") return inPlace(flags, io, lang, (await import("./move-sessions.ts")).moveCommand);
  const { removeNamed, prune } = await import("./remove-sessions.ts");
  return inPlace(flags, io, lang, (place) => (sub === "rm" ? removeNamed(ids, place) : prune(place)));
}

export async function sessions(flags: Flags, io: Io): Promise<number> {
  const limit = flags.limit === undefined ? 20 : countOf("--limit", flags.limit);
  return inPlace(flags, io, null, async (place) => {
    const { store, settings } = place;
    const { workspace, lang } = settings;
    const rows = store.sessions({ ...(flags.all ? {} : { workspace }), limit }).map(shownRow);
    if (flags.json) io.out(jsonLine(rows.map(sessionJson)));
    else if (rows.length === 0) {
      io.out(`${say(lang, phrase("command.sessions.none"))}\n`);
      await tellMoved(place);
    } else io.out(`${plain(flags.all ? linesOfAll(settings, rows) : sessionLines({ settings }, rows))}\n`);
    return 0;
  });
}

async function tellMoved({ store, settings: { workspace }, io, lang }: SessionPlace): Promise<void> {
  const moved = await (await import("./moved.ts")).movedHere(store, workspace);
  if (moved.length === 0) return;
  const n = moved.reduce((sum, { rows }) => sum + rows.length, 0);
  const phrases = [
    phrase("moved.found", { n, from: moved.map(({ from }) => from).join(", ") }),
    phrase("moved.found.advice"),
  ];
  for (const one of phrases) io.err(`${plain(say(lang, one))}\n`);
}

function linesOfAll(settings: Settings, rows: readonly SessionRow[]): string {
  return rows.map((row) => `${sessionLines({ settings }, [row])}  (${row.workspace})`).join("\n");
}

function inPlace(
  flags: Flags,
  io: Io,
  lang: Lang | null,
  work: (place: SessionPlace) => number | Promise<number>,
): Promise<number> {
  return withStore(flags, (store, settings) => work({ store, settings, flags, io, lang: lang ?? settings.lang }));
}

import { type Lang, phrase, say } from "../../contract/text/catalogue.ts";
import { openStore } from "../../store/open.ts";
import { type Io, jsonLine } from "../../surface/headless/io.ts";
import type { Flags } from "../cli/flags.ts";
import { newSessionId, settingsFrom } from "../setup/setup.ts";
import { findSession } from "./find-session.ts";

/** `coder fork ID`: copies the log as stored now, even of a running session. Open work stays with the original. */
export async function forkCommand(given: string, flags: Flags, io: Io, lang: Lang): Promise<number> {
  const store = openStore(settingsFrom(flags, false).home);
  try {
    const { id: from, workspace } = findSession(store, given);
    const id = newSessionId();
    store.fork(from, id).close();
    if (flags.json) io.out(jsonLine({ id, forked_from: from, workspace }));
    else {
      // Only the id goes to stdout, for scripts.
      io.out(`${id}\n`);
      io.err(`${say(lang, phrase("cli.fork.done", { id, from }))}\n`);
    }
    return 0;
  } finally {
    store.close();
  }
}

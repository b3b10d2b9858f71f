import { type Lang, phrase, say } from "../../contract/text/catalogue.ts";
import { type Io, jsonLine } from "../../surface/headless/io.ts";
import type { Flags } from "../cli/flags.ts";
import { newSessionId, withStore } from "../setup/setup.ts";
import { findSession } from "./find-session.ts";

/** `coder fork ID`: copies the log as stored now, even of a running session. Open work stays with the original. */
export function forkCommand(given: string, flags: Flags, io: Io, lang: Lang): Promise<number> {
  return withStore(flags, (store) => {
    const { id: from, workspace } = findSession(store, given);
    const id = newSessionId();
    store.fork(from, id).close();
    if (flags.json) io.out(jsonLine({ id, forked_from: from, workspace }));
    else {
      io.out(`${id}\n`);
      io.err(`${say(lang, phrase("cli.fork.done", { id, from }))}\n`);
    }
    return 0;
  });
}

import { type Lang, phrase } from "../../contract/text/catalogue.ts";
import { follow } from "../../engine/loop/republish.ts";
import { timeline } from "../../surface/export/timeline.ts";
import { traceHtml } from "../../surface/export/trace-html.ts";
import { traceJson } from "../../surface/export/trace-json.ts";
import { traceText } from "../../surface/export/trace-text.ts";
import type { Io } from "../../surface/headless/io.ts";
import { type Flags, usage } from "../cli/flags.ts";
import { pour } from "../cli/pour.ts";
import { withStore } from "../setup/setup.ts";
import { withoutSecrets } from "./export.ts";
import { findSession } from "./find-session.ts";

/** `coder trace ID`: the timeline of states, calls, tokens and time. Reads without the lease. */
export async function traceCommand(given: string, flags: Flags, io: Io, lang: Lang): Promise<number> {
  if (flags.json && flags.html) throw usage(phrase("cli.json_or_html"));
  return await withStore(flags, (store, { timezone }) => {
    const row = findSession(store, given);
    const head = { ...row, timezone };
    const tasks = timeline(follow(withoutSecrets(store.peek(row.id) ?? [])));
    if (flags.json) return pour(io, traceJson(head, tasks));
    return pour(io, flags.html ? traceHtml(head, tasks, lang) : traceText(head, tasks, lang));
  });
}

import { extname, join, resolve } from "node:path";
import { CoderError, type ErrorInfo, fail, type Result, unwrap } from "../../contract/error.ts";
import type { Recorded } from "../../contract/event.ts";
import { type Exported, type ExportForm, exportForms } from "../../contract/export.ts";
import type { Plan } from "../../contract/plan.ts";
import type { Settings } from "../../contract/settings.ts";
import { plain } from "../../contract/show/visible.ts";
import type { SessionRow, Store } from "../../contract/store.ts";
import { type Lang, type Phrase, phrase, say } from "../../contract/text/catalogue.ts";
import { cleanValue } from "../../engine/call/redact.ts";
import { planToJson } from "../../machine/plan/json.ts";
import { locate } from "../../platform/files/path.ts";
import { makeCoderFolder } from "../../store/snapshot.ts";
import { render } from "../../surface/export/render.ts";
import type { Io } from "../../surface/headless/io.ts";
import { type Flags, usage } from "../cli/flags.ts";
import { pour } from "../cli/pour.ts";
import { knowOurs } from "../setup/own-secrets.ts";
import { withStore } from "../setup/setup.ts";
import { findSession } from "./find-session.ts";
import { writeWhole } from "./whole-file.ts";

/** `coder export ID`: reads without the lease, so a running session can be exported. */
export async function exportCommand(given: string, flags: Flags, io: Io, lang: Lang): Promise<number> {
  const file = flags.outputFile;
  const form = formFor(flags, file);
  return await withStore(flags, async (store, settings) => {
    const pieces = piecesOf(store, findSession(store, given), form, settings, lang);
    if (file === undefined) return await pour(io, pieces);
    const whole = stoppable(pieces);
    const written = await writeWhole(resolve(file), whole.pieces, false).finally(whole.off);
    io.err(`${plain(say(lang, phrase("export.written", { ...unwrap(written) })))}\n`);
    return 0;
  });
}

const stopped: ErrorInfo = {
  code: "E_CANCELLED",
  text: phrase("export.stopped"),
  advice: phrase("export.stopped.advice"),
  sideEffect: "none",
};

/** Makes Ctrl+C fail the export like any other error, so that a partial file is removed. */
function stoppable(pieces: Iterable<string>): { readonly pieces: Iterable<string>; readonly off: () => void } {
  let isStopped = false;
  const stop = (): void => {
    isStopped = true;
  };
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const signal of signals) process.on(signal, stop);
  function* untilStopped(): Generator<string> {
    for (const piece of pieces) {
      if (isStopped) throw new CoderError(stopped);
      yield piece;
    }
  }
  return {
    pieces: untilStopped(),
    off: () => {
      for (const signal of signals) process.off(signal, stop);
    },
  };
}

function formFor(flags: Flags, file: string | undefined): ExportForm {
  if (flags.json && flags.format !== undefined && flags.format !== "json") throw usage(phrase("cli.json_or_format"));
  const given = flags.format ?? (flags.json ? "json" : undefined);
  if (given !== undefined) {
    const form = exportForms.find((one) => one === given);
    if (form) return form;
    throw usage(phrase("export.bad_form", { forms: exportForms.join(", "), given }));
  }
  const ending = extname((file ?? "").toLowerCase()).slice(1);
  return exportForms.find((one) => one === ending) ?? (ending === "htm" ? "html" : "md");
}

/** TP-6: redacts everything that leaves the store. */
export function withoutSecrets(log: Iterable<Recorded>): Iterable<Recorded> {
  knowOurs();
  return {
    *[Symbol.iterator]() {
      for (const one of log) yield { ...one, event: cleanValue(one.event) };
    },
  };
}

function piecesOf(store: Store, row: SessionRow, form: ExportForm, settings: Settings, lang: Lang): Iterable<string> {
  const log = withoutSecrets(store.peek(row.id) ?? []);
  const head = { ...row, timezone: settings.timezone };
  return render(form, { head, log, imageBytes: (hash) => store.blob(hash) }, lang);
}

/** `/export`: writes to `.coder/exports`, or to a new file in the workspace. */
export async function exportOpen(
  store: Store,
  settings: Settings,
  id: string,
  form: ExportForm,
  file: string | null,
): Promise<Result<Exported>> {
  const pieces = piecesOf(store, findSession(store, id), form, settings, settings.lang);
  const advice = phrase("export.outside.advice", { id });
  return file === null ? writeOwn(settings, `${id}.${form}`, pieces) : writeNew(settings, file, pieces, advice);
}

export async function exportPlan(
  settings: Settings,
  plan: Plan,
  file: string | null,
  id: string,
): Promise<Result<Exported>> {
  const pieces = [planToJson(cleanValue(plan))];
  return file === null ? writeOwn(settings, `${id}.plan.json`, pieces) : writeNew(settings, file, pieces);
}

async function writeOwn({ workspace }: Settings, name: string, pieces: Iterable<string>): Promise<Result<Exported>> {
  const folder = makeCoderFolder(workspace, "exports", name);
  return folder.ok ? writeWhole(join(folder.value, name), pieces, true) : folder;
}

async function writeNew(
  { workspace, addDirs }: Settings,
  file: string,
  pieces: Iterable<string>,
  advice?: Phrase,
): Promise<Result<Exported>> {
  const place = locate(file, { root: workspace, addDirs });
  if (place.ok) return writeWhole(place.value.real, pieces, false);
  const { code, text } = place.error;
  return fail(code, text, advice ? { advice } : {});
}

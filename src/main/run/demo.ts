import { mkdirSync, mkdtempSync, realpathSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { builtinRef } from "../../config/model/builtin.ts";
import { CoderError } from "../../contract/error.ts";
import { plain } from "../../contract/show/visible.ts";
import { type Lang, type Phrase, phrase, say } from "../../contract/text/catalogue.ts";
import type { Io } from "../../surface/headless/io.ts";
import type { Show } from "../../surface/headless/show.ts";
import { type Flags, usage } from "../cli/flags.ts";
import { soundSettings } from "../setup/setup.ts";
import { perform } from "./run.ts";
import { sample, sampleRule } from "./sample.ts";
import { Steps } from "./steps.ts";

/** `coder demo`: runs a whole task with the built-in model, on a sample or in the given directory. */
export async function demo(folder: string | undefined, flags: Flags, io: Io, lang: Lang): Promise<number> {
  const tell = (text: Phrase) => io.out(`${plain(say(lang, text))}\n\n`);
  const cwd = folder === undefined ? makeSample() : given(folder);
  tell(phrase("demo.what", { model: builtinRef }));
  tell(folder === undefined ? phrase("demo.sample", { folder: cwd }) : phrase("demo.folder", { folder: cwd }));
  // The sample and its repair are ours, so its tests may run without a sandbox.
  const allow = [...(flags.allow ?? []), ...(folder === undefined ? [sampleRule] : [])];
  const own: Flags = { ...flags, allow, cwd, mode: "auto-edit", model: builtinRef };
  const steps = new Steps(cwd, (text) => io.out(`${plain(text)}\n`), lang);
  let outcome = "";
  const settings = await soundSettings(own, true);
  const show = (usual: Show): Show => ({
    ...usual,
    published: (one) => steps.published(one),
    finished: (one) => {
      outcome = one.result.outcome;
      usual.finished(one);
    },
  });
  const order = { prompt: say(lang, phrase("demo.wish")), output: "text", client: null, show } as const;
  const code = await perform(settings, own, order, io);
  io.out(`\n${await steps.diff()}\n`);
  tell(phrase(outcome === "VERIFIED" ? "demo.next" : "demo.unsolved"));
  tell(phrase("demo.model"));
  return code;
}

/** The sample gets its own home, so that the user's sessions and settings are neither read nor changed. */
function makeSample(): string {
  try {
    const root = realpathSync(mkdtempSync(join(tmpdir(), "coder-demo-")));
    const folder = join(root, "corner-shop");
    mkdirSync(folder);
    for (const [name, text] of Object.entries(sample)) writeFileSync(join(folder, name), text);
    process.env.CODER_HOME = join(root, "home");
    return folder;
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    const text = phrase("demo.no_temp", { folder: tmpdir(), why });
    throw new CoderError({ code: "E_IO", text, advice: phrase("demo.no_temp.advice") });
  }
}

function given(folder: string): string {
  const path = resolve(folder);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return path;
  throw usage(phrase("demo.no_folder", { folder }), phrase("demo.no_folder.advice"));
}

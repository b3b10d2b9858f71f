import { plain } from "../../contract/show/visible.ts";
import { type Lang, phrase, say } from "../../contract/text/catalogue.ts";
import type { Io } from "../../surface/headless/io.ts";
import { soundSettings } from "../setup/setup.ts";
import type { Flags } from "./flags.ts";
import { versionNumber } from "./version.ts";

/** `coder` without a terminal: shows the model, or how to configure one. */
export async function welcome(flags: Flags, io: Io, lang: Lang): Promise<number> {
  const { model } = await soundSettings(flags, true);
  const about = model
    ? say(lang, phrase("cli.welcome.model", { model: model.ref }))
    : `${say(lang, phrase("session.no_model"))}\n${say(lang, phrase("session.no_model.advice"))}`;
  io.out(plain(`${say(lang, phrase("cli.welcome", { version: versionNumber() }))}\n\n${about}\n`));
  return 0;
}

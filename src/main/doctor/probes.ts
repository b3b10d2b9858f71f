import { release } from "node:os";
import { homeOf } from "../../config/values.ts";
import { type Lang, phrase } from "../../contract/text/catalogue.ts";
import { isTerminal } from "../../platform/terminal.ts";
import type { Flags } from "../cli/flags.ts";
import { version } from "../cli/version.ts";
import { type Finding, fine, type Probe, warning } from "./doctor.ts";
import { configProbe, homeProbe, leftoversProbe, projectProbe, workspaceProbe } from "./files.ts";
import { keysProbe, localProbe, routeProbe } from "./local.ts";
import { modelProbe, networkProbe, serverProbe } from "./model.ts";
import { databaseProbe, strayProbe } from "./stores.ts";
import { bashProbe, gitProbe, pdfProbe, ripgrepProbe, sandboxProbe } from "./tools.ts";

export function probesFor(flags: Flags, lang: Lang): Readonly<Record<string, Probe>> {
  const sources = { flags, env: process.env, cwd: process.cwd() };
  const home = homeOf(sources.env, sources.cwd);
  return {
    version: () => fine(phrase("doctor.version", { version: version(), bun: Bun.version })),
    system: () => fine(phrase("doctor.system", { platform: process.platform, arch: process.arch, kernel: release() })),
    terminal: terminalProbe,
    locale: () => localeProbe(lang),
    home: () => homeProbe(home, sources),
    database: () => databaseProbe(home),
    config: () => configProbe(sources),
    workspace: () => workspaceProbe(sources),
    project: () => projectProbe(sources),
    model: () => modelProbe(sources),
    keys: () => keysProbe(home),
    ...(flags.online ? { server: () => serverProbe(sources) } : {}),
    local: () => localProbe(sources),
    network: async () => [...networkProbe(process.env), ...(await routeProbe(sources, home))],
    bash: bashProbe,
    ripgrep: ripgrepProbe,
    git: gitProbe,
    pdftotext: pdfProbe,
    sandbox: sandboxProbe,
    leftovers: () => leftoversProbe(sources, home),
    processes: () => strayProbe(home),
  };
}

function terminalProbe(): Finding {
  const names = ["stdin", "stdout", "stderr"].filter((_, fd) => isTerminal(fd));
  return fine(phrase("doctor.terminal", { term: process.env.TERM || "–", which: names.join(", ") || "–" }));
}

function localeProbe(lang: Lang): Finding {
  const locale = process.env.LC_ALL || process.env.LC_CTYPE || process.env.LANG || "C";
  const text = phrase("doctor.locale", { locale, lang });
  return /utf-?8/i.test(locale) ? fine(text) : warning(text, phrase("doctor.locale.advice"));
}

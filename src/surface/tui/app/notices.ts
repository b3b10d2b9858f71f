import { describe } from "../../../command/text/answer.ts";
import type { ErrorInfo } from "../../../contract/error.ts";
import { phrase } from "../../../contract/text/catalogue.ts";
import type { CommandResult } from "../../../engine/port.ts";
import { cancelledLines } from "../blocks/outcome.ts";
import { clean, cutFront, wrap } from "../terminal/fit.ts";
import { type Look, words } from "../terminal/look.ts";
import { visibleWidth } from "../terminal/width.ts";
import type { Started } from "./deps.ts";
import type { Keys } from "./keys.ts";

interface NoticesDeps {
  readonly look: Look;
  /** Commits finished lines; `isMode`: they name the current mode. */
  readonly commit: (lines: readonly string[], isMode: boolean) => void;
  readonly fault: (error: unknown) => string;
}

type Style = (text: string) => string;

export class Notices {
  private readonly deps: NoticesDeps;

  constructor(deps: NoticesDeps) {
    this.deps = deps;
  }

  hello({ version, notices, isFirst, port }: Started, keys: Keys): readonly string[] {
    const { look } = this.deps;
    const { theme } = look;
    const name = `coder ${version}`;
    const folder = cutFront(clean(port.settings.workspace), look.width() - name.length - 2);
    const head = `${theme.bold(name)}  ${theme.dim(folder)}`;
    const pressed = { newline: keys.shown("newline"), mode: keys.shown("mode"), cancel: keys.shown("cancel") };
    const { mode } = port.state();
    const isAsking = mode === "default" || mode === "plan";
    const shown = keys.shown("help");
    const help = [
      isAsking ? words(look, "tui.help.first") : words(look, "tui.help.first_free", { mode }),
      ...(Object.values(pressed).includes("") ? [] : [words(look, "tui.help.second", pressed)]),
      ...(shown === "" ? [] : [words(look, "tui.help.third", { help: shown })]),
    ];
    const lines = [...(isFirst ? help : []), ...notices].flatMap((text) => this.wrapped(text));
    return [head, ...lines, ""];
  }

  /** `text`: the command as typed; "": it was not typed. */
  answer(text: string, { ok, text: output, error }: CommandResult): void {
    const { look, commit } = this.deps;
    const { theme } = look;
    const head = `${theme.accent(">")} `;
    const typed = text === "" ? [] : wrap(clean(text), look.width(), head, "  ").map(theme.bold);
    const answer = output === "" ? [] : this.wrapped(output, ok ? theme.plain : theme.bad);
    const lines = error?.code === "E_CANCELLED" ? cancelledLines(look) : answer;
    commit([...typed, ...lines], /^\/mode\b/.test(text));
  }

  readonly tell = (error: ErrorInfo): void => {
    const { look, commit } = this.deps;
    commit(this.wrapped(describe(look.lang, error), look.theme.bad), false);
  };

  readonly fault = (error: unknown): void => {
    const what = error instanceof Error ? error.message : String(error);
    this.tell({ code: "E_INTERNAL", text: phrase("cli.internal", { what }), traceId: this.deps.fault(error) });
  };

  lost(keys: Keys): readonly string[] {
    const { look } = this.deps;
    return this.wrapped(words(look, "tui.lost", { key: keys.shown("leave") }), look.theme.bad);
  }

  private wrapped(text: string, style: Style = (one) => one): readonly string[] {
    return clean(text)
      .split("\n")
      .flatMap((line) => this.inColumns(line))
      .map(style);
  }

  private inColumns(line: string): readonly string[] {
    const width = this.deps.look.width();
    const found = /^(?:.*\S)? {2,}(?=\S)/.exec(line)?.[0] ?? "";
    const column = visibleWidth(found) > width / 2 ? 0 : found.length;
    const head = line.slice(0, column);
    return line === "" ? [""] : wrap(line.slice(column), width, head, " ".repeat(visibleWidth(head)));
  }
}

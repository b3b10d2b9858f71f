import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { plain } from "../../contract/show/visible.ts";
import { type Lang, phrase, say } from "../../contract/text/catalogue.ts";
import type { Published } from "../../engine/port.ts";

export class Steps {
  private readonly folder: string;
  private readonly line: (text: string) => void;
  private readonly lang: Lang;
  private readonly before = new Map<string, string>();

  constructor(folder: string, line: (text: string) => void, lang: Lang) {
    this.folder = folder;
    this.line = line;
    this.lang = lang;
  }

  published(published: Published): void {
    if (published.kind !== "event") return;
    const { event } = published.recorded;
    if (event.type === "model.replied" && event.reply.calls.length > 0) {
      if (event.reply.text) this.line(event.reply.text);
      for (const { tool, input } of event.reply.calls) this.called(tool, input);
    }
    if (event.type === "tool.intended") for (const { path, real } of event.intent.changes) this.keep(path, real);
    if (event.type !== "tool.settled" || !event.result.data?.verification) return;
    const isOurs = published.state.task.phase === "VERIFYING";
    const said = event.result.output.split("\n", 1)[0] ?? "";
    this.line(isOurs ? say(this.lang, phrase("demo.verifies", { said })) : `    ${said}\n`);
  }

  /** Works without git. */
  async diff(): Promise<string> {
    const { createTwoFilesPatch } = await import("diff");
    const parts = [...this.before].map(([path, before]) => {
      const after = textOf(resolve(this.folder, path));
      return after === before ? "" : createTwoFilesPatch(`a/${path}`, `b/${path}`, before, after).replace(/^=+\n/, "");
    });
    return plain(parts.join(""));
  }

  private called(tool: string, input: unknown): void {
    const { path, command, pattern } = input as Readonly<Record<string, unknown>>;
    this.line(`  > ${tool} ${String(command ?? path ?? pattern ?? "")}`);
  }

  private keep(path: string, real: string): void {
    if (!this.before.has(path)) this.before.set(path, textOf(real));
  }
}

function textOf(path: string): string {
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}

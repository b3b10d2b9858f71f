// Commands and their arguments, as they are being typed.
import { fuzzy } from "../../../command/text/fuzzy.ts";
import type { SlashCommand } from "../../../engine/port.ts";
import { type Look, words } from "../terminal/look.ts";
import type { Choice } from "./menu.ts";

/** Where a command or its first argument stands, in the first line. */
export interface SlashPlace {
  readonly kind: "command" | "argument";
  readonly command: string;
  readonly typed: string;
  readonly from: number;
}

export function slashAt(before: string): SlashPlace | null {
  const name = /^\/([\w-]*)$/.exec(before)?.[1];
  if (name !== undefined) return { kind: "command", command: name, typed: name, from: 0 };
  const [, command = "", typed = ""] = /^\/([\w-]+) (\S*)$/.exec(before) ?? [];
  if (command === "") return null;
  return { kind: "argument", command, typed, from: before.length - typed.length };
}

/** The names first: what a command does may hold the letters too, but is rarely meant. */
export function commandChoices(all: readonly SlashCommand[], typed: string, look: Look): readonly Choice[] {
  const named = fuzzy(typed, all, ({ name }) => name);
  return named.map(({ name, args, help }) => ({
    ...{ value: name, label: `/${name}`, args, about: words(look, help) },
  }));
}

export function argumentChoices(all: readonly Choice[], typed: string): readonly Choice[] {
  return fuzzy(typed, all, ({ value, about = "" }) => `${value} ${about}`);
}

import { spelledOut, visible } from "../../../contract/show/visible.ts";
import type { OpenApproval } from "../../../engine/port.ts";
import { type Look, words } from "../terminal/look.ts";
import type { Frame } from "../terminal/screen.ts";
import { commandIn } from "./approval-text.ts";
import { under, wrapped } from "./card.ts";
import { TextField } from "./field.ts";
import { isKey } from "./press.ts";

/** Edits the arguments of a call: a command as plain text, everything else as JSON. */
export class ApprovalEdit {
  private readonly look: Look;
  private readonly input: unknown;
  private readonly begin: string;
  private readonly isCommand: boolean;
  private readonly field: TextField;
  private problem = "";

  constructor(look: Look, { input }: OpenApproval) {
    this.look = look;
    this.input = input;
    const command = commandIn(input);
    // A field hides tabs and control characters, so a command with any of these is edited as JSON.
    this.isCommand = command !== null && escaped(command) === command && command.trim() === command;
    this.begin = this.isCommand ? (command ?? "") : escaped(JSON.stringify(input, null, 2));
    this.field = new TextField(this.begin);
  }

  /** The new arguments once they are sent; `undefined` until then. */
  handle(key: string): unknown {
    if (!isKey(key, "enter")) {
      this.problem = "";
      this.field.handle(key);
      return undefined;
    }
    const { text } = this.field;
    if (text === this.begin) this.problem = words(this.look, "tui.edit.same");
    else if (text.trim() === "") this.problem = words(this.look, "tui.edit.empty");
    else if (this.isCommand) return { ...(this.input as object), command: text };
    else return this.parsed(text);
    return undefined;
  }

  frame(width: number, room: number): Frame {
    const { theme } = this.look;
    const problem = this.problem === "" ? [] : wrapped(theme.bad(this.problem), width).slice(0, Math.max(0, room - 1));
    const { lines, cursor } = this.field.frame(width, Math.max(1, room - problem.length));
    return { lines: [...problem, ...lines], cursor: under(cursor, problem.length, 0) };
  }

  private parsed(text: string): unknown {
    try {
      const value: unknown = JSON.parse(text);
      if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
      this.problem = words(this.look, "tui.edit.no_object");
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      this.problem = words(this.look, "tui.edit.no_json", { problem: spelledOut(error.message) });
    }
    return undefined;
  }
}

/** JSON keeps the meaning of the escapes. */
function escaped(text: string): string {
  return text
    .split("\n")
    .map((line) => visible(line))
    .join("\n");
}

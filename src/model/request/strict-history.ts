import type { ModelRequest } from "../../contract/delta.ts";
import type { ModelMessage } from "../../contract/message.ts";
import type { ModelChoice } from "../../contract/settings.ts";
import type { Phrasing } from "./phrasing.ts";
import { quirksOf } from "./quirks.ts";
import { straightened } from "./straight-history.ts";

interface Side<Piece> {
  readonly isReply: boolean;
  readonly pieces: readonly Piece[];
}

/** The history for strict protocols. A run sends it at every step, so each message is phrased only once. */
export class StrictHistory<Piece> {
  readonly #choice: ModelChoice;
  readonly #phrase: (message: ModelMessage, how: Phrasing) => readonly Piece[];
  readonly #known = new WeakMap<ModelMessage, readonly Piece[]>();

  constructor(choice: ModelChoice, phrase: (message: ModelMessage, how: Phrasing) => readonly Piece[]) {
    this.#choice = choice;
    this.#phrase = phrase;
  }

  sides({ messages, imageBytes }: ModelRequest): readonly Side<Piece>[] {
    const how: Phrasing = { choice: this.#choice, quirks: quirksOf(this.#choice.provider), isChat: false, imageBytes };
    const sides: { readonly isReply: boolean; readonly pieces: Piece[] }[] = [];
    for (const message of straightened(messages)) {
      const pieces = this.#known.get(message) ?? this.#phrase(message, how);
      this.#known.set(message, pieces);
      const isReply = message.role === "assistant";
      const last = sides.at(-1);
      if (last?.isReply === isReply) last.pieces.push(...pieces);
      else sides.push({ isReply, pieces: [...pieces] });
    }
    return sides;
  }
}

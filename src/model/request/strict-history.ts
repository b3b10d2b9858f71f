import type { ModelRequest } from "../../contract/delta.ts";
import type { ModelMessage } from "../../contract/message.ts";
import type { ModelChoice } from "../../contract/settings.ts";
import type { Phrasing } from "./phrasing.ts";
import { quirksOf } from "./quirks.ts";
import { straightened } from "./straight-history.ts";

/** What one side says until the other speaks. */
interface Side<Piece> {
  readonly isReply: boolean;
  readonly pieces: readonly Piece[];
}

/** The conversation for protocols that judge it strictly. A run sends its history at every step: each message is put once. */
export class StrictHistory<Piece> {
  readonly #choice: ModelChoice;
  readonly #put: (message: ModelMessage, how: Phrasing) => readonly Piece[];
  readonly #known = new WeakMap<ModelMessage, readonly Piece[]>();

  constructor(choice: ModelChoice, put: (message: ModelMessage, how: Phrasing) => readonly Piece[]) {
    this.#choice = choice;
    this.#put = put;
  }

  /** The two sides take turns: the results of a step and what the person says behind them are one. */
  turns({ messages, imageBytes }: ModelRequest): readonly Side<Piece>[] {
    const how: Phrasing = { choice: this.#choice, quirks: quirksOf(this.#choice.provider), isChat: false, imageBytes };
    const turns: { readonly isReply: boolean; readonly pieces: Piece[] }[] = [];
    for (const message of straightened(messages)) {
      const pieces = this.#known.get(message) ?? this.#put(message, how);
      this.#known.set(message, pieces);
      const isReply = message.role === "assistant";
      const last = turns.at(-1);
      if (last?.isReply === isReply) last.pieces.push(...pieces);
      else turns.push({ isReply, pieces: [...pieces] });
    }
    return turns;
  }
}

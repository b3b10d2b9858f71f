import type { LanguageModelV4Message } from "@ai-sdk/provider";
import type { ModelRequest } from "../contract/delta.ts";
import type { ModelMessage } from "../contract/message.ts";
import type { ModelChoice } from "../contract/settings.ts";
import { type Phrasing, toPromptMessage } from "./prompt.ts";
import { quirksOf } from "./request/quirks.ts";
import { straightened } from "./request/straight-history.ts";

/** The conversation for protocols that judge it strictly: the results of a step are one message. */
export class StrictPrompt {
  readonly #choice: ModelChoice;
  /** A run sends its history at every step: each message is put into the SDK's form once. */
  readonly #put = new WeakMap<ModelMessage, LanguageModelV4Message>();

  constructor(choice: ModelChoice) {
    this.#choice = choice;
  }

  of({ system, messages, imageBytes }: ModelRequest): LanguageModelV4Message[] {
    const how: Phrasing = { choice: this.#choice, quirks: quirksOf(this.#choice.provider), isChat: false, imageBytes };
    const prompt: LanguageModelV4Message[] = system === "" ? [] : [{ role: "system", content: system }];
    for (const message of straightened(messages)) {
      const put = this.#put.get(message) ?? toPromptMessage(message, how);
      this.#put.set(message, put);
      const last = prompt.at(-1);
      if (put.role !== "tool" || last?.role !== "tool") prompt.push(put);
      else prompt[prompt.length - 1] = { role: "tool", content: [...last.content, ...put.content] };
    }
    return prompt;
  }
}

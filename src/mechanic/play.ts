export interface Ask {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

export interface Move {
  readonly text: string;
  readonly asks: readonly Ask[];
  /** It cannot do what was asked. */
  readonly isRefusal?: boolean;
}

export interface Answer {
  readonly text: string;
  readonly error: string | null;
}

/** In the order of the calls. `stop`: none of them was carried out, and only reverts may follow. */
type Answers = readonly Answer[] | "stop";

/** The last word of a task. `unsolved`: what was asked for is not done, so that the task has failed. */
export type LastWord = string | { readonly unsolved: string };

export type Play<Result = LastWord> = Generator<Move, Result, Answers>;

const none: Answer = { text: "", error: "E_CANCELLED" };

/** One call; `null` = stop. */
export function* ask(text: string, tool: string, input: Ask["input"]): Play<Answer | null> {
  const answers = yield { text, asks: [{ tool, input }] };
  return answers === "stop" ? null : (answers[0] ?? none);
}

/** Several calls in one step; `null` = stop. */
export function* askAll(text: string, asks: readonly Ask[]): Play<readonly Answer[] | null> {
  const answers = yield { text, asks };
  return answers === "stop" ? null : asks.map((_, at) => answers[at] ?? none);
}

/** Whether the engine left out the middle of a long answer. */
export function isCut({ text }: Answer): boolean {
  return /^\[… \d+ characters left out/m.test(text);
}

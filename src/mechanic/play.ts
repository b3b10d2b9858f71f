/** One call of a tool, as the player wants it made. */
export interface Ask {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** What it says and does in one step. */
export interface Move {
  readonly text: string;
  readonly asks: readonly Ask[];
}

/** What a call came to. */
export interface Answer {
  readonly text: string;
  /** The code, where nothing of it was done. */
  readonly error: string | null;
}

/** In the order of the calls; `stop`: nothing of it was done, and only what must be put back may follow. */
type Answers = readonly Answer[] | "stop";

/** A whole task: steps until it has said its last word. It knows nothing but what the answers tell. */
export type Play<Result = string> = Generator<Move, Result, Answers>;

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

/** A long answer is cut in the middle by the engine: what is there is not all. */
export function isCut({ text }: Answer): boolean {
  return /^\[… \d+ characters left out/m.test(text);
}

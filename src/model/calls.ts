/** Most calls of one reply. Nobody needs more at once, and the SDK's work on each grows with their number. */
export const maxCalls = 1_000;
/** Most parts of one reply, empty ones among them: each is remembered. */
export const maxParts = 8 * maxCalls;

/** The calls of one reply while it streams: numbered in order, opened once, closed once. */
export class Calls {
  readonly #byId = new Map<string, number>();
  /** Length of the arguments so far; `null` once closed. */
  readonly #args: (number | null)[] = [];

  get count(): number {
    return this.#args.length;
  }

  open(id = `text ${this.count}`): number {
    const ordinal = this.#args.push(0) - 1;
    this.#byId.set(id, ordinal);
    return ordinal;
  }

  /** The open call of this id; `null` when there is none. */
  find(id: string): number | null {
    const ordinal = this.#byId.get(id);
    return ordinal === undefined || this.#args[ordinal] === null ? null : ordinal;
  }

  isKnown(id: string): boolean {
    return this.#byId.has(id);
  }

  isEmpty(ordinal: number): boolean {
    return this.#args[ordinal] === 0;
  }

  grow(ordinal: number, length: number): void {
    this.#args[ordinal] = (this.#args[ordinal] ?? 0) + length;
  }

  close(ordinal: number): void {
    this.#args[ordinal] = null;
  }

  /** Those that nobody closed. */
  left(): readonly number[] {
    return this.#args.flatMap((args, ordinal) => (args === null ? [] : [ordinal]));
  }
}

/** The calls of one reply while it streams: numbered in order, opened once, closed once. */
export class Calls {
  readonly #args: (number | null)[] = [];

  get count(): number {
    return this.#args.length;
  }

  open(): number {
    return this.#args.push(0) - 1;
  }

  isOpen(ordinal: number): boolean {
    return typeof this.#args[ordinal] === "number";
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

  left(): readonly number[] {
    return this.#args.flatMap((args, ordinal) => (args === null ? [] : [ordinal]));
  }
}

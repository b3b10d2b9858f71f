/** Ids of calls as the SDK sees them: it tells calls apart by id, which providers leave out or use twice. */
export class WireIds {
  readonly #given = new Map<string, string | null>();
  readonly #used = new Set<string>();

  /** A new id for a call to which the provider gave this one. */
  add(given: unknown): string {
    const id = `call ${this.#given.size}`;
    const isUsable = typeof given === "string" && given !== "" && !this.#used.has(given);
    if (isUsable) this.#used.add(given);
    this.#given.set(id, isUsable ? given : null);
    return id;
  }

  /** What the provider called it, and no call before it. */
  given(id: string): string | null {
    return this.#given.get(id) ?? null;
  }
}

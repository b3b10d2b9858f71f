/** Whether a call's arguments, which come in pieces, form a complete object or list. Scans new text only on demand. */
export class ArgumentsEnd {
  #unread = "";
  #depth = 0;
  #isInString = false;
  #isReached = false;

  push(text: string): void {
    if (!this.#isReached) this.#unread += text;
  }

  get isReached(): boolean {
    const text = this.#unread;
    this.#unread = "";
    for (let at = 0; at < text.length && !this.#isReached; at++) {
      const char = text[at];
      if (this.#isInString) {
        if (char === '"') this.#isInString = false;
        else if (char === "\\" && at + 1 === text.length) this.#unread = char;
        else if (char === "\\") at++;
      } else if (char === '"') this.#isInString = true;
      else if (char === "{" || char === "[") this.#depth++;
      else if (char === "}" || char === "]") this.#isReached = --this.#depth <= 0;
    }
    return this.#isReached;
  }
}

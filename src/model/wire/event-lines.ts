/** Bytes → the data of whole events. An event is complete with the empty line behind it. */
export class EventLines {
  readonly #decoder = new TextDecoder();
  /** The line that has no end yet; in pieces, because one event may be as long as a reply. */
  #line: string[] = [];
  /** Of the event that has no end yet. */
  #data: string | null = null;
  #endedWithReturn = false;

  push(bytes: Uint8Array): readonly string[] {
    let text = this.#decoder.decode(bytes, { stream: true });
    if (this.#endedWithReturn && text.startsWith("\n")) text = text.slice(1);
    if (text !== "") this.#endedWithReturn = text.endsWith("\r");
    const lines = text.split(text.includes("\r") ? /\r\n|\n|\r/ : "\n");
    const found: string[] = [];
    const last = lines.length - 1;
    for (let at = 0; at < last; at++) {
      const line = lines[at] ?? "";
      this.#take(this.#line.length === 0 ? line : [...this.#line, line].join(""), found);
      if (this.#line.length > 0) this.#line = [];
    }
    const rest = lines[last] ?? "";
    if (rest !== "") this.#line.push(rest);
    return found;
  }

  #take(line: string, found: string[]): void {
    if (line.startsWith("data:")) {
      const data = line.slice(line[5] === " " ? 6 : 5);
      this.#data = this.#data === null ? data : `${this.#data}\n${data}`;
    } else if (line === "" && this.#data !== null) {
      found.push(this.#data);
      this.#data = null;
    }
  }
}

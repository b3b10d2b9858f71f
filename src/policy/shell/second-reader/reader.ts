import { RedirectionScanner } from "./redirection-scanner.ts";
import { Unsure } from "./scanner.ts";

/** Words in `[[ … ]]` that the library does not report as words. */
export const isTestOperator = (text: string): boolean => /^(?:-[a-zA-Z]{1,2}|==?|!=|=~|!|<|>)$/.test(text);

const reserved = /(?:if|then|elif|else|fi|while|until|for|done|do|case|esac|function|select|coproc|time|\[\[|!|\{|\})/y;
const assignment = /[A-Za-z_]\w*(?:\+?=|\[)/y;
const closing = new Set(["then", "elif", "else", "fi", "do", "done", "esac", "}"]);

/** Reads commands and their operators. Rare syntax that never runs without a question throws `Unsure`. */
export class Reader extends RedirectionScanner {
  read(): void {
    this.list();
    if (this.at < this.end || this.pending.length > 0) throw new Unsure();
  }

  protected override readInside(): void {
    const before = this.pending;
    this.pending = [];
    this.list();
    if (this.pending.length > 0) throw new Unsure();
    this.pending = before;
  }

  /** Reads up to a closing bracket, a closing word, `;;` or the end. */
  private list(): void {
    for (;;) {
      this.skipLines();
      if (this.at >= this.end || this.peek() === ")" || this.has(";;") || this.has(";&")) return;
      if (closing.has(this.reservedHere())) return;
      const from = this.at;
      this.andOr();
      this.skipBlanks();
      if (this.peek() === "&") {
        this.at += 1;
        this.note("B", from);
      } else if (this.peek() === ";" && !this.has(";;") && !this.has(";&")) this.at += 1;
      else if (!["", "\n", ")", ";"].includes(this.peek()) && !closing.has(this.reservedHere())) throw new Unsure();
    }
  }

  private skipLines(): void {
    this.skipBlanks();
    while (this.peek() === "\n") {
      this.at += 1;
      this.hereDocuments();
      this.skipBlanks();
    }
  }

  private andOr(): void {
    this.pipeline();
    for (;;) {
      this.skipBlanks();
      const operator = this.has("&&") ? "&&" : this.has("||") ? "||" : null;
      if (operator === null) return;
      this.join(operator);
      this.pipeline();
    }
  }

  private pipeline(): void {
    for (let word = this.reservedHere(); word === "!" || word === "time"; word = this.reservedHere()) {
      this.at += word.length;
      this.skipBlanks();
      if (word === "time" && this.peek() === "-") throw new Unsure();
    }
    this.command();
    for (;;) {
      this.skipBlanks();
      if (this.peek() !== "|" || this.has("||")) return;
      this.join(this.has("|&") ? "|&" : "|");
      this.command();
    }
  }

  private join(operator: string): void {
    this.at += operator.length;
    this.skipLines();
    this.note("O", this.at, operator);
  }

  private command(): void {
    if (this.has("((") && this.isArithmetic(2)) {
      this.scanArithmetic(2);
      this.redirections();
    } else if (this.peek() === "(") {
      this.at += 1;
      this.deeper(() => this.list());
      this.take(")");
      this.redirections();
    } else this.named(this.reservedHere());
  }

  private named(word: string): void {
    if (word === "") {
      this.simple();
      return;
    }
    if (word === "time" || word === "!" || closing.has(word)) throw new Unsure();
    this.at += word.length;
    this.deeper(() => this.compound(word));
    this.redirections();
  }

  private compound(word: string): void {
    switch (word) {
      case "{":
        this.list();
        this.takeReserved("}");
        break;
      case "if":
        this.ifs();
        break;
      case "while":
      case "until":
        this.list();
        this.loopBody();
        break;
      case "for":
        this.loop();
        break;
      case "case":
        this.cases();
        break;
      case "[[":
        this.conditional();
        break;
      default:
        throw new Unsure();
    }
  }

  private ifs(): void {
    this.list();
    this.takeReserved("then");
    this.list();
    const word = this.reservedHere();
    this.takeReserved(word);
    if (word === "elif") this.ifs();
    else if (word === "else") {
      this.list();
      this.takeReserved("fi");
    } else if (word !== "fi") throw new Unsure();
  }

  private loop(): void {
    this.skipBlanks();
    this.word();
    this.skipLines();
    if (/^in(?=[\s;])/.test(this.source.slice(this.at, this.at + 3))) {
      this.at += 2;
      this.words();
    }
    if (this.peek() === ";" && !this.has(";;")) this.at += 1;
    this.skipLines();
    this.loopBody();
  }

  private loopBody(): void {
    this.takeReserved("do");
    this.list();
    this.takeReserved("done");
  }

  private cases(): void {
    this.skipBlanks();
    this.word();
    this.skipLines();
    if (!/^in\s/.test(this.source.slice(this.at, this.at + 3))) throw new Unsure();
    this.at += 2;
    for (this.skipLines(); this.reservedHere() !== "esac"; this.skipLines()) {
      if (this.peek() === "(") this.at += 1;
      this.patterns();
      this.list();
      this.skipBlanks();
      if (this.has(";;&")) this.at += 3;
      else if (this.has(";;") || this.has(";&")) this.at += 2;
      else if (this.reservedHere() !== "esac") throw new Unsure();
    }
    this.takeReserved("esac");
  }

  private patterns(): void {
    for (;;) {
      this.skipBlanks();
      this.word();
      this.skipBlanks();
      if (this.peek() !== "|") break;
      this.at += 1;
    }
    this.take(")");
  }

  /** `[[ … ]]` */
  private conditional(): void {
    for (;;) {
      this.skipLines();
      const from = this.at;
      if (this.has("&&") || this.has("||")) this.at += 2;
      else if (this.peek() === "(" || this.peek() === ")") this.at += 1;
      else if (this.isLoneSign()) this.at += 1;
      else {
        this.scanWord();
        const text = this.source.slice(from, this.at);
        if (text === "]]") return;
        if (!isTestOperator(text)) this.note("W", from, this.at);
        if (text === "=~") this.regularExpression();
      }
    }
  }

  private isLoneSign(): boolean {
    return (this.peek() === "<" || this.peek() === ">") && this.peek(1) !== "(";
  }

  /** Bash reads it as one word in which brackets and bars are plain characters. Anything beyond these characters is uncertain. */
  private regularExpression(): void {
    this.skipBlanks();
    const plain = /[^\s'"`\\;&<>#]+/y;
    plain.lastIndex = this.at;
    const [text] = plain.exec(this.source) ?? [];
    if (text === undefined || this.at + text.length >= this.end || /\$[({[]/.test(text)) throw new Unsure();
    if (text.split("(").length !== text.split(")").length) throw new Unsure();
    this.note("W", this.at, this.at + text.length);
    this.at += text.length;
    if (!/\s/.test(this.peek())) throw new Unsure();
  }

  private simple(): void {
    const from = this.at;
    let isNamed = false;
    for (;;) {
      this.skipBlanks();
      if (this.redirection()) continue;
      if (this.isWordEnd(this.peek()) && !this.isSubstitution()) break;
      if (!isNamed) isNamed = !this.isAssignment();
      this.word();
    }
    if (this.at === from || this.peek() === "(") throw new Unsure();
    this.note("C", from);
  }

  /** Before the command name, `a[1 2]=3` is one word, including blanks. */
  private isAssignment(): boolean {
    assignment.lastIndex = this.at;
    const found = assignment.exec(this.source)?.[0];
    if (found?.endsWith("[")) throw new Unsure();
    return found !== undefined;
  }

  private words(): void {
    for (;;) {
      this.skipBlanks();
      if (this.isWordEnd(this.peek()) && !this.isSubstitution()) return;
      this.word();
    }
  }

  private reservedHere(): string {
    reserved.lastIndex = this.at;
    const [word = ""] = reserved.exec(this.source) ?? [];
    return word !== "" && this.isWordEnd(this.peek(word.length)) ? word : "";
  }

  private takeReserved(word: string): void {
    this.skipBlanks();
    if (word === "" || this.reservedHere() !== word) throw new Unsure();
    this.at += word.length;
  }

  private take(text: string): void {
    if (!this.has(text)) throw new Unsure();
    this.at += text.length;
  }
}

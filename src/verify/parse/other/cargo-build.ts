import { type Place, placeAt } from "../place.ts";
import { clipError, Excerpt, type FailureList, type Scene } from "../reading.ts";

const headline = /^error(?:\[(E\d+)\])?: (.+)$/;
const short = /^(\S[^:]*\.rs):(\d+):\d+: error(?:\[E\d+\])?: (.+)$/;
export const arrow = /^ +--> (.+):(\d+):\d+$/;
/** rustc's note beside the carets, which names what it expected. */
const caret = /^ *\| .*\^ ([^|^]+)$/;
const sums =
  /^(?:could not compile|aborting due to|test failed|doctest failed|\d+ targets? failed|build failed|could not document)/;

export class CargoBuild {
  isSeen = false;
  errors = 0;
  private readonly scene: Scene;
  private readonly list: FailureList;
  private open: { message: string; place: Place | null; excerpt: Excerpt } | null = null;

  constructor(scene: Scene, list: FailureList) {
    this.scene = scene;
    this.list = list;
  }

  line(text: string): void {
    const first = text.charCodeAt(0);
    const head = first === 0x65 ? headline.exec(text) : null;
    const one = text.includes(".rs:") && text.length < 2000 ? short.exec(text) : null;
    if (head?.[2] !== undefined) this.start(head[1], head[2]);
    else if (one !== null) this.short(placeAt(one, this.scene.cwd), one[3] ?? "");
    else {
      this.isSeen ||= /^ {3,}(?:Compiling|Finished|Running|Doc-tests|Checking) /.test(text);
      if (text === "") this.close();
      else if (this.open !== null) this.addLine(this.open, text);
    }
  }

  private addLine(open: NonNullable<typeof this.open>, text: string): void {
    open.place ??= placeAt(arrow.exec(text), this.scene.cwd);
    const label = open.excerpt.errorLines.length === 0 ? caret.exec(text)?.[1] : undefined;
    if (label !== undefined) open.excerpt.err(label);
    open.excerpt.ctx(text);
  }

  private short(place: Place | null, message: string): void {
    this.close();
    this.open = { message, place, excerpt: new Excerpt() };
    this.close();
  }

  private start(code: string | undefined, message: string): void {
    this.close();
    this.isSeen = true;
    const coded = code === undefined ? message : `${code}: ${message}`;
    if (!sums.test(message)) this.open = { message: coded, place: null, excerpt: new Excerpt() };
  }

  close(): void {
    const open = this.open;
    this.open = null;
    if (open === null || open.place === null) return;
    const { errorLines, context } = open.excerpt;
    const error = clipError([open.message, ...errorLines]);
    if (this.list.add({ kind: "build", test: null, ...open.place, error, context })) this.errors++;
  }
}

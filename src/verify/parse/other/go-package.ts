import type { Place } from "../place.ts";
import { clipContext, clipError, countsOf, type FailureKind, FailureList, type Scene } from "../reading.ts";

interface Test {
  status: "pass" | "fail" | "skip" | null;
  /** Unprocessed until the test turns out to have failed; most tests print nothing. */
  lines: string[] | null;
  placed: string | null;
  place: Place | null;
  isPanic: boolean;
}

type FailedTest = Pick<Raw, "lines"> & Pick<Test, "place">;

interface Package {
  readonly tests: Map<string, Test>;
  /** Tests with subtests: a parent fails and passes with its children. */
  readonly parents: Set<string>;
  panicked: string | null;
  isUnbuilt: boolean;
  isEmpty: boolean;
}

/** A failure whose package folder is not yet known. */
interface Raw {
  readonly kind: FailureKind;
  readonly name: string;
  readonly test: string | null;
  readonly file: string | null;
  readonly line: number | null;
  readonly lines: readonly string[];
}

const located = /^\s*([\w.-]+\.go):(\d+): ?(.*)$/;
const testFrame = /^\S*\.((?:Test|Benchmark|Fuzz|Example)\w*)\(/;
const maxTestLines = 30;
const maxTold = 1000;

export class GoPackages {
  private readonly scene: Scene;
  private readonly open = new Map<string, Package>();
  private readonly settled = new Map<string, "pass" | "fail" | "none">();
  private readonly raw: Raw[] = [];
  private readonly sums = { passed: 0, failed: 0, skipped: 0, errors: 0 };
  private readonly roots = new Set<string>();
  private selected = "";
  private building = "";
  private sawTests = false;
  private last: Test | null = null;
  private lastName = "";

  constructor(scene: Scene) {
    this.scene = scene;
  }

  /** Plain output names a package only at its end: until then it is "". */
  select(name: string): void {
    if (this.selected !== name) this.last = null;
    this.selected = name;
  }

  private get current(): Package {
    let found = this.open.get(this.selected);
    if (found === undefined) {
      found = { tests: new Map(), parents: new Set(), panicked: null, isUnbuilt: false, isEmpty: false };
      this.open.set(this.selected, found);
    }
    return found;
  }

  private test(name: string): Test {
    if (this.last !== null && this.lastName === name) return this.last;
    const { tests, parents } = this.current;
    let test = tests.get(name);
    if (test === undefined) {
      test = { status: null, lines: null, placed: null, place: null, isPanic: false };
      tests.set(name, test);
      addParents(parents, name);
    }
    this.last = test;
    this.lastName = name;
    return test;
  }

  get isRunning(): boolean {
    for (const one of this.open.values()) for (const test of one.tests.values()) if (test.status === null) return true;
    return false;
  }

  run(name: string): void {
    if (name === "") return;
    this.sawTests = true;
    this.test(name);
  }

  settle(name: string, status: "pass" | "fail" | "skip"): void {
    if (status !== "fail") this.sawTests = true;
    this.test(name).status = status;
  }

  say(name: string, text: string): void {
    const test = this.test(name);
    if (test.isPanic || text === "") return;
    if (text.includes(".go:")) test.placed = text;
    if (test.lines === null) test.lines = [text];
    else if (test.lines.length < maxTestLines) test.lines.push(text);
  }

  private read({ lines: raw, placed, place, isPanic }: Test): FailedTest {
    const output = raw ?? [];
    if (isPanic) return { lines: output, place };
    const places = [placed ?? "", ...output.toReversed()].map((text) => located.exec(text));
    const [, file, line] = places.find((found) => found !== null) ?? [];
    const lines = output.map((text) => (located.exec(text)?.[3] ?? text.trim()).slice(0, 500));
    return {
      lines: lines.filter((text) => text !== ""),
      place: file === undefined ? null : { file, line: Number(line) },
    };
  }

  panic(test: string | null, text: string): void {
    this.current.panicked = test ?? "";
    if (test !== null) Object.assign(this.test(test), { status: "fail", lines: [text], isPanic: true });
  }

  panicEnd(lines: readonly string[], place: Test["place"]): void {
    const known = this.current.panicked;
    this.current.panicked = null;
    const named = lines.map((line) => testFrame.exec(line)?.[1]).find((name) => name !== undefined);
    const test = this.test(known || named || "");
    Object.assign(test, { status: "fail", isPanic: true, place, lines: lines.slice(0, maxTestLines) });
  }

  noteEmpty(): void {
    this.current.isEmpty = true;
  }

  noteUnbuilt(): void {
    this.current.isUnbuilt = true;
  }

  header(name: string): void {
    this.building = name;
  }

  /** A build error of one package, which also shows where the package's files lie. */
  unbuilt(file: string, line: number, lines: string[], kind: FailureKind): void {
    this.learn(this.building, file);
    this.raw.push({ kind, name: "", test: null, file, line, lines });
  }

  private learn(name: string, file: string): void {
    if (name === "" || file.startsWith("/") || file.startsWith("..")) return;
    const folder = file.includes("/") ? file.slice(0, file.lastIndexOf("/")) : "";
    if (folder === "") this.roots.add(name);
    else if (name.endsWith(`/${folder}`)) this.roots.add(name.slice(0, -folder.length - 1));
  }

  status(name: string, status: "pass" | "fail" | "none", note: string): void {
    if (!this.open.has(name)) this.selected = "";
    const done = this.current;
    this.open.delete(this.open.has(name) ? name : "");
    this.last = null;
    const isUnbuilt = done.isUnbuilt || note === "unbuilt";
    const { failed, leafFailures } = this.count(done);
    if (status === "fail" && leafFailures === 0) this.sums.errors++;
    for (const [test, failure] of failed) {
      if (failure.place?.file.includes("/")) this.learn(name, failure.place.file);
      this.keep(name, test, failure);
    }
    if (status === "fail" && leafFailures === 0 && !isUnbuilt) {
      const lines = [`FAIL ${name}`];
      this.raw.push({ kind: "test", name, test: null, file: null, line: null, lines });
    }
    const before = this.settled.get(name);
    // A package that broke once stays broken: a later line that looks like a result may be the program's.
    this.settled.set(name, before === "fail" ? "fail" : done.isEmpty ? "none" : status);
  }

  /** One pass without copies: a package may have more than a hundred thousand tests. */
  private count({ tests, parents }: Package): { failed: [string, FailedTest][]; leafFailures: number } {
    const failed: [string, FailedTest][] = [];
    let leafFailures = 0;
    for (const [name, test] of tests) {
      const isLeaf = parents.size === 0 || !parents.has(name);
      if (test.status === "fail") {
        const failure = this.read(test);
        if (isLeaf) leafFailures++;
        if (isLeaf || failure.lines.length > 0) failed.push([name, failure]);
      } else if (isLeaf && test.status === "pass") this.sums.passed++;
      else if (isLeaf && test.status === "skip") this.sums.skipped++;
    }
    this.sums.failed += leafFailures;
    return { failed, leafFailures };
  }

  private keep(name: string, test: string, { lines: all, place }: FailedTest): void {
    const lines = this.raw.length < maxTold ? all : all.slice(0, 1);
    const { file = null, line = null } = place ?? {};
    this.raw.push({ kind: "test", name, test: test || null, file, line, lines });
  }

  end() {
    const isRunning = this.isRunning;
    const isSeen = this.settled.size > 0 || this.open.size > 0;
    for (const name of [...this.open.keys()]) this.keepUnfinished(name);
    const all = [...this.settled.values()];
    const packages = { pass: 0, fail: 0, none: 0 };
    for (const status of all) packages[status]++;
    const list = new FailureList();
    for (const one of this.raw) this.addTo(list, one);
    const { passed, failed, skipped, errors } = this.sums;
    const isEmpty = all.length > 0 && packages.none === all.length;
    const isCounted = this.sawTests || isEmpty || (failed === 0 && this.raw.length > 0 && packages.pass === 0);
    const counts = countsOf({ failed, errors, ...(isCounted ? { passed, skipped } : {}) });
    return { list, counts, packages, isSeen, isRunning };
  }

  private keepUnfinished(name: string): void {
    this.selected = name;
    for (const [test, failure] of this.count(this.current).failed) this.keep(name, test, failure);
  }

  private addTo(list: FailureList, one: Raw): void {
    const error = clipError(one.lines.slice(0, 20));
    const isPanic = error.startsWith("panic: ") || error.startsWith("fatal error: ");
    list.add({
      kind: one.kind,
      test: one.test,
      file: one.file === null ? null : this.fileOf(one.name, one.file),
      line: one.line,
      error:
        (isPanic ? clipError(one.lines.slice(0, 2).map((line) => line.trim())) : error) ||
        `FAIL ${one.test ?? one.name}`,
      context: isPanic ? clipContext(one.lines.slice(2)) : one.name,
    });
  }

  /** A test names only its file; the folder follows from the package and the module's root. */
  private fileOf(name: string, file: string): string {
    if (name === "" || file.includes("/")) return file;
    const parts = name.split("/");
    const { exists } = this.scene;
    if (exists !== null) {
      for (let from = 0; from <= parts.length; from++) {
        const path = [...parts.slice(from), file].join("/");
        if (exists(path)) return path;
      }
    }
    const root = [...this.roots].find((one) => name === one || name.startsWith(`${one}/`)) ?? this.commonRoot();
    return name.length > root.length && name.startsWith(`${root}/`) ? `${name.slice(root.length + 1)}/${file}` : file;
  }

  private commonRoot(): string {
    let common: string[] | null = null;
    for (const name of this.settled.keys()) {
      const parts = name.split("/");
      if (common === null) common = parts;
      else {
        const end: number = common.findIndex((part, at) => part !== parts[at]);
        common = end < 0 ? common : common.slice(0, end);
      }
    }
    return common?.join("/") ?? "";
  }
}

function addParents(parents: Set<string>, name: string): void {
  for (let at = name.lastIndexOf("/"); at > 0; at = name.lastIndexOf("/", at - 1)) {
    const parent = name.slice(0, at);
    if (parents.has(parent)) return;
    parents.add(parent);
  }
}

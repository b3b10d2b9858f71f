import type { Runner } from "../../contract/verification.ts";
import { readerFor } from "./forms.ts";
import { linesOf } from "./lines.ts";
import { localPath } from "./place.ts";
import { addCounts, brokenIn, countsOf, FailureList, type OutputReading, type Reader, type Scene } from "./reading.ts";

interface Mark {
  readonly sign: RegExp;
  readonly prefix: RegExp;
  /** The prefix is the package's folder, not its name. */
  readonly isFolder: boolean;
}

const marks: readonly Mark[] = [
  { sign: /^Scope: .*workspace projects$/, prefix: /^([\w@./-]+) [\w:-]+(?:: ?|\$ )/, isFolder: true },
  { sign: /^(?:• )?Packages in scope: |^• Running /, prefix: /^([\w@./-]+:[\w:-]+): ?/, isFolder: false },
  { sign: /^lerna (?:notice|info) /, prefix: /^(?!Tests:|Snapshots:|Time:|[Ee]rror:)(@?[\w./-]+): /, isFolder: false },
  { sign: /^\[[\w@./-]+\]: /, prefix: /^\[([\w@./-]+)\]: ?/, isFolder: false },
];
const announced = /^> @?[\w./-]+@\S+ [\w:-]+(?: \S+)?$/;
const managers = /^(?:npm (?:ERR!|error)(?: |$)|error Command failed with exit code|info Visit https:)/;
const located = /^npm (?:ERR!|error) location (\S.*)$/;
const maxReaders = 100;
/** Such a tool prints its sign first; a later line like it is a program's. */
const signLines = 30;

export function readAll(runner: Runner, output: string, scene: Scene): OutputReading {
  const runs = new Runs(runner, scene);
  for (const line of linesOf(output)) runs.line(line);
  return merged(runs.end());
}

class Runs {
  private readonly runner: Runner;
  private readonly scene: Scene;
  private readonly parts = new Map<string, { reader: Reader; isFolder: boolean }>();
  private readonly done: OutputReading[] = [];
  private main: Reader;
  private folder = "";
  private mark: Mark | undefined;
  private count = 0;

  constructor(runner: Runner, scene: Scene) {
    this.runner = runner;
    this.scene = scene;
    this.main = readerFor(runner, scene);
  }

  line(line: string): void {
    const first = line.charCodeAt(0);
    if (first === 0x3e && this.done.length < maxReaders && announced.test(line)) {
      this.next();
      return;
    }
    if ((first === 0x6e || first === 0x65 || first === 0x69) && managers.test(line)) {
      this.folder = this.folderIn(line) ?? this.folder;
      return;
    }
    if (this.mark === undefined && this.count < signLines) {
      this.count++;
      this.mark = marks.find(({ sign }) => sign.test(line));
    }
    const prefix = this.mark?.prefix.exec(line.slice(0, 200));
    if (prefix?.[1] === undefined) this.main.line(line);
    else this.part(prefix[1]).line(line.slice(prefix[0].length));
  }

  private folderIn(line: string): string | undefined {
    const path = located.exec(line)?.[1];
    const local = path === undefined ? "" : localPath(this.scene.cwd, path);
    return local === "" || local.startsWith("/") ? undefined : local;
  }

  private part(name: string): Reader {
    let part = this.parts.get(name);
    if (part === undefined && this.parts.size < maxReaders) {
      part = { reader: readerFor(this.runner, this.scene), isFolder: this.mark?.isFolder ?? false };
      this.parts.set(name, part);
    }
    return part?.reader ?? this.main;
  }

  private next(): void {
    this.done.push(below(this.main.end(), this.folder));
    this.main = readerFor(this.runner, this.scene);
    this.folder = "";
  }

  end(): readonly OutputReading[] {
    this.next();
    for (const [name, { reader, isFolder }] of this.parts) this.done.push(below(reader.end(), isFolder ? name : ""));
    return this.done;
  }
}

function below(reading: OutputReading, folder: string): OutputReading {
  if (folder === "" || folder === ".") return reading;
  const failures = new FailureList();
  failures.addAll(reading.failures, (one) =>
    one.file === null || one.file.startsWith("/") ? one : { ...one, file: `${folder}/${one.file}` },
  );
  return { ...reading, failures };
}

/** Every run that left a trace has to be complete and good. */
function merged(all: readonly OutputReading[]): OutputReading {
  const seen = all.filter((one) => one.isSeen);
  const [first, ...rest] = seen.length > 0 ? seen : all.slice(0, 1);
  if (first === undefined) throw new Error("nothing was read");
  if (rest.length === 0) return first;
  const failures = new FailureList();
  for (const one of seen) failures.addAll(one.failures);
  const ran = seen.filter((one) => !one.isEmpty);
  return {
    isSeen: true,
    isComplete: seen.every((one) => one.isComplete),
    counts: seen.reduce((sum, one) => addCounts(sum, one.counts), countsOf({})),
    failures,
    isEmpty: ran.length === 0,
    isContradictory: seen.some((one) => one.isContradictory),
    passedUncounted: ran.some((one) => one.passedUncounted) && ran.every((one) => brokenIn(one.counts) === 0),
    ...(ran.some((one) => one.hasPassedBeside) ? { hasPassedBeside: true } : {}),
  };
}

import { firstPlace, localPath, type Place, placeAt, whereOf } from "../place.ts";
import { Excerpt, type Scene, SummaryReader } from "../reading.ts";

const frame = /^\s*at (?:[\w.$-]+\/{1,2})*([\w.$<>]+)\(([\w$-]+\.(?:java|kt|groovy|scala)):(\d+)\)/;
const library =
  /^(?:java|javax|jdk|sun|com\.sun|kotlin|kotlinx|scala|groovy|org\.codehaus\.groovy|org\.junit|junit|org\.opentest4j|org\.testng|org\.assertj|org\.hamcrest|org\.mockito|org\.apache\.maven|org\.gradle|org\.spockframework|com\.google\.common\.truth|worker\.org\.gradle)\./;
const roots = "src/test/java src/main/java src/test/kotlin src/main/kotlin src/test/groovy src test".split(" ");

export function javaPlace(lines: readonly string[], scene: Scene): Place | null {
  return firstPlace(lines, (line) => {
    const match = line.length < 1000 ? frame.exec(line) : null;
    if (match?.[1] === undefined || match[2] === undefined || library.test(match[1])) return null;
    return { file: javaFile(match[1], match[2], scene), line: Number(match[3]) };
  });
}

export function isLibraryFrame(line: string): boolean {
  const match = line.length < 1000 ? /^\s*at (?:[\w.$-]+\/{1,2})*([\w.$<>]+)\(/.exec(line) : null;
  return match?.[1] !== undefined && library.test(match[1]);
}

/** A frame names a class and a file; only the disk tells its folder. */
export function javaFile(method: string, file: string, scene: Scene): string {
  const parts = method.split(".").slice(0, -2);
  const inside = [...parts, file].join("/");
  const found = scene.exists === null ? undefined : roots.find((root) => scene.exists?.(`${root}/${inside}`) === true);
  return localPath(scene.cwd, found === undefined ? file : `${found}/${inside}`);
}

const javac =
  /^(?:\[ERROR\] )?(\/?[^\s:][^:]*\.(?:java|kt|groovy|scala)):(?:\[(\d+)(?:,\d+)?\]|(\d+):(?:\d+:?)?| \((\d+), \d+\):?) ?(?:error: )?(.*)$/;
const kotlin = /^e: (?:file:\/\/)?(\/[^:]+\.kts?):(?: \()?(\d+)[:,] ?\d+\)?:? (.*)$/;

function compileError(line: string, cwd: string): { place: Place; message: string } | null {
  if (line.length > 2000) return null;
  const match = line.startsWith("e: ") ? null : javac.exec(line);
  if (match?.[1] !== undefined && !line.includes(": warning:")) {
    const number = Number(match[2] ?? match[3] ?? match[4]);
    return { place: { file: localPath(cwd, match[1]), line: number }, message: match[5] ?? "" };
  }
  const other = kotlin.exec(line);
  const place = placeAt(other, cwd);
  return place && { place, message: other?.[3] ?? "" };
}

const maxLines = 60;

/** What the build tools of the JVM have in common: compiler errors, and failed tests with their lines below. */
export abstract class JvmReader extends SummaryReader {
  protected open: { test: string; lines: string[] } | null = null;
  protected compile: { place: Place; excerpt: Excerpt } | null = null;
  protected compileErrors = 0;

  /** Whether the line is a compiler error; further lines may follow it. */
  protected startCompile(line: string): boolean {
    const one = compileError(line, this.scene.cwd);
    if (one === null) return false;
    this.endCompile();
    this.compile = { place: one.place, excerpt: new Excerpt() };
    this.compile.excerpt.err(one.message);
    return true;
  }

  protected endCompile(): void {
    const open = this.compile;
    this.compile = null;
    if (open === null) return;
    const { error, context } = open.excerpt;
    if (this.list.add({ kind: "build", test: null, ...open.place, error, context })) this.compileErrors++;
  }

  protected addLine(open: NonNullable<typeof this.open>, line: string): void {
    if (open.lines.length < maxLines) open.lines.push(line.slice(0, 600));
  }

  protected close(otherPlace: (lines: readonly string[], test: string) => Place | null = () => null): void {
    const open = this.open;
    this.open = null;
    if (open === null) return;
    const { lines, test } = open;
    const excerpt = new Excerpt();
    for (const line of lines) {
      if (!/^\s+at /.test(line)) excerpt.err(this.shown(line));
      else if (!isLibraryFrame(line)) excerpt.ctx(this.shown(line));
    }
    const { error, context } = excerpt;
    const where = whereOf(javaPlace(lines, this.scene) ?? otherPlace(lines, test));
    this.list.add({ kind: "test", test, ...where, error: error || test, context });
  }

  protected shown(line: string): string {
    return line;
  }
}

import { localPath, type Place } from "../place.ts";
import type { Scene } from "../reading.ts";

const frame = /^\s*at (?:[\w.$-]+\/{1,2})*([\w.$<>]+)\(([\w$-]+\.(?:java|kt|groovy|scala)):(\d+)\)/;
const library =
  /^(?:java|javax|jdk|sun|com\.sun|kotlin|kotlinx|scala|groovy|org\.codehaus\.groovy|org\.junit|junit|org\.opentest4j|org\.testng|org\.assertj|org\.hamcrest|org\.mockito|org\.apache\.maven|org\.gradle|org\.spockframework|com\.google\.common\.truth|worker\.org\.gradle)\./;
const roots = "src/test/java src/main/java src/test/kotlin src/main/kotlin src/test/groovy src test".split(" ");

export function javaPlace(lines: readonly string[], scene: Scene): Place | null {
  for (const line of lines) {
    const match = line.length < 1000 ? frame.exec(line) : null;
    if (match?.[1] === undefined || match[2] === undefined || library.test(match[1])) continue;
    return { file: javaFile(match[1], match[2], scene), line: Number(match[3]) };
  }
  return null;
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

export function compileError(line: string, cwd: string): { place: Place; message: string } | null {
  if (line.length > 2000) return null;
  const match = line.startsWith("e: ") ? null : javac.exec(line);
  if (match?.[1] !== undefined && !line.includes(": warning:")) {
    const number = Number(match[2] ?? match[3] ?? match[4]);
    return { place: { file: localPath(cwd, match[1]), line: number }, message: match[5] ?? "" };
  }
  const other = kotlin.exec(line);
  if (other?.[1] === undefined) return null;
  return { place: { file: localPath(cwd, other[1]), line: Number(other[2]) }, message: other[3] ?? "" };
}

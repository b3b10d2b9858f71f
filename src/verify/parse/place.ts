export interface Place {
  readonly file: string;
  readonly line: number | null;
}

export function whereOf(place: Place | null): { file: string | null; line: number | null } {
  return { file: place?.file ?? null, line: place?.line ?? null };
}

/** Relative to `cwd` if inside it; otherwise as the runner spelled it. */
export function localPath(cwd: string, raw: string): string {
  let path = raw.trim();
  if (path.startsWith("file://")) path = unescaped(path.slice("file://".length));
  if (path.startsWith("/private/") && !cwd.startsWith("/private/")) path = path.slice("/private".length);
  const root = cwd.endsWith("/") ? cwd : `${cwd}/`;
  if (path.startsWith(root) && path.length > root.length) path = path.slice(root.length);
  while (path.startsWith("./")) path = path.slice(2);
  return path.slice(0, 500);
}

function unescaped(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path; // The runner did not encode this path.
  }
}

const foreign =
  /(?:^|\/)node_modules\/|^(?:node|bun|native|internal):?\/?|^<|site-packages|dist-packages|\/lib(?:64)?\/python\d|^\/rustc\/|\/\.cargo\/registry\/|\/rustlib\/|\/pkg\/mod\/|\/go(?:-[\d.]+)?\/src\/|^_testmain\.go$|^\.\.\/.*node_modules\//;

/** Code of a library, the runner or the language. */
export function isForeign(path: string): boolean {
  return foreign.test(path);
}

const position = /^(.*):(\d+):(\d+)$/;
const positionNoColumn = /^(.*):(\d+)$/;

/** `at f (a.js:1:2)`, `at a.js:1:2`, `❯ f a.ts:1:2`, `f (file:///a.js:1:2)`; `null` for any other line. */
function scriptFrame(line: string, cwd: string): Place | null {
  // The last frame of an error with fields ends in an opening brace.
  const text = line.trim().replace(/ \{$/, "");
  const isArrow = text.startsWith("❯ ");
  if (text.length > 1000 || !(isArrow || text.startsWith("at ") || text.endsWith(")"))) return null;
  const inside = isArrow ? text.slice(text.lastIndexOf(" ") + 1) : insideOf(text);
  return placeAt(position.exec(inside), cwd);
}

function insideOf(text: string): string {
  if (text.endsWith(")")) return text.slice(text.lastIndexOf("(") + 1, -1);
  const bare = text.startsWith("at ") ? text.slice(3) : text;
  return bare.startsWith("async ") ? bare.slice(6) : bare;
}

const pythonFrame = /^\s*File "([^"]+)", line (\d+)/;
/** `At: Test.<anonymous> (a.js:2:25)`, `› file://a.js:2:23`, `a.c:12: Failure`, `adds => ./a_test.ts:3:6`. */
const pointed = /^\s*(?:at: |[›»] |.* => |\[?)((?:file:\/\/)?[^\s:()'"]+\.\w+):(\d+)(?::\d+)?\]?(?::? |:?$)/i;

/** The place that a traceback line names, in any language; `null` for any other line. */
export function frameIn(line: string, cwd: string): Place | null {
  if (line.length > 1000) return null;
  const text = line.replace(/^\s*at: +'?(.*?)'?$/i, "at $1");
  const match = pythonFrame.exec(text);
  const own = match?.[1] === undefined ? scriptFrame(text, cwd) : placeAt(match, cwd);
  return own ?? placeAt(pointed.exec(text), cwd);
}

/** The place in a match whose first groups are file and line. */
export function placeAt(match: RegExpExecArray | null, cwd: string): Place | null {
  return match?.[1] ? { file: localPath(cwd, match[1]), line: Number(match[2]) } : null;
}

export function isFrame(line: string): boolean {
  return /^\s*(?:at \S|File "[^"]+", line \d)/.test(line);
}

export function withoutForeign(lines: readonly string[], cwd: string): readonly string[] {
  return lines.filter((line) => {
    const place = isFrame(line) ? frameIn(line, cwd) : null;
    return !isFrame(line) || (place !== null && !isForeign(place.file));
  });
}

export function ownFrame(lines: readonly string[], cwd: string): Place | null {
  return firstPlace(lines, (line) => {
    const place = scriptFrame(line, cwd);
    return place !== null && isForeign(place.file) ? null : place;
  });
}

export function firstPlace(lines: readonly string[], find: (line: string) => Place | null): Place | null {
  for (const line of lines) {
    const place = find(line);
    if (place !== null) return place;
  }
  return null;
}

/** `a.js:1:2` or `a.js:1`. */
export function placeOf(text: string, cwd: string): Place | null {
  return placeAt(position.exec(text.slice(0, 1000)) ?? positionNoColumn.exec(text.slice(0, 1000)), cwd);
}

export function isPackageName(name: string): boolean {
  return /^(?:@[\w.-]+\/)?\w[\w.-]*(?:\/[\w./-]*)?$/.test(name) && !/^(?:src|lib|app|tests?|packages)\//.test(name);
}

const noModule = /(?:Cannot find (?:module|package)|Failed to resolve import|Could not resolve:?) ['"]([^'"]+)['"]/;

export function missingPackage(error: string): string | null {
  const name = noModule.exec(error.slice(0, 2000))?.[1];
  return name !== undefined && isPackageName(name) ? name : null;
}

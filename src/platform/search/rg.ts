import { fail, ok, type Result } from "../../contract/error.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import { orNull } from "../files/probe.ts";
import { startLimit } from "../limit.ts";
import { findRipgrep } from "./ripgrep.ts";
import { cancelled, type Omitted, type SearchPlace, tooLong } from "./wish.ts";

/** Overrides our own ripgrep; `null`: none. */
export type Program = string | null | undefined;

type Eat = (chunk: Buffer) => boolean;

export async function runRipgrep(
  rg: Program,
  argv: readonly string[],
  { root, signal, timeoutMs }: SearchPlace,
  eat: Eat,
): Promise<Result<Pick<Omitted, "isPartial">> | null> {
  const program = rg === undefined ? await findRipgrep() : rg;
  // Check only now: an abort before the listener is added is never heard.
  if (signal.aborted) return cancelled();
  const child = program === null ? null : start([program, ...argv], root);
  if (child === null) return null;
  const stop = (): void => child.kill("SIGKILL");
  const limit = startLimit(timeoutMs, stop);
  signal.addEventListener("abort", stop, { once: true });
  try {
    const problem = child.stderr.text();
    let isEnough = false;
    for await (const chunk of child.stdout) {
      isEnough = !eat(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
      if (isEnough) break;
    }
    if (isEnough) stop();
    const code = await child.exited;
    if (signal.aborted) return cancelled();
    if (isEnough || code === 0 || code === 1) return ok({ isPartial: false });
    const words = (await problem).trim();
    if (code === 2 && words === "") return ok({ isPartial: true });
    if (code === 2) return fail("E_INVALID_ARGS", phrase("search.bad_pattern", { problem: complaint(words) }));
    return tooLong(timeoutMs);
  } finally {
    limit.stop();
    signal.removeEventListener("abort", stop);
  }
}

/** `null`: removed meanwhile, or on a file system mounted noexec. */
function start(argv: string[], cwd: string) {
  const { HOME, PATH, XDG_CONFIG_HOME } = process.env;
  const env = { HOME, PATH, XDG_CONFIG_HOME };
  return orNull(() => Bun.spawn(argv, { cwd, env, stdin: "ignore", stdout: "pipe", stderr: "pipe" }));
}

/** Ripgrep spreads errors of both engines over many lines: keep the first. */
function complaint(words: string): string {
  const lines = words
    .split("\n")
    .filter((line) => !/^~+$|^$|could not be compiled with either|engine error:$/.test(line));
  const end = lines.findIndex((line) => line.startsWith("error:"));
  return lines
    .slice(0, end === -1 ? 3 : end + 1)
    .join(" ")
    .replace(/^rg: /, "")
    .replace(/\s+/g, " ")
    .slice(0, 300);
}

export function splitNames(take: (name: Buffer) => void): Eat {
  let open = Buffer.alloc(0);
  return (chunk) => {
    const bytes = open.length === 0 ? chunk : Buffer.concat([open, chunk]);
    let at = 0;
    for (let end = bytes.indexOf(0); end !== -1; end = bytes.indexOf(0, at)) {
      take(bytes.subarray(at, end));
      at = end + 1;
    }
    open = Buffer.from(bytes.subarray(at));
    return true;
  };
}

export interface RawHit {
  readonly path: Buffer;
  readonly line: number;
  readonly text: Buffer;
}

const remark = /: (?:WARNING: stopped searching binary file|binary file matches)/;

/** Records are `path NUL line:text LF`, and paths may contain line breaks; a remark about a binary file has no NUL. */
export function splitHits(take: (hit: RawHit) => boolean, onBinary: () => void): Eat {
  let open = Buffer.alloc(0);
  return (chunk) => {
    let bytes = open.length === 0 ? chunk : Buffer.concat([open, chunk]);
    for (;;) {
      const middle = bytes.indexOf(0);
      const first = bytes.indexOf(10);
      if (first !== -1 && (middle === -1 || first < middle) && remark.test(bytes.toString("latin1", 0, first))) {
        bytes = bytes.subarray(first + 1);
        onBinary();
        continue;
      }
      const end = middle === -1 ? -1 : bytes.indexOf(10, middle);
      if (end === -1) break;
      const colon = bytes.indexOf(":", middle);
      const line = Number(bytes.toString("latin1", middle + 1, colon));
      if (!take({ path: bytes.subarray(0, middle), line, text: bytes.subarray(colon + 1, end) })) return false;
      bytes = bytes.subarray(end + 1);
    }
    open = Buffer.from(bytes);
    return true;
  };
}

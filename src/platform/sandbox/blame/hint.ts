// A guess that decides nothing: the failure may be the program's own. It only tells the reader about limits.
import type { Confinement } from "../../../contract/sandbox.ts";
import { type Phrase, phrase } from "../../../contract/text/catalogue.ts";
import type { CommandFailure } from "./blame.ts";

const refused =
  /^.*(?:\blocalhost\b|\b127(?:\.\d+){3}|\[?::1\b|\b0\.0\.0\.0\b).*(?:refused|ECONNREFUSED|Couldn't connect|cannot connect)|ECONNREFUSED (?:127|::1|0\.0)/im;
/** With --silent curl reports a refused connection by its exit code alone. */
const CURL_REFUSED = 7;
const noProcess = /No such process|\bESRCH\b|ProcessLookupError/;
/** The words may come in any order on one line; Python prints neither, but shows the call on the line above. */
const lowPort =
  /\b(?:listen|bind|binding|BindException)\b.*(?:EACCES|permission denied)|(?:EACCES|permission denied).*\b(?:bind|listen)\b|\bbind\(.*\)\n[\s^~]*PermissionError: \[Errno 13\]/i;
const noMemory =
  /Cannot allocate memory|\bENOMEM\b|\bMemoryError\b|std::bad_alloc|memory allocation of \d+ bytes failed/;

export function sandboxHint(outcome: CommandFailure, { network, memory }: Confinement): Phrase | null {
  const { exitCode, timedOut, cancelled, stderr, stdout } = outcome;
  if (exitCode === 0 || timedOut || cancelled) return null;
  const output = `${stderr.slice(-4_000)}\n${stdout.slice(-4_000)}`;
  const isSilent = exitCode === CURL_REFUSED && stderr === "";
  if (!network && (isSilent || refused.test(output))) return phrase("sandbox.hint_loopback");
  if (noProcess.test(output)) return phrase("sandbox.hint_processes");
  const denied = lowPort.exec(output)?.[0] ?? "";
  // A Unix socket has no port.
  if (denied !== "" && !/\bunix\b|\.sock\b/i.test(denied)) return phrase("sandbox.hint_ports");
  if (memory !== null && noMemory.test(output))
    return phrase("sandbox.hint_memory", { n: Number((memory / 2 ** 30).toFixed(1)) });
  return null;
}

// The same meaning for macOS, as a profile of its sandbox. Tested as text only.
import { join } from "node:path";
import type { Confinement } from "../../contract/sandbox.ts";
import { guardedUnder } from "./protected.ts";

/** Later rules win over earlier ones, so the order is that of the sentences: all, not this, but that, never these. */
export function seatbeltProfile(confine: Confinement, secrets: readonly { readonly path: string }[] = []): string {
  const guarded = confine.guarded.flatMap((root) => guardedUnder(root).map(({ path }) => join(root, path)));
  const writable = [...confine.writable, confine.temp, ...(confine.caches === null ? [] : [confine.caches])];
  return [
    "(version 1)",
    "(allow default)",
    "(deny file-write*)",
    rule("allow file-write*", ["subpath"], writable),
    '(allow file-write* (literal "/dev/null") (literal "/dev/zero") (literal "/dev/tty") (regex #"^/dev/ttys[0-9]+$"))',
    // Also what does not exist yet: a path is all that is asked about here.
    rule("deny file-write*", ["literal", "subpath"], guarded),
    // Not their names: who looks for a file in a folder below asks about those above too.
    rule("deny file-read-data", ["subpath"], confine.veils),
    rule(
      "allow file-read-data",
      ["subpath"],
      [...confine.tools, ...confine.programs, ...confine.around, ...confine.shown],
    ),
    rule("deny file-read* file-write*", ["subpath"], [...confine.hide, ...secrets.map(({ path }) => path)]),
    rule("allow file-read*", ["subpath"], confine.allowed),
    // Hidden with our own folder, and needed.
    rule("allow file-read* file-write*", ["subpath"], writable.slice(confine.writable.length)),
    ...(confine.network
      ? []
      : ["(deny network*)", '(allow network* (local ip "localhost:*") (remote ip "localhost:*"))']),
    '(deny network-outbound (remote unix-socket (path-regex #"^/(private/)?(var/run|tmp)/")))',
    "(deny process-info* (target others))",
    "(allow process-info* (target self))",
    "(deny signal)",
    "(allow signal (target same-sandbox))",
    "(deny mach-priv* system-socket iokit-open)",
  ]
    .filter((line) => line !== "")
    .join("\n");
}

function rule(what: string, kinds: readonly string[], paths: readonly string[]): string {
  const places = paths.flatMap((path) => kinds.map((kind) => `(${kind} ${quoted(path)})`));
  return places.length === 0 ? "" : `(${what}\n  ${places.join("\n  ")})`;
}

function quoted(text: string): string {
  return `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}

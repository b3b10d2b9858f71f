// Translates a confinement to a macOS sandbox profile. Tested as text only.
import { join } from "node:path";
import type { Confinement } from "../../contract/sandbox.ts";
import { guardedUnder } from "./protected.ts";

/** Later rules override earlier ones, so the order matters. */
export function seatbeltProfile(confine: Confinement, secrets: readonly { readonly path: string }[] = []): string {
  const guarded = confine.guarded.flatMap((root) => guardedUnder(root).map(({ path }) => join(root, path)));
  const readable = [...confine.tools, ...confine.programs, ...confine.around, ...confine.shown];
  const writable = [...confine.writable, confine.temp, ...(confine.caches === null ? [] : [confine.caches])];
  return [
    "(version 1)",
    "(allow default)",
    "(deny file-write*)",
    rule("allow file-write*", ["subpath"], writable),
    '(allow file-write* (literal "/dev/null") (literal "/dev/zero") (literal "/dev/tty") (regex #"^/dev/ttys[0-9]+$"))',
    // Also for paths that do not exist yet.
    rule("deny file-write*", ["literal", "subpath"], guarded),
    // Only the content: looking up a file below also queries the names of its parents.
    rule("deny file-read-data", ["subpath"], confine.veils),
    rule("allow file-read-data", ["subpath"], readable),
    rule("deny file-read* file-write*", ["subpath"], [...confine.hide, ...secrets.map(({ path }) => path)]),
    rule("allow file-read*", ["subpath"], confine.allowed),
    // The deny rule for our own folder covers these.
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

import { secretFinder } from "../redact.ts";
import { once } from "./pattern.ts";
import { isSecretVariable } from "./variable.ts";

const find = once(() => secretFinder([]));

const keyBlock = /-{4,5} ?BEGIN (?:[A-Z0-9]{1,16} ){0,4}PRIVATE KEY(?: BLOCK)? ?-{4,5}([^-]{64,65536})-{4,5} ?END /g;
/** The first fields of a private key are the same in every key, and in public keys too. */
const commonStart = 64;
const assigned =
  /^[ \t]{0,40}(?:export[ \t]{1,8})?["']?([A-Za-z_][\w.-]{0,80})["']?[ \t]{0,8}[=:][ \t]{0,8}["']?([^\s"'#,]{8,4096})/gm;
const maxPerFile = 200;

/** The secrets in a file's content, so that they are recognized later however they are shown. */
export function secretsIn(text: string): readonly string[] {
  const keys = [...text.matchAll(keyBlock)].map(([, body = ""]) =>
    body
      .replace(/^[\w-]{1,40}: .*$/gm, "")
      .replace(/\\n|[^A-Za-z0-9+/]+/g, "")
      .slice(commonStart),
  );
  const named = [...text.matchAll(assigned)].flatMap(([, name = "", value = ""]) =>
    isSecretVariable(name, value) ? [value] : [],
  );
  const found = find()(text).flatMap(({ kind, from, to }) => (kind === "private-key" ? [] : [text.slice(from, to)]));
  return [...new Set([...keys, ...named, ...found])].slice(0, maxPerFile);
}

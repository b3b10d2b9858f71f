import type { TextKey } from "../../contract/text/catalogue.ts";
import type { Form } from "./setting-schema.ts";

/** A single letter, digit or sign is typed text, so it needs a modifier. `+` separates modifiers. */
const key =
  /^(?:(?:(?:ctrl|alt|shift|super)\+)*(?:escape|esc|enter|return|tab|backspace|delete|insert|clear|home|end|pageUp|pageDown|up|down|left|right|f[1-9]|f1[0-2])|(?:shift\+)?(?:ctrl|alt|super)\+(?:(?:ctrl|alt|shift|super)\+)*(?:space|[a-z0-9`=[\]\\;',./!@#$%^&*()_|~{}:<>?-]))$/;

/** What a form's texts look like, and what to say of one that does not. */
const patterns: Readonly<Record<Form, readonly [pattern: RegExp, problem: TextKey]>> = {
  any: [/^[^\u0000-\u001f]+$/, "config.bad_text"],
  maybe: [/^[^\u0000-\u001f]*$/, "config.bad_text"],
  model: [/^[^\s/\u0000-\u001f]+\/[^\s\u0000-\u001f]+$/, "config.bad_model"],
  provider: [/^[A-Za-z0-9][A-Za-z0-9._-]*$/, "config.bad_provider"],
  url: [/^[hH][tT][tT][pP][sS]?:\/\/[^\s/?#@\\]+(?:\/[^\s?#]*)?$/, "config.bad_url"],
  // Printable ASCII: anything else would break the HTTP header.
  secret: [/^[\x21-\x7e]+$/, "config.bad_secret"],
  env_name: [/^[A-Za-z_][A-Za-z0-9_]*$/, "config.bad_env_name"],
  header_name: [/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, "config.bad_header"],
  header: [/^[\x20-\x7e]*$/, "config.bad_header"],
  timezone: [/^[A-Za-z0-9+:_/-]+$/, "config.bad_timezone"],
  key: [key, "config.bad_key"],
};

/** The message must not repeat the text, which may be a secret. */
export function formProblem(form: Form, text: string): TextKey | null {
  const [pattern, problem] = patterns[form];
  if (form === "url") return urlProblem(text) ?? (pattern.test(text) ? null : problem);
  if (!pattern.test(text)) return problem;
  return form === "timezone" && !isTimezone(text) ? problem : null;
}

export function nameProblem(keys: Form | readonly string[], name: string): TextKey | null {
  if (typeof keys === "string") return formProblem(keys, name);
  return keys.includes(name) ? null : "config.unknown_key";
}

/** For the JSON Schema. For URLs and time zones it is looser than `formProblem`. */
export function formPattern(form: Form): string {
  return patterns[form][0].source;
}

function urlProblem(text: string): TextKey | null {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:")) return "config.bad_url";
  if (url.username !== "" || url.password !== "") return "config.url_credentials";
  return url.search !== "" || url.hash !== "" ? "config.url_extra" : null;
}

function isTimezone(text: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: text });
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

import type { TextKey } from "../contract/text/catalogue.ts";
import type { Form } from "./rules.ts";

const matching = (pattern: RegExp, key: TextKey) => (text: string) => (pattern.test(text) ? null : key);

const forms: Readonly<Record<Form, (text: string) => TextKey | null>> = {
  any: matching(/^[^\u0000-\u001f]+$/, "config.bad_text"),
  model: matching(/^[^\s/\u0000-\u001f]+\/[^\s\u0000-\u001f]+$/, "config.bad_model"),
  provider: matching(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, "config.bad_provider"),
  url: urlProblem,
  // As sent in a header: anything else would end it early or be refused.
  secret: matching(/^[\x21-\x7e]+$/, "config.bad_secret"),
  env_name: matching(/^[A-Za-z_][A-Za-z0-9_]*$/, "config.bad_env_name"),
  header_name: matching(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, "config.bad_header"),
  header: matching(/^[\x20-\x7e]*$/, "config.bad_header"),
  timezone: (text) => (isTimezone(text) ? null : "config.bad_timezone"),
};

/** What is wrong with a text, without repeating it: it may be a secret. */
export function formProblem(form: Form, text: string): TextKey | null {
  return forms[form](text);
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

import type { Secret } from "./span.ts";
import { isMasked, isRandom, isReference, isStandIn } from "./value.ts";

// A password may hold an `@` that nobody escaped: the last one before the host counts.
const userInfo = /:\/\/(?<user>[^\s/?#:@"'`<>\\]{0,128})(?::(?<password>[^\s/?#"'`<>\\]{1,256}))?@(?=[\w[*.%-])/y;

/** The password, or a token in place of the user, in a URL whose `://` stands at `at`. User and host stay readable. */
export function passwordInUrl(text: string, at: number): Secret | null {
  userInfo.lastIndex = at;
  const match = userInfo.exec(text);
  if (match === null) return null;
  const { user = "", password } = match.groups ?? {};
  const from = at + 3;
  if (password === undefined) {
    return user.length >= 20 && isRandom(user) && !isMasked(user)
      ? { kind: "url-token", from, to: from + user.length }
      : null;
  }
  if (!isPassword(password, user)) return null;
  const start = from + user.length + 1;
  return { kind: "url-password", from: start, to: start + password.length };
}

function isPassword(password: string, user: string): boolean {
  if (password.length < 4 || password === user || /^\d+$/.test(password)) return false;
  return !isStandIn(password) && !isReference(password) && !/^[.*xX•-]+$/.test(password);
}

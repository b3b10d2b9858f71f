import { expect, test } from "bun:test";
import { redactor } from "../../src/policy/redact.ts";
import { RedactingStream } from "../../src/policy/secret/stream.ts";
import { alnum, body } from "./secret/corpus.ts";

const redact = redactor([]);

// What is slow by more than a factor is so at this size too; the long run takes it all.
const size = (process.env.CODER_TEST_LONG === "1" ? 10 : 1) * 1024 * 1024;
const fill = (text: string) => text.repeat(Math.ceil(size / text.length)).slice(0, size);

const hostile: Readonly<Record<string, string>> = {
  "one letter": fill("a"),
  quotes: fill('"'),
  backslashes: fill("\\"),
  "continued lines": fill("\\\n"),
  colours: fill("\u001b[1m"),
  "names without values": fill("token="),
  "names with colons": fill("password:"),
  "names and quotes": fill('password="'),
  "names and escaped quotes": fill('\\"secret\\": \\"'),
  "names that are flags": fill(" --token"),
  "names in XML": fill("<password>"),
  "names in lists": fill('"token", '),
  "names and values far apart": fill("token:  value: "),
  "an endless value": `API_TOKEN=${fill("aB3")}`,
  "an endless quoted value": `token="${fill("aB3")}`,
  "values that are almost secret": fill("token=a1example "),
  "secrets in a row": fill(`TOKEN=${body(alnum, 24, 1)}\n`),
  "beginnings of tokens": fill("-eyJ"),
  "parts of tokens": fill("eyJhbGciOiJIUzI1.eyJhbGciOiJIUzI1."),
  "beginnings of keys in base64": fill("/LS0tLS1CRUdJTi"),
  "beginnings of many tokens": fill("ghp_ sk- AKIA xoxb- AIza ya29. sig= SG. hvs. key- "),
  "endless token": `sk-${fill("aB3-")}`,
  URLs: fill("://"),
  "URLs with users": fill("://a:b"),
  "URLs and signs": fill("://@:"),
  cookies: fill("cookie: a=b; "),
  "an endless cookie": `cookie: ${fill("a=b;")}`,
  logins: fill("login a\n"),
  options: fill(" -u a:b -p c"),
  dollars: fill("$6$"),
  "ports and stars": fill(":5432:*"),
  tabs: fill("\tTRUE\t"),
  placeholders: fill("[REDACTED:a:01234567]"),
  "half placeholders": fill("[REDACTED:"),
  "file heads": fill("a:1:"),
  "names after written line ends": fill("\\ntoken="),
  "a header with many cookies": `cookie: ${fill("sid=a1b2c3d4;")}`,
  "cookies in cookies": fill("cookie=a=;"),
  "cookies as values": fill("cookie="),
  hosts: fill(" host=password=host="),
  paths: `token="/${fill("a a/")}`,
  "keys and quotes": `-----BEGIN PRIVATE KEY-----${fill('" ')}-----END PRIVATE KEY-----`,
  "names with digits": fill("token:a1"),
  templates: fill('token="{a'),
  blanks: `password:${fill(" ")}x`,
  "wide letters": fill("密码"),
};

// Linear work takes a fraction of a second, backtracking would take minutes: the time limit of a test tells them apart.
test.each(Object.keys(hostile))(
  "[TP-6] a wall of %s is redacted in time",
  (name) => {
    const { text } = redact(hostile[name] ?? "");
    expect(text.length).toBeGreaterThan(0);
  },
  120_000,
);

test.each(["one letter", "names without values", "continued lines", "secrets in a row", "quotes", "colours"])(
  "[TP-6] a wall of %s in pieces is redacted in time, and no more than a bound is held back",
  (name) => {
    const text = hostile[name] ?? "";
    const stream = new RedactingStream([]);
    let lastShown = 0;
    for (let at = 0; at < text.length; at += 4_096) {
      if (stream.push(text.slice(at, at + 4_096)) !== "") lastShown = at;
    }
    expect([text.length - lastShown < 40_000, stream.end().length < 40_000]).toEqual([true, true]);
  },
  120_000,
);

import { expect, test } from "bun:test";
import { redactor } from "../../../src/policy/redact.ts";
import { alnum, body, hex, samples, surroundings } from "./corpus.ts";

const redact = redactor([]);

const kinds = [...new Set(samples.map(({ kind }) => kind))];
const ofKind = (kind: string) => samples.filter((sample) => sample.kind === kind);
const seeds = [1, 2, 3];
const byKind = (text: string) => text.replace(/\[REDACTED:([a-z-]+):[0-9a-f]{8}\]/g, "[$1]");

test.each(kinds)("[TP-6] a %s is found in every surrounding, and nothing but it is replaced", (kind) => {
  for (const { name, make } of ofKind(kind)) {
    for (const seed of seeds) {
      const { text, secret } = make(seed);
      for (const [where, put] of Object.entries(surroundings)) {
        const [before = "", after = ""] = put(text).split(secret);
        expect([name, where, byKind(redact(put(text)).text)]).toEqual([name, where, `${before}[${kind}]${after}`]);
      }
    }
  }
});

test.each(kinds)("what is too short for a %s, or masked, is none", (kind) => {
  for (const { make, tooShort } of ofKind(kind)) {
    const { text, secret } = make(1);
    const short = tooShort(1);
    const masked = text.replace(secret, secret.replace(/(?<=.{8}).(?=.)/g, "x"));
    expect([redact(short).count, redact(masked).count]).toEqual([0, 0]);
  }
});

test("the beginning of a token inside another word begins no token", () => {
  const words = [
    `task-${body(hex, 32, 1)}`,
    `xghp_${body(alnum, 36, 1)}`,
    `0ghp_${body(alnum, 36, 1)}`,
    `9ghp_${body(alnum, 36, 1)}`,
    `Zghp_${body(alnum, 36, 1)}`,
    `Aghp_${body(alnum, 36, 1)}`,
    `zghp_${body(alnum, 36, 1)}`,
    `aghp_${body(alnum, 36, 1)}`,
    `disk-${body(alnum, 48, 1)}`,
    `monkey-${body(hex, 32, 1)}`,
  ];
  const long = [
    `dapi${body(hex, 40, 1)}`,
    `npm_${body(alnum, 40, 1)}`,
    `AKIA${body("ABCDEFGH234567", 20, 1)}`,
    `AC${body(hex, 40, 1)}`,
  ];
  expect([...words, ...long].map((text) => redact(text).text)).toEqual([...words, ...long]);
});

test.each([
  ...[
    "sk-spinner-double-bounce-spinner-double-bounce-spinner",
    "hf_hub_download_something_very_long_name",
    "npm_config_registry",
  ],
  ...[
    "eyJhbGciOiJub25l.not.json",
    `${btoa("eyJust some words in base64")}.aaaa.bbbb`,
    "xoxb-your-token-goes-in-this-place",
    "sk-ant-...",
    "ghp_YOUR",
  ],
  ...[
    `ghp_${"x".repeat(36)}`,
    `AIzaSy${"X".repeat(33)}`,
    "xapp-1-A",
    "https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX",
  ],
  ...[
    `sk-ant-api03-${"YOUR_KEY_HERE_".repeat(6)}`,
    "sig=undefined",
    "secret_sauce_is_the_secret",
    btoa(`-----BEGIN CERTIFICATE-----\n${"MIIB".repeat(40)}`),
  ],
])("%j only looks like the beginning of a token and stays as it is", (text) => {
  expect(redact(text)).toEqual({ text, count: 0 });
});

test("[TP-6] the id and the secret of an AWS key are found side by side", () => {
  const id = `AKIA${body("ABCDEFGHIJKLMNOP234567", 16, 1)}`;
  const secret = `${body(alnum, 20, 2)}/${body(alnum, 19, 3)}`;
  expect(byKind(redact(`Access key ID,Secret access key\n${id},${secret}\n`).text)).toBe(
    "Access key ID,Secret access key\n[aws-key-id],[aws-secret-key]\n",
  );
});

test("[TP-6] a token has the same placeholder under a name, alone, in colours and over two lines", () => {
  const token = `ghp_${body(alnum, 36, 9)}`;
  const [alone = ""] = redact(token).text.match(/\[.*\]/) ?? [];
  const texts = [
    `GITHUB_TOKEN=${token}`,
    `"token": "${token}"`,
    `https://me:${token}@github.com/a`,
    `Authorization: Bearer ${token}`,
  ];
  const split = [`${token.slice(0, 9)}\u001b[1m${token.slice(9)}`, `${token.slice(0, 20)}\\\n${token.slice(20)}`];
  for (const text of [...texts, ...split]) expect(redact(text).text.match(/\[REDACTED.*?\]/g)).toEqual([alone]);
});

test("[TP-6] a web token is found whatever letters its header is made of", () => {
  const header = Buffer.from(JSON.stringify({ kid: "\u00fb\u00ff\u00fe>>>???~~~", alg: "RS256" })).toString(
    "base64url",
  );
  expect([header.includes("-"), header.includes("_")]).toEqual([true, true]);
  expect(byKind(redact(`a ${header}.${body(alnum, 30, 1)}.${body(alnum, 43, 2)} b`).text)).toBe("a [jwt] b");
});

test("what begins like a token and goes on in words is none", () => {
  const words = [
    "ya29.abcdefghijklmnopqrstuvwxyz",
    `EAAA${"lower-case-words-and-".repeat(3).slice(0, 60)}`,
    "hvs.some-long-name-made-of-words",
  ];
  expect(words.map((text) => redact(text).count)).toEqual([0, 0, 0]);
});

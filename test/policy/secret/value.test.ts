import { expect, test } from "bun:test";
import { isSecretValue, type Place } from "../../../src/policy/secret/judge.ts";
import {
  hasMixedCase,
  isDummyValue,
  isMasked,
  isRandom,
  isReference,
  isTestValue,
  isTokenLike,
  shapeOf,
} from "../../../src/policy/secret/value.ts";

test("the shape of a value counts letters, digits, signs and the changes between them", () => {
  expect(shapeOf("aB3$_xé")).toEqual({ length: 7, letters: 4, digits: 1, signs: 1, changes: 3, isAscii: false });
  expect(shapeOf("az-AZ.09")).toEqual({ length: 8, letters: 4, digits: 2, signs: 0, changes: 0, isAscii: true });
  expect(shapeOf("!@#$%^&*?~+")).toMatchObject({ letters: 0, digits: 0, signs: 11, changes: 0 });
  expect(shapeOf("a b~")).toMatchObject({ isAscii: true, letters: 2, signs: 1 });
  expect(shapeOf("tab\tbell")).toMatchObject({ isAscii: false, letters: 7 });
  expect(shapeOf("a1".repeat(100))).toMatchObject({ length: 128, letters: 64, digits: 64, changes: 127 });
});

test("the padding of base64 counts as a sign where the length fits", () => {
  const signs = ["aaaaaaa=", "aaaaaa==", "aaaaaaaa=", "aaaaaa=", "aaa=", "aaaaaaaa", "aaaaaaaaaaa="].map(
    (one) => shapeOf(one).signs,
  );
  expect(signs).toEqual([1, 1, 0, 0, 0, 0, 1]);
});

test("a value is random when it changes its kind of character often enough", () => {
  const random = [
    "aaaa11aaaa1a",
    "a1bbbbbbbbb1",
    "aaaaaa11aaaaaa1aaaaaaaaa",
    "aAbAbAbAbAbAbAbAbAbA",
    `${"aA".repeat(3)}${"a".repeat(13)}A`,
  ];
  const other = [
    "aaaa11aaaa1",
    "111111111111",
    "aaaaaaaaaa11",
    "aaaaaa11aaaaaa1aaaaaaaaaa",
    "aAbAbAbAbAbAbAbAbAb",
    `${"aA".repeat(3)}${"a".repeat(14)}`,
  ];
  expect([random.map(isRandom), other.map(isRandom), isRandom("aaaa11aaaa1é")]).toEqual([
    random.map(() => true),
    other.map(() => false),
    false,
  ]);
});

test("behind a vendor's beginning one number among the letters is enough, or some capitals", () => {
  const likely = ["aaaa1aaaa", "aB1", `aAaA${"a".repeat(16)}`.replace(/a$/, "A"), `${"aA".repeat(3)}${"a".repeat(19)}`];
  const other = ["aaaaaaaa1", "aaaaaaaaa", "aAaAaAaAaAaAaAaAaAa", `${"aA".repeat(3)}${"a".repeat(25)}`];
  expect([likely.map(isTokenLike), other.map(isTokenLike)]).toEqual([likely.map(() => true), other.map(() => false)]);
  expect([hasMixedCase(20, 7), hasMixedCase(20, 6), hasMixedCase(19, 19), hasMixedCase(21, 7)]).toEqual([
    true,
    false,
    false,
    true,
  ]);
});

test("a value is masked when it holds too few characters or a word that says so", () => {
  const masked = [
    "abcdeabcdeab",
    "",
    "12345678xxxxxx",
    "1234abcdXXXXXX",
    "abcdef***ghi",
    "abcdef...ghi",
    "YOUR-12345678",
    "abc-your1234567",
    "put_it_here12",
  ];
  const real = ["abcdef", "abcdefxxxxx", "abcd12**ef", "abcYouR1234", "abcdef_________", "abcd..ef12"];
  expect([masked.map(isMasked), real.map(isMasked)]).toEqual([masked.map(() => true), real.map(() => false)]);
  expect([
    isMasked("abcdef____________"),
    isMasked("my-placeholder-1"),
    isMasked("replace1234"),
    isMasked("x-redacted-12"),
  ]).toEqual([true, true, true, true]);
});

test("a reference names a secret without being it", () => {
  const references = [
    ...[
      "$TOKEN",
      "$" + "{TOKEN}",
      "$(cat x)",
      "%TOKEN%",
      "%s",
      "<token>",
      "{token}",
      "[token]",
      ":password",
      "a$" + "{b}c",
      "a#{b}",
      "a{{b}}",
      "a{b}c",
    ],
    ...[
      "<%= a %>",
      "%(a)s",
      "a%sb",
      "a...b",
      "a…b",
      "@file.txt",
      "!vault x",
      "id=a,src=b",
      "required|min:8",
      "process.env.A",
      "secrets.A",
      "self.token",
    ],
    ...[
      "https://a/b",
      "op://a/b",
      "file:///a",
      "ENC[AES256]",
      "sha512-abc",
      "md5:abc",
      "/run/secrets/db2",
      "~/a/b",
      "./a1",
      "../a1",
      "C:\\a\\b1",
    ],
  ];
  const values = [
    "a$b",
    "a<b>c",
    "P@ss",
    "!Pass",
    "a:b",
    "processor",
    "/aB3dE5gH7/jK9mN1pQ3",
    "op",
    "a.b",
    "a..b",
    "id",
    "fileA",
  ];
  expect(references.filter((one) => !isReference(one))).toEqual([]);
  expect(values.filter(isReference)).toEqual([]);
});

test("words that stand in for a secret are told from others, with numbers beside them or not", () => {
  const words = [
    "changeme",
    "YOUR_TOKEN_HERE",
    "mySecretKey",
    "my-secret-key",
    "password!",
    "test1",
    "xxxx",
    "aaaa",
    "secret-ab",
    "ABC",
  ];
  const others = ["hunter2", "opensesame", "password123", "secret-abx", "test!!!", "correct-horse"];
  expect([words.filter((one) => !isDummyValue(one)), others.filter(isDummyValue)]).toEqual([[], []]);
  const tests = ["test123", "Password1!", "secret-1234-5678", "abc123!!!", "changeme"];
  expect([tests.filter((one) => !isTestValue(one)), ["hunter2", "test-xyz", "a1b2c3d4"].filter(isTestValue)]).toEqual([
    [],
    [],
  ]);
});

const quoted: Place = {
  isPassword: true,
  isQuoted: true,
  isStrong: false,
  isEnv: false,
  isFlag: false,
  isListed: false,
  isLoose: false,
};
const secret = (place: Partial<Place>) => (value: string) => isSecretValue(value, { ...quoted, ...place });

test.each<[string, Partial<Place>, readonly string[], readonly string[]]>([
  [
    "a quoted password",
    {},
    ["hunt2r", "hunt!r", "P@ssw0rd", "1q2r3s"],
    ["hunte", "hun2r", "hunter", "123456!", "sha256", "utf-8", "hunter2é", "test123"],
  ],
  ["a bare password", { isQuoted: false }, ["hunt2r", "a.b2hunter!"], ["config.hunter2", "a?.b2x.c3d4", "Uint8Array"]],
  ["a loose password", { isQuoted: false, isLoose: true }, ["hunt2r"], ["hunt!r", "hunter"]],
  [
    "a password of the environment",
    { isStrong: true, isEnv: true },
    ["open", "пароль", "1234"],
    ["ope", "____", "pass", "changeme", "$OPEN"],
  ],
  ["a listed password", { isListed: true }, ["a1b2c3d4e5f6"], ["hunter2", "a1b2c3d4e5f"]],
  [
    "a quoted key",
    { isPassword: false },
    ["a1b2c3d4e5f6", "hunt!r2x", "aAbCdEfGhIjKlMnOpQrS"],
    ["a1b2c3d4e5f", "hunt!r2", "hunterxx2", "hunt!rxx", "1234567!"],
  ],
  [
    "a loose key",
    { isPassword: false, isQuoted: false, isLoose: true },
    ["a1b2c3d4e5f6g7h8"],
    ["a1b2c3d4e5f6g7h", "hunt!r2xyz"],
  ],
  [
    "a key of the environment",
    { isPassword: false, isStrong: true, isEnv: true },
    ["opensesa"],
    ["opensez", "disabled"],
  ],
  [
    "a key in a flag",
    { isPassword: false, isStrong: true, isFlag: true },
    ["a1b2c3d4e5f6", "hunt!r2x"],
    ["opensesame", "hunterxx2"],
  ],
])("%s is a secret or not by what it is made of", (_, place, secrets, others) => {
  expect([secrets.filter((one) => !secret(place)(one)), others.filter(secret(place))]).toEqual([[], []]);
});

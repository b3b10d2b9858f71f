// Where a value begins and ends, to the character.
import { expect, test } from "bun:test";
import { redactor } from "../../../src/policy/redact.ts";
import { alnum, body } from "./corpus.ts";

const redact = redactor([]);

const kinds = (text: string) => redact(text).text.replace(/\[REDACTED:([a-z-]+):[0-9a-f]{8}\]/g, "<$1>");
const token = body(alnum, 24, 7);

test.each([
  [`token%3D${token}%26x%3D1`, "token%3D<secret>%26x%3D1"],
  [`DB_PASSWORD=hunter2%26x%3D1`, "DB_PASSWORD=<password>%26x%3D1"],
  ["TOKEN=%22", "TOKEN=%22"],
  [`x = token(${token})`, `x = token(${token})`],
  [`call(token=${token}[0])`, `call(token=${token}[0])`],
  [`call(token=${token})`, "call(token=<secret>)"],
  [`token: ${token}{`, `token: ${token}{`],
  ['password: "a1\tb2c3"', 'password: "a1\tb2c3"'],
  ['password: "a1 b2c3"', 'password: "a1 b2c3"'],
  ['PASSWORD="a1\tb2c3"', 'PASSWORD="<password>"'],
  ["tool --password 'a1 b2' x", "tool --password '<password>' x"],
  ["a\\nDB_PASSWORD=opensesame\\nb", "a\\nDB_PASSWORD=<password>\\nb"],
  ["a\\npassword: open#sesame\\nb", "a\\npassword: <password>\\nb"],
  ["a\\tDB_PASSWORD=opensesame", "a\\tDB_PASSWORD=<password>"],
  ["UID=sa;PWD=opensesame;", "UID=sa;PWD=<password>;"],
  ["x PWD=a1b2c3d4", "x PWD=a1b2c3d4"],
  ["connect(user=me, password=opensesame)", "connect(user=me, password=opensesame)"],
  ["f(user=me;password=opensesame)", "f(user=me;password=<password>)"],
  ["user=me,password=opensesame", "user=me,password=opensesame"],
  ["user=me&password%3Dopensesame", "user=me&password%3D<password>"],
  ["user=me password: opensesame", "user=me password: opensesame"],
  ["http://me:ab1c@h", "http://me:<url-password>@h"],
  ["http://me:a1c@h", "http://me:a1c@h"],
  ["http://me:1234@h", "http://me:1234@h"],
  ["http://hunter22:hunter22@h", "http://hunter22:hunter22@h"],
  [`http://${body(alnum, 20, 1)}@h`, "http://<url-token>@h"],
  [`http://${body(alnum, 19, 1)}@h`, `http://${body(alnum, 19, 1)}@h`],
  ["Cookie: a=abcdefghijklmnop", "Cookie: a=abcdefghijklmnop"],
  ["Cookie: a=abcdefghijklmnoP", "Cookie: a=<cookie>"],
  ["Cookie: a=abcdefghijklmnO", "Cookie: a=abcdefghijklmnO"],
  ["Cookie: a=abcdefg1", "Cookie: a=<cookie>"],
  ["Cookie: a=abcdef1", "Cookie: a=abcdef1"],
  ["Cookie: a=12345678", "Cookie: a=12345678"],
  ["Authorization: Basic abcdefg", "Authorization: Basic abcdefg"],
  ["Authorization: Basic abcdefgh", "Authorization: Basic <auth-header>"],
  [`Authorization: ${body(alnum, 16, 1)}`, "Authorization: <auth-header>"],
  [`Authorization: ${body(alnum, 15, 1)}`, `Authorization: ${body(alnum, 15, 1)}`],
  [`bearer ${body(alnum, 16, 1)}`, "bearer <bearer>"],
  [`forbearer ${body(alnum, 16, 1)}`, `forbearer ${body(alnum, 16, 1)}`],
  ["tool --password opensesame and more", "tool --password opensesame and more"],
  ["tool --password opensesame -x", "tool --password <password> -x"],
  ["tool --password Opensesame and more", "tool --password <password> and more"],
  ["<password>hunter2</password>", "<password><password></password>"],
  ["a>password>hunter2", "a>password>hunter2"],
  ["mysql -h db -u me -phunter2", "mysql -h db -u me -p<password>"],
  ["mysql -u me\nother -phunter2", "mysql -u me\nother -phunter2"],
  ["redis-cli -h x -a hunter2", "redis-cli -h x -a <password>"],
  ["ls -a hunter2", "ls -a hunter2"],
  ["curl -u me:http://x", "curl -u me:http://x"],
  ["curl -b jar.txt x", "curl -b jar.txt x"],
  ["see password: hunt!rx now", "see password: hunt!rx now"],
  ["mysql -pab1c x", "mysql -p<password> x"],
  ["mysql -pa1c x", "mysql -pa1c x"],
  ["pass=hunter2", "pass=<password>"],
  ["pass: hunter2", "pass: hunter2"],
  ['pass: "hunter2"', 'pass: "<password>"'],
  ["dbpass: hunter2", "dbpass: <password>"],
  [`{"a":"password='hunter2x","b":"c'"}`, `{"a":"password='<password>","b":"c'"}`],
  [`{"a":"TOKEN='${token}"}`, `{"a":"TOKEN='<secret>"}`],
  ['password: "hunter2 is it"', 'password: "hunter2 is it"'],
  ["<password>hunt!rx</password>", "<password><password></password>"],
  ["http://me:x9z@h", "http://me:x9z@h"],
  ["key: a1b2c3d4e5f6g7h8", "key: a1b2c3d4e5f6g7h8"],
  ["cacheKey: 'a1b2c3d4e5f6g7h8'", "cacheKey: 'a1b2c3d4e5f6g7h8'"],
  ["sort -b x=hunter2abc y", "sort -b x=hunter2abc y"],
  ["curl -b sid=changeme x", "curl -b sid=changeme x"],
  ["curl -u me:changeme x", "curl -u me:changeme x"],
  [String.raw`{\"password\":\"open1\\\"x\"}`, String.raw`{\"password\":\"<password>\"}`],
  [String.raw`{"password":"open1\\"}`, '{"password":"<password>"}'],
  [`${"word ".repeat(60)}\npassword: open#sesame`, `${"word ".repeat(60)}\npassword: <password>`],
  [`${"word ".repeat(60)}password: open#sesame`, `${"word ".repeat(60)}password: open#sesame`],
  ["keys/a-12-DB_PASSWORD=opensesame", "keys/a-12-DB_PASSWORD=<password>"],
  ["const rows = { password: hunter2x, token: other }", "const rows = { password: <password>, token: other }"],
])("of %j is shown %j", (text, shown) => {
  expect(kinds(text)).toBe(shown);
});

const dashes = "-----";
const begin = `${dashes}BEGIN PRIVATE KEY${dashes}`;
const end = `${dashes}END PRIVATE KEY${dashes}`;
const full = body(alnum, 64, 1);
const short = body(alnum, 20, 2);
const half = body(alnum, 30, 3);

test.each([
  // Cut within JSON: the quotes and the other values stay.
  [`{"a":"x ${begin}\\n${full}","b":1}`, '{"a":"x <private-key>","b":1}'],
  [`{"a":"x ${begin}\\n${half}","b":1}`, '{"a":"x <private-key>","b":1}'],
  [`{"a":"${begin}\\n${full}\\n${short}","b":"c"}`, '{"a":"<private-key>","b":"c"}'],
  [`{"b":"c","a":"${full}\\n${short}\\n${end}"}`, '{"b":"c","a":"<private-key>"}'],
  [`{"b":"${full}","a":"${end}"}`, `{"b":"${full}","a":"${end}"}`],
  [`{"b":"${begin}","a":"${full}"}`, `{"b":"${begin}","a":"${full}"}`],
  [`{"b":"${begin}","a":"${full}","c":"${end}"}`, `{"b":"${begin}","a":"${full}","c":"${end}"}`],
  [`["${begin}","${full}","${end}"]`, '["<private-key>"]'],
  [`"\\t${full}\\n${end}"`, '"\\t<private-key>"'],
  // Keys put together from strings in code.
  [`k = "${begin}\\n" +\n  "${full}\\n" +\n  "${end}";`, 'k = "<private-key>";'],
  [`"${full}\\n" +\n  "${full}\\n" +\n  "${end}";`, '"<private-key>";'],
  [`${begin}\n${full}\n${short}\nwords after it`, "<private-key>\nwords after it"],
  [`${begin}\n\n${full}\nmore words`, "<private-key>\nmore words"],
  [`words before\n${full}\n${short}\n${end} x`, "words before\n<private-key> x"],
  [`${begin}\nno key at all\n${end}`, `${begin}\nno key at all\n${end}`],
])("of %j is shown %j", (text, shown) => {
  expect(kinds(text)).toBe(shown);
});

test("[TP-6] [SA-secrets] an unmistakable token is found behind and before another word, joined by a dash or an underscore", () => {
  const token = `ghp_${"aB3dE6gH9jK2".repeat(3)}`;
  const redact = redactor([]);
  const places = [`x-${token}`, `x_${token}`, `--token-${token}`, `${token}-x`, `${token}_x`, `missing-${token}.txt`];
  expect(places.filter((text) => redact(text).text.includes(token))).toEqual([]);
});

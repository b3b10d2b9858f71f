import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { confirmed } from "../../../src/platform/search/held.ts";
import { searchText } from "../../../src/platform/search/search.ts";

let base = "";
let root = "";

beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "coder-held-")));
  root = join(base, "ws");
  mkdirSync(root);
  writeFileSync(join(base, "outside"), "secret");
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

const report = (path: string | Buffer, text: string) => ({
  path: Buffer.from(path as string),
  text: Buffer.from(text),
});
const believed = (...reported: readonly ReturnType<typeof report>[]) =>
  confirmed(reported, root).map(({ path, text }) => `${path.toString("latin1")}: ${text}`);

test("[PO-7] [SA-check-then-use] only what the file at that very path says is believed", () => {
  writeFileSync(join(root, "a"), "one\ntwo\nthree");
  symlinkSync("../outside", join(root, "link"));
  symlinkSync("..", join(root, "up"));
  Bun.spawnSync(["mkfifo", join(root, "pipe")]);
  const found = believed(
    ...[report("./a", "one"), report("./a", "secret"), report("./a", "three\r"), report(`${root}/a`, "two")],
    ...[report("./link", "secret"), report("./up/outside", "secret"), report("../outside", "secret")],
    ...[report("./pipe", ""), report("./none", "x"), report(".", "x")],
  );
  expect(found).toEqual(["./a: one", "./a: three\r", `${root}/a: two`]);
});

test("[TL-1] a name that is not UTF-8, a line of any length and text in UTF-16 are believed too", async () => {
  Bun.spawnSync(["bash", "-c", "printf 'needle\\n' > $'odd\\xff'"], { cwd: root });
  writeFileSync(join(root, "long"), `${"é".repeat(5000)} needle\n`);
  writeFileSync(join(root, "wide"), Buffer.from("\ufeffone\nneedle é\n", "utf16le"));
  const place = { root, real: root, signal: new AbortController().signal, timeoutMs: 60_000, max: 50 };
  const found = await searchText({ ...place, pattern: "needle" });
  expect(found.ok && found.value.found.map(({ path, line }) => `${path}:${line}`)).toEqual([
    "long:1",
    "odd\ufffd:1",
    "wide:2",
  ]);
});

test("[TL-1] a file too big to be held in memory is read in pieces, and no line at their borders is lost", () => {
  const line = `${"x".repeat(99)}\n`;
  const block = line.repeat(42_000);
  const marks = Array.from({ length: 16 }, (_, index) => `mark ${index} ${"é".repeat(300)}`);
  writeFileSync(join(root, "big"), marks.map((mark) => `${block}${mark}\n`).join(""));
  const reported = marks.map((mark) => report("./big", mark));
  expect(confirmed(reported, root).length).toBe(16);
  const wrong = [...reported.slice(0, 3), report("./big", "not in it"), ...reported.slice(3)];
  expect(confirmed(wrong, root).length).toBe(3);
});

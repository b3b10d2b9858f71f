import { afterAll, describe, expect, test } from "bun:test";
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inputHistory } from "../../../src/main/terminal/prompt-history.ts";

const base = mkdtempSync(join(tmpdir(), "coder-history-"));
afterAll(() => rmSync(base, { recursive: true, force: true }));
let count = 0;

function newHome(): string {
  const home = join(base, String(++count));
  mkdirSync(home);
  return home;
}

function fileIn(home: string): string {
  const [name = ""] = readdirSync(join(home, "history")).filter((one) => one.endsWith(".jsonl"));
  return join(home, "history", name);
}

describe("earlier inputs on disk", () => {
  test("[SU-3] are there in the next run, in this workspace only, readable to their owner alone", async () => {
    const home = newHome();
    expect(await inputHistory(home, "/ws").load()).toEqual([]);
    const texts = ["one", "two\nlines\t中文 😀", "!ls", "one"];
    for (const text of texts) inputHistory(home, "/ws").add(text);
    expect(await inputHistory(home, "/ws").load()).toEqual(["two\nlines\t中文 😀", "!ls", "one"]);
    expect(await inputHistory(home, "/other").load()).toEqual([]);
    expect(statSync(fileIn(home)).mode & 0o777).toBe(0o600);
    expect(statSync(join(home, "history")).mode & 0o777).toBe(0o700);
  });

  test("[SU-3] survive a line that somebody was killed in, and lines of something else", async () => {
    const home = newHome();
    const history = inputHistory(home, "/ws");
    history.add("one");
    appendFileSync(fileIn(home), 'null\n42\n{"text":7}\n\0\0\n{"text":"to');
    history.add("two");
    expect(await history.load()).toEqual(["one", "two"]);
  });

  test("[SU-3] stay small: the newest thousand, within a megabyte, and none that is huge", async () => {
    const home = newHome();
    const history = inputHistory(home, "/ws");
    history.add("first");
    const lines = Array.from({ length: 3_000 }, (_, at) => `${JSON.stringify({ text: `input ${at}` })}\n`);
    appendFileSync(fileIn(home), lines.join(""));
    const all = await history.load();
    expect([all.length, all[0], all.at(-1)]).toEqual([1_000, "input 2000", "input 2999"]);
    expect(readFileSync(fileIn(home), "utf8").trim().split("\n")).toHaveLength(1_000);
    expect(statSync(fileIn(home)).mode & 0o777).toBe(0o600);
    history.add("x".repeat(70_000));
    expect((await history.load()).at(-1)).toBe("input 2999");
    for (let at = 0; at < 40; at++) history.add(`${at} ${"y".repeat(60_000)}`);
    expect((await history.load()).at(-1)?.slice(0, 3)).toBe("39 ");
    expect(statSync(fileIn(home)).size).toBeLessThan(2 ** 20);
    expect(readdirSync(join(home, "history"))).toHaveLength(1);
  });

  test("[SU-3] lose nothing when several write while another makes them smaller", async () => {
    const home = newHome();
    const script = join(home, "writer.ts");
    const module = join(import.meta.dir, "..", "..", "..", "src", "main", "terminal", "prompt-history.ts");
    writeFileSync(
      script,
      `import { inputHistory } from ${JSON.stringify(module)};
       const history = inputHistory(${JSON.stringify(home)}, "/ws");
       const [name] = process.argv.slice(2);
       for (let at = 0; at < 150; at++) {
         history.add(name + " " + at);
         if (name === "a" && at % 10 === 0) await history.load();
         await new Promise(setImmediate);
       }`,
    );
    const history = inputHistory(home, "/ws");
    history.add("0");
    // So much that every look finds it too large.
    const old = `${JSON.stringify({ text: "old" })}\n`.repeat(4_000);
    appendFileSync(fileIn(home), old);
    const writers = ["a", "b", "c"].map((name) => Bun.spawn([process.execPath, script, name], { stderr: "inherit" }));
    for (let at = 0; at < 10; at++) {
      appendFileSync(fileIn(home), old);
      await history.load();
    }
    expect(await Promise.all(writers.map(({ exited }) => exited))).toEqual([0, 0, 0]);
    const found = new Set(await history.load());
    const want = ["a", "b", "c"].flatMap((name) => Array.from({ length: 150 }, (_, at) => `${name} ${at}`));
    expect(want.filter((text) => !found.has(text))).toEqual([]);
  });

  test("[SU-3] are not written through a link, and a home that cannot be written costs nothing", async () => {
    const home = newHome();
    inputHistory(home, "/ws").add("one");
    const file = fileIn(home);
    const target = join(home, "target");
    writeFileSync(target, '{"text":"planted"}\n');
    rmSync(file);
    symlinkSync(target, file);
    const history = inputHistory(home, "/ws");
    history.add("two");
    expect(await history.load()).toEqual([]);
    expect(readFileSync(target, "utf8")).toBe('{"text":"planted"}\n');
    writeFileSync(join(home, "file"), "");
    const nowhere = inputHistory(join(home, "file"), "/ws");
    nowhere.add("one");
    expect(await nowhere.load()).toEqual([]);
  });
});

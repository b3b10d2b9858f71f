// The person that the other tests sit down at the terminal: would they see and send what a real one does?
import { expect, test } from "bun:test";
import { tmpdir } from "node:os";
import { expectFrame } from "../../support/frames.ts";
import { Person, type Sitting } from "../../support/pty.ts";
import { until } from "../../support/until.ts";
import { Emulator } from "./emulator.ts";

/** A program that writes `first` and then, as hexadecimal numbers, whatever it is sent. */
function echo(first: string, more: Partial<Sitting> = {}): Person {
  const code = `process.stdin.setRawMode(true);
    process.stdin.on("data", (data) => process.stdout.write("<" + data.toString("hex") + ">"));
    process.stdout.on("resize", () => process.stdout.write("[" + process.stdout.columns + "x" + process.stdout.rows + "]"));
    process.stdout.write(${JSON.stringify(`${first}ready`)});`;
  return new Person({ argv: [process.execPath, "-e", code], cwd: tmpdir(), ...more });
}

const hex = (text: string): string => Buffer.from(text).toString("hex");

async function sent(person: Person, key: string): Promise<string> {
  await person.waitFor("ready");
  person.press(key);
  person.type("#");
  await person.waitFor(() =>
    person
      .scrollback()
      .join("")
      .includes(`${hex("#")}>`),
  );
  const all = [
    ...person
      .scrollback()
      .join("")
      .matchAll(/<([0-9a-f]+)>/g),
  ]
    .map(([, bytes]) => bytes)
    .join("");
  return Buffer.from(all, "hex").toString().slice(0, -1);
}

test("keys are sent as the terminal has them, in the form that the program asked for", async () => {
  const forms = [
    { keyboard: "plain", first: "\x1b[>4;2m\x1b[>1u", want: ["\x03", "\x1b", "\x1b[Z", "\x1b\r", "\r"] },
    {
      keyboard: "xterm",
      first: "\x1b[>4;2m",
      want: ["\x1b[27;5;99~", "\x1b", "\x1b[27;2;9~", "\x1b[27;3;13~", "\x1b[27;2;13~"],
    },
    {
      keyboard: "kitty",
      first: "\x1b[>1u",
      want: ["\x1b[99;5u", "\x1b[27u", "\x1b[9;2u", "\x1b[13;3u", "\x1b[13;2u"],
    },
  ] as const;
  for (const { keyboard, first, want } of forms) {
    await using person = echo(first, { keyboard });
    const keys = ["ctrl+c", "escape", "shift+tab", "alt+enter", "shift+enter"];
    await person.waitFor("ready");
    person.press(...keys);
    expect(await sent(person, "up")).toBe(`${want.join("")}\x1b[A`);
  }
});

test("what a program asks of its terminal is answered, in the order of the questions", async () => {
  const questions = "\x1b[>7u\x1b[?u\x1b[5n\x1b[6n\x1b]11;?\x07\x1b[c";
  await using person = echo(questions, { keyboard: "kitty", background: "dark" });
  await person.waitFor(() =>
    person
      .scrollback()
      .join("")
      .includes(`${hex("c")}>`),
  );
  const told = await sent(person, "x");
  expect(told).toBe("\x1b[?7u\x1b[0n\x1b[1;1R\x1b]11;rgb:1e1e/1e1e/1e1e\x1b\\\x1b[?1;2cx");
});

test("a paste is marked as one where the program wants that, and its lines end as the Enter key does", async () => {
  await using marking = echo("\x1b[?2004h");
  await marking.waitFor("ready");
  marking.paste("a\nb\r\nc");
  expect(await sent(marking, "x")).toBe("\x1b[200~a\rb\rc\x1b[201~x");
  await using plain = echo("");
  await plain.waitFor("ready");
  plain.paste("a\nb");
  expect(await sent(plain, "x")).toBe("a\rbx");
});

test("a new size reaches the program and the screen", async () => {
  await using person = echo("", { columns: 40, rows: 10 });
  await person.waitFor("ready");
  await person.resize(50, 12);
  await person.waitFor("[50x12]");
  expect(person.rows().length).toBe(12);
});

test("nobody looks into a frame that is not finished, and a wait that is in vain says what was on the screen", async () => {
  await using person = echo("\x1b[?2026hhalf");
  await until("it reads keys", () => person.screen().includes("ready"));
  let isSeen = false;
  const seeing = person.waitFor("half").then(() => {
    isSeen = true;
  });
  person.type("#");
  await until("more is written", () => person.screen().includes(`<${hex("#")}>`));
  expect(isSeen).toBe(false);
  person.kill("SIGTERM");
  expect(await person.exited).toBe(143);
  await expect(person.waitFor("other")).rejects.toThrow(/^the program ended: other\n─+\nhalf/);
  await seeing;
});

test("everything that was written before the end is there, colours, title and hidden cursor too", async () => {
  const code = `process.stdout.write("\\x1b]0;a title\\x07\\x1b[?25l" + "line\\n".repeat(5000) + "中\\x1b[1;31mred\\x1b[0m \\x1b[38;2;1;2;3mown");process.exit(3)`;
  await using person = new Person({ argv: [process.execPath, "-e", code], cwd: tmpdir(), rows: 5, records: true });
  expect(await person.exited).toBe(3);
  expect(person.scrollback()).toEqual([...Array<string>(5000).fill("line"), "中red own"]);
  expect([person.title(), person.cursor()]).toEqual(["a title", null]);
  const { colour, isBold } = person.styleOf("red");
  expect([colour, isBold, person.styleOf("own").colour]).toEqual([1, true, "#010203"]);
  const kept = person.recording.reduce((sum, { data }) => sum + (data as Uint8Array).length, 0);
  expect([kept, person.bytes > 25_000]).toEqual([person.bytes, true]);
});

test("signs are as wide as terminals of today draw them", async () => {
  const wide = {
    中: 2,
    é: 1,
    "e\u0301": 1,
    "😀": 2,
    "👍🏽": 2,
    "👨‍👩‍👧": 2,
    "🇨🇳": 2,
    "☎️": 2,
    "☎": 1,
    ｱ: 1,
    한: 2,
    "─": 1,
  };
  for (const [sign, width] of Object.entries(wide)) {
    const emulator = new Emulator(20, 3);
    emulator.write(`${sign}|`);
    await emulator.settled();
    expect([sign, emulator.picture().cursor?.column]).toEqual([sign, width + 1]);
    expect(emulator.screen()[0]).toBe(`${sign}|`);
  }
});

test("a frame that has changed is a failure that shows the difference, times and ids apart", async () => {
  const emulator = new Emulator(60, 4);
  emulator.write("coder 0.1.0 (0123456789ab)   session t6k3ab-x1y2z3\r\n✓ write a.txt       1234 ms\r\n> ");
  await expectFrame("example", emulator);
  const other = new Emulator(60, 4);
  other.write("coder 0.2.0         session t7k3ab-x1y2z4\r\n✓ write a.txt         5 ms\r\n> ");
  await expectFrame("example", other);
  other.write("more");
  await expect(expectFrame("example", other)).rejects.toThrow(/the frame example has changed[\s\S]*\n->\n\+> more\n/);
});

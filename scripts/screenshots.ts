// npm run screenshots: the pictures and the recording of the README, made from a run of the built program.
import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { builtBinary } from "../test/support/binary.ts";
import type { Person } from "../test/support/pty.ts";
import { castOf } from "./frames/cast.ts";
import { pngOf } from "./frames/png.ts";
import { fix, Shop, wish } from "./frames/shop.ts";

const root = join(import.meta.dir, "..");
const folder = join(root, "docs", "images");
const size = { columns: 96, rows: 30 };
/** A page that shows them must not be slow. */
const mostBytes = 300 * 1024;

async function main(): Promise<void> {
  mkdirSync(folder, { recursive: true });
  using shop = new Shop();
  await using person = shop.open(builtBinary(), { ...size, records: true });
  await person.waitFor("openai-chat/any-model");
  for (const letter of wish) {
    person.type(letter);
    // At the speed of a person: a recording in which all is there at once shows nothing.
    await Bun.sleep(35);
  }
  await person.waitFor(wish.slice(-20));
  person.press("enter");
  await person.waitFor(/\b1 Yes\b/);
  await person.waitFor(fix);
  await save("approval.png", await picture(person));
  // In the recording, long enough to be read.
  await Bun.sleep(1_500);
  person.press("y");
  await person.waitFor(/\bVERIFIED\b/);
  await person.waitFor(() => person.cursor() !== null);
  await save("outcome.png", await picture(person));
  await Bun.sleep(1_000);
  const title = "coder mends a small shop";
  await save("demo.cast", castOf(person.recording, { ...size, title, command: "coder" }));
}

async function picture(person: Person): Promise<Uint8Array> {
  const png = await pngOf({ ...person.emulator.picture(), title: person.title() || "coder" });
  if (png.length > mostBytes) throw new Error(`a picture has ${png.length} bytes; at most ${mostBytes} are wanted`);
  return png;
}

async function save(name: string, content: Uint8Array | string): Promise<void> {
  const path = join(folder, name);
  writeFileSync(path, content);
  process.stdout.write(`${relative(root, path)}  ${(statSync(path).size / 1024).toFixed(0)} KiB\n`);
}

await main();

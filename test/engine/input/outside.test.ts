import { expect, test } from "bun:test";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Bench } from "../../support/engine.ts";

const usage = { input: 10, output: 5 };
const said = (bench: Bench): string => JSON.stringify(bench.server.requests.at(-1)?.body.messages);

test("[IN-7] [PO-4] a file outside is attached only if it was let, for this input alone, and what else forbids it still does", async () => {
  await using bench = new Bench([{ text: "Seen.", usage }]);
  const notes = join(bench.root, "notes.txt");
  writeFileSync(notes, "content of the notes\n");
  mkdirSync(join(bench.root, ".ssh"));
  const secret = join(bench.root, ".ssh", "id_rsa");
  writeFileSync(secret, "not really a key\n");
  const denied = join(bench.root, "denied.txt");
  writeFileSync(denied, "denied\n");
  bench.file("inside.txt", "inside\n");
  symlinkSync(secret, join(bench.workspace, "link.txt"));
  const seat = bench.open({ deny: [`read(${denied})`] }, { interactive: true });
  const { engine } = seat;
  const text = `look at @${notes} and @${secret} and @${denied} and @inside.txt and @link.txt and @/nowhere/at/all`;
  expect((await engine.outsideMentions(text)).map(({ real }) => real)).toEqual([notes]);
  await seat.run(text);
  expect(said(bench)).not.toContain("content of the notes");
  await engine.runInput(text, { outside: [notes, secret, denied] });
  await engine.idle();
  expect(said(bench)).toContain("content of the notes");
  expect(said(bench)).not.toContain("not really a key");
  expect(seat.last("input.admitted").attachments?.map(({ name }) => name)).toEqual([notes, "inside.txt"]);
  await seat.run(`and again @${notes}`);
  expect(seat.last("input.admitted").attachments ?? []).toEqual([]);
});

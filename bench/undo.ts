// What /undo and /redo of 100 files take, from the input until the session is idle again, with the log and the disk in it.
import { mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { settingsFrom, setUp } from "../src/main/setup/setup.ts";

const files = 100;

/** Milliseconds of each. */
export async function timeUndo(scratch: string, rounds: number): Promise<readonly number[]> {
  const cwd = realpathSync(mkdtempSync(join(scratch, "undo-")));
  for (let at = 0; at < files; at++) writeFileSync(join(cwd, `f${at}.txt`), `old ${at}\n`.repeat(40));
  const before = process.env.CODER_HOME;
  process.env.CODER_HOME = mkdtempSync(join(scratch, "home-"));
  const flags = { cwd, mode: "yolo", model: "openai-chat/mock", baseUrl: "http://127.0.0.1:9" } as const;
  const { engine, store } = setUp(settingsFrom(flags, true), flags, () => false);
  try {
    const run = async (text: string): Promise<number> => {
      const started = performance.now();
      await engine.runInput(text);
      await engine.idle();
      return performance.now() - started;
    };
    await run(`!for n in $(seq 0 ${files - 1}); do printf 'new %s\\n' $n $n $n $n > f$n.txt; done`);
    const times: number[] = [];
    for (let round = 0; round < rounds; round++) times.push(await run("/undo"), await run("/redo"));
    return times;
  } finally {
    await engine.close();
    store.close();
    if (before === undefined) delete process.env.CODER_HOME;
    else process.env.CODER_HOME = before;
  }
}

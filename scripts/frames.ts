// npm run frames -- DIR: every frame that the tests compare, as a PNG, so that a person can look at them.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Picture } from "../test/surface/tui/emulator.ts";
import { pngOf } from "./frames/png.ts";

const root = join(import.meta.dir, "..");

async function main([into, ...filters]: readonly string[]): Promise<number> {
  if (into === undefined) {
    process.stderr.write("usage: npm run frames -- DIR [FILTER…]\n");
    return 2;
  }
  const folder = resolve(process.env.INIT_CWD ?? process.cwd(), into);
  const kept = mkdtempSync(join(tmpdir(), "coder-frames-"));
  try {
    const which = filters.length > 0 ? filters : ["./test/surface/tui"];
    const argv = [process.execPath, "test", "--no-env-file", "--config=/dev/null", "--timeout=60000", ...which];
    const tests = Bun.spawnSync(argv, { cwd: root, env: { ...process.env, FRAMES_DIR: kept }, stderr: "pipe" });
    // Frames of tests that fail are the ones worth looking at.
    if (tests.exitCode !== 0)
      process.stderr.write(`${tests.stderr}\nSome tests failed; their frames are painted too.\n`);
    await mkdir(folder, { recursive: true });
    const names = readdirSync(kept).sort();
    for (const name of names) {
      const picture = JSON.parse(readFileSync(join(kept, name), "utf8")) as Picture;
      const path = join(folder, name.replace(/\.json$/, ".png"));
      writeFileSync(path, await pngOf(picture));
      process.stdout.write(`${path}\n`);
    }
    return names.length > 0 ? 0 : 1;
  } finally {
    rmSync(kept, { recursive: true, force: true });
  }
}

process.exit(await main(process.argv.slice(2)));

import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { builtBinary, fromSource } from "./support/binary.ts";

const folder = mkdtempSync(join(tmpdir(), "coder-hostile-"));
const traces = mkdtempSync(join(tmpdir(), "coder-traces-"));
const marker = join(folder, "marker");

beforeAll(() => {
  writeFileSync(join(folder, "evil.ts"), `require("node:fs").writeFileSync(${JSON.stringify(marker)}, "ran");`);
  writeFileSync(join(folder, "bunfig.toml"), 'preload = ["./evil.ts"]\n');
  writeFileSync(join(folder, ".env"), "CODER_MODEL=evil/model\nCODER_HOSTILE_MARKER=loaded\n");
});

afterAll(() => {
  for (const path of [folder, traces]) rmSync(path, { recursive: true, force: true });
});

/** Runs the program in the hostile folder and watches which of its files it opens. */
function runThere(argv: readonly string[]) {
  rmSync(marker, { force: true });
  const trace = join(traces, "opens");
  const child = Bun.spawnSync(["strace", "-f", "-o", trace, "-e", "trace=open,openat,openat2", ...argv], {
    cwd: folder,
  });
  const opened = readFileSync(trace, "utf8").match(/(bunfig\.toml|\.env|evil\.ts)(?=")/g) ?? [];
  return {
    exitCode: child.exitCode,
    stdout: child.stdout.toString(),
    ranForeignCode: existsSync(marker),
    opened: [...new Set(opened)].sort(),
  };
}

const untouched = {
  exitCode: 0,
  stdout: expect.stringMatching(/^coder \d+\.\d+\.\d+ \([\w-]+\)\n$/),
  ranForeignCode: false,
  opened: [],
};

test("[PO-9] [SA-runtime-config] the built program ignores a bunfig.toml and a .env in the current folder", () => {
  expect(runThere([...builtBinary(), "--version"])).toEqual(untouched);
});

test("[PO-9] [SA-runtime-config] the program run from source ignores a bunfig.toml and a .env in the current folder", () => {
  expect(runThere([...fromSource, "--version"])).toEqual(untouched);
});

test("the trap is real: Bun without our flags runs the foreign code and reads both files", () => {
  const [bun = "", ...rest] = fromSource;
  const unprotected = [bun, ...rest.filter((word) => !word.startsWith("--")), "--version"];
  expect(runThere(unprotected)).toMatchObject({ ranForeignCode: true, opened: [".env", "bunfig.toml", "evil.ts"] });
});

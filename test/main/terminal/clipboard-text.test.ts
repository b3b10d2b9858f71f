import { afterAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { textCopy } from "../../../src/main/terminal/clipboard-text.ts";

const base = mkdtempSync(join(tmpdir(), "coder-clipboard-"));
afterAll(() => rmSync(base, { recursive: true, force: true }));

function folder(name: string, programs: Readonly<Record<string, string>>): string {
  const path = join(base, name);
  mkdirSync(path, { recursive: true });
  for (const [program, body] of Object.entries(programs))
    writeFileSync(join(path, program), `#!/bin/sh\n${body}\n`, { mode: 0o755 });
  return path;
}

test("[SU-3] a text goes to the first clipboard program that takes it, and to none of the workspace", async () => {
  const taken = join(base, "taken");
  const workspace = folder("workspace", { xclip: `echo workspace > ${taken}` });
  const machine = folder("machine", { "wl-copy": "exit 1", xclip: `exec /bin/cat > ${taken}` });
  const copy = (env: Readonly<Record<string, string>>, text: string) =>
    textCopy({ workspace, env: { PATH: `${workspace}:${machine}`, ...env }, platform: "linux" })(text);
  expect(await copy({ WAYLAND_DISPLAY: "w", DISPLAY: ":0" }, "多行\ntext")).toBe(true);
  expect(readFileSync(taken, "utf8")).toBe("多行\ntext");
  expect(await copy({ WAYLAND_DISPLAY: "w" }, "x")).toBe(false);
  expect(await copy({}, "x")).toBe(false);
});

import { afterAll, describe, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { imagePaste } from "../../../src/main/terminal/clipboard-image.ts";
import { jpeg, png } from "../../support/pictures.ts";

const base = mkdtempSync(join(tmpdir(), "coder-image-"));
afterAll(() => rmSync(base, { recursive: true, force: true }));
let count = 0;

/** A clipboard: programs that print this, in a folder of the PATH, and a workspace. */
function clipboard(programs: Readonly<Record<string, string>>, inside = false) {
  const home = join(base, String(++count));
  const workspace = join(home, "ws");
  const bin = join(inside ? workspace : home, "bin");
  mkdirSync(bin, { recursive: true });
  mkdirSync(workspace, { recursive: true });
  for (const [name, body] of Object.entries(programs)) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${body}\n`);
    chmodSync(join(bin, name), 0o755);
  }
  const env = { PATH: `${bin}:/usr/bin:/bin`, DISPLAY: ":0", WAYLAND_DISPLAY: "wayland-0" };
  return { workspace, env, paste: imagePaste({ workspace, env, platform: "linux" }) };
}

function printing(bytes: Buffer): string {
  const file = join(base, `picture-${++count}`);
  writeFileSync(file, bytes);
  return `cat ${file}`;
}

describe("an image from the clipboard", () => {
  test("[SU-3] becomes a private file of the workspace, numbered, with the ending of what it is", async () => {
    const picture = png(3, 4);
    const { workspace, paste } = clipboard({ "wl-paste": printing(picture) });
    expect(await paste()).toBe(".coder/pasted/1.png");
    expect(await paste()).toBe(".coder/pasted/2.png");
    expect(readFileSync(join(workspace, ".coder/pasted/1.png")).equals(picture)).toBe(true);
    expect(statSync(join(workspace, ".coder/pasted/1.png")).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(workspace, ".coder/pasted/.gitignore"), "utf8")).toBe("*\n");
    const other = clipboard({ "wl-paste": "exit 1", xclip: `test "$4" = image/png && ${printing(jpeg(2, 2))}` });
    expect(await other.paste()).toBe(".coder/pasted/1.jpg");
  });

  test("[SU-3] of a Mac comes as digits where there is no other program", async () => {
    const { workspace, env } = clipboard({
      osascript: `printf '«data PNGf${png(2, 2).toString("hex").toUpperCase()}»\\n'`,
    });
    expect(await imagePaste({ workspace, env, platform: "darwin" })()).toBe(".coder/pasted/1.png");
  });

  test("[SU-3] that is none, damaged, too large or too slow is none, and nothing is written", async () => {
    const bodies = [
      "exit 1",
      "echo just text",
      printing(png(2, 2).subarray(0, 40)),
      "head -c 30000000 /dev/zero",
      "sleep 4 & sleep 4",
    ];
    for (const body of bodies) {
      const { workspace, paste } = clipboard({ "wl-paste": body });
      expect([body, await paste()]).toEqual([body, null]);
      expect(existsSync(join(workspace, ".coder"))).toBe(false);
    }
  });

  test("[SU-3] [PO-9] is not asked of a program that the workspace brings along, and not written through a link", async () => {
    const inside = clipboard({ "wl-paste": printing(png(2, 2)) }, true);
    expect(await inside.paste()).toBeNull();
    const { workspace, paste } = clipboard({ "wl-paste": printing(png(2, 2)) });
    const elsewhere = join(base, "elsewhere");
    mkdirSync(elsewhere);
    mkdirSync(join(workspace, ".coder"));
    symlinkSync(elsewhere, join(workspace, ".coder/pasted"));
    expect(await paste()).toBeNull();
    expect(existsSync(join(elsewhere, "1.png"))).toBe(false);
  });
});

import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { removeLeftovers } from "../../src/store/leftovers.ts";
import { other, sid, useFolder } from "./sample.ts";

const folder = useFolder();
const workspace = (): string => join(folder(), "ws");

function make(...paths: readonly string[]): void {
  for (const path of paths) {
    mkdirSync(join(workspace(), path, ".."), { recursive: true });
    writeFileSync(join(workspace(), path), path);
  }
}

describe("what a removed session leaves in its workspace", () => {
  test("its snapshot and its spilled outputs go, and nothing else", () => {
    const mine = [`.coder/sessions/${sid}.json`, `.coder/output/${sid}_r1_1_1.txt`, `.coder/output/${sid}_r2_1_1.txt`];
    const stay = [
      `.coder/sessions/${other}.json`,
      `.coder/output/${other}_r1_1_1.txt`,
      `.coder/output/${sid}0_r1_1_1.txt`,
      `.coder/exports/${sid}.md`,
      ".coder/config.json",
      `${sid}.json`,
    ];
    make(...mine, ...stay);
    expect(removeLeftovers(workspace(), sid, true)).toEqual(mine.map((path) => join(workspace(), path)));
    expect(mine.filter((path) => existsSync(join(workspace(), path)))).toEqual([]);
    expect(stay.filter((path) => !existsSync(join(workspace(), path)))).toEqual([]);
  });

  test("its outputs stay while a copy may still page through them", () => {
    make(`.coder/sessions/${sid}.json`, `.coder/output/${sid}_r1_1_1.txt`);
    expect(removeLeftovers(workspace(), sid, false)).toEqual([join(workspace(), `.coder/sessions/${sid}.json`)]);
    expect(readdirSync(join(workspace(), ".coder/output"))).toEqual([`${sid}_r1_1_1.txt`]);
  });

  test("a link in place of a file or of any folder on the way is neither followed nor removed", () => {
    const outside = join(folder(), "outside");
    mkdirSync(outside);
    const precious = join(outside, `${sid}.json`);
    writeFileSync(precious, "precious");
    make(".coder/sessions/x");
    symlinkSync(precious, join(workspace(), `.coder/sessions/${sid}.json`));
    symlinkSync(outside, join(workspace(), ".coder/output"));
    writeFileSync(join(outside, `${sid}_r1_1_1.txt`), "precious too");
    expect(removeLeftovers(workspace(), sid, true)).toEqual([]);
    expect(readFileSync(precious, "utf8")).toBe("precious");
    const second = join(folder(), "second");
    mkdirSync(join(outside, "sessions"));
    writeFileSync(join(outside, "sessions", `${sid}.json`), "precious");
    mkdirSync(second);
    symlinkSync(outside, join(second, ".coder"));
    expect(removeLeftovers(second, sid, true)).toEqual([]);
    expect(readdirSync(join(outside, "sessions"))).toEqual([`${sid}.json`]);
  });

  test("a folder under its name stays; a workspace that is gone, and an id that is none, remove nothing", () => {
    mkdirSync(join(workspace(), `.coder/sessions/${sid}.json`), { recursive: true });
    expect(removeLeftovers(workspace(), sid, true)).toEqual([]);
    expect(removeLeftovers(join(folder(), "gone"), sid, true)).toEqual([]);
    make("secret.json");
    expect(removeLeftovers(workspace(), "../../secret", true)).toEqual([]);
    expect(existsSync(join(workspace(), "secret.json"))).toBe(true);
  });
});

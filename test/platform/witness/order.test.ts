import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { type Talk, whoseOf } from "../../support/forced-witness.ts";
import { besideTmp } from "../../support/places.ts";

const folder = mkdtempSync(join(besideTmp, "coder-order-"));
const workspace = join(folder, "ws");
const path = (name: string): string => join(workspace, name);
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeEach(() => {
  rmSync(workspace, { recursive: true, force: true });
  mkdirSync(path("src"), { recursive: true });
  for (const name of ["src/f", "src/g"]) writeFileSync(path(name), `${name}\n`);
  for (const name of ["mine", "theirs"]) writeFileSync(join(folder, name), `${name}\n`);
});

interface Scene {
  readonly program: string;
  readonly deed?: string;
  /** While the call waits for its answer; when it was answered. */
  readonly held?: () => void;
  readonly answered?: (talk: Talk) => void;
  readonly atEnd?: () => void;
  readonly whose: Readonly<Record<string, string>>;
}

let fd = -1;

const scenes: Readonly<Record<string, Scene>> = {
  "nobody else does anything, and all is the command's": {
    program: `
      a = open("src/f", "a"); b = open("src/f", "a")
      a.write("a"); b.write("b"); a.close(); b.close()
      c = open("src/new", "a"); d = open("src/new", "a")
      c.write("c"); d.write("d"); c.close(); d.close()
      rewrite("src/g", "more"); rewrite("src/g", "more")
      h = open("src/g", "a"); rewrite("src/g", "more"); h.close()
      os.rename("../theirs", "src/h"); rewrite("src/h", "more")`,
    whose: { "src/f": "ours", "src/g": "ours", "src/h": "ours", "src/new": "ours" },
  },
  "somebody else has written to a file, and closes it when all was looked at": {
    program: `open("src/f", "a").write("ours")`,
    deed: "open",
    held: () => {
      fd = openSync(path("src/f"), "a");
      writeSync(fd, "mine");
    },
    atEnd: () => closeSync(fd),
    whose: { "src/f": "shared" },
  },
};

const rewrite = `
def rewrite(name, more):
    text = open(name).read()
    with open("src/sed", "w") as out: out.write(text + more)
    os.rename("src/sed", name)
`;

describe("[RB-2] while a command runs, in this very order:", () => {
  for (const [name, { program, deed, held, answered, atEnd, whose }] of Object.entries(scenes)) {
    test(name, async () => {
      fd = -1;
      const lines = `${rewrite}${program.replaceAll(/^ {6}/gm, "")}`;
      const found = await whoseOf(
        workspace,
        lines,
        (one, stage, talk) => {
          if (one === deed) (stage === "held" ? held : answered)?.(talk);
        },
        atEnd,
      );
      expect(found).toEqual(whose);
    });
  }
});

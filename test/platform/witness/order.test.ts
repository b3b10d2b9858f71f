import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import {
  appendFileSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
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

/** From where nobody watches. */
const save = (name: string): void => renameSync(join(folder, "mine"), path(name));

interface Scene {
  readonly program: string;
  readonly deed?: string;
  /** While the call waits for its answer; when it was answered. */
  readonly held?: () => void;
  readonly answered?: (talk: Talk) => void;
  readonly atEnd?: () => void;
  readonly whose: Readonly<Record<string, string>>;
  readonly from?: Readonly<Record<string, string>>;
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
  "somebody else replaces a file right after the command has": {
    program: `
      rewrite("src/f", "ours")
      say("m")`,
    deed: "move",
    // The kernel joins two messages that follow each other and say the same: "something was moved to src/f".
    answered: ({ hear }) => {
      hear();
      save("src/f");
    },
    whose: { "src/f": "shared" },
  },
  "and the command then writes to it": {
    program: `
      rewrite("src/f", "ours")
      say("m"); hear()
      open("src/f", "a").write("more")`,
    deed: "move",
    answered: ({ hear, say }) => {
      hear();
      save("src/f");
      say("m");
    },
    whose: { "src/f": "shared" },
  },
  "and the command then replaces it again": {
    program: `
      rewrite("src/f", "ours")
      say("m"); hear()
      rewrite("src/f", "more")
      say("m"); hear()`,
    deed: "move",
    answered: ({ hear, say }) => {
      hear();
      if (fd === -1) save("src/f");
      fd = 0;
      say("m");
    },
    whose: { "src/f": "shared" },
  },
  "somebody else replaces a file right before the command does, from elsewhere": {
    program: `
      os.rename("../theirs", "src/f")
      say("m")`,
    deed: "move",
    held: () => save("src/f"),
    answered: ({ hear }) => hear(),
    whose: { "src/f": "shared" },
  },
  "both have a file open and close it one right after the other": {
    program: `
      out = open("src/f", "a")
      say("o"); hear()
      out.write("ours"); out.close()
      say("c")`,
    deed: "open",
    answered: ({ hear, say }) => {
      hear();
      fd = openSync(path("src/f"), "a");
      writeSync(fd, "mine");
      say("o");
      hear();
      closeSync(fd);
    },
    whose: { "src/f": "shared" },
  },
  "somebody else writes to a new file of which the command still holds the old one open": {
    program: `
      old = open("src/f", "a")
      rewrite("src/f", "ours")
      other = open("src/g", "a")
      os.unlink("src/g")
      open("src/g", "w").write("ours")
      os.mkdir("src/reached")
      old.close(); other.close()`,
    deed: "make",
    held: () => {
      for (const name of ["src/f", "src/g"]) appendFileSync(path(name), "mine");
    },
    whose: { "src/f": "shared", "src/g": "shared", "src/reached": "ours" },
  },
  "what somebody else saved is moved by the command and then rewritten": {
    program: `
      os.mkdir("src/reached")
      os.rename("src/g", "src/f")
      rewrite("src/f", "ours")`,
    deed: "make",
    held: () => save("src/g"),
    whose: { "src/f": "shared", "src/g": "ours", "src/reached": "ours" },
  },
  "what both had saved is moved by the command and then rewritten": {
    program: `
      rewrite("src/g", "ours")
      os.mkdir("src/reached")
      os.rename("src/g", "src/f")
      rewrite("src/f", "ours")`,
    deed: "make",
    held: () => save("src/g"),
    whose: { "src/f": "shared", "src/g": "shared", "src/reached": "ours" },
  },
  "what both had written is moved aside by the command, made anew from there, and removed": {
    program: `
      open("src/f", "a").write("ours")
      os.mkdir("src/reached")
      os.rename("src/f", "src/old")
      open("src/f", "w").write(open("src/old").read())
      os.unlink("src/old")`,
    deed: "make",
    held: () => appendFileSync(path("src/f"), "mine"),
    whose: { "src/f": "shared", "src/reached": "ours" },
  },
  "somebody else takes away what the command was about to move, and saves the file it was for": {
    program: `
      open("src/t", "w").write("ours")
      try: os.rename("src/t", "src/f")
      except FileNotFoundError: pass`,
    deed: "move",
    held: () => {
      renameSync(path("src/t"), path("src/taken"));
      save("src/f");
    },
    whose: { "src/f": "shared", "src/taken": "others" },
  },
  "somebody else moves a file that the command was about to move": {
    program: `
      try: os.rename("src/f", "src/h")
      except FileNotFoundError: pass`,
    deed: "move",
    held: () => renameSync(path("src/f"), path("src/taken")),
    whose: { "src/f": "shared", "src/taken": "others" },
  },
  "somebody else moves a folder that the command was about to move": {
    program: `
      try: os.rename("src", "moved")
      except FileNotFoundError: pass`,
    deed: "move",
    held: () => renameSync(path("src"), path("taken")),
    whose: { src: "shared", "src/f": "others", "src/g": "others", "taken/f": "others", "taken/g": "others" },
  },
  "somebody else makes a file where the command has moved one away, which the command then rewrites": {
    program: `
      os.rename("src/f", "src/h")
      os.mkdir("src/reached")
      rewrite("src/f", "ours")`,
    deed: "make",
    held: () => writeFileSync(path("src/f"), "mine"),
    whose: { "src/f": "shared", "src/h": "ours", "src/reached": "ours" },
    from: { "src/h": "src/f" },
  },
  "somebody else makes files where the command has moved rewritten ones away, and a folder": {
    program: `
      rewrite("src/f", "ours")
      os.rename("src/f", "f")
      os.rename("src", "moved")
      os.rename("moved/g", "moved/sed")
      os.rename("moved/sed", "moved/g")
      os.mkdir("reached")`,
    deed: "make",
    held: () => {
      mkdirSync(path("src"));
      for (const name of ["src/f", "src/g"]) writeFileSync(path(name), "mine");
    },
    whose: { "src/f": "shared", "src/g": "shared", f: "ours", moved: "ours", "moved/g": "ours", reached: "ours" },
    from: { f: "src/f", "moved/g": "src/g" },
  },
  "the command fails to open a file that somebody else then writes to": {
    program: `
      import resource
      taken = [os.open("src/g", os.O_RDONLY) for _ in range(3)]
      resource.setrlimit(resource.RLIMIT_NOFILE, (taken[-1] + 1, taken[-1] + 1))
      try: open("src/f", "a")
      except OSError: pass
      os.mkdir("src/reached")`,
    deed: "make",
    held: () => appendFileSync(path("src/f"), "mine"),
    whose: { "src/f": "shared", "src/reached": "ours" },
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
  for (const [name, { program, deed, held, answered, atEnd, whose, from = {} }] of Object.entries(scenes)) {
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
      expect(found).toEqual({ whose, from });
    });
  }
});

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { allCommands } from "../../../../src/command/all.ts";
import { mentionsIn } from "../../../../src/context/mentions.ts";
import { until } from "../../../support/until.ts";
import { key, Typist } from "../typist.ts";

/** The menu alone. */
const offered = (at: Typist, width = 80): readonly string[] => at.seen(width, 20).split("\n").slice(2);

describe("commands", () => {
  test("[IN-6] a slash at the beginning offers every command with what it takes and does; letters narrow it", async () => {
    const at = new Typist();
    await at.type("/");
    expect(offered(at)[0]).toBe("› /help                             show this help");
    expect(offered(at)[5]).toBe("  /verify [command]                 run the project's tests now");
    expect(offered(at).at(-1)).toBe(`  1/${allCommands.length}`);
    await at.type("verif");
    expect(offered(at)).toEqual(["› /verify [command]  run the project's tests now"]);
    expect(at.prompt.isMenuOpen).toBe(true);
  });

  test("[IN-6] a slash that is no command opens nothing", async () => {
    const at = new Typist();
    await at.type("see /");
    expect(at.prompt.isMenuOpen).toBe(false);
    await at.type(key.ctrlU, "/etc/hosts");
    expect(at.prompt.isMenuOpen).toBe(false);
    await at.type(key.ctrlU, "one", "\n", "/");
    expect(at.prompt.isMenuOpen).toBe(false);
  });

  test("[IN-6] Enter sends a command that takes nothing, and completes one that takes something", async () => {
    const at = new Typist();
    await at.type("/stat", key.enter);
    expect(at.sent).toEqual([["/status", "steer"]]);
    await at.type("/mod", key.down, key.enter);
    expect(at.seen().split("\n")[1]).toBe("> /model ▏[provider/name] [--effort LEVEL]");
    expect(at.prompt.text).toBe("/model ");
    await at.type(key.enter);
    expect(at.sent.at(-1)).toEqual(["/model ", "steer"]);
    // With more lines it is no command alone.
    await at.type("/statx", "\n", "b", key.up, "\x1b[F", key.back, key.enter);
    expect([at.prompt.text, at.sent.length]).toEqual(["/status\nb", 2]);
    at.prompt.clear();
    // Who has typed all of its name wants it now.
    await at.type("/model", key.enter);
    expect(at.sent.at(-1)).toEqual(["/model", "steer"]);
  });

  test("[IN-6] Tab completes and sends nothing; Esc closes until Tab or another word", async () => {
    const at = new Typist();
    await at.type("/stat", key.tab);
    expect([at.prompt.text, at.sent]).toEqual(["/status", []]);
    await at.type(key.ctrlU, "/mo", key.esc);
    expect([at.prompt.text, at.prompt.isMenuOpen]).toEqual(["/mo", false]);
    await at.type("d", key.tab, key.esc);
    expect([at.prompt.text, at.prompt.isMenuOpen]).toEqual(["/mod", false]);
    await at.type(key.tab);
    expect(at.prompt.isMenuOpen).toBe(true);
    await at.type(key.esc, key.enter);
    expect(at.sent).toEqual([["/mod", "steer"]]);
    await at.type("/");
    expect(at.prompt.isMenuOpen).toBe(true);
  });

  test("[IN-6] arguments are offered where they are known, and none is taken that nobody chose", async () => {
    const modes = ["plan", "default", "yolo"].map((value) => ({ value, label: value, about: `${value} mode` }));
    const at = new Typist({ arguments: async (command) => (command === "mode" ? modes : []) });
    await at.type("/mode ");
    expect(offered(at)).toEqual(["  plan     plan mode", "  default  default mode", "  yolo     yolo mode"]);
    await at.type(key.enter);
    expect(at.sent).toEqual([["/mode ", "steer"]]);
    await at.type("/mode yo", key.enter);
    expect([at.prompt.text, at.sent.length]).toEqual(["/mode yolo", 1]);
    await at.type(key.enter);
    expect(at.sent[1]).toEqual(["/mode yolo", "steer"]);
    await at.type("/mode ", key.down, key.down, key.tab);
    expect(at.prompt.text).toBe("/mode default");
    await at.type(key.ctrlU, "/compact ");
    expect(at.prompt.isMenuOpen).toBe(false);
  });

  test("[IN-6] [SU-3] the menu fits 40 columns and what room there is, in Chinese too", async () => {
    const at = new Typist({ lang: "zh" });
    await at.type("/un");
    const lines = at.seen(40, 9).split("\n");
    expect(lines.slice(0, 3)).toEqual([
      "─".repeat(40),
      "> /un▏",
      expect.stringMatching(/^› \/undo \[n\] \[--un… {2,}\S.*$/),
    ]);
    for (const line of lines) expect(Bun.stringWidth(line.replace("▏", ""))).toBeLessThanOrEqual(40);
    expect(at.seen(40, 2).split("\n")).toEqual(["─".repeat(40), "> /un▏"]);
  });
});

describe("paths", () => {
  const files = [
    "src/",
    "docs/",
    "README.md",
    "src/main.ts",
    "src/main/",
    "src/main/ask.ts",
    "src/my dir/",
    "docs/domain.md",
  ];
  const all = [...files, "src/my dir/b c.ts", "test/mains.ts", "@types/", "@types/x.ts"];

  test("[CX-1] an at-sign offers paths, those whose names begin so first", async () => {
    const at = new Typist({ files: all });
    await at.type("look at @main");
    expect(offered(at)).toEqual([
      ...["› src/main/", "  src/main.ts", "  test/mains.ts", "  docs/domain.md", "  src/main/ask.ts"],
    ]);
    await at.type(key.down, key.enter, "please", key.enter);
    expect(at.sent).toEqual([["look at @src/main.ts please", "steer"]]);
  });

  test("[CX-1] letters may be scattered, and names with blanks are quoted", async () => {
    const at = new Typist({ files: all });
    await at.type("请看@mdbc");
    expect(offered(at)).toEqual(["› src/my dir/b c.ts"]);
    await at.type(key.tab);
    expect(at.prompt.text).toBe('请看@"src/my dir/b c.ts" ');
  });

  test("[CX-1] a folder goes on inside of itself, within its quotes, until Enter sends it as it is", async () => {
    const at = new Typist({ files: all });
    await at.type("@my", key.tab);
    expect(at.seen().split("\n")[1]).toBe('> @"src/my dir/▏"');
    expect(offered(at)).toEqual(["› src/my dir/", "  src/my dir/b c.ts"]);
    await at.type(key.tab);
    expect(at.prompt.text).toBe('@"src/my dir/b c.ts" ');
    await at.type(key.ctrlU, "@docs/", key.enter);
    expect(at.sent).toEqual([["@docs/", "steer"]]);
    await at.type("@README.md", key.enter);
    expect(at.sent.at(-1)).toEqual(["@README.md", "steer"]);
  });

  test("[CX-1] addresses, packages and shell commands open nothing", async () => {
    const at = new Typist({ files: all });
    for (const text of ["me@main", "a/@main", "\\@main", "@@main", "!cat @main"]) {
      await at.type(text);
      expect([text, at.prompt.isMenuOpen]).toEqual([text, false]);
      await at.type(key.ctrlU);
    }
  });

  test("[CX-1] names that cannot be written or hide something are not offered", async () => {
    const at = new Typist({ files: ["bad\nname", "bad\x1b[2J", "bad\u202ename", "bad\tname", "bad good"] });
    await at.type("@bad");
    expect(offered(at)).toEqual(["› bad good"]);
  });

  test("[CX-1] in the middle of a word all of it is replaced, and the rest of the line stays", async () => {
    const at = new Typist({ files: all });
    await at.type("see @READ.md，好", ...Array.from({ length: 5 }, () => key.left), "M", key.tab);
    expect(at.prompt.text).toBe("see @README.md ，好");
  });

  test("[CX-1] whatever a path holds, what is completed is understood as that path", async () => {
    const unit = fc.constantFrom(
      "a",
      "b",
      " ",
      ".",
      "/",
      '"',
      "'",
      "\\",
      "@",
      "“",
      "，",
      "中",
      ":",
      "1",
      "#L2",
      "(",
      "$",
      "\u00a0",
      "😀",
    );
    await fc.assert(
      fc.asyncProperty(fc.string({ unit, minLength: 1, maxLength: 12 }), fc.boolean(), async (name, isFolder) => {
        // As a disk would list it.
        const path = name
          .split("/")
          .filter((part) => part.trim() !== "" && !/^\.+$/.test(part))
          .join("/");
        fc.pre(path !== "");
        const full = isFolder ? `${path}/` : path;
        const at = new Typist({ files: [full] });
        const kind = isFolder ? "folder" : "file";
        await at.type("see @");
        await at.type(key.tab);
        const found = mentionsIn(at.prompt.text, (one) => (one === full ? kind : "none"));
        expect(found.map((one) => [one.path, one.kind, one.start])).toEqual([[full, kind, 4]]);
      }),
      { numRuns: 300 },
    );
  });

  test("[CX-1] while one path is typed, the files are listed once", async () => {
    const at = new Typist({ files: ["old.ts"] });
    await at.type("@", "o", "l", key.back, "l", "d");
    expect([at.listings, offered(at)]).toEqual([1, ["› old.ts"]]);
  });

  test("[CX-1] among 50,000 the best is found however long it takes, and Enter waits for it", async () => {
    const many = Array.from({ length: 50_000 }, (_, n) => `src/part-${n % 100}/deep/module-${n}.ts`);
    const at = new Typist({ files: [...many, "src/prompt/frame.ts"] });
    await at.type("@");
    await until("listed", () => at.prompt.isMenuOpen);
    for (const letter of "prfrme") at.prompt.handle(letter);
    await at.type(key.enter);
    expect(at.prompt.text).toBe("@src/prompt/frame.ts ");
  });
});

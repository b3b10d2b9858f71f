import { describe, expect, test } from "bun:test";
import { key, Typist } from "../typist.ts";

describe("going through earlier inputs", () => {
  test("[SU-3] up and down at the edges go through them, each once, and end at what was being written", async () => {
    const at = new Typist({ past: ["one", "two", "one", "three"] });
    await at.type("draft", key.left, key.up);
    const seen = [at.prompt.text];
    for (let n = 0; n < 3; n++) {
      await at.type(key.up);
      seen.push(at.prompt.text);
    }
    expect(seen).toEqual(["three", "one", "two", "two"]);
    await at.type(key.down, key.down, key.down);
    expect(at.seen().split("\n")[1]).toBe("> draf▏t");
    await at.type(key.down, "!");
    expect(at.prompt.text).toBe("draft!");
  });

  test("[SU-3] within several lines up and down move, and at their edges they go on", async () => {
    const at = new Typist({ past: ["oldest", "a\nb", "newest"] });
    await at.type(key.up, key.up);
    expect(at.seen().split("\n").slice(1)).toEqual(["> ▏a", "  b"]);
    await at.type(key.down);
    expect(at.seen().split("\n").slice(1)).toEqual(["> a", "  ▏b"]);
    await at.type(key.up, key.up);
    expect(at.prompt.text).toBe("oldest");
  });

  test("[SU-3] what was being written is found again after an earlier input was changed and sent", async () => {
    const at = new Typist({ past: ["run the tests"] });
    await at.type("half a thought", key.up, " now", key.enter);
    expect(at.sent).toEqual([["run the tests now", "steer"]]);
    expect(at.kept).toEqual(["run the tests now"]);
    await at.type(key.up, key.up);
    expect(at.prompt.text).toBe("half a thought");
  });

  test("[SU-3] undo brings it back as well, and clearing loses nothing", async () => {
    const at = new Typist({ past: ["earlier"] });
    await at.type("thought", key.up, key.undo);
    expect(at.prompt.text).toBe("thought");
    await at.type(key.up);
    expect(at.prompt.text).toBe("earlier");
    await at.type(key.down);
    at.prompt.clear();
    expect(at.prompt.isEmpty).toBe(true);
    await at.type(key.up);
    expect(at.prompt.text).toBe("thought");
  });

  test("[SU-3] what was sent is the newest, kept for later runs, and shell commands are among it", async () => {
    const at = new Typist({ past: ["older", "same"] });
    await at.type("!ls", key.enter, "older", key.enter, key.up, key.up, key.up, key.up);
    expect(at.prompt.text).toBe("same");
    expect(at.kept).toEqual(["!ls", "older"]);
    at.prompt.rememberSent("/model x/y");
    expect(at.kept.at(-1)).toBe("/model x/y");
  });

  test("[SU-3] [SA-terminal-escapes] what a file of earlier inputs holds cannot draw", async () => {
    const at = new Typist({ past: ["a\x1b[2Jb\u{100000}"] });
    await at.type(key.up);
    expect(at.prompt.text).toBe("a\\u001b[2Jb\ufffd");
  });

  test("[SU-3] one that is too large to be edited is folded, and sent whole", async () => {
    const large = "x\n".repeat(3_000);
    const at = new Typist({ past: [large] });
    await at.type(key.up);
    expect(at.seen().split("\n")[1]).toBe("> [paste #1 +3000 lines]▏");
    await at.type(key.enter);
    expect(at.sent).toEqual([[large, "steer"]]);
  });
});

describe("searching", () => {
  const past = ["fix the login", "Fix the LOGOUT\nof both", "write docs", "!npm test"];

  test("[SU-3] Ctrl+R lists them, the newest first; words narrow the list; Enter takes one without sending it", async () => {
    const at = new Typist({ past });
    await at.type("draft", key.ctrlR);
    expect(at.seen()).toBe(
      [
        "─ history · type to search · Enter to use · Esc back ───────",
        "? ▏",
        "› !npm test",
        "  write docs",
        "  Fix the LOGOUT ↵ of both",
        "  fix the login",
      ].join("\n"),
    );
    await at.type("log fix");
    expect(at.seen().split("\n").slice(1)).toEqual(["? log fix▏", "› Fix the LOGOUT ↵ of both", "  fix the login"]);
    await at.type(key.ctrlR, key.enter);
    expect([at.prompt.text, at.sent, at.prompt.isMenuOpen]).toEqual(["fix the login", [], false]);
    await at.type(key.up);
    expect(at.prompt.text).toBe("draft");
  });

  test("[SU-3] Esc leads back to what was being written, and a search for nothing says so", async () => {
    const at = new Typist({ past });
    await at.type("draft", key.ctrlR, "zzz");
    expect(at.seen().split("\n").slice(1)).toEqual(["? zzz▏", "  no matches"]);
    expect(at.prompt.isMenuOpen).toBe(true);
    await at.type(key.back, key.back, key.back, key.esc);
    expect([at.prompt.text, at.prompt.isMenuOpen]).toEqual(["draft", false]);
  });

  test("[SU-3] a large paste is searched for by its mark, and comes back whole", async () => {
    const at = new Typist({ past });
    await at.type("about ");
    at.paste("line\n".repeat(40));
    await at.type(key.enter, key.ctrlR, "about", key.tab);
    expect(at.prompt.text).toBe(`about ${"line\n".repeat(40)}`);
  });

  test("[SU-3] a long question is shown by its end, and the cursor stays inside", async () => {
    const at = new Typist({ past });
    await at.type(key.ctrlR);
    at.paste("中".repeat(60));
    const { lines, cursor } = at.prompt.frame(40, 10);
    expect(cursor?.column).toBeLessThan(40);
    expect(lines.length).toBe(3);
  });
});

import { describe, expect, test } from "bun:test";
import { key, Typist } from "../typist.ts";

const log = Array.from({ length: 120 }, (_, at) => `line ${at}\tof a log`).join("\n");
const shown = (at: Typist): string => at.seen().split("\n").slice(1).join("\n");

describe("a large paste", () => {
  test("[IN-5] is one mark while it is written about, and is sent whole, tabs and line ends as they were", async () => {
    const at = new Typist();
    await at.type("why does ");
    at.paste(log.replaceAll("\n", "\r\n"));
    await at.type(" fail?");
    expect(shown(at)).toBe("> why does [paste #1 +120 lines] fail?▏");
    await at.type(key.enter);
    expect(at.sent).toEqual([[`why does ${log} fail?`, "steer"]]);
    expect(at.kept).toEqual([`why does ${log} fail?`]);
  });

  test("[SU-3] is folded from 11 lines or 1,001 characters on", () => {
    const pasted = (text: string): string => {
      const at = new Typist();
      at.paste(text);
      return at.seen(60, 60).split("\n")[1] ?? "";
    };
    expect(pasted("x\n".repeat(10))).toBe("> x");
    expect(pasted("x\n".repeat(11))).toBe("> [paste #1 +11 lines]▏");
    expect(pasted("x".repeat(1_000))).toStartWith("> xxxxx");
    expect(pasted("x".repeat(1_001))).toBe("> [paste #1 1001 characters]▏");
  });

  test("[SU-3] goes with one Backspace, comes back with undo, and is stepped over like a letter", async () => {
    const at = new Typist();
    at.paste(log);
    await at.type(key.back);
    expect(at.prompt.text).toBe("");
    await at.type(key.undo);
    expect(at.prompt.text).toBe(log);
    await at.type(key.left, "a", key.right, "b");
    expect(at.prompt.text).toBe(`a${log}b`);
  });

  test("[SU-3] survives killing and yanking, and a second one has its own number", async () => {
    const at = new Typist();
    at.paste(log);
    await at.type(key.ctrlU);
    expect(at.prompt.text).toBe("");
    await at.type("\x19");
    at.paste("y\n".repeat(30));
    expect(shown(at)).toBe("> [paste #1 +120 lines][paste #2 +30 lines]▏");
    expect(at.prompt.text).toBe(`${log}${"y\n".repeat(30)}`);
  });

  test("[SU-3] words that look like a mark are words", async () => {
    const at = new Typist();
    at.paste("a\n[paste #2 +30 lines]\n".repeat(6));
    at.paste("y\n".repeat(30));
    await at.type("[paste #1 +12 lines]\u{100000}", key.enter);
    expect(at.sent).toEqual([
      [`${"a\n[paste #2 +30 lines]\n".repeat(6)}${"y\n".repeat(30)}[paste #1 +12 lines]\ufffd`, "steer"],
    ]);
  });

  test("[SU-3] is folded again when it is recalled, or comes back from a cancel", async () => {
    const at = new Typist();
    const large = `${log}\n`.repeat(100);
    await at.type("see ");
    at.paste(large);
    await at.type(key.enter, key.up);
    expect(shown(at)).toBe("> see [paste #1 +12000 lines]▏");
    expect(at.prompt.text).toBe(`see ${large}`);
    at.prompt.setText("");
    at.prompt.setText(`see ${large}`.trim());
    expect(shown(at)).toBe("> see [paste #1 +12000 lines]▏");
    expect(at.prompt.text).toBe(`see ${large}`);
  });

  test("[SU-3] of one megabyte arrives in any pieces, with keys behind it", async () => {
    const at = new Typist();
    const megabyte = `${"0123456789".repeat(5)}\n`.repeat(20_000);
    const all = `\x1b[200~${megabyte}\x1b[201~ok`;
    for (const size of [4_096, 65_536, 997]) {
      for (let from = 0; from < all.length; from += size) at.prompt.handle(all.slice(from, from + size));
      await at.type(key.enter);
    }
    expect(at.sent).toEqual([
      [`${megabyte}ok`, "steer"],
      [`${megabyte}ok`, "steer"],
      [`${megabyte}ok`, "steer"],
    ]);
    at.prompt.handle("x\x1b[200~\ty\x1b[201~z");
    expect(at.prompt.text).toBe("x\tyz");
    at.prompt.clear();
    // The mark that ends it may be cut anywhere.
    for (let cut = 1; cut < 6; cut++) {
      at.prompt.handle("\x1b[200~a");
      at.prompt.handle(`b${"\x1b[201~".slice(0, cut)}`);
      at.prompt.handle("\x1b[201~".slice(cut));
    }
    expect(at.prompt.text).toBe("ababababab");
  });

  test("[SU-3] of too much in one session is forgotten, the oldest first, and never sent in part", async () => {
    const at = new Typist();
    for (const letter of ["a", "b", "c"]) {
      await at.type(letter);
      at.paste(`${letter.repeat(99)}\n`.repeat(60_000));
      await at.type(key.enter);
    }
    await at.type(key.up, key.up, key.up);
    expect(at.prompt.text).toBe(`b${`${"b".repeat(99)}\n`.repeat(60_000)}`);
  });
});

describe("what is pasted", () => {
  test("[SU-3] [SA-terminal-escapes] cannot draw or turn the text around, and what is seen is what is sent", async () => {
    const at = new Typist();
    at.paste("a\x1b[2J\x1b]0;x\x07b\u202ec\u200bd\u2028e\u{e0041}\rf");
    expect(at.seen(120)).toContain("> a\\u001b[2J\\u001b]0;x\\u0007b\\u202ec\\u200bd\\u2028e\\udb40\\udc41\n  f▏");
    await at.type(key.enter);
    expect(at.sent).toEqual([["a\\u001b[2J\\u001b]0;x\\u0007b\\u202ec\\u200bd\\u2028e\\udb40\\udc41\nf", "steer"]]);
  });

  test("[SU-3] sends nothing by itself, and opens no menu", () => {
    const at = new Typist({ files: ["a.ts"] });
    at.paste("/help\r\n@a\r");
    expect([at.sent, at.prompt.isMenuOpen, at.prompt.text]).toEqual([[], false, "/help\n@a\n"]);
  });

  test("[SU-3] has line ends and tabs where tmux writes them as keys", () => {
    const at = new Typist();
    at.paste("a\x1b[106;5ub\x1b[105;5uc\x1b[109;5ud");
    expect(at.prompt.text).toBe("a\nb\tc\nd");
  });

  test("[CX-1] becomes a mention when it is a picture that was dropped, and nothing else does", async () => {
    const pasted = (text: string): string => {
      const at = new Typist();
      at.paste(text);
      return at.prompt.text;
    };
    expect(pasted("/home/me/shot.png")).toBe("@/home/me/shot.png ");
    expect(pasted("'/home/me/my shot.PNG' ")).toBe('@"/home/me/my shot.PNG" ');
    expect(pasted("/home/me/my\\ shot\\(1\\).jpeg")).toBe('@"/home/me/my shot(1).jpeg" ');
    expect(pasted("file:///home/me/my%20shot.webp\r\n")).toBe('@"/home/me/my shot.webp" ');
    expect(pasted('"/home/it\'s.gif"')).toBe("@/home/it's.gif ");
    const at = new Typist();
    await at.type("see");
    at.paste("/a.png");
    expect(at.prompt.text).toBe("see @/a.png ");
    at.prompt.setText("!open ");
    at.paste("/a.png");
    expect(at.prompt.text).toBe("!open /a.png");
    const same = ["see /a.png", "https://host/a.png", "/home/me/a.txt", "a.png", "/a.png\n/b.png", "file:///%zz.png"];
    for (const text of same) expect(pasted(text)).toBe(text);
  });
});

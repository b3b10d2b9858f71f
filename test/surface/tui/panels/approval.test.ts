import { describe, expect, test } from "bun:test";
import { spelledOut } from "../../../../src/contract/show/visible.ts";
import { phrase } from "../../../../src/contract/text/catalogue.ts";
import { Asked, command } from "../asked.ts";
import { beforeCursor, DOWN, ENTER, ESC, paste, press, shown, type, UP } from "../frames.ts";

const long = Array.from({ length: 100 }, (_, at) => `echo ${at}`).join("\n");

describe("an approval", () => {
  test("[PO-6] shows the command, the tool, where it runs, every reason and what always would allow", () => {
    expect(shown(new Asked().panel, 60, 20)).toEqual([
      "┏━ Run this command? ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ bash ━",
      "┃ │ rm -rf build && npm run build",
      "┃ in /home/me/shop",
      "┃ • the user said no: it deletes files",
      "┃ • this cannot be always allowed: it is risky in itself, or",
      "┃   no rule could describe it",
      "┃   1 Yes (y)",
      "┃   2 Yes, don't ask again for “bash(npm run build)” in this",
      "┃     folder (a)",
      "┃   3 No, tell it what to do instead (n)",
      "┗ e edit · v view all · Esc cancel the task",
    ]);
  });

  test("[PO-6] [SU-3] says ~ for the person's own folder; a name that begins with ~ is told apart, and a call is exact", async () => {
    const of = (name: string): string => `--- /dev/null\n+++ b/${name}\n@@ -0,0 +1 @@\n+x\n`;
    const names = ["/home/me/a", "/home/meadow/b", "/data/me/c", "~/d", "~root/e", "f/~/g", "/home/me/~/h"];
    const paths = ["/home/me", "/home/me/.ssh/id", "/home/men", "~/given", "/"];
    const reasons = paths.map((path) => phrase("policy.path.outside", { path }));
    const asked = new Asked(
      { tool: "write", input: {}, shown: "write\npath: /home/me/a", reasons, always: ["write(/home/me/a)"] },
      Promise.resolve(names.map(of).join("")),
      ...(["en", ["/home/me/", "/data/me"]] as const),
    );
    const lines = (): readonly string[] => shown(asked.panel, 60, 60).map((line) => line.slice(2));
    expect(lines()).toContain("│ path: /home/me/a");
    await Promise.resolve();
    expect(lines().filter((line) => line.startsWith("│ A "))).toEqual(
      ["~/a", "/home/meadow/b", "~/c", "./~/d", "./~root/e", "f/~/g", "~/~/h"].map((name) => `│ A ${name}`),
    );
    expect(lines().filter((line) => line.startsWith("• "))).toEqual(
      ["~", "~/.ssh/id", "/home/men", "~/given", "/"].map((path) => `• ${path} is outside the workspace`),
    );
    expect(lines()).toContain("in ~/shop");
    expect(lines().join("\n")).toContain("Yes, don't ask again for “write(/home/me/a)” in this");
    const root = new Asked({}, Promise.resolve(null), "en", ["/", ""]);
    expect(shown(root.panel, 60, 20)).toContain("┃ in /home/me/shop");
  });

  test("[PO-6] [SA-look-alikes] spells out letters that look like others, in commands and in the names of files", async () => {
    const asked = new Asked(
      { shown: "rm ./sr\u0441", always: ["bash(rm ./sr\u0441)"], reasons: [] },
      Promise.resolve("--- a/sr\u0441/файл.ts\n+++ b/sr\u0441/файл.ts\n@@ -1 +1 @@\n-a\n+b\n"),
    );
    expect(shown(asked.panel, 60, 20)).toContain("┃ │ rm ./sr\\u{441}");
    expect(shown(asked.panel, 60, 20).join("\n")).toContain("for “bash(rm ./sr\\u{441})” in");
    await Promise.resolve();
    expect(shown(asked.panel, 60, 20)).toContain("┃ │ sr\\u{441}/файл.ts");
  });

  test("[PO-6] [SU-4] shows a change as a diff once it is known, in the person's language", async () => {
    const diff = "--- a/shop.ts\n+++ b/shop.ts\n@@ -8,2 +8,2 @@\n export\n-  return 1;\n+  return 2;\n";
    const asked = new Asked(
      { tool: "edit", input: {}, shown: "edit\npath: shop.ts", reasons: [], always: null },
      Promise.resolve(diff),
      "zh",
    );
    expect(shown(asked.panel, 60, 20)).toContain("┃ │ path: shop.ts");
    await Promise.resolve();
    expect(shown(asked.panel, 60, 20)).toEqual([
      "┏━ 应用此修改？ ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ edit ━",
      "┃ │ shop.ts",
      "┃ │  8   export",
      "┃ │  9 -   return 1;",
      "┃ │  9 +   return 2;",
      "┃ 目录：/home/me/shop",
      "┃   1 是 (y)",
      "┃   2 否，告诉它应该怎么做 (n)",
      "┗ e 编辑 · v 查看全部 · Esc 取消任务",
    ]);
  });

  test("[PO-6] y in any form of a terminal allows, once", () => {
    for (const key of ["y", "Y", "\x1b[121u", "\x1b[121;1:1u", "\x1b[121;65u", "\x1b[27;2;89~", "ｙ"]) {
      const asked = new Asked();
      shown(asked.panel);
      press(asked.panel, key, key, "n", ESC);
      expect([asked.answers, asked.cancels]).toEqual([[{ answer: "yes", by: "person" }], 0]);
    }
  });

  test("[PO-6] nothing but its own keys answers: not Enter, not a paste, not a key let go or held down, nor with Ctrl or Alt", () => {
    const asked = new Asked({ always: null });
    shown(asked.panel);
    const others = [
      ENTER,
      "\n",
      " ",
      "x",
      "a",
      "\t",
      "0",
      "3",
      "9",
      "\x1b[49;1:2u",
      "\x1b[49;5u",
      "\x1b[121;1:3u",
      "\x1b[121;1:2u",
      "\x19",
      "\x1by",
      "\x1b[121;5u",
    ];
    expect(press(asked.panel, ...others, paste("y"), paste("1"), paste("y\ry\r"))).toEqual(
      [...others, 1, 2, 3].map(() => false),
    );
    expect([asked.answers, asked.cancels]).toEqual([[], 0]);
  });

  test("[PO-6] digits, in any form of a terminal, choose what they stand before", () => {
    for (const [key, answer] of [
      ["1", { answer: "yes", by: "person" }],
      ["１", { answer: "yes", by: "person" }],
      ["\x1b[49u", { answer: "yes", by: "person" }],
    ] as const) {
      const asked = new Asked();
      shown(asked.panel);
      press(asked.panel, key, key);
      expect(asked.answers).toEqual([answer]);
    }
    const always = new Asked();
    press(always.panel, "2", "2");
    expect([always.answers, shown(always.panel)[0]]).toEqual([[], expect.stringContaining("Run this command?")]);
    press(always.panel, "2", "1");
    expect(always.answers).toEqual([{ answer: "always", by: "person" }]);
    const no = new Asked();
    press(no.panel, "3", "2", ENTER);
    expect(no.answers).toEqual([{ answer: "no", words: "2", by: "person" }]);
  });

  test("[PO-6] arrows mark a choice and Enter takes the marked one, round the ends; a held Enter takes none", () => {
    const of = (...keys: readonly string[]) => {
      const asked = new Asked({ scopes: ["call", "step", "typed"] });
      press(asked.panel, ...keys);
      return [asked.answers.map(({ answer, scope }) => [answer, scope ?? "call"]), shown(asked.panel)[0]?.slice(3, 20)];
    };
    const asks = "Run this command?";
    expect([of(DOWN), of(DOWN, "\x1b[13;1:2u"), of(DOWN, UP, UP, DOWN)]).toEqual([1, 2, 3].map(() => [[], asks]));
    expect([of(DOWN, ENTER), of(DOWN, DOWN, ENTER), of(UP, DOWN, ENTER)]).toEqual([
      [[["yes", "call"]], asks],
      [[["yes", "step"]], asks],
      [[["yes", "call"]], asks],
    ]);
    expect(of(UP, ENTER)).toEqual([[], "Deny ━━━━━━━━━━━━"]);
    expect(of(DOWN, DOWN, DOWN, ENTER)).toEqual([[], "Always allow this"]);
    expect(of(UP, UP, ENTER, ENTER)).toEqual([[["yes", "typed"]], "Run ! without ask"]);
    const asked = new Asked();
    press(asked.panel, DOWN, DOWN);
    expect(shown(asked.panel, 80, 20)).toContain(
      "┃ ❯ 2 Yes, don't ask again for “bash(npm run build)” in this folder (a)",
    );
  });

  test("[PO-6] [SA-hidden-text] a rule that could be taken for more than it is does not stand in a choice", () => {
    const hostile = ["bash(touch “x” in this folder (a) 3 No”)", `bash(${"x".repeat(40)})`];
    for (const rules of [...hostile.map((one) => [one]), ["bash(a)", "bash(b)"], ["bash(a  b)"]]) {
      const lines = shown(new Asked({ always: rules, reasons: [] }).panel, 80, 20);
      expect(lines).toContain("┃   2 Yes, don't ask again for these in this folder (a)");
      expect(lines).toContain(`┃ │ ${spelledOut(rules[0] ?? "")}`);
    }
  });

  test("[CAN-1] Esc cancels, it does not say no", () => {
    for (const key of [ESC, "\x1b[27u"]) {
      const asked = new Asked();
      press(asked.panel, key, "y");
      expect([asked.answers, asked.cancels]).toEqual([[], 1]);
    }
  });

  test("[PO-6] no goes with words or without, and Esc leads back from it", () => {
    const asked = new Asked();
    press(asked.panel, "n");
    type(asked.panel, "用 npm ci");
    expect(beforeCursor(asked.panel, 40, 10)).toBe("┃ 用 npm ci");
    press(asked.panel, ESC, "n", ENTER);
    const other = new Asked();
    press(other.panel, "n");
    type(other.panel, "yes, but use ");
    press(other.panel, paste("npm\r\nci\u001b[2J"), ENTER);
    expect([asked.answers, asked.cancels, other.answers]).toEqual([
      [{ answer: "no", words: "", by: "person" }],
      0,
      [{ answer: "no", words: "yes, but use npm ci\\u001b[2J", by: "person" }],
    ]);
  });

  test("[PO-6] always for a host is called so, in both languages", () => {
    const lines = (lang: "en" | "zh") =>
      shown(new Asked({ always: ["network(good.example)"], reasons: [] }, undefined, lang).panel, 80, 20).join("\n");
    expect(lines("en")).toContain("2 Yes, don't ask again for “network(good.example)” in this folder (a)");
    expect(lines("zh")).toContain("2 是，在此目录中不再询问“network(good.example)” (a)");
    const small = (lang: "en" | "zh") =>
      shown(new Asked({ always: ["network(good.example)"], reasons: [] }, undefined, lang).panel, 40, 8).join("\n");
    expect(small("en")).toContain("a always allow this host");
    expect(small("zh")).toContain("a 始终允许此主机");
  });

  test("[PO-6] always shows what it would store and wants to be confirmed", () => {
    for (const sure of ["a", ENTER]) {
      const asked = new Asked();
      press(asked.panel, "a");
      expect(shown(asked.panel, 60, 20)).toEqual([
        "┏━ Always allow this? ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ bash ━",
        "┃ Don't ask again in this folder for:",
        "┃ │ bash(npm run build)",
        "┃ ❯ 1 Yes, don't ask again (a)",
        "┃   2 No, go back (n)",
        "┗ v view all · Esc back",
      ]);
      press(asked.panel, "y", ESC, "a", "n", "a", "2", "a");
      expect(asked.answers).toEqual([]);
      press(asked.panel, sure);
      expect(asked.answers).toEqual([{ answer: "always", by: "person" }]);
    }
  });

  test("[PO-6] a command is edited as it is and keeps its other arguments", () => {
    const asked = new Asked();
    press(asked.panel, "e", ENTER);
    expect(shown(asked.panel, 60, 20)[1]).toBe("┃ Nothing was changed. Esc to go back.");
    type(asked.panel, " -- --fast");
    press(asked.panel, "\x1b[13;2u");
    type(asked.panel, "echo 好");
    expect(beforeCursor(asked.panel, 60, 20)).toBe("┃ echo 好");
    press(asked.panel, ENTER);
    expect(asked.answers).toEqual([
      { answer: "edit", input: { command: `${command} -- --fast\necho 好`, timeout_s: 60 }, by: "person" },
    ]);
  });

  test("[PO-6] other arguments are edited as JSON, and nothing is sent that is none", () => {
    const asked = new Asked({ tool: "job", input: { path: "a", content: "x\n" }, shown: "job" });
    press(asked.panel, "e", "\x7f", ENTER);
    expect(shown(asked.panel, 80, 20)[1]).toStartWith("┃ Not sent: this is not valid JSON (");
    press(asked.panel, "\x15", "\x7f", "\x15", "\x7f", "\x15", "\x7f", "\x15");
    type(asked.panel, "[1]");
    press(asked.panel, ENTER);
    expect(shown(asked.panel, 80, 20)[1]).toStartWith("┃ Not sent: the arguments must be");
    expect(asked.answers).toEqual([]);
    press(asked.panel, "\x15");
    type(asked.panel, '{"path":"b"}');
    press(asked.panel, ENTER);
    expect(asked.answers).toEqual([{ answer: "edit", input: { path: "b" }, by: "person" }]);
  });

  test("[PO-6] of a change the text of the file is edited in the person's editor, and what was saved is sent", async () => {
    const change = { tool: "edit", input: { path: "a.ts", old_string: "a", new_string: "b" }, isChange: true };
    const asked = new Asked({ ...change, shown: "edit\npath: a.ts" });
    asked.file = { path: "src/a.ts", text: "let b;\n" };
    const settled = async (): Promise<void> => {
      for (let n = 0; n < 5; n++) await Promise.resolve();
    };
    press(asked.panel, "e", "y", "n", ESC);
    await settled();
    expect([asked.answers, asked.cancels, asked.edits]).toEqual([[], 0, [["src/a.ts", "let b;\n"]]]);
    asked.editor = async (text) => text;
    press(asked.panel, "e");
    await settled();
    expect(shown(asked.panel, 60, 20)[1]).toBe("┃ You saved it as it was.");
    asked.editor = async (_, tell) => {
      tell("exited with 137\u001b[2J");
      return null;
    };
    press(asked.panel, "e");
    await settled();
    expect(shown(asked.panel, 60, 20)[1]).toBe("┃ exited with 137\\u{1b}[2J");
    asked.editor = async () => "let c;\n";
    press(asked.panel, "e");
    await settled();
    expect(asked.answers).toEqual([{ answer: "edit", file: { path: "src/a.ts", text: "let c;\n" }, by: "person" }]);
    const many = new Asked({ ...change, shown: "patch" });
    press(many.panel, "e");
    await settled();
    expect(shown(many.panel, 60, 20)[0]).toStartWith("┏━ Edit this change ━");
  });

  test("[PO-6] [SA-hidden-text] a command with hidden characters is edited spelled out, and means the same", () => {
    const hidden = "echo a\u202e\tb\u200dc\u001b[2J";
    const asked = new Asked({ input: { command: hidden }, shown: spelledOut(hidden) });
    press(asked.panel, "e");
    expect(shown(asked.panel, 80, 20)[2]).toBe('┃   "command": "echo a\\u202e\\tb\\u200dc\\u001b[2J"');
    press(asked.panel, " ", ENTER);
    expect(asked.answers).toEqual([{ answer: "edit", input: { command: hidden }, by: "person" }]);
  });
});

describe("an approval that does not fit", () => {
  test("[PO-6] says how much is missing, and a yes to what was not seen has to be given twice", () => {
    const asked = new Asked({ shown: long });
    const before = shown(asked.panel, 80, 12);
    expect(before.filter((line) => line.includes("│ echo")).length).toBe(4);
    expect(before).toContain("┃ … 98 more lines: press v to see all");
    press(asked.panel, "y");
    expect(asked.answers).toEqual([]);
    expect(shown(asked.panel, 80, 12)).toContain(
      "┃ 98 lines not shown. v shows them; y again allows all of it unseen.",
    );
    press(asked.panel, "y");
    expect(asked.answers).toEqual([{ answer: "yes", by: "person" }]);
  });

  test("[PO-6] v shows all of it, and then one yes is enough", () => {
    const asked = new Asked({ shown: long });
    shown(asked.panel, 80, 12);
    press(asked.panel, "v");
    const whole = asked.top && shown(asked.top, 80, 200);
    const text = (whole ?? []).join("\n");
    for (const line of [...long.split("\n"), "it deletes files", "bash(npm run build)"]) expect(text).toContain(line);
    if (asked.top) press(asked.top, "y", "q");
    expect([asked.top, asked.answers]).toEqual([null, []]);
    press(asked.panel, "y");
    expect(asked.answers).toEqual([{ answer: "yes", by: "person" }]);
  });

  test("[PO-6] a change that arrives after the warning has to be seen anew", async () => {
    const { promise, resolve } = Promise.withResolvers<string | null>();
    const asked = new Asked({ shown: long }, promise);
    shown(asked.panel, 80, 12);
    press(asked.panel, "y");
    resolve(`--- a/x\n+++ b/x\n@@ -0,0 +1,100 @@\n${long.replace(/^/gm, "+")}\n`);
    await promise;
    shown(asked.panel, 80, 12);
    press(asked.panel, "y");
    expect(asked.answers).toEqual([]);
  });

  test("[PO-6] what asks for another yes asks anew: a key that is held down does not give both", async () => {
    const { promise, resolve } = Promise.withResolvers<string | null>();
    const { panel } = new Asked({ shown: long }, promise);
    const asks = [panel.asking];
    const after = (key: string): void => {
      press(panel, key);
      shown(panel, 80, 12);
      asks.push(panel.asking);
    };
    shown(panel, 80, 12);
    for (const key of ["a", ESC, "y", "n", ESC, "e", ESC]) after(key);
    resolve("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n");
    await promise;
    asks.push(panel.asking);
    expect(asks.map((one) => asks.indexOf(one))).toEqual([0, 1, 0, 3, 3, 3, 3, 3, 8]);
  });

  test("[PO-6] always is not said in passing to what was not shown, of the command or of the rules", () => {
    const rules = Array.from({ length: 20 }, (_, at) => `bash(make ${at})`);
    for (const more of [{ shown: long }, { always: rules }]) {
      const asked = new Asked(more);
      shown(asked.panel, 60, 12);
      press(asked.panel, "a");
      shown(asked.panel, 60, 12);
      press(asked.panel, "a");
      const warned = shown(asked.panel, 60, 12);
      expect([asked.answers.length, warned[1]]).toEqual([
        0,
        "┃ Not all of it was shown. v shows it; a again always allows",
      ]);
      press(asked.panel, ENTER);
      expect(asked.answers).toEqual([{ answer: "always", by: "person" }]);
      const looked = new Asked(more);
      shown(looked.panel, 60, 12);
      press(looked.panel, "y", "a", "v", "a");
      expect(looked.answers).toEqual([{ answer: "always", by: "person" }]);
    }
  });

  test("[PO-6] always tells too that not everything was seen", () => {
    const asked = new Asked({ shown: long });
    shown(asked.panel, 80, 12);
    press(asked.panel, "a");
    expect(shown(asked.panel, 80, 12)[1]).toBe("┃ … 98 more lines: press v to see all");
  });
});

// The person's editor has the terminal for a while.
import { afterAll, describe, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Cli } from "../../support/cli.ts";
import { type Person, sitDown } from "../../support/pty.ts";
import { hasEnded, pidsIn, untilFile } from "../../support/shell.ts";
import { until } from "../../support/until.ts";
import { asFound, Shell } from "./life.ts";

const base = mkdtempSync(join(tmpdir(), "coder-editor-"));
afterAll(() => rmSync(base, { recursive: true, force: true }));

/** A program that stands in for an editor: `$file` is what it edits. */
function editor(name: string, body: string): string {
  const file = join(base, name);
  writeFileSync(file, `#!/bin/sh\nfor file; do :; done\n${body}\n`);
  chmodSync(file, 0o755);
  return file;
}

/** Draws on a screen of its own, takes keys as they come until q, and saves them behind the text. */
const typing = `printf '\\033[?1049h\\033[HEDITING '; cat "$file"
old=$(stty -g); stty raw -echo
while key=$(head -c 1); [ "$key" != q ]; do printf '<%s>' "$key"; printf '%s' "$key" >> "$file"; done
stty "$old"; printf '\\033[?1049l'`;

async function open(person: Person, text: string): Promise<void> {
  await person.waitFor(/^● default/);
  person.type(text);
  await person.waitFor(`> ${text}`);
  person.press("ctrl+g");
}

describe("the external editor", () => {
  test("[SU-3] gets every key and a plain terminal, and what it saves stands in the prompt", async () => {
    using cli = new Cli([{ text: "the answer" }]);
    const modes: number[][] = [];
    await using person = sitDown(cli, [...cli.model], { env: { EDITOR: editor("typing", typing) }, keyboard: "kitty" });
    await open(person, "fix");
    await person.waitFor("EDITING fix");
    modes.push([...person.emulator.modes].filter((mode) => mode === 1004 || mode === 2004));
    expect([modes, person.isKeyboardPlain]).toEqual([[[]], true]);
    for (const key of ["x", "y", "z"]) {
      person.type(key);
      await person.waitFor(`<${key}>`);
    }
    person.type("q");
    await person.waitFor("> fixxyz");
    await person.waitFor(/^● default/);
    expect([person.emulator.modes.has(1049), person.emulator.modes.has(2004)]).toEqual([false, true]);
    expect(person.title()).toStartWith("ws-");
    person.press("enter");
    await person.waitFor("the answer");
    expect(person.scrollback().filter((row) => row.startsWith("coder 0"))).toHaveLength(1);
  });

  const failing: readonly (readonly [name: string, env: () => Record<string, string>, says: RegExp])[] = [
    ["that fails", () => ({ EDITOR: editor("failing", "exit 3") }), /exited with 3/],
    ["that is missing", () => ({ EDITOR: "/nowhere/at/all" }), /could not start the editor/],
    ["that nobody has named or installed", () => ({ PATH: base }), /no editor found/],
  ];
  test.each(failing)("[SU-3] one %s leaves the text alone, and the person is told", async (_, env, says) => {
    using cli = new Cli();
    await using person = sitDown(cli, [...cli.model], { env: env() });
    await open(person, "fix it");
    await person.waitFor(says);
    await person.waitFor("> fix it");
    person.type("!");
    await person.waitFor("> fix it!");
  });

  test("[PO-6] [SU-3] has the text that a change would write; what it saves is asked about as a diff and then written", async () => {
    const script = [
      { calls: [{ tool: "write", input: { path: "a b.ts", content: "let a = 1;\n" } }] },
      { text: "Written." },
    ];
    using cli = new Cli(script);
    const file = join(cli.workspace, "a b.ts");
    const seen = join(base, "seen");
    const body = `if [ ! -e ${seen} ]; then touch ${seen}; kill -9 $$; fi; cat "$file" > ${seen}; echo "\${file##*/}" >> ${seen}; echo "let mine = 2;" > "$file"`;
    await using person = sitDown(cli, [...cli.model], { env: { EDITOR: editor("changing", body) } });
    await person.waitFor(/^● default/);
    person.type("write it");
    person.press("enter");
    await person.answer("+ let a = 1;", "e");
    await person.answer("exited with 137", "e");
    await person.waitFor("+ let mine = 2;");
    expect([readFileSync(seen, "utf8"), existsSync(file)]).toEqual(["let a = 1;\na_b.ts\n", false]);
    await person.answer("1 Yes", "1");
    await person.waitFor("Written.");
    expect(readFileSync(file, "utf8")).toBe("let mine = 2;\n");
  });

  test("[SU-3] opens a rules file that is chosen from /memory, and what it saves is in the file itself", async () => {
    using cli = new Cli();
    cli.file("AGENTS.md", "Short lines.\n");
    const env = { EDITOR: editor("ruling", `echo "And no tabs." >> "$file"`) };
    await using person = sitDown(cli, [...cli.model, "--trust"], { env });
    await person.waitFor(/^● default/);
    person.type("/memory");
    person.press("enter");
    await person.waitFor("Rules files");
    person.press("down", "enter");
    await until("it is saved", () => readFileSync(join(cli.workspace, "AGENTS.md"), "utf8").includes("And no tabs."));
    await person.waitFor(/^● default/);
  });

  test("[SU-3] one that is killed on a screen of its own leaves nothing of it behind, neither here nor in the shell", async () => {
    const dying = `printf '\\033[?1049h\\033[2J\\033[H\\033[?1000h\\033[?1006h\\033[?1h\\033[?25lEDITING'; stty raw -echo; kill -9 $$`;
    using cli = new Cli();
    await using shell = new Shell(cli, [...cli.model], { env: { EDITOR: editor("dying", dying) } });
    const { person } = shell;
    await open(person, "fix it");
    await person.waitFor(/exited with 137/);
    await person.waitFor("> fix it");
    expect(person.scrollback().filter((row) => row.startsWith("coder 0"))).toHaveLength(1);
    expect([1, 1000, 1006].filter((mode) => person.emulator.modes.has(mode))).toEqual([]);
    expect(person.emulator.terminal.buffer.active.type).toBe("normal");
    person.press("ctrl+u", "ctrl+d");
    // Left by its other number, which does not move the cursor.
    expect([await shell.left(), shell.terminal()]).toEqual([0, { ...asFound, modes: [7, 25, 1049] }]);
  });

  test("[SU-3] Ctrl+C and Ctrl+\\ inside it are its own, also while a task runs, which goes on", async () => {
    const pids = join(base, "pids");
    const waiting = `trap 'echo INT' INT; trap 'echo QUIT' QUIT; echo $$ > ${pids}; echo EDITING; ${untilFile(`${base}/done`)}`;
    using cli = new Cli([{ text: `${"word ".repeat(60)}the end`, chunkChars: 5, chunkDelayMs: 10 }]);
    await using person = sitDown(cli, [...cli.model], { env: { EDITOR: editor("waiting", waiting) } });
    await person.waitFor(/^● default/);
    person.type("say much");
    person.press("enter");
    await person.waitFor("word word");
    person.type("next");
    await person.waitFor("> next");
    person.press("ctrl+g");
    await person.waitFor("EDITING");
    person.press("ctrl+c");
    await person.waitFor("INT");
    person.press("ctrl+c");
    await person.waitFor(() => person.screen().split("INT").length === 3);
    person.type("\x1c");
    await person.waitFor("QUIT");
    writeFileSync(join(base, "done"), "");
    await person.waitFor("> next");
    await person.waitFor("the end");
    expect(person.scrollback().join("\n")).not.toContain("Cancelled");
  });

  test("[CAN-4] SIGTERM ends it too, its file is gone, and the terminal is the shell's", async () => {
    const pids = join(base, "pids-of-two");
    const waiting = `echo $$ > ${pids}; echo EDITING; exec sleep 300`;
    const temporary = join(base, "temporary");
    mkdirSync(temporary);
    using cli = new Cli();
    const env = { EDITOR: editor("sleeping", waiting), TMPDIR: temporary };
    await using shell = new Shell(cli, [...cli.model], { env });
    await open(shell.person, "half a thought");
    await shell.person.waitFor("EDITING");
    process.kill(shell.pid, "SIGTERM");
    expect([await shell.left(), shell.terminal()]).toEqual([130, asFound]);
    await until("it has ended", () => pidsIn(pids).length === 1 && pidsIn(pids).every(hasEnded));
    const [history = ""] = [...new Bun.Glob("history/*.jsonl").scanSync(cli.home)];
    expect(existsSync(join(cli.home, history))).toBe(true);
    expect(readFileSync(join(cli.home, history), "utf8")).toBe('{"text":"half a thought"}\n');
    expect(readdirSync(temporary)).toEqual([]);
  });
});

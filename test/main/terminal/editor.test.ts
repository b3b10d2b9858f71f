import { afterAll, describe, expect, test } from "bun:test";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { textEditor } from "../../../src/main/terminal/editor.ts";

const base = mkdtempSync(join(tmpdir(), "coder-editor-"));
afterAll(() => rmSync(base, { recursive: true, force: true }));

/** A program that stands in for an editor: a real one, with the file as its last argument. */
function program(name: string, body: string): string {
  const file = join(base, name);
  writeFileSync(file, `#!/bin/sh\nfor file; do :; done\n${body}\n`);
  chmodSync(file, 0o755);
  return file;
}

async function edit(text: string, env: Readonly<Record<string, string>>) {
  const told: string[] = [];
  const editText = textEditor({ workspace: base, lang: "en", env: { PATH: process.env.PATH, ...env } });
  const saved = await editText(text, (problem) => told.push(problem));
  return { saved, told };
}

describe("the person's own editor", () => {
  test("[SU-3] gets the text in a private file and gives back what was saved; the file is gone", async () => {
    const seen = join(base, "seen");
    const editor = program(
      "ed",
      `stat -c %a "$file" "$(dirname "$file")" > ${seen}; echo "$file" >> ${seen}; cat "$file" >> ${seen}; printf 'new\\ntext 中\\n' > "$file"`,
    );
    expect(await edit("old\ntext", { EDITOR: editor })).toEqual({ saved: "new\ntext 中", told: [] });
    const [mode, folderMode, file = "", ...text] = readFileSync(seen, "utf8").split("\n");
    expect([mode, folderMode, text]).toEqual(["600", "700", ["old", "text"]]);
    expect(file).toEndWith("/prompt.md");
    expect(existsSync(join(file, ".."))).toBe(false);
  });

  test("[SU-3] is VISUAL before EDITOR, with options and quotes as git takes them, in the workspace", async () => {
    program("my editor", `pwd > "$file"; echo "$1" >> "$file"`);
    const command = `"${join(base, "my editor")}" --wait`;
    expect(await edit("x", { VISUAL: command, EDITOR: "/nowhere" })).toEqual({ saved: `${base}\n--wait`, told: [] });
    const home = { EDITOR: `$WHERE/my\\ editor -w`, WHERE: base };
    expect(await edit("x", home)).toEqual({ saved: `${base}\n-w`, told: [] });
  });

  test("[SU-3] nobody has named is a usual one of the machine, but never one of the workspace, and the file keeps its ending", async () => {
    const machine = mkdtempSync(join(tmpdir(), "coder-machine-"));
    try {
      program("nano", `echo "of the workspace" > "$file"`);
      writeFileSync(join(machine, "vi"), `#!/bin/sh\nfor file; do :; done\necho "vi \${file##*/}" > "$file"\n`, {
        mode: 0o755,
      });
      const env = { PATH: ["relative", "", base, machine].join(":") };
      const editText = textEditor({ workspace: base, lang: "en", env });
      const told: string[] = [];
      const tell = (problem: string) => told.push(problem);
      const names = ["src/a b.ts", "-rf.py", "../+q!.rs", "..", "文件.ts"];
      const saved = [];
      for (const name of names) saved.push(await editText("x", tell, { name }));
      expect([saved, told]).toEqual([["vi a_b.ts", "vi text.py", "vi _q_.rs", "vi text", "vi 文件.ts"], []]);
    } finally {
      rmSync(machine, { recursive: true, force: true });
    }
  });

  test("[SU-3] that is missing, fails or saves nothing leaves the text alone, and the person is told why", async () => {
    expect(await edit("x", { PATH: "" })).toEqual({
      saved: null,
      told: ["no editor found: install one (nano, vim), or set VISUAL or EDITOR to the name of yours"],
    });

    const missing = (name: string) => [`could not start the editor ${name}: check the variable EDITOR`];
    expect(await edit("x", { EDITOR: "/nowhere" })).toEqual({ saved: null, told: missing("/nowhere") });
    expect((await edit("x", { EDITOR: "no-such-editor -w" })).told).toEqual(missing("no-such-editor -w"));
    const failing = program("failing", "exit 3");
    expect((await edit("x", { EDITOR: failing })).told).toEqual([
      `the editor ${failing} exited with 3: your text is unchanged`,
    ]);
    const removing = program("removing", `rm "$file"`);
    expect((await edit("x", { EDITOR: removing })).told).toEqual([
      `could not read the text saved by ${removing} (ENOENT): your text is unchanged`,
    ]);
    const huge = program("huge", `truncate -s 20M "$file"`);
    expect((await edit("x", { EDITOR: huge })).told).toEqual([
      `the text saved by ${huge} is larger than 16.0 MiB: your text is unchanged`,
    ]);
  });
});

// The recipes of AGENTS.md, followed in a copy of the sources: each names every file that has to be touched, and no more is needed.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startScriptedServer } from "./support/scripted-server.ts";

const root = join(import.meta.dir, "..");
let copy = "";

beforeAll(() => {
  copy = realpathSync(mkdtempSync(join(tmpdir(), "coder-recipes-")));
  for (const name of ["src", "package.json", "tsconfig.json"])
    cpSync(join(root, name), join(copy, name), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
});

afterAll(() => rmSync(copy, { recursive: true, force: true }));

/** What a recipe says, between its heading and the next. */
function recipe(title: string): string {
  const text = readFileSync(join(root, "AGENTS.md"), "utf8");
  const [, section = ""] = text.split(`## ${title}\n`);
  return section.split("\n## ")[0] ?? "";
}

/** One row behind another one. */
function addRow(path: string, after: string, row: string): void {
  const text = readFileSync(join(copy, path), "utf8");
  expect(text.split(after).length).toBe(2);
  writeFileSync(join(copy, path), text.replace(after, `${after}${row}`));
}

async function run(args: readonly string[]): Promise<{ code: number; out: string; err: string }> {
  const workspace = mkdtempSync(join(copy, "ws-"));
  const command = [process.execPath, "--no-env-file", "--config=/dev/null", join(copy, "src", "main.ts"), ...args];
  const child = Bun.spawn(command, {
    cwd: workspace,
    env: { ...process.env, LANG: "C", CODER_HOME: join(copy, "home") },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [code, out, err] = await Promise.all([
    child.exited,
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { code, out, err };
}

test("a tool that is added as AGENTS.md says is offered to the model, judged and run", async () => {
  writeFileSync(
    join(copy, "src/tool/shout.ts"),
    `import { ok } from "../contract/error.ts";
import { defineTool } from "../contract/tool.ts";
import { args, text } from "./args.ts";

export const shout = defineTool({
  name: "shout",
  description: "Say something loudly.",
  input: args({ words: text("What to say.") }),
  access: "read",
  afterCrash: "repeat",
  async run({ words }) {
    return ok({ text: words.toUpperCase() });
  },
});
`,
  );
  addRow("src/tool/registry.ts", 'import { read } from "./read/read.ts";\n', 'import { shout } from "./shout.ts";\n');
  addRow("src/tool/registry.ts", "  proposal,\n", "  shout,\n");
  using server = startScriptedServer([
    { calls: [{ tool: "shout", input: { words: "louder" } }] },
    { text: "It was loud." },
  ]);
  const model = ["--base-url", server.url, "--model", "openai-chat/mock"];
  const ran = await run(["run", ...model, "Shout."]);
  expect([ran.code, ran.out.trim()]).toEqual([0, "It was loud."]);
  const [first, second] = server.requests.map((request) => JSON.stringify(request));
  expect(first).toContain("Say something loudly.");
  expect(second).toContain("LOUDER");
  for (const path of ["src/tool/", "src/tool/registry.ts"]) expect(recipe("Add a tool")).toContain(path);
}, 120_000);

test("a slash command that is added as AGENTS.md says is listed, explained in both languages and run", async () => {
  writeFileSync(
    join(copy, "src/command/show/echo.ts"),
    `import type { SlashCommand } from "../../engine/port.ts";
import { done } from "../text/answer.ts";

export const echo: SlashCommand = {
  name: "echo",
  args: "[words]",
  help: "command.echo.help",
  whileRunning: true,
  run: (_port, args) => done(args.join(" "), args),
};
`,
  );
  const texts = "src/contract/text/engine/command.ts";
  addRow("src/command/all.ts", 'import { cost } from "./show/cost.ts";\n', 'import { echo } from "./show/echo.ts";\n');
  addRow("src/command/all.ts", "  ...[setup, theme, lang, statusline, vim, quit, exit],\n", "  ...[echo],\n");
  addRow(
    texts,
    '    "command.help.help": { en: "show this help", zh: "显示帮助" },\n',
    '    "command.echo.help": { en: "say it again", zh: "复述一遍" },\n',
  );
  const said = await run(["run", "/echo one two"]);
  expect([said.code, said.out.trim()]).toEqual([0, "one two"]);
  expect((await run(["run", "/help"])).out).toMatch(/\/echo \[words\] +say it again/);
  expect((await run(["run", "--lang", "zh", "/help"])).out).toContain("复述一遍");
  for (const path of ["src/command/", "src/command/all.ts", "src/contract/text/"])
    expect(recipe("Add a slash command")).toContain(path);
}, 120_000);

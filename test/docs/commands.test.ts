// Runs the commands of the documents as a person would type them, page by page, in a small project with a failing test.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { keyVariables, providerNames } from "../../src/config/model/providers.ts";
import { sample } from "../../src/main/run/sample.ts";
import { builtBinary } from "../support/binary.ts";
import { type ScriptedServer, startScriptedServer } from "../support/scripted-server.ts";
import { type Block, blocksOf, isRun, pages, shownIn } from "./blocks.ts";

const scratch = realpathSync(mkdtempSync(join(tmpdir(), "docs-")));
let server: ScriptedServer;
beforeAll(() => {
  server = startScriptedServer([{ text: "It is a small shop with three tests.", repeat: 50 }]);
  mkdirSync(join(scratch, "bin"));
  writeFileSync(join(scratch, "bin", "coder"), `#!/bin/sh\nexec '${builtBinary()[0]}' "$@"\n`);
  chmodSync(join(scratch, "bin", "coder"), 0o755);
}, 120_000);
afterAll(() => {
  server.stop();
  rmSync(scratch, { recursive: true, force: true });
});

const hasSandbox = process.platform === "linux" && Bun.which("bwrap") !== null;
if (!hasSandbox)
  console.error("skipped: the commands of the documents are verified in the sandbox, which needs bubblewrap");

const shown = pages.filter((page) => blocksOf(page).some(isRun));

for (const page of shown) {
  test.skipIf(!hasSandbox)(
    `the commands of ${page} do what it says`,
    async () => {
      const place = newPlace();
      for (const block of blocksOf(page).filter(isRun)) {
        const before = server.requests.length;
        if (block.language === "console") await compare(block, place);
        else await mustSucceed(block, block.mark === "run" ? place : withModel(place));
        const asked = server.requests.length - before;
        expect([page, block.line, asked > 0]).toEqual([page, block.line, block.mark === "run with a model"]);
      }
    },
    300_000,
  );
}

interface Place {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** A project of its own, and a home in which every provider leads to the scripted model. */
function newPlace(): Place {
  const base = mkdtempSync(join(scratch, "page-"));
  const [cwd, home, temporary] = ["shop", "home", "tmp"].map((name) => join(base, name)) as [string, string, string];
  for (const folder of [cwd, home, temporary]) mkdirSync(folder, { mode: 0o700 });
  for (const [name, text] of Object.entries(sample)) writeFileSync(join(cwd, name), text);
  const bare = ["builtin", "openai-chat", "openai-responses"];
  const names = providerNames(undefined).filter((name) => !bare.includes(name));
  const providers = Object.fromEntries(
    names.map((name) => [name, { protocol: "openai-chat", base_url: server.url, api_key: "none" }]),
  );
  writeFileSync(join(home, "config.json"), JSON.stringify({ providers }), { mode: 0o600 });
  const given = Object.fromEntries(Object.entries(process.env).filter(([name]) => isNeutral(name)));
  return {
    cwd,
    env: {
      ...(given as Record<string, string>),
      PATH: `${join(scratch, "bin")}:${process.env.PATH}`,
      CODER_HOME: home,
      TMPDIR: temporary,
      LANG: "C.UTF-8",
      MODEL_SERVER: server.url,
    },
  };
}

/** For a command that names no model, as after `coder setup`. */
function withModel(place: Place): Place {
  return { ...place, env: { CODER_MODEL: "openai/any", ...place.env } };
}

/** Neither a key nor a choice of the person who runs the tests. */
function isNeutral(name: string): boolean {
  return !keyVariables(undefined).includes(name) && !/^(?:CODER_|LC_|LANG|npm_)/.test(name);
}

async function shell(script: string, { cwd, env }: Place): Promise<{ code: number; out: string }> {
  const child = Bun.spawn(["bash", "-c", `exec 2>&1\n${script}`], { cwd, env, stdin: "ignore", stdout: "pipe" });
  const [code, out] = await Promise.all([child.exited, child.stdout.text()]);
  return { code, out };
}

async function mustSucceed({ page, line, text }: Block, place: Place): Promise<void> {
  const { code, out } = await shell(`set -e\n${text}`, place);
  if (code !== 0) throw new Error(`${page}:${line} ended with ${code}:\n${out}`);
}

const separator = "\u001e";

async function compare(block: Block, place: Place): Promise<void> {
  const commands = shownIn(block);
  // The separator must not change what `echo $?` says.
  const after = `{ status=$?; printf '${separator}'; (exit $status); }`;
  const { out } = await shell(commands.map(({ command }) => `${command}\n${after}`).join("\n"), place);
  const parts = out.split(separator);
  for (const [at, { command, output }] of commands.entries()) {
    const printed = (parts[at] ?? "").replace(/\n*$/, "\n");
    if (!output.test(printed)) throw new Error(`${block.page}:${block.line}: ${command} printed\n${printed}`);
  }
}

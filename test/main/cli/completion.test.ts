import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { builtBinary } from "../../support/binary.ts";
import { Cli } from "../../support/cli.ts";

/** A name that would leave a file behind in every shell that reads it as code. */
const hostile = "x$(touch pwned)`touch pwned`;touch pwned\ttouch\npwned'\"";

let cli: Cli;
let id = "";

beforeAll(async () => {
  cli = new Cli([{ text: "done" }]);
  mkdirSync(cli.home, { recursive: true });
  const models = ["llama3:8b", "$(touch pwned)", "`touch pwned`", "a b", "safe-1"];
  const providers = {
    ollama: { models: models.slice(0, 1) },
    own: { protocol: "openai-chat", base_url: "http://127.0.0.1:9", models },
  };
  writeFileSync(join(cli.home, "config.json"), JSON.stringify({ providers, models: { "own/$(touch>pwned)": {} } }));
  const ran = await cli.run(["run", ...cli.model, "--output", "json", hostile]);
  id = (JSON.parse(ran.out) as { session_id: string }).session_id;
  mkdirSync(join(cli.workspace, "one folder"));
  mkdirSync(join(cli.workspace, "src"));
}, 120_000);

afterAll(() => cli[Symbol.dispose]());

async function inShell(command: readonly string[], script: string, line: string): Promise<readonly string[]> {
  const [program = ""] = builtBinary();
  const env = {
    PATH: `${dirname(program)}:${process.env.PATH}`,
    HOME: cli.root,
    CODER_HOME: cli.home,
    LC_ALL: "C.UTF-8",
    LINE: line,
    TERM: "dumb",
  };
  const child = Bun.spawn([...command, script], { cwd: cli.workspace, env, stdout: "pipe", stderr: "pipe" });
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  expect(err).toBe("");
  return out.split("\n").filter((one) => one !== "");
}

const bash = (line: string) =>
  inShell(
    ["bash", "--norc", "--noprofile", "-c"],
    `eval "$(coder completion bash)"; compopt() { :; }
     COMP_LINE=$LINE; COMP_POINT=\${#LINE}; _coder coder; printf '%s\\n' "\${COMPREPLY[@]}"`,
    line,
  );

const fish = (line: string) =>
  inShell(["fish", "--no-config", "-c"], "coder completion fish | source; complete -C $LINE", line);

/** zsh completes only while somebody types, so \`compadd\` is made to say what it is given. */
const zsh = (line: string) =>
  inShell(
    ["zsh", "-f", "-c"],
    `compdef() { :; }; _files() { print files "$@"; }
     compadd() { local -a all; all=("\${(@P)@[-1]}"); print -rl -- "\${all[@]}"; }
     source <(coder completion zsh)
     words=("\${(@z)LINE}"); [[ $LINE == *' ' ]] && words+=(''); CURRENT=\${#words}; PREFIX=\${words[CURRENT]}
     _coder`,
    line,
  );

const shells: readonly (readonly [name: string, complete: (line: string) => Promise<readonly string[]>])[] = [
  ["bash", bash],
  ["zsh", zsh],
  ["fish", async (line) => (await fish(line)).map((one) => one.split("\t")[0] ?? "")],
];

describe("completion", () => {
  for (const [name, complete] of shells) {
    const there = Bun.which(name) !== null;
    if (!there) console.warn(`${name} is not installed: its completion is not tested here`);
    test.skipIf(!there)(
      `[CLI-3] ${name} suggests commands, their flags and the values of flags`,
      async () => {
        expect((await complete("coder re")).toSorted()).toEqual(["replay", "resume"]);
        expect((await complete("coder config s")).toSorted()).toEqual(["schema", "set"]);
        expect((await complete("coder run --output-")).toSorted()).toEqual(["--output-schema"]);
        expect((await complete("coder run --mode ")).toSorted()).toEqual(["auto-edit", "default", "plan", "yolo"]);
        expect((await complete("coder completion ")).toSorted()).toEqual(["bash", "fish", "zsh"]);
        expect((await complete("coder config set ui.lang ")).toSorted()).toEqual(["en", "zh"]);
        expect(await complete("coder config get shell_mode.")).toEqual(["shell_mode.approval"]);
        expect((await complete("coder help e")).toSorted()).toEqual(["environment", "exit-codes", "export"]);
      },
      120_000,
    );

    test.skipIf(!there)(
      `[CLI-3] ${name} suggests sessions and models, and carries out nothing that is in their names`,
      async () => {
        expect(await complete("coder run --resume ")).toEqual([id]);
        expect(await complete(`coder replay ${id.slice(0, 3)}`)).toEqual([id]);
        const models = await complete("coder run --model own/");
        expect(models.toSorted()).toEqual(["own/", "own/llama3:8b", "own/safe-1"]);
        expect(existsSync(join(cli.workspace, "pwned"))).toBe(false);
      },
      120_000,
    );
  }

  test("[CLI-3] bash continues behind a colon and an equals sign, where its own words end", async () => {
    expect(await bash("coder run --model ollama/llama3:")).toEqual(["8b"]);
    expect(await bash("coder run --mode=pl")).toEqual(["plan"]);
    expect(await bash("FOO=1 coder mod")).toEqual(["models"]);
  });

  test("[CLI-3] bash suggests folders where a folder is meant", async () => {
    expect((await bash("coder run --cwd ")).toSorted()).toEqual([".coder", "one folder", "src"]);
  });

  test("[CLI-3] what is typed is never carried out, whatever it looks like", async () => {
    for (const line of [
      "coder run $(touch pwned) ",
      "coder `touch pwned`",
      'coder run "$(touch pwned)" --mo',
      "coder run ; touch pwned ",
    ]) {
      await bash(line);
      expect([line, existsSync(join(cli.workspace, "pwned"))]).toEqual([line, false]);
    }
  });

  test("[CLI-3] a broken config, a broken database and no home at all leave commands and flags to be suggested, silently", async () => {
    using broken = new Cli();
    mkdirSync(broken.home);
    writeFileSync(join(broken.home, "config.json"), "{ nonsense");
    writeFileSync(join(broken.home, "coder.db"), "nonsense");
    for (const env of [{}, { CODER_HOME: join(broken.root, "none") }]) {
      expect(await broken.run(["__complete", "run", "--resume", ""], { env })).toEqual({ code: 0, out: "", err: "" });
      expect((await broken.run(["__complete", "config", "get", "max_st"], { env })).out).toStartWith("max_steps\t");
      expect((await broken.run(["__complete", "doc"], { env })).out).toStartWith("doctor\t");
    }
    expect(existsSync(join(broken.root, "none"))).toBe(false);
  });

  test("[CLI-3] asking for suggestions leaves the database as it is, without files beside it", async () => {
    const before = [...new Bun.Glob("*").scanSync({ cwd: cli.home, dot: true })].sort();
    await bash("coder run --resume ");
    expect([...new Bun.Glob("*").scanSync({ cwd: cli.home, dot: true })].sort()).toEqual(before);
  });
});

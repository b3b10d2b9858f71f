import { afterEach, expect, test } from "bun:test";
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { builtBinary } from "../../support/binary.ts";
import { Cli } from "../../support/cli.ts";
import { type LocalServerFake, startOllama } from "../../support/local-servers.ts";
import { until } from "../../support/until.ts";

/** Nobody is at home where the usual servers would be. */
function withServers(cli: Cli, ollama: LocalServerFake | null, more: Record<string, unknown> = {}): void {
  const nowhere = (name: string) => [name, { base_url: "http://127.0.0.1:9/v1" }] as const;
  const providers = {
    ...Object.fromEntries(["ollama", "lmstudio", "llamacpp", "vllm"].map(nowhere)),
    ...(ollama ? { ollama: { base_url: ollama.url } } : {}),
  };
  mkdirSync(cli.home, { recursive: true });
  writeFileSync(join(cli.home, "config.json"), JSON.stringify({ providers, ...more }));
}

/** A person at a terminal. */
class Person implements AsyncDisposable {
  screen = "";
  private readonly child: Bun.Subprocess;
  constructor(cli: Cli, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
    this.child = Bun.spawn([...builtBinary(), ...args], {
      cwd: cli.workspace,
      env: { PATH: process.env.PATH, HOME: cli.root, LANG: "C", CODER_HOME: cli.home, ...env },
      terminal: {
        cols: 200,
        rows: 50,
        data: (_, chunk) => {
          this.screen += new TextDecoder().decode(chunk);
        },
      },
    });
  }

  async says(question: string, answer: string): Promise<void> {
    await until(`it says ${question}; it said ${this.screen}`, () => this.screen.includes(question));
    this.child.terminal?.write(`${answer}\r`);
  }

  async ends(): Promise<number> {
    return await this.child.exited;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.child.kill("SIGKILL");
    await this.child.exited;
  }
}

function configOf(cli: Cli): Record<string, unknown> {
  return JSON.parse(readFileSync(join(cli.home, "config.json"), "utf8")) as Record<string, unknown>;
}

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

test("[CLI-1] coder setup finds a server on this machine, sets its context, tries one tool call, and remembers", async () => {
  using ollama = startOllama([
    { name: "qwen3:8b", largest: 40_960 },
    { name: "gemma3:4b", largest: 8_192, tools: false },
  ]);
  using cli = new Cli();
  withServers(cli, ollama);
  await using person = new Person(cli, ["setup"]);
  await person.says("Number: ", "7");
  await person.says("Enter a number from 1 to 5.", "1");
  await person.says("Tokens [32768]: ", "");
  expect(await person.ends()).toBe(0);
  expect(person.screen).toContain("ollama/qwen3:8b (context size not known yet)");
  expect(person.screen).not.toContain("ollama/gemma3:4b (");
  expect(person.screen).toContain("It works: the model called the tool");
  expect(configOf(cli)).toMatchObject({
    model: "ollama/qwen3:8b-32k",
    models: { "ollama/qwen3:8b-32k": { context_window: 32_768 } },
  });
  expect(ollama.models.at(-1)).toMatchObject({ name: "qwen3:8b-32k", context: 32_768 });
  const again = await cli.run([]);
  expect(again.out).toContain("Model: ollama/qwen3:8b-32k");
}, 120_000);

test("[CLI-1] a model that can have only little context is offered that, and Enter takes it", async () => {
  using ollama = startOllama([{ name: "tiny", largest: 2_048 }]);
  using cli = new Cli();
  withServers(cli, ollama);
  await using person = new Person(cli, ["setup"]);
  await person.says("Number: ", "1");
  await person.says("Tokens [2048]: ", "9");
  await person.says("must be a whole number from 2048 to 2048", "");
  expect(await person.ends()).toBe(0);
  expect(configOf(cli)).toMatchObject({ model: "ollama/tiny:latest-2k" });
}, 120_000);

test("[CLI-5] a key is entered unseen, kept for its owner only, tried, and used from then on", async () => {
  const seen: (string | null)[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: (request) => {
      seen.push(request.headers.get("authorization"));
      return new Response('{"error":{"message":"wrong key"}}', { status: 401 });
    },
  });
  cleanups.push(() => void server.stop(true));
  using cli = new Cli();
  withServers(cli, null);
  const config = configOf(cli);
  const known = ["huge", "middle", "tiny"];
  const lab = { protocol: "openai-chat", base_url: `${server.url.href}v1`, api_key_env: "LAB_KEY", models: known };
  const prices = [50, 10, 1].map((output, at) => [`lab/${known[at]}`, { price: { input: output / 5, output } }]);
  writeFileSync(
    join(cli.home, "config.json"),
    JSON.stringify({
      ...config,
      models: Object.fromEntries(prices),
      providers: { ...(config.providers as object), lab },
    }),
  );
  await using person = new Person(cli, ["setup"]);
  await person.says("Number: ", "1");
  await person.says("Whose key is it?", "lub");
  await person.says("Enter a number from 1 to", "LAB");
  await person.says("(not shown): ", "k-12345678");
  // The dearest is not what Enter alone chooses.
  await person.says("Model (? lists them) [lab/middle]: ", "?");
  await person.says("  lab/tiny  0.2 / 1", " ？ ");
  await until("it lists them again", () => person.screen.split("  lab/tiny  0.2 / 1").length === 3);
  await person.says("  lab/tiny  0.2 / 1", "big");
  await person.says("Use it anyway? [y/N] ", "y");
  expect(await person.ends()).toBe(0);
  expect(seen).toEqual(["Bearer k-12345678"]);
  expect(person.screen).not.toContain("k-12345678");
  expect(person.screen).toContain("rejected the key");
  const keys = join(cli.home, "keys.json");
  expect([statSync(keys).mode & 0o777, JSON.parse(readFileSync(keys, "utf8"))]).toEqual([0o600, { lab: "k-12345678" }]);
  expect(configOf(cli)).toMatchObject({ model: "lab/big" });
  const listed = await cli.run(["models", "lab", "--json"]);
  expect(JSON.parse(listed.out)).toMatchObject([{ provider: "lab", has_key: true, key_from: "keys.json" }]);
  expect(listed.out).not.toContain("k-12345678");
}, 120_000);

test("[CLI-1] the model that needs nothing can be chosen, and a no is remembered", async () => {
  using cli = new Cli();
  withServers(cli, null);
  await using first = new Person(cli, ["setup"]);
  await first.says("Number: ", "3");
  expect(await first.ends()).toBe(0);
  expect(configOf(cli)).toMatchObject({ model: "builtin/mechanic" });
  withServers(cli, null);
  await using second = new Person(cli, ["setup"]);
  await second.says("Number: ", "4");
  expect(await second.ends()).toBe(0);
  expect(configOf(cli)).toMatchObject({ ui: { first_run: false } });
}, 120_000);

test("[CLI-1] whoever has a model already is not told that there is none", async () => {
  using cli = new Cli();
  withServers(cli, null, { model: "builtin/mechanic" });
  await using person = new Person(cli, ["setup"]);
  await person.says("Number: ", "4");
  expect(await person.ends()).toBe(0);
  expect(person.screen).not.toContain("No model is configured");
}, 120_000);

test("[CLI-1] whoever leaves in the middle has changed nothing", async () => {
  using cli = new Cli();
  withServers(cli, null);
  const before = configOf(cli);
  await using person = new Person(cli, ["setup"]);
  await person.says("Number: ", "1");
  await person.says("Whose key is it?", "anthropic");
  await until("it asks for the key", () => person.screen.includes("(not shown): "));
  await person.says("(not shown): ", "\u0003");
  expect(await person.ends()).toBe(130);
  expect(configOf(cli)).toEqual(before);
}, 120_000);

test("[SU-1] headless without a model is an error that names all ways, and nothing is asked or looked for", async () => {
  using ollama = startOllama([{ name: "m", largest: 32_768 }]);
  using cli = new Cli();
  withServers(cli, ollama);
  const ran = await cli.run(["run", "go"]);
  expect([ran.code, ran.out]).toEqual([2, ""]);
  for (const way of ["ANTHROPIC_API_KEY", "--model ollama/NAME", "--base-url URL", "coder setup", "builtin/mechanic"])
    expect([way, ran.err.includes(way)]).toEqual([way, true]);
  expect(ollama.asked).toEqual([]);
  const setup = await cli.run(["setup"]);
  expect([setup.code, setup.err]).toEqual([2, expect.stringContaining("needs a terminal")]);
});

test("[CLI-1] [CLI-5] any server can be used by its address, with a key or without, and a model of its own list", async () => {
  const seen: string[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: (request) => {
      const { pathname } = new URL(request.url);
      seen.push(`${pathname} ${request.headers.get("authorization")}`);
      if (pathname === "/v1/models") return Response.json({ data: [{ id: "small" }, { id: "la\u001b[2Jrge" }] });
      return new Response('{"error":{"message":"no"}}', { status: 401 });
    },
  });
  cleanups.push(() => void server.stop(true));
  using cli = new Cli();
  withServers(cli, null);
  await using person = new Person(cli, ["setup"]);
  await person.says("Number: ", "2");
  await person.says("Address up to the version", "ftp://x");
  await person.says("is not an address", `${server.url.href}v1/`);
  await person.says("Enter = none): ", "k-12345678");
  await person.says("Which of its models?", "1");
  await person.says("Use it anyway? [y/N] ", "y");
  expect(await person.ends()).toBe(0);
  const name = `own-127-0-0-1-${server.port}`;
  expect(configOf(cli)).toMatchObject({
    model: `${name}/small`,
    providers: { [name]: { protocol: "openai-chat", base_url: `${server.url.href}v1` } },
  });
  expect(seen).toEqual(["/v1/models Bearer k-12345678", "/v1/chat/completions Bearer k-12345678"]);
  expect(readFileSync(join(cli.home, "config.json"), "utf8")).not.toContain("k-12345678");
  expect(person.screen).not.toContain("k-12345678");
  expect(person.screen).not.toContain("la\u001b[2J");
}, 120_000);

// `npm pack` in a checkout, and the package it gives on a machine that has nothing else.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import source from "../../package.json";
import { checkoutManifest, platforms } from "../../scripts/manifest.ts";
import { Checkout } from "../support/checkout.ts";
import { Lines } from "../support/cli.ts";
import { bareEnvironment, npm } from "../support/npm.ts";
import { type ScriptedServer, startScriptedServer } from "../support/scripted-server.ts";

const patience = 180_000;
const checkout = new Checkout();
const { root, outside } = checkout;
const home = join(outside, "home");
const prefix = join(outside, "prefix");
const coder = join(prefix, "bin", "coder");
const workspace = join(outside, "workspace");
const archive = join(outside, `${source.name}-${source.version}.tgz`);
const platform = platforms.find(({ os, cpu }) => os === process.platform && cpu === process.arch);
let server: ScriptedServer;

beforeAll(async () => {
  mkdirSync(workspace);
  server = startScriptedServer([
    {
      when: "write",
      steps: [{ calls: [{ tool: "write", input: { path: "a.txt", content: "A" } }] }, { text: "Done." }],
    },
    { when: "wait", steps: [{ text: "wait", stallAfter: 1 }] },
  ]);
}, patience);

afterAll(() => {
  server.stop();
  checkout[Symbol.dispose]();
});

test(
  "npm pack in a checkout gives one package with the program inside, and leaves the checkout as it was",
  async () => {
    const before = readFileSync(join(root, "package.json"), "utf8");
    const packed = await npm(["pack", "--pack-destination", outside], root, home);
    expect([packed.code, packed.out.trimEnd().split("\n").at(-1)]).toEqual([0, `coder-${source.version}.tgz`]);
    expect(readFileSync(join(root, "package.json"), "utf8")).toBe(before);
    const list = Bun.spawnSync(["tar", "tzf", archive]).stdout.toString().trim().split("\n");
    expect(list.sort()).toEqual(
      [
        "LICENSE",
        "README.md",
        "README.zh.md",
        "THIRD_PARTY_NOTICES.md",
        "bin/coder.cjs",
        `dist/npm/@coder-cli/${platform?.name}/bin/coder`,
        "licences/Apache-2.0.txt",
        "licences/LGPL-2.1.txt",
        "package.json",
        ...new Bun.Glob("docs/**").scanSync({ cwd: root }),
      ]
        .map((path) => `package/${path}`)
        .sort(),
    );
    const manifest: unknown = JSON.parse(
      Bun.spawnSync(["tar", "xzOf", archive, "package/package.json"]).stdout.toString(),
    );
    expect(manifest).toEqual(platform && checkoutManifest(source, platform));
  },
  patience,
);

test(
  "a pack that was killed between its scripts is put right by the next one",
  () => {
    const before = readFileSync(join(root, "package.json"), "utf8");
    const pack = (flag: string) =>
      Bun.spawnSync([process.execPath, join(root, "scripts", "pack.ts"), flag], { env: bareEnvironment(home) })
        .exitCode;
    expect([pack("--stage"), pack("--stage")]).toEqual([0, 0]);
    expect(JSON.parse(readFileSync(join(root, "package.json"), "utf8"))).not.toHaveProperty("devDependencies");
    expect([pack("--restore"), pack("--restore")]).toEqual([0, 0]);
    expect(readFileSync(join(root, "package.json"), "utf8")).toBe(before);
  },
  patience,
);

test.skipIf(process.env.CODER_TEST_LONG !== "1")(
  "npm run pack makes two packages, and together they install and start without network",
  async () => {
    const made = await npm(["run", "pack"], root, home);
    expect([made.code, made.out]).toEqual([0, expect.stringContaining("Not built: ")]);
    const files = ["coder", `coder-cli-${platform?.name}`].map((name) =>
      join(root, "dist", "npm", `${name}-${source.version}.tgz`),
    );
    const place = join(outside, "two");
    const done = await npm(["install", "-g", "--prefix", place, "--ignore-scripts", ...files], outside, home);
    expect([done.code, done.err]).toEqual([0, ""]);
    expect(Bun.spawnSync([join(place, "bin", "coder"), "--version"]).stdout.toString()).toBe(
      `coder ${source.version}\n`,
    );
  },
  patience,
);

const installed = {
  cwd: workspace,
  env: bareEnvironment(home),
  stdin: "ignore",
  stdout: "pipe",
  stderr: "pipe",
} as const;
const model = (): readonly string[] => ["--base-url", server.url, "--model", "openai-chat/mock"];

test(
  "[CLI-1] installed into an empty prefix from the file alone, it starts and carries out a headless task",
  async () => {
    const nobody = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: ({ url }) => {
        asked.push(url);
        return Response.error();
      },
    });
    const asked: string[] = [];
    const done = await npm(["install", "-g", "--prefix", prefix, archive], outside, home, nobody.url.href);
    await nobody.stop(true);
    expect([done.code, done.err, asked]).toEqual([0, "", []]);
    // Nothing of the checkout may be needed.
    renameSync(root, `${root}.away`);
    expect(Bun.spawnSync([coder, "--version"], installed).stdout.toString()).toBe(`coder ${source.version}\n`);
    const task = Bun.spawn([coder, "run", "--mode", "auto-edit", ...model(), "write the file"], installed);
    const out = await task.stdout.text();
    expect([await task.exited, out]).toEqual([0, "Done.\n"]);
    expect(readFileSync(join(workspace, "a.txt"), "utf8")).toBe("A");
    expect(existsSync(join(home, ".coder", "coder.db"))).toBe(true);
  },
  patience,
);

test(
  "[SU-2] exit codes and signals pass through the installed command",
  async () => {
    expect(Bun.spawnSync([coder, "run", "--nonsense"], installed).exitCode).toBe(2);
    const child = Bun.spawn([coder, "run", "--output", "stream-json", ...model(), "wait"], installed);
    await new Lines(child.stdout).until((line) => line.type === "delta");
    child.kill("SIGINT");
    expect(await child.exited).toBe(130);
    writeFileSync(join(workspace, "b.txt"), "B");
    const read = Bun.spawnSync([coder, "tool", "read", '{"path":"b.txt"}'], installed);
    expect([read.exitCode, read.stdout.toString()]).toEqual([0, expect.stringContaining("B")]);
  },
  patience,
);

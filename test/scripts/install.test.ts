// The packages installed by the real npm beside a registry that is not ours: it offers every name, and all that it offers is hostile.
import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import source from "../../package.json";
import { checkoutManifest, mainManifest, platformManifest, platforms, scope } from "../../scripts/manifest.ts";
import { HostileRegistry, putHostile } from "../support/hostile-registry.ts";
import { bareEnvironment, npm } from "../support/npm.ts";

const root = join(import.meta.dir, "..", "..");
const registry = new HostileRegistry();
const { folder } = registry;
const home = join(folder, "home");
const platform = platforms.find(({ os, cpu }) => os === process.platform && cpu === process.arch);
const here = platform?.name ?? "";
const patience = 120_000;

/** Stands for the compiled program. */
const program = (says: string): string => `#!/bin/sh\necho "${says} $*"\n`;
const answer = "ours hello\n";

/** Packed by npm from a manifest of ours and these files; answers the archive. */
async function pack(label: string, manifest: object, files: Readonly<Record<string, string>>): Promise<string> {
  const content = join(folder, label);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(content, path, ".."), { recursive: true });
    writeFileSync(join(content, path), text, { mode: 0o755 });
  }
  if ("bin" in manifest) cpSync(join(root, "bin"), join(content, "bin"), { recursive: true });
  writeFileSync(join(content, "package.json"), JSON.stringify(manifest));
  const place = join(folder, `${label}-archive`);
  mkdirSync(place);
  const packed = await npm(["pack", content, "--pack-destination", place, "--ignore-scripts"], folder, home);
  return join(place, packed.out.trim());
}

let whole = "";
let small = "";
let beside = "";

beforeAll(async () => {
  if (platform === undefined) throw new Error("no package for this machine");
  const inside = `dist/npm/${scope}/${here}/bin/coder`;
  whole = await pack("whole", checkoutManifest(source, platform), { [inside]: program("ours") });
  const hash = new Bun.CryptoHasher("sha256").update(program("ours")).digest("hex");
  small = await pack("small", mainManifest(source), { "bin/programs.json": JSON.stringify({ [here]: hash }) });
  beside = await pack("beside", platformManifest(source, platform), { "bin/coder": program("ours") });
}, patience);

beforeEach(() => {
  registry.asked.length = 0;
  rmSync(registry.marker, { force: true });
});
afterAll(() => registry[Symbol.asyncDispose]());

/** With scripts and with the registry: as a person types it. */
const install = (args: readonly string[], cwd = folder) => npm(args, cwd, home, registry.url);

function say(command: readonly string[], cwd = folder): string {
  const ran = Bun.spawnSync([...command, "hello"], { cwd, env: bareEnvironment(home) });
  return `${ran.stdout}${ran.stderr}`;
}

const harm = () => ({
  asked: registry.asked,
  ran: existsSync(registry.marker) ? readFileSync(registry.marker, "utf8") : "",
});
const harmless = { asked: [], ran: "" };

let made = 0;
function newProject(): string {
  const project = join(folder, `project-${++made}`);
  mkdirSync(project);
  writeFileSync(join(project, "package.json"), "{}");
  return project;
}

test(
  "the registry is hostile: what it offers runs code when it is installed and when it is started",
  async () => {
    const project = newProject();
    await install(["install", `${scope}/${here}`], project);
    expect(harm()).toMatchObject({ asked: [`${scope}/${here}`, `files/${scope}/${here}`], ran: "installed " });
    say([join(project, "node_modules", scope, here, "bin", "coder")]);
    expect(harm()).toMatchObject({ ran: "installed started " });
  },
  patience,
);

test(
  "one file, npm install -g: the registry is not asked for anything, and the program inside is started",
  async () => {
    const prefix = join(folder, "prefix");
    const done = await install(["install", "-g", "--prefix", prefix, whole]);
    expect([done.code, done.err]).toEqual([0, ""]);
    expect(say([join(prefix, "bin", "coder")])).toBe(answer);
    expect(harm()).toEqual(harmless);
    expect(await install(["uninstall", "-g", "--prefix", prefix, source.name])).toMatchObject({ code: 0 });
    expect([...new Bun.Glob("**/*").scanSync({ cwd: prefix, dot: true })]).toEqual([]);
  },
  patience,
);

test(
  "one file in a project and through npx: the same",
  async () => {
    const project = newProject();
    expect(await install(["install", whole], project)).toMatchObject({ code: 0, err: "" });
    expect(say([join(project, "node_modules", ".bin", "coder")])).toBe(answer);
    expect(say(["npm", "exec", "--offline", "--", "coder"], project)).toBe(answer);
    expect(await install(["exec", "--yes", "--package", whole, "--", "coder", "hello"])).toMatchObject({ out: answer });
    expect(harm()).toEqual(harmless);
  },
  patience,
);

test(
  "the small package and the program's own, npm install -g: the registry is not asked, and what has the right hash is started",
  async () => {
    const prefix = join(folder, "two");
    const done = await install(["install", "-g", "--prefix", prefix, small, beside]);
    expect([done.code, done.err]).toEqual([0, ""]);
    // The second time it is found inside.
    for (const _ of [1, 2]) expect(say([join(prefix, "bin", "coder")])).toBe(answer);
    expect(harm()).toEqual(harmless);
    await install(["uninstall", "-g", "--prefix", prefix, source.name, `${scope}/${here}`]);
    expect([...new Bun.Glob("**/*").scanSync({ cwd: prefix, dot: true })]).toEqual([]);
  },
  patience,
);

test(
  "the small package alone asks no registry for a program; it says what is missing",
  async () => {
    const project = newProject();
    await install(["install", small], project);
    expect(say([join(project, "node_modules", ".bin", "coder")])).toContain("holds no program for");
    expect(harm()).toEqual(harmless);
  },
  patience,
);

test(
  "a hostile package beside ours, inside it or above it is never started, by sh or by Node, with a list of hashes or without",
  async () => {
    for (const [archive, expected] of [
      [whole, /^ours hello\n$/],
      [small, /is not the program that this package was made with/],
    ] as const) {
      const project = newProject();
      await install(["install", archive], project);
      const ours = join(project, "node_modules", "coder");
      const places = [join(project, "node_modules"), join(ours, "node_modules"), join(folder, "node_modules")];
      for (const modules of places) {
        for (const { name } of platforms) putHostile(join(modules, scope, name), `${scope}/${name}`, registry.marker);
        for (const start of [[join(project, "node_modules", ".bin", "coder")], ["node", join(ours, "bin/coder.cjs")]]) {
          expect(say(start)).toMatch(expected);
        }
        rmSync(join(modules, scope), { recursive: true });
      }
      expect(harm()).toEqual(harmless);
    }
  },
  patience,
);

test("no package of ours depends on another or runs a script when it is installed, and all have the same version", () => {
  if (platform === undefined) throw new Error("no package for this machine");
  const programs = platforms.map((one) => platformManifest(source, one));
  const manifests = [mainManifest(source), checkoutManifest(source, platform), ...programs];
  for (const manifest of manifests) {
    expect(Object.keys(manifest).filter((key) => /dependenc|override|bundle/i.test(key))).toEqual([]);
    expect(manifest.version).toBe(source.version);
  }
  const runBy = (one: object) => ("scripts" in one && one.scripts ? Object.keys(one.scripts) : []);
  for (const manifest of manifests) {
    expect(runBy(manifest).filter((name) => /install|prepare|depend|publish/.test(name))).toEqual([]);
  }
  const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as { version: string };
  expect(lock.version).toBe(source.version);
});

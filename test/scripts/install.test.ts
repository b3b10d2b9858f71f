// The packages as a registry would give them, installed by the real npm. The program is a small script here.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import source from "../../package.json";
import { mainManifest, platformManifest, platforms, scope } from "../../scripts/manifest.ts";
import { bareEnvironment, npm } from "../support/npm.ts";

const root = join(import.meta.dir, "..", "..");
const folder = realpathSync(mkdtempSync(join(tmpdir(), "coder-install-")));
const fetched: string[] = [];
const tarballs = new Map<string, string>();
const here = platforms.find(({ os, cpu }) => os === process.platform && cpu === process.arch)?.name ?? "";

/** As much of a registry as npm needs: a document per package, and its archive. */
const registry = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  fetch(request) {
    const path = decodeURIComponent(new URL(request.url).pathname.slice(1));
    const archive = tarballs.get(path.replace(/^files\//, ""));
    if (path.startsWith("files/") && archive !== undefined) {
      fetched.push(path.slice("files/".length));
      return new Response(Bun.file(archive));
    }
    if (!tarballs.has(path)) return Response.json({ error: "not found" }, { status: 404 });
    return Response.json(documentOf(path));
  },
});

function documentOf(name: string): unknown {
  const manifest = manifests.find((one) => one.name === name);
  const version = source.version;
  const dist = { tarball: `${registry.url.href}files/${name}` };
  return { name, "dist-tags": { latest: version }, versions: { [version]: { ...manifest, dist } } };
}

const manifests = [mainManifest(source), ...platforms.map((platform) => platformManifest(source, platform))];

beforeAll(async () => {
  for (const manifest of manifests) {
    const content = join(folder, "content", manifest.name);
    mkdirSync(join(content, "bin"), { recursive: true });
    writeFileSync(join(content, "package.json"), JSON.stringify(manifest));
    if (manifest.name === source.name) cpSync(join(root, "bin"), join(content, "bin"), { recursive: true });
    else writeFileSync(join(content, "bin", "coder"), `#!/bin/sh\necho "${manifest.name} $*"\n`, { mode: 0o755 });
    const packed = await npm(["pack", content, "--pack-destination", folder], folder, join(folder, "home"));
    tarballs.set(manifest.name, join(folder, basename(packed.out.trim())));
  }
}, 120_000);

afterAll(async () => {
  await registry.stop(true);
  rmSync(folder, { recursive: true, force: true });
});

const install = (args: readonly string[], cwd = folder) =>
  npm(args, cwd, join(folder, "home"), registry.url.href.replace(/\/$/, ""));

function say(command: readonly string[], cwd = folder): string {
  const ran = Bun.spawnSync([...command, "hello"], { cwd, env: bareEnvironment(join(folder, "home")) });
  return `${ran.stdout}${ran.stderr}`;
}

const answer = `${scope}/${here} hello\n`;
const patience = 120_000;

test(
  "npm install -g fetches the package and the one program that fits this machine, and runs no script",
  async () => {
    const prefix = join(folder, "prefix");
    fetched.length = 0;
    const installed = await install(["install", "-g", "--prefix", prefix, "--ignore-scripts", source.name]);
    expect([installed.code, installed.err]).toEqual([0, ""]);
    expect(fetched.toSorted()).toEqual([`${scope}/${here}`, source.name]);
    expect(say([join(prefix, "bin", "coder")])).toBe(answer);
  },
  patience,
);

test(
  "a local install and npx start the same program",
  async () => {
    const project = join(folder, "project");
    mkdirSync(project);
    writeFileSync(join(project, "package.json"), "{}");
    expect(await install(["install", "--ignore-scripts", source.name], project)).toMatchObject({ code: 0, err: "" });
    expect(say([join(project, "node_modules", ".bin", "coder")])).toBe(answer);
    expect(say(["npm", "exec", "--offline", "--", "coder"], project)).toBe(answer);
    const once = await install(["exec", "--yes", "--", source.name, "hello"]);
    expect(once).toMatchObject({ code: 0, out: answer });
  },
  patience,
);

test(
  "npm uninstall -g takes away the program, too",
  async () => {
    const prefix = join(folder, "gone");
    await install(["install", "-g", "--prefix", prefix, "--ignore-scripts", source.name]);
    expect(await install(["uninstall", "-g", "--prefix", prefix, source.name])).toMatchObject({ code: 0 });
    expect([...new Bun.Glob("**/*").scanSync({ cwd: prefix, dot: true })]).toEqual([]);
  },
  patience,
);

test(
  "installed without optional packages it says what is missing",
  async () => {
    // In a project: npm 11 does not heed --omit together with -g.
    const project = join(folder, "lean");
    mkdirSync(project);
    writeFileSync(join(project, "package.json"), "{}");
    await install(["install", "--ignore-scripts", "--omit=optional", source.name], project);
    const said = say([join(project, "node_modules", ".bin", "coder")]);
    expect(said).toContain(`the package ${scope}/${here} (for ${here}`);
  },
  patience,
);

test("the published packages need nothing else, and all have the same version", () => {
  const [main, ...programs] = manifests;
  expect(Object.keys(main ?? {}).filter((key) => /dependencies|scripts/i.test(key))).toEqual(["optionalDependencies"]);
  const versions = Object.fromEntries(programs.map(({ name, version }) => [name, version]));
  expect(mainManifest(source).optionalDependencies).toEqual(versions);
  for (const manifest of manifests) expect(Object.keys(manifest)).not.toContain("scripts");
  const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as { version: string };
  expect(lock.version).toBe(source.version);
});

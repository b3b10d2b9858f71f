// `npm run pack`: the packages to hand out, in dist/npm. `--stage` and `--restore` stand around `npm pack` in the checkout.
import { cpSync, existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  checkoutManifest,
  type Manifest,
  mainManifest,
  platformManifest,
  platformOf,
  platforms,
  scope,
} from "./manifest.ts";

const root = join(import.meta.dir, "..");
const out = join(root, "dist", "npm");
const manifestFile = join(root, "package.json");
/** The checkout's package.json while `npm pack` sees the published one. */
const savedFile = join(root, "dist", "package.json.saved");

async function main(args: readonly string[]): Promise<number> {
  restore();
  // `npm run pack` has the two scripts around it as well, but nothing to do for them.
  if (args.length > 0 && process.env.npm_command?.startsWith("run")) return 0;
  if (args.includes("--restore")) return 0;
  const source = (await Bun.file(manifestFile).json()) as Manifest;
  const platform = platformOf(process.platform, process.arch, libcHere());
  if (platform === undefined) return complain(`coder has no package for ${process.platform} ${process.arch}`);
  if (run([process.execPath, join(root, "scripts", "build.ts")]) !== 0) return 1;
  const isStage = args.includes("--stage");
  const folder = join(out, scope, platform.name);
  const papers = ["licences", "THIRD_PARTY_NOTICES.md", "LICENSE"];
  fillFolder(folder, platformManifest(source, platform), isStage ? [] : papers);
  mkdirSync(join(folder, "bin"));
  linkSync(join(root, "dist", "coder"), join(folder, "bin", "coder"));
  if (isStage) {
    stage(checkoutManifest(source, platform));
    return 0;
  }
  const main = join(out, source.name);
  fillFolder(main, mainManifest(source), [...source.files, "README.md", "LICENSE"]);
  const hashes = programHashes(source.version);
  writeFileSync(join(main, "bin", "programs.json"), show(hashes));
  const packed = [main, folder].map((path) =>
    run(["npm", "pack", path, "--pack-destination", out, "--ignore-scripts", "--silent"]),
  );
  if (packed.some((code) => code !== 0)) return 1;
  report(source, platform.name, Object.keys(hashes));
  return 0;
}

/** Which programs the launcher starts from a package of their own: platform → SHA-256 of those that lie here in this version. */
function programHashes(version: string): Readonly<Record<string, string>> {
  const hashes: Record<string, string> = {};
  for (const { name } of platforms) {
    const folder = join(out, scope, name);
    if (!existsSync(join(folder, "bin", "coder"))) continue;
    const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Pick<Manifest, "version">;
    if (manifest.version !== version) continue;
    hashes[name] = new Bun.CryptoHasher("sha256").update(readFileSync(join(folder, "bin", "coder"))).digest("hex");
  }
  return hashes;
}

function fillFolder(folder: string, manifest: object, files: readonly string[]): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), show(manifest));
  for (const file of files) cpSync(join(root, file), join(folder, file), { recursive: true });
}

function show(manifest: object): string {
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/** npm reads package.json after `prepack`. A pack that was killed leaves both files; the next one begins by putting it right. */
function stage(manifest: object): void {
  cpSync(manifestFile, savedFile, { preserveTimestamps: true });
  writeFileSync(`${savedFile}.next`, show(manifest));
  // By rename: at no moment is there no package.json, or half of one.
  renameSync(`${savedFile}.next`, manifestFile);
}

/** With its old time, so that the build is still current. */
function restore(): void {
  if (!existsSync(savedFile)) return;
  renameSync(savedFile, manifestFile);
}

/** Which C library the programs of this machine are linked to; Bun's own program tells. */
function libcHere(): "glibc" | "musl" | undefined {
  if (process.platform !== "linux") return undefined;
  return readFileSync("/proc/self/maps", "utf8").includes("/ld-musl-") ? "musl" : "glibc";
}

/** What it says goes to stderr: stdout is that of `npm pack`. */
function run(argv: readonly string[]): number {
  return Bun.spawnSync([...argv], { cwd: root, stdin: "ignore", stdout: 2, stderr: "inherit" }).exitCode;
}

function complain(text: string): number {
  process.stderr.write(`pack: ${text}\n`);
  return 1;
}

function report(source: Manifest, built: string, known: readonly string[]): void {
  const others = platforms.filter(({ name }) => !known.includes(name)).map(({ name }) => name);
  process.stdout.write(`dist/npm/${source.name}-${source.version}.tgz, which starts: ${known.join(", ")}
dist/npm/${scope.slice(1)}-${built}-${source.version}.tgz
Not built: ${others.join(", ")}. Each is built by the same command on a machine of its kind; copy its folder
dist/npm/${scope}/NAME here and run this again, so that its hash is in the first file.\n`);
}

process.exit(await main(process.argv.slice(2)));

// Programs of others in the places where coder, its launcher and npm look for one.
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { HostileRegistry, putHostile } from "../../test/support/hostile-registry.ts";
import { npm } from "../../test/support/npm.ts";
import { type Attempt, broken, held, type Outcome } from "./attempt.ts";
import type { Ground } from "./ground.ts";

const here = `${process.platform}-${process.arch}`;
const scoped = `@coder-cli/${here}`;
/** Stands for the compiled program, which is too big to be copied for each attempt. */
const ours = '#!/bin/sh\necho "ours $*"\n';

/** The checkout of the program that is attacked. */
const checkoutOf = ({ program }: Ground): string => dirname(dirname(program.at(-1) ?? ""));

/** The launcher as npm unpacks it; answers with its file. */
function unpack(ground: Ground, modules: string, kind: "whole" | "small"): string {
  const root = join(modules, "coder");
  mkdirSync(root, { recursive: true });
  cpSync(join(checkoutOf(ground), "bin"), join(root, "bin"), { recursive: true });
  const hash = new Bun.CryptoHasher("sha256").update(ours).digest("hex");
  if (kind === "whole") ground.write(join(root, "dist/npm", scoped, "bin/coder"), ours, 0o755);
  else ground.write(join(root, "bin/programs.json"), JSON.stringify({ [here]: hash }));
  return join(root, "bin", "coder.cjs");
}

/** Where somebody else's package is put; `top` holds the folder of modules. */
const spots: Readonly<Record<string, (top: string) => string>> = {
  beside: (top) => join(top, "node_modules"),
  inside: (top) => join(top, "node_modules", "coder", "node_modules"),
  "in a folder above": (top) => join(dirname(top), "node_modules"),
};

type Way = (file: string) => readonly string[];
const ways: Readonly<Record<string, Way>> = {
  sh: (file) => ["sh", file],
  Node: (file) => ["node", file],
  "a link in node_modules/.bin": (file) => {
    const link = join(dirname(file), "..", "..", ".bin", "coder");
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(file, link);
    return [link];
  },
};

function started(ground: Ground, argv: readonly string[], env: Readonly<Record<string, string>> = {}): Outcome {
  const child = Bun.spawnSync([...argv, "hello"], { cwd: ground.workspace, env: ground.environment(env) });
  const said = `${child.stdout}${child.stderr}`.trim();
  return ground.isMarked ? broken("it ran") : held(said.split("\n")[0] ?? "");
}

const layouts: readonly Attempt[] = (["whole", "small"] as const).flatMap((kind) =>
  Object.entries(spots).flatMap(([spot, modulesOf]) =>
    Object.entries(ways).map(([way, start]) => ({
      promise: "packages",
      name: `a package of the platform's name lies ${spot}; ours ${kind === "whole" ? "has its program inside" : "knows the hash of its program"}; started by ${way}`,
      play: async (ground: Ground): Promise<Outcome> => {
        const top = join(ground.folder("app"), "deep");
        const file = unpack(ground, join(top, "node_modules"), kind);
        putHostile(join(modulesOf(top), scoped), scoped, ground.mark);
        return started(ground, start(file));
      },
    })),
  ),
);

/** The right program at first; later another is in its place, as package managers put it there. */
const later: Readonly<Record<string, (program: string, ground: Ground) => void>> = {
  "its package is replaced": (program, { mark }) => {
    rmSync(join(program, "../.."), { recursive: true });
    putHostile(join(program, "../.."), scoped, mark);
  },
  "it becomes a link to another": (program, ground) => {
    putHostile(join(ground.root, "evil"), scoped, ground.mark);
    rmSync(program);
    symlinkSync(join(ground.root, "evil/bin/coder"), program);
  },
  "its folder becomes a link to another": (program, ground) => {
    putHostile(join(ground.root, "evil"), scoped, ground.mark);
    rmSync(join(program, "../.."), { recursive: true });
    symlinkSync(join(ground.root, "evil"), join(program, "../.."));
  },
};

const replaced: readonly Attempt[] = Object.entries(later).flatMap(([name, change]) =>
  ["sh", "Node"].map((way) => ({
    promise: "packages",
    name: `after a first start with the right program ${name}; started by ${way}`,
    play: async (ground: Ground): Promise<Outcome> => {
      const modules = join(ground.folder("app"), "node_modules");
      const file = unpack(ground, modules, "small");
      const program = ground.write(join(modules, scoped, "bin/coder"), ours, 0o755);
      ground.write(join(modules, scoped, "package.json"), JSON.stringify({ name: scoped }));
      const first = Bun.spawnSync([...ways[way]!(file), "hello"], { env: ground.environment({}) });
      if (!first.stdout.toString().includes("ours hello")) throw new Error(`${first.stdout}${first.stderr}`);
      change(program, ground);
      return started(ground, ways[way]!(file));
    },
  })),
);

/** The real npm, and a registry that has every name. */
const installs = ["install", "install -g", "exec"].map((deed) => ({
  promise: "packages",
  name: `npm ${deed} of our packed file, with a registry that has a hostile package of every name`,
  play: async (ground: Ground): Promise<Outcome> => {
    await using registry = new HostileRegistry();
    const home = ground.folder("npm-home");
    const { checkoutManifest, platforms } = (await import(
      join(checkoutOf(ground), "scripts/manifest.ts")
    )) as Manifests;
    const source = (await import(join(checkoutOf(ground), "package.json"))) as object;
    const platform = platforms.find(({ name }) => name === here);
    const content = ground.folder("content");
    cpSync(join(checkoutOf(ground), "bin"), join(content, "bin"), { recursive: true });
    ground.write(join(content, "dist/npm", scoped, "bin/coder"), ours, 0o755);
    ground.write(join(content, "package.json"), JSON.stringify({ ...checkoutManifest(source, platform), scripts: {} }));
    await npm(["pack", content, "--pack-destination", ground.root, "--ignore-scripts"], ground.root, home);
    const archive = join(ground.root, readdirSync(ground.root).find((name) => name.endsWith(".tgz")) ?? "");
    const app = ground.folder("app");
    const words = {
      install: ["install", archive],
      "install -g": ["install", "-g", "--prefix", join(app, "global"), archive],
      exec: ["exec", "--yes", `--package=${archive}`, "--", "coder", "hello"],
    }[deed]!;
    const ran = await npm(words, app, home, registry.url);
    const bins = [join(app, "node_modules/.bin/coder"), join(app, "global/bin/coder")].filter((one) => existsSync(one));
    const said = bins.map((bin) => Bun.spawnSync([bin, "hello"], { env: ground.environment({}) }).stdout.toString());
    if (existsSync(registry.marker)) return broken("its code ran");
    if (registry.asked.length > 0) return broken(`it was asked for ${registry.asked.join(", ")}`);
    return (deed === "exec" ? [ran.out] : said).join("").includes("ours hello")
      ? held("nobody was asked, ours runs")
      : broken(`it does not work: ${ran.err}`);
  },
}));

interface Manifests {
  readonly platforms: readonly { readonly name: string }[];
  readonly checkoutManifest: (source: object, platform: unknown) => object;
}

/** A workspace that brings programs and settings under names that coder, or the runtime inside it, could look for. */
const brought: Readonly<Record<string, (ground: Ground, script: string) => Readonly<Record<string, string>>>> = {
  "a bunfig.toml that loads a file": (ground) => {
    ground.write("evil.js", `require("fs").writeFileSync(${JSON.stringify(ground.mark)}, "")`);
    ground.write(
      "bunfig.toml",
      'preload = ["./evil.js"]\n[test]\npreload = ["./evil.js"]\n[run]\npreload = ["./evil.js"]\n',
    );
    return {};
  },
  "an .env that has the runtime load a file": (ground) => {
    ground.write("evil.js", `require("fs").writeFileSync(${JSON.stringify(ground.mark)}, "")`);
    ground.write(".env", "BUN_OPTIONS=--preload=./evil.js\nNODE_OPTIONS=--require=./evil.js\nBUN_BE_BUN=1\n");
    return {};
  },
  "an .env.local with a folder of programs": (ground) => {
    ground.write(".env.local", `PATH=${ground.workspace}:/usr/bin:/bin\n`);
    return {};
  },
  "programs of the names that it starts, with the folder on PATH": (ground) => ({
    PATH: `${ground.workspace}:${process.env.PATH}`,
  }),
  "the same, with a dot on PATH": () => ({ PATH: `.:${process.env.PATH}` }),
  "the same, with an empty entry on PATH": () => ({ PATH: `:${process.env.PATH}` }),
  "the same in node_modules/.bin, as npx puts it there": (ground, script) => {
    for (const name of names) ground.write(`node_modules/.bin/${name}`, script, 0o755);
    return { PATH: `${ground.workspace}/node_modules/.bin:${process.env.PATH}` };
  },
  "the same, behind a link outside": (ground) => {
    symlinkSync(ground.workspace, join(ground.root, "tools"));
    return { PATH: `${ground.root}/tools:${process.env.PATH}` };
  },
};

const names = [
  "git",
  "rg",
  "bwrap",
  "strace",
  "node",
  "bash",
  "sh",
  "prlimit",
  "ps",
  "which",
  "uname",
  "xclip",
  "file",
];

const workspaces: readonly Attempt[] = Object.entries(brought).map(([what, lay]) => ({
  promise: "packages",
  name: `the workspace brings ${what}`,
  play: async (ground: Ground): Promise<Outcome> => {
    ground.write("a.txt", "a\n");
    ground.repository();
    const script = `#!/bin/sh\necho "$0 $*" >> ${ground.mark}\n`;
    for (const name of names) ground.write(name, script, 0o755);
    const env = lay(ground, script);
    await ground.coder(["doctor"], env);
    const calls = [
      { tool: "grep", input: { pattern: "a", path: "." } },
      { tool: "glob", input: { pattern: "*.txt" } },
      { tool: "bash", input: { command: "cat a.txt" } },
    ];
    await ground.play([{ calls }], { mode: "default", env });
    return ground.isMarked ? broken(`it ran: ${ground.text(ground.mark)}`) : held("not started");
  },
}));

export const packageAttempts: readonly Attempt[] = [...layouts, ...replaced, ...installs, ...workspaces];

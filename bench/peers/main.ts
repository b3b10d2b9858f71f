// `npm run bench-peers [-- --only coder,pi] [--parts version,turn,steps,screen,cancel] [--quick]`: this checkout and other agents, in one run,
// against one fake model. The others come from the npm registry in pinned versions, into a temporary folder that is removed.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { startFakeModel } from "./fake-model.ts";
import { type Agent, type Measured, timeCancel, timeScreen, timeSteps, timeTurn, timeVersion } from "./measure.ts";
import { endAll, runMark } from "./processes.ts";
import { type PeerName, profiles } from "./profiles.ts";
import { node, type Package, packages } from "./versions.ts";

const root = join(import.meta.dir, "..", "..");
const allParts = ["version", "turn", "steps", "screen", "cancel"];

async function main(args: readonly string[]): Promise<number> {
  const options = { only: { type: "string" }, parts: { type: "string" }, quick: { type: "boolean" } } as const;
  const { values } = parseArgs({ args: [...args], options });
  const names = (values.only?.split(",") ?? Object.keys(profiles)) as PeerName[];
  const parts = values.parts?.split(",") ?? allParts;
  const unknown = [
    ...names.filter((name) => !Object.hasOwn(profiles, name)),
    ...parts.filter((one) => !allParts.includes(one)),
  ];
  if (unknown.length > 0 || process.platform !== "linux") {
    console.error(
      unknown.length > 0 ? `bench-peers: unknown: ${unknown.join(", ")}` : "bench-peers: needs /proc, so Linux",
    );
    return 2;
  }
  const scratch = realpathSync(mkdtempSync(join(tmpdir(), "peers-")));
  // Ctrl+C ends the wait for a child, and then the folder goes.
  process.once("SIGINT", () => (process.exitCode = 130));
  try {
    const needsNode = names.some((name) => Object.hasOwn(packages, name));
    const folder = needsNode ? await newNode(scratch) : nodeHere();
    const model = startFakeModel();
    const workspace = newWorkspace(scratch);
    const results = new Map<PeerName, Measured>();
    for (const name of new Set<PeerName>(["bare loop", ...names])) {
      if (process.exitCode === 130) return 130;
      const agent = await ready(name, { scratch, workspace, url: model.url, node: folder });
      results.set(name, agent === null ? {} : await measure(name, agent, model, parts, values.quick === true));
      // Some start a server of their own, which stays as long as they are measured.
      endAll(runMark, -1);
    }
    model.stop();
    print(results, names);
    return 0;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function measure(
  name: PeerName,
  agent: Agent,
  model: ReturnType<typeof startFakeModel>,
  parts: readonly string[],
  isQuick: boolean,
): Promise<Measured> {
  const measured: Measured = {};
  const count = isQuick ? 3 : 9;
  const isBare = name === "bare loop";
  const work: Readonly<Record<string, () => Promise<unknown>>> = {
    version: async () => Object.assign(measured, isBare ? {} : { version: await timeVersion(agent, isQuick ? 5 : 15) }),
    turn: async () => Object.assign(measured, { turn: await timeTurn(agent, model, count) }),
    steps: async () => Object.assign(measured, { steps: await timeSteps(agent, model, isQuick ? 1 : 3) }),
    screen: async () => Object.assign(measured, { screen: await timeScreen(agent, model, isQuick ? 2 : 5) }),
    cancel: async () => Object.assign(measured, { cancel: await timeCancel(agent, model) }),
  };
  for (const part of parts) {
    const started = performance.now();
    try {
      await work[part]?.();
    } catch (error) {
      console.error(`${name}: ${part}: ${error instanceof Error ? error.message : String(error)}`);
    }
    console.error(`${name}: ${part} (${((performance.now() - started) / 1000).toFixed(1)} s)`);
  }
  return measured;
}

interface Place {
  readonly scratch: string;
  readonly workspace: string;
  readonly url: string;
  /** Folder of a Node that is new enough for all of them. */
  readonly node: string;
}

/** Installed and with its files in place; `null`, with the reason on stderr, where it could not be installed. */
async function ready(name: PeerName, { scratch, workspace, url, node: newer }: Place): Promise<Agent | null> {
  const profile = profiles[name];
  const home = join(scratch, "home", name);
  mkdirSync(home, { recursive: true, mode: 0o700 });
  for (const [path, text] of Object.entries(profile.files?.(url, workspace) ?? {})) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
  }
  const command = await programOf(name, join(scratch, name), newer);
  if (command === null) return null;
  const shared = { HOME: home, LANG: "C.UTF-8", TERM: "xterm-256color", COLORTERM: "truecolor" };
  const PATH = [newer, process.env.PATH].join(delimiter);
  return { command, profile, workspace, env: { ...shared, PATH, ...profile.env(url) } };
}

async function programOf(name: PeerName, folder: string, newer: string): Promise<readonly string[] | null> {
  if (name === "bare loop") return [process.execPath, join(root, "bench", "floor.ts")];
  if (name === "coder") return [join(root, "dist", "coder")];
  const wanted = packages[name];
  if (!(await install(wanted, folder))) return null;
  if (wanted.finish !== undefined) {
    const env = { ...process.env, PATH: [newer, process.env.PATH].join(delimiter) };
    await Bun.spawn(["node", join(folder, wanted.finish)], { cwd: folder, env, stdio: ["ignore", 2, 2] }).exited;
  }
  return [join(folder, profiles[name].program ?? "")];
}

/** Without install scripts: only one is needed, and that is named. */
async function install({ name, version }: Package, folder: string): Promise<boolean> {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), "{}");
  console.error(`Installing ${name}@${version} …`);
  const flags = ["--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"];
  const child = Bun.spawn(["npm", "install", ...flags, `${name}@${version}`], { cwd: folder, stdio: ["ignore", 2, 2] });
  const isThere = (await child.exited) === 0;
  if (!isThere) console.error(`${name}@${version} could not be installed; it is left out.`);
  return isThere;
}

async function newNode(scratch: string): Promise<string> {
  const folder = join(scratch, "node");
  const program = join(folder, "node_modules", node.name, "bin");
  return (await install(node, folder)) && existsSync(program) ? program : nodeHere();
}

function nodeHere(): string {
  return dirname(Bun.which("node") ?? "");
}

/** A repository with files to read. */
function newWorkspace(scratch: string): string {
  const workspace = join(scratch, "workspace");
  mkdirSync(workspace);
  for (let n = 0; n < 60; n++) {
    const line = `of file ${n}: the quick brown fox jumps over the lazy dog, and then some more.\n`;
    writeFileSync(
      join(workspace, `f${n}.txt`),
      Array.from({ length: 12 }, (_, at) => `line ${at + 1} ${line}`).join(""),
    );
  }
  const author = ["-c", "user.name=bench", "-c", "user.email=bench@localhost"];
  for (const args of [
    ["init", "-q"],
    ["add", "-A"],
    [...author, "commit", "-qm", "files"],
  ])
    Bun.spawnSync(["git", ...args], { cwd: workspace });
  return workspace;
}

function print(results: ReadonlyMap<PeerName, Measured>, names: readonly PeerName[]): void {
  const [load] = readFileSync("/proc/loadavg", "utf8").split(" ");
  const day = new Date().toISOString().slice(0, 10);
  console.log(
    `Measured on ${day}, ${cpus().length} cores, load at the end ${load}; ms, medians; × by the least of the bare loop.\n`,
  );
  const bare = results.get("bare loop");
  const shown = [...results].filter(([name]) => name === "bare loop" || names.includes(name));
  table(
    ["", "--version", "one turn", "50 steps", "step", "RSS 50 steps MiB", "first request tokens", "screen painted"],
    shown.map(([name, { version, turn, steps, screen }]) => [
      labelOf(name),
      number(version?.median),
      withRatio(turn, bare?.turn?.least),
      withRatio(steps, bare?.steps?.least),
      number(steps?.step),
      number(steps?.mib),
      turn?.tokens?.toLocaleString("en-US") ?? "–",
      number(screen ?? undefined),
    ]),
  );
  const cancelled = shown.flatMap(([name, { cancel }]) =>
    cancel ? [[labelOf(name), cancel.interrupt, cancel.escape]] : [],
  );
  if (cancelled.length > 0)
    table(["nothing of a command runs any more after", "SIGINT, headless", "Esc, on screen"], cancelled);
}

function labelOf(name: PeerName): string {
  if (name === "bare loop") return "bare Bun loop";
  if (name !== "coder") return `${name} ${packages[name].version}`;
  const version = Bun.spawnSync([join(root, "dist", "coder"), "--version"])
    .stdout.toString()
    .trim();
  return version;
}

function number(value: number | undefined): string {
  if (value === undefined || !Number.isFinite(value)) return "–";
  return value < 10 ? value.toFixed(1) : Math.round(value).toLocaleString("en-US");
}

function withRatio(
  times: { readonly median: number; readonly least: number } | undefined,
  bare: number | undefined,
): string {
  if (times === undefined) return "–";
  if (bare === undefined || times.least === bare) return number(times.median);
  const ratio = times.least / bare;
  return `${number(times.median)} (${ratio < 10 ? ratio.toFixed(1) : ratio.toFixed(0)}×)`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): void {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  console.log([line(head), `|${"---|".repeat(head.length)}`, ...rows.map(line)].join("\n"), "\n");
}

process.exit(await main(process.argv.slice(2)));

// npm packages that projects of scenarios need: fetched once, before anything runs, and copied from then on.
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const sets = {
  jest: ["jest@30.5.2"],
  vitest: ["vitest@4.1.12"],
  mocha: ["mocha@12.0.3"],
  typescript: ["typescript@5.9.3", "mocha@12.0.3"],
  pnpm9: ["pnpm@9.15.9"],
  pnpm10: ["pnpm@10.34.8"],
  yarn: ["yarn@1.22.22"],
} as const;

export type ToolSet = keyof typeof sets;

const cache = join(import.meta.dir, "..", "..", "node_modules", ".cache", "scenarios");

/** Copies the packages to `folder`/node_modules: the cache may lie where the sandbox does not show it. */
export function layTools(set: ToolSet, folder: string): void {
  const from = join(fetched(set), "node_modules");
  cpSync(from, join(folder, "node_modules"), { recursive: true, verbatimSymlinks: true });
}

/** Where they lie. What was only half fetched has another name. */
function fetched(set: ToolSet): string {
  const packages = sets[set];
  const folder = join(cache, `${set}-${createHash("sha256").update(packages.join()).digest("hex").slice(0, 8)}`);
  if (existsSync(folder)) return folder;
  const half = `${folder}.${process.pid}`;
  rmSync(half, { recursive: true, force: true });
  mkdirSync(half, { recursive: true });
  writeFileSync(join(half, "package.json"), '{"private":true}');
  const quiet = ["--no-audit", "--no-fund", "--no-package-lock", "--loglevel=error"];
  const argv = ["npm", "install", "--ignore-scripts", "--include=optional", ...quiet, ...packages];
  // Where npm has started us it also says which folder is its project.
  const env = { ...process.env, npm_config_local_prefix: undefined };
  const done = Bun.spawnSync(argv, { cwd: half, env, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  if (done.exitCode !== 0) {
    rmSync(half, { recursive: true, force: true });
    throw new Error(`${packages.join(" ")} could not be fetched: ${done.stdout}${done.stderr}`.trim());
  }
  if (existsSync(folder)) rmSync(half, { recursive: true, force: true });
  else renameSync(half, folder);
  return folder;
}

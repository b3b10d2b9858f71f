import { afterAll, expect, test } from "bun:test";
import { appendFileSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { version } from "../../package.json";
import { Checkout } from "../support/checkout.ts";

const patience = 120_000;
const checkout = new Checkout();
afterAll(() => checkout[Symbol.dispose]());

/** The version that a program built in this folder prints. */
function builtVersion(folder: string): string {
  const build = Bun.spawnSync([process.execPath, join(folder, "scripts", "build.ts")], { stderr: "pipe" });
  expect([build.exitCode, build.stderr.toString()]).toEqual([0, ""]);
  return Bun.spawnSync([join(folder, "dist", "coder"), "--version"]).stdout.toString();
}

function git(folder: string, ...args: readonly string[]): string {
  const person = ["-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "commit.gpgsign=false"];
  const done = Bun.spawnSync(["git", ...person, ...args], { cwd: folder, stderr: "pipe" });
  if (done.exitCode !== 0) throw new Error(`git ${args.join(" ")}: ${done.stderr}`);
  return done.stdout.toString().trim();
}

test(
  "--version has the commit it was built from, -dirty when the source differs, and none without a repository of its own",
  () => {
    const { root } = checkout;
    const plain = `coder ${version}\n`;
    expect(builtVersion(root)).toBe(plain);

    git(root, "init", "-q");
    git(root, "add", "-A");
    git(root, "commit", "-q", "-m", "first");
    const commit = git(root, "rev-parse", "--short=12", "HEAD");
    expect(builtVersion(root)).toBe(`coder ${version} (${commit})\n`);

    appendFileSync(join(root, "README.md"), "\nNot a part of the program.\n");
    expect(builtVersion(root)).toBe(`coder ${version} (${commit})\n`);

    writeFileSync(join(root, "src", "fresh.ts"), "export {};\n");
    expect(builtVersion(root)).toBe(`coder ${version} (${commit}-dirty)\n`);

    // Unpacked inside somebody else's repository.
    rmSync(join(root, ".git"), { recursive: true });
    const foreign = join(checkout.outside, "foreign");
    mkdirSync(foreign);
    git(foreign, "init", "-q");
    git(foreign, "commit", "-q", "--allow-empty", "-m", "theirs");
    renameSync(root, join(foreign, "coder"));
    expect(builtVersion(join(foreign, "coder"))).toBe(plain);
    renameSync(join(foreign, "coder"), root);
  },
  patience,
);

test(
  "a build removes what builds that were killed left behind, and leaves a running one's alone",
  () => {
    const { root } = checkout;
    const dead = Bun.spawnSync(["true"]).pid;
    const left = join(root, "dist", `coder.${dead}`);
    const running = join(root, "dist", `coder.${process.pid}`);
    mkdirSync(join(root, "dist"), { recursive: true });
    for (const path of [left, running]) writeFileSync(path, "half");
    const build = Bun.spawnSync([process.execPath, join(root, "scripts", "build.ts"), "--force"]);
    expect([build.exitCode, existsSync(left), existsSync(running)]).toEqual([0, false, true]);
  },
  patience,
);

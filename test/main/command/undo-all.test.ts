import { expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sh, treeOf } from "../../platform/changes/ground.ts";
import { Cli } from "../../support/cli.ts";
import { until } from "../../support/until.ts";

const files = 60;

function mess(root: string): void {
  const put = (name: string, text: string): void => writeFileSync(join(root, name), text);
  for (let at = 0; at < files; at++) put(`f${at}`, `${at}\n`);
  sh("git init -q && git add -A && git -c user.name=a -c user.email=a@b commit -qm first", root);
  for (let at = 0; at < files; at += 3) put(`f${at}`, `mine ${at}\n`);
  for (let at = 1; at < files; at += 3) sh(`rm f${at}`, root);
  mkdirSync(join(root, "new/deep"), { recursive: true });
  for (let at = 0; at < 20; at++) put(`new/deep/n${at}`, `${at}\n`);
  sh("ln -s f1 new/link && chmod 600 new/deep/n0 && chmod 700 new", root);
}

test("[RB-3] [PS-4] kill -9 anywhere in /undo --all or its redo: a resume finds all or nothing, and the way back works", async () => {
  using cli = new Cli([{ text: "hello" }]);
  await cli.run(["run", ...cli.model, "hi"]);
  mess(cli.workspace);
  const whole = JSON.stringify(treeOf(cli.workspace));
  const all = ["undo", "--all", "--mode", "yolo"];
  expect((await cli.run(all)).code).toBe(0);
  const clean = JSON.stringify(treeOf(cli.workspace));
  expect((await cli.run(["undo", "--redo"])).code).toBe(0);
  expect(JSON.stringify(treeOf(cli.workspace))).toBe(whole);
  const hasTemps = (): boolean => readdirSync(cli.workspace).some((name) => name.startsWith(".coder-"));
  let [isWhole, inside] = [true, 0];
  for (let round = 0; round < 10; round++) {
    const child = cli.start(isWhole ? all : ["undo", "--redo"]);
    await until("it works, or has ended", () => hasTemps() || child.exitCode !== null);
    await Bun.sleep(round * 4);
    child.kill("SIGKILL");
    await child.exited;
    inside += hasTemps() ? 1 : 0;
    // Nothing of it was kept with the intent, so nothing may happen to it.
    const late = join(cli.workspace, "late.txt");
    writeFileSync(late, "late\n");
    // Opens the session, and so settles what was left open.
    await cli.run(["run", ...cli.model, "--continue", "/status"]);
    expect(readFileSync(late, "utf8")).toBe("late\n");
    rmSync(late);
    const tree = JSON.stringify(treeOf(cli.workspace));
    expect([whole, clean]).toContain(tree);
    isWhole = tree === whole;
    expect(hasTemps()).toBe(false);
  }
  expect(inside).toBeGreaterThan(1);
  if (!isWhole) expect((await cli.run(["undo", "--redo"])).code).toBe(0);
  expect(JSON.stringify(treeOf(cli.workspace))).toBe(whole);
}, 120_000);

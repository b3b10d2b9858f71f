// Single settings of git, which stand in the person's own config as often as in that of the repository.
import { expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Bench } from "../support/engine.ts";

async function outputs(lines: readonly string[], repository = ""): Promise<readonly string[]> {
  await using bench = new Bench([
    ...lines.map((command) => ({ calls: [{ tool: "bash", input: { command } }] })),
    { text: "done" },
  ]);
  // Not below /tmp, which a confined command has for itself.
  const person = mkdtempSync("/var/tmp/coder-person-");
  writeFileSync(
    join(person, ".gitconfig"),
    "[user]\n\tname = Ada\n[pull]\n\trebase = true\n[http]\n\textraheader = canary\n",
  );
  expect(spawnSync("git", ["init", "-q", bench.workspace]).status).toBe(0);
  if (repository !== "") writeFileSync(join(bench.workspace, ".git", "config"), repository, { flag: "a" });
  const before = process.env.HOME;
  process.env.HOME = person;
  try {
    const seat = bench.open({ mode: "default" });
    await seat.run("go");
    return seat.all("tool.settled").map(({ result }) => `${result.status} ${result.output}`);
  } finally {
    process.env.HOME = before;
    rmSync(person, { recursive: true });
  }
}

test("[PO-4] git config tells single settings of the person and of the repository", async () => {
  const lines = [
    "git config user.name",
    "git config --get pull.rebase",
    "git config --global --get user.name || echo none",
  ];
  expect(await outputs(lines)).toEqual(["done exit code 0\nAda", "done exit code 0\ntrue", "done exit code 0\nAda"]);
  expect(await outputs(["git config --get remote.origin.url"], '[remote "origin"]\n\turl = /there\n')).toEqual([
    "done exit code 0\n/there",
  ]);
});

test("[PO-4] it asks for what may be a secret, what would be set, and what other commands of the line could not be told", async () => {
  const lines = [
    ...[
      "git config --get http.extraheader",
      "git config --list",
      "git config user.name Eve",
      "git config --global user.name Eve",
    ],
    ...["git config user.name && cat .git/HEAD", "git status && git config user.name", "git config --get-regexp ."],
    ...["git config --get credential.helper", "git config --file x user.name", "git config --unset user.name"],
  ];
  for (const one of await outputs(lines)) expect(one).toMatch(/^denied/);
  for (const one of await outputs(["git config user.name"], "[include]\n\tpath = ../evil\n"))
    expect(one).toMatch(/^denied/);
});

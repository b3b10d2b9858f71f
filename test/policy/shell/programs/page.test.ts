import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { judgeCommand } from "../../../../src/policy/command.ts";
import { git } from "../../../../src/policy/shell/programs/git.ts";
import { describeTable } from "./describe.ts";
import { rows } from "./lines.ts";

const page = readFileSync(new URL("../../../../docs/reference/policy-commands.md", import.meta.url), "utf8");
const [list = ""] = page.split("\n## ");
const facts = { gitProblem: null };

function listed(isGit: boolean): readonly string[] {
  const lines = list.split("\n").filter((line) => line.startsWith("| ") && line.startsWith("| git") === isGit);
  return lines.flatMap((line) => [...line.split("|")[2]!.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name)).sort();
}

test("[PO-4] the page for users names every program of the table and no other", () => {
  const { git: _, ...others } = rows;
  const scripts = ["egrep", "fgrep", "zcat", "gunzip", "zgrep", "zegrep", "zfgrep"];
  const elsewhere = ["awk", "sed", "find", "expr", "jq", "env", ...scripts];
  expect(listed(false)).toEqual([...Object.keys(others), ...elsewhere].sort());
  const commands = Object.keys(git.commands ?? {}).filter((name) => !name.startsWith("-"));
  expect(listed(true)).toEqual(commands.sort());
});

test("[PO-4] what the page says about single commands is so", () => {
  const allowed = [
    "/usr/bin/ls",
    "unzip -l a.zip",
    "gzip -dc a.gz",
    "tar tzf a.tgz",
    "egrep x a",
    "ls | tee /dev/null",
    "kill -l",
    "mount",
    "hostname",
    "alias",
    "sleep 10",
    "bash -n a.sh",
    "git -c core.pager=cat -c color.ui=never --no-pager log -1",
  ];
  expect(allowed.filter((line) => !judgeCommand(line, facts).isReadOnly)).toEqual([]);
  const asks = ["ls --col", "tail -f a", "md5sum -c a", "ps e", "bat a", "zless a.gz", "tar xf a", "top -bn1"];
  expect(asks.filter((line) => judgeCommand(line, facts).isReadOnly)).toEqual([]);
});

test("[PO-4] what runs without a question is exactly what was reviewed, option by option", () => {
  const reviewed = readFileSync(new URL("table.txt", import.meta.url), "utf8");
  expect(describeTable().split("\n")).toEqual(reviewed.split("\n"));
});

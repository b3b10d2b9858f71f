import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { parseGitConfig } from "../../../src/platform/git/config-file.ts";

const folder = mkdtempSync(join(tmpdir(), "coder-git-config-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** As `git config --list -z` shows them; `null` = refused. */
function byGit(text: string): readonly string[] | null {
  const file = join(folder, "config");
  writeFileSync(file, text);
  const env = { PATH: process.env.PATH, GIT_CONFIG_NOSYSTEM: "1" };
  const child = Bun.spawnSync(["git", "config", "--file", file, "--list", "-z"], { env });
  return child.exitCode === 0 ? child.stdout.toString().split("\0").slice(0, -1) : null;
}

function byUs(text: string): readonly string[] | null {
  const found = parseGitConfig(text)?.map(({ section, subsection, key, value }) => {
    const name = subsection === null ? section : `${section}.${subsection}`;
    return `${name}.${key}${value === null ? "" : `\n${value}`}`;
  });
  return found ?? null;
}

const ordinary = [
  '[core]\n\trepositoryformatversion = 0\n\tbare = false\n[remote "origin"]\n\turl = https://h/x.git\n',
  '[remote "a b"]url=x # why\n[Branch "Main"]\n  Merge = refs/heads/main ; end\n',
  '[a]\nk = "one # two" three\\t\\"four\\"\n[b.C]\nk\n',
  '\ufeff[a]\r\nk = v \r\n\r\n; note\r\n[a "q\\"\\\\"] k=\n',
  '[user]\n\tname = "Ärger é"\n',
  "",
];

test.each(ordinary)("[PO-4] the ordinary config %p is read as git reads it", (text) => {
  expect(byUs(text)).not.toBeNull();
  expect(byUs(text)).toEqual(byGit(text));
});

const odd = [
  "k = v",
  "[core",
  "[core]\n=v",
  "[core]\n1k = v",
  "[core]\nk v",
  '[core "x]\nk = v',
  '[core]\nk = "open',
  "[core]\nk = a\\\nb",
  "[core]\nk = \\x",
  "[core]\nk = a\u0000b",
  "[core]\rk = v",
  "[core]\nk = a\u001b[2Jb",
  "[a_b]\nk = v",
  "[core]\nk # no value",
  "[core]\nk = a\tb",
];

test.each(odd)("[PO-4] the odd config %p is refused", (text) => {
  expect(parseGitConfig(text)).toBeNull();
});

test("[PO-4] [SA-git-config] whatever is read is read as git reads it: no key is overlooked, whatever surrounds it", () => {
  const piece = fc.constantFrom(
    ...["[core]", '[a "b"]', "[a.B]", '[a "x\\"y"]', '[A ""]', "\n", "\n", "\n", " ", "\t", "key", "Key-2", "=", "= "],
    ...["value", '"', '"q v"', "\\", "\\n", "\\t", "\\\\", '\\"', "\\\n", "#c", ";c", "# x\n", "\r\n", "[", "]", "é"],
    ...["a.b", "'", "1", "[core] k = v", "[include]\npath = z\n", "k\n", '""', "  ", "x = y\n", "\ufeff", "\u0000"],
  );
  let understood = 0;
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
      const text = pieces.join("");
      const ours = byUs(text);
      if (ours === null) return;
      understood++;
      expect({ text, keys: ours }).toEqual({ text, keys: byGit(text) ?? ["refused by git"] });
    }),
    { numRuns: process.env.CODER_TEST_LONG ? 20_000 : 1500 },
  );
  expect(understood).toBeGreaterThan(100);
});

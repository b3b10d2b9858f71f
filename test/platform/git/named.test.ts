import { expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { gitFolderOf, namedByConfig } from "../../../src/platform/git/named.ts";

function inFolder(files: Readonly<Record<string, string>>, use: (root: string) => void): void {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "coder-named-")));
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    use(root);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

const names = (root: string, folder = ".git"): readonly string[] =>
  namedByConfig(join(root, folder))
    .map((path) => relative(root, path))
    .sort();

test("[SA-git-config] hooks, included config at any depth, and programs that are files here are named; nothing else is", () => {
  const config = [
    "[core]\n\thooksPath = ci/hooks\n\tfsmonitor = './tools/fs.sh' --quick\n\teditor = vim\n",
    '[include]\n\tpath = ../one.conf\n[includeIf "gitdir:~/x/"]\n\tpath = missing.conf\n',
    '[remote "origin"]\n\turl = ./lib\n[branch "main"]\n\tmerge = refs/heads/main\n',
    '[filter "x"]\n\tsmudge = python tools/smudge.py %f\n[alias]\n\tst = !sh ./tools/st.sh; true\n',
  ].join("");
  const files = {
    ".git/config": config,
    "one.conf": "[include]\n\tpath = sub/two.conf\n",
    "sub/two.conf": "[include]\n\tpath = ../one.conf\n[diff]\n\texternal = tools/diff.sh\n",
    "tools/fs.sh": "",
    "tools/smudge.py": "",
    "tools/st.sh": "",
    "tools/diff.sh": "",
    "lib/x": "",
    "refs/heads/main": "",
  };
  inFolder(files, (root) => {
    expect(names(root)).toEqual([
      ...[".git/missing.conf", "ci/hooks", "one.conf", "sub/two.conf"],
      ...["tools/diff.sh", "tools/fs.sh", "tools/smudge.py", "tools/st.sh"],
    ]);
  });
});

test("[SA-git-config] a config that is not understood is read line by line, and the worktree it names counts", () => {
  const odd = '[core]\n\teditor = a \\\n b\n\thooksPath = "ci"\n[include] path = x.conf\n';
  inFolder({ ".git/config": odd }, (root) => expect(names(root)).toEqual([".git/x.conf", "ci"]));
  const plain = "[core]\n\tworktree = ../../../sub\n\thooksPath = ci\n";
  inFolder({ ".git/modules/lib/config": plain }, (root) => {
    expect(names(root, ".git/modules/lib")).toEqual(["sub/ci"]);
  });
});

test("[SA-git-elsewhere] the repository of a folder is its .git, or where that file leads", () => {
  inFolder({ "a/.git/HEAD": "", "b/.git": "gitdir: ../a/.git\n", "c/.git": "nothing\n", "d/x": "" }, (root) => {
    const found = ["a", "b", "c", "d"].map((name) => gitFolderOf(join(root, name)));
    expect(found).toEqual([join(root, "a/.git"), join(root, "a/.git"), null, null]);
  });
});

test("[SA-git-config] what the person's own config names in a repository is named, and programs that are not there yet", () => {
  const files = {
    ".git/config": '[diff "x"]\n\ttextconv = ./tools/text.sh\n[filter "x"]\n\tclean = ci/clean -q a/b\n',
    "person/.gitconfig": "[core]\n\thooksPath = .hooks\n\tfsmonitor = ./fs.sh\n[include]\n\tpath = ~/more\n",
    "person/more":
      '[core]\n\texcludesFile = ~/ignored\n[alias]\n\tst = !x/y.sh src/a\n\tl = log\n[url "x"]\n\tinsteadOf = https://a/b\n',
  };
  inFolder(files, (root) => {
    const { HOME, XDG_CONFIG_HOME, GIT_CONFIG_GLOBAL } = process.env;
    try {
      Object.assign(process.env, { HOME: join(root, "person"), XDG_CONFIG_HOME: "", GIT_CONFIG_GLOBAL: "" });
      expect(names(root)).toEqual([...[".hooks", "ci/clean", "fs.sh", "person/more", "tools/text.sh", "x/y.sh"]]);
    } finally {
      Object.assign(process.env, { HOME, XDG_CONFIG_HOME, GIT_CONFIG_GLOBAL });
      for (const [name, value] of Object.entries({ HOME, XDG_CONFIG_HOME, GIT_CONFIG_GLOBAL }))
        if (value === undefined) delete process.env[name];
    }
  });
});

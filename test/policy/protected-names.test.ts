// PO-7: names that other programs obey, in every folder, in every spelling.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { asideName, protectedAt, protectedNames } from "../../src/contract/path/protected.ts";
import { isProtectedPath } from "../../src/policy/paths.ts";

const runs = { numRuns: process.env.CODER_TEST_LONG ? 20_000 : 2_000 };

const plainName = fc.stringMatching(/^[a-z][a-z0-9_-]{0,8}$/);
const folders = fc.array(fc.oneof(plainName, fc.constantFrom("packages", "node_modules", "src", ".hidden")), {
  maxLength: 6,
});
/** What `*` may stand for. */
const filling = fc.stringMatching(/^[a-z0-9-]{1,6}$/);
/** As disks that do not tell letter case, or drop code points, take for the same. */
const spelled = (path: string, seed: number): string =>
  [...path]
    .map((char, at) => ((seed >> (at % 30)) & 1 ? char.toUpperCase() : char))
    .join("")
    .replace(/\.(?=[^/]*$)/, seed % 5 === 0 ? ".\u200c" : ".");

test("[PO-7] [SA-letter-case] a protected name is met in any folder, letter case and form", () => {
  fc.assert(
    fc.property(folders, fc.constantFrom(...protectedNames), filling, fc.nat(), (above, name, fill, seed) => {
      const path = [...above, spelled(name.path.replaceAll("*", fill), seed)].join("/");
      expect({ path, isProtected: isProtectedPath(path) }).toEqual({ path, isProtected: true });
      const inside = `${path}/deep/er.txt`;
      if (name.kind === "folder")
        expect({ inside, isProtected: isProtectedPath(inside) }).toEqual({ inside, isProtected: true });
    }),
    runs,
  );
});

test("[PO-7] what the person's tools are known to obey is on the list, in a subfolder too", () => {
  const obeyed = [
    ...[
      "packages/a/.vscode/tasks.json",
      "sub/.envrc",
      "sub/.cargo/config.toml",
      "sub/.cargo/config",
      "sub/.git/config",
    ],
    ...["a/.devcontainer.json", "a/.devcontainer/devcontainer.json", "my.code-workspace", "a/b/x.sublime-project"],
    ...["mise.local.toml", "a/.mise.toml", "a/mise.ci.toml", ".mise.ci.local.toml", ".config/mise/config.toml"],
    ...["a/.config/mise.toml", "mise/config.toml", ".tool-versions", "a/.nvmrc", ".node-version", ".windsurf/x"],
    ...[".continue/config.json", ".aider.conf.yml", ".aider.model.settings.yml", "a/.claude/settings.json"],
    ...[".cursor/mcp.json", ".gemini/settings.json", ".codex/config.toml", ".opencode/x", "opencode.json"],
    ...[".idea/workspace.xml", ".nvim.lua", "a/.exrc", ".vimrc", ".dir-locals.el", ".github/workflows/x.yml"],
    ...[".circleci/config.yml", ".cirrus.yml", "azure-pipelines.release.yaml", ".gitea/workflows/x.yml", ".hg/hgrc"],
    ...["a/hie.yaml", "buildServer.json", "omnisharp.json", "a/.latexmkrc", ".sourcekit-lsp/config.json", ".fvm/x"],
    ...["jupyter_notebook_config.py", "a/jupyter_server_config.json", "ipython_config.py", "mise/config.local.toml"],
    ...[".rtx.ci.toml", "aqua.yaml", ".bundle/config", ".repo/repo/main.py", ".buckconfig.local", ".pdm-python"],
    ...[".huskyrc.json", ".lintstagedrc", "lint-staged.config.mjs", ".trunk/trunk.yaml", ".readthedocs.yaml"],
    ...[".drone.yml", "cloudbuild.yaml", "Jenkinsfile", ".helix/languages.toml", "rust-toolchain.toml"],
  ];
  expect(obeyed.filter((path) => !isProtectedPath(path))).toEqual([]);
});

test("[PO-7] ordinary files are not on it, and what was set aside is not met again by its form", () => {
  const ordinary = [
    ...["src/mise.ts", "mise.md", "aider.md", "code-workspace", "a.code-workspace.md", "docs/vscode.md", ".eslintrc"],
    ...["package.json", "Makefile", ".gitignore", ".editorconfig", ".prettierrc", "src/config.toml", ".cargo/x.rs"],
    ...["config.x.toml", "jupyter_notes.py", "latexmk.tex", ".bundle/cache", "docs/aqua.md"],
    ...["x.toml", "src/head.ts", ".dockerignore", ".env.d.ts", "lefthook.md", "cargo/config.toml", "a/envrc"],
    ...[".aider.conf.yml.set-aside", "x.code-workspace.set-aside-3", ".vscode.set-aside/tasks.json"],
  ];
  expect(ordinary.filter((path) => isProtectedPath(path))).toEqual([]);
  expect(protectedNames.filter(({ path }) => asideName.test(path))).toEqual([]);
});

test("[PO-7] a name of the list that has a form is found by it", () => {
  const forms = protectedNames.filter(({ path }) => path.includes("*"));
  expect(forms.filter(({ path }) => protectedAt(`/x/${path.replaceAll("*", "abc")}`) === null)).toEqual([]);
});

/** A file or folder from which other programs run code or configuration, so a change to it reaches further than the file. */
export interface ProtectedName {
  /** Lower case, relative to a writable folder. `*` in the last part matches any characters. */
  readonly path: string;
  readonly kind: "file" | "folder";
  /**
   * Where the name takes effect. `anywhere`: in any folder that a user opens, enters or runs a tool in. `top`: only at the root of a
   * repository, workspace or home directory.
   */
  readonly where: "anywhere" | "top";
}

type Names = readonly string[];
const make =
  (kind: ProtectedName["kind"], where: ProtectedName["where"]) =>
  (...paths: Names): readonly ProtectedName[] =>
    paths.map((path) => ({ path, kind, where }));
const files = make("file", "anywhere");
const folders = make("folder", "anywhere");
const topFiles = make("file", "top");
const topFolders = make("folder", "top");

/** Names in any directory that git accepts as a repository: they run code or point to config elsewhere. */
export const gitNames = {
  files: ["config", "config.worktree", "commondir", "gitdir", "info/attributes", "objects/info/alternates"],
  folders: ["hooks"],
} as const;

/**
 * The one list for policy (which asks before a tool writes there), the sandbox (where commands cannot, at the top of the workspace) and
 * the comparison after each command (everywhere). Of `.git`, only names that run code or point elsewhere: commands like `git commit`
 * write the rest.
 */
export const protectedNames: readonly ProtectedName[] = [
  ...gitNames.folders.flatMap((name) => folders(`.git/${name}`)),
  ...gitNames.files.flatMap((name) => files(`.git/${name}`)),
  ...folders(".coder"),
  // Shells and what they load.
  ...topFiles(".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".bash_aliases", ".profile", ".inputrc"),
  ...topFiles(".zshrc", ".zshenv", ".zprofile", ".zlogin", ".zlogout", ".kshrc", ".cshrc", ".tcshrc", ".xonshrc"),
  ...topFolders(".config/fish", ".config/nushell", ".config/powershell", ".config/direnv", ".config/environment.d"),
  ...topFiles(".pam_environment"),
  // Obeyed by shells on entering a directory.
  ...files(".envrc", ".envrc.*", ".autoenv", ".autoenv.zsh", ".autoenv_leave.zsh", ".rvmrc", ".versions.conf"),
  ...files("pkgx.yml", "pkgx.yaml", ".pkgx.yml", ".pkgx.yaml"),
  ...folders(".shadowenv.d"),
  ...topFiles(".gitconfig", ".gitmodules", ".lfsconfig", ".ripgreprc", ".curlrc", ".wgetrc"),
  ...topFiles(".ssh/config", ".ssh/authorized_keys", ".ssh/rc", ".ssh/environment"),
  ...topFolders(".config/git"),
  ...files(".hg/hgrc", ".hg/hgrc-not-shared", ".jj/repo/config.toml", ".sl/config", ".bzr/branch/branch.conf"),
  ...files(".hg/sharedpath", ".jj/workspace-config.toml", ".pijul/config", ".arcconfig"),
  ...files("_darcs/prefs/defaults", "_darcs/prefs/prefs"),
  ...folders(".vscode", ".idea", ".fleet", ".zed", ".devcontainer", ".helix", ".vim", ".nvim", ".vs", ".run"),
  ...folders(".theia", ".nova", ".lapce", ".externaltoolbuilders"),
  ...files(".devcontainer.json", "*.code-workspace", "*.sublime-project", ".kateproject", ".lite_project.lua"),
  ...files(".vimrc", ".vimrc.local", ".local.vimrc", ".lvimrc", ".exrc", ".nvimrc", ".nvim.lua", ".gvimrc"),
  ...files(".lazy.lua", ".neoconf.json", ".dir-locals.el", ".dir-locals-2.el", ".emacs.desktop"),
  ...folders(".lsp"),
  ...files("rust-analyzer.toml", ".rust-analyzer.toml", ".luarc.json", ".luarc.jsonc", ".ycm_extra_conf.py"),
  ...files(".phpactor.json", ".phpactor.yml", ".solargraph.yml", "omnisharp.json", "hie.yaml", "buildserver.json"),
  ...files(".latexmkrc", "latexmkrc", ".lazygit.yml", ".xcode.env", ".xcode.env.local"),
  ...folders(".sourcekit-lsp"),
  ...topFiles(".emacs"),
  ...topFolders(".emacs.d", ".config/nvim", ".config/emacs", ".config/helix"),
  ...folders(".claude", ".codex", ".cursor", ".gemini", ".opencode", ".windsurf", ".continue", ".roo", ".kiro"),
  ...folders(".augment", ".amazonq", ".junie", ".qwen", ".goose", ".trae", ".kilocode", ".crush", ".factory"),
  ...folders(".cline", ".clinerules", ".openhands", ".copilot", ".agents", ".agent", ".amp", ".warp", ".zencoder"),
  ...folders(".codebuddy", ".qoder", ".lingma", ".iflow", ".kimi", ".vibe", ".devin", ".firebender", ".tabnine"),
  ...folders(".pi", ".grok", ".rovodev"),
  ...topFolders(".github/hooks", ".github/agents"),
  ...files(".mcp.json", ".aider*", ".cursorrules", ".windsurfrules", ".goosehints", ".roomodes", ".rules"),
  ...files("opencode.json", "opencode.jsonc", "crush.json", ".crush.json"),
  ...topFolders(".husky", ".githooks", ".git-hooks", ".lefthook", ".cargo-husky", ".trunk"),
  ...topFiles(".huskyrc*", "husky.config.js", "prek.toml", "captainhook.json", "grumphp.yml", "grumphp.yml.dist"),
  ...topFiles(".lintstagedrc*", "lint-staged.config.*"),
  ...topFiles(".pre-commit-config.yaml", ".pre-commit-config.yml", ".overcommit.yml", ".lefthook*"),
  ...topFiles("lefthook*.yml", "lefthook*.yaml", "lefthook*.toml", "lefthook*.json"),
  ...topFiles(".simple-git-hooks.*", "simple-git-hooks.*"),
  // Run on a build server, or when the repository is opened in a browser.
  ...topFolders(".github/workflows", ".github/actions", ".gitea/workflows", ".forgejo/workflows", ".gitlab/ci"),
  ...topFolders(".circleci", ".buildkite", ".woodpecker", ".semaphore", ".teamcity", ".tekton", ".harness", ".builds"),
  ...topFolders(".azure-pipelines", ".azuredevops", ".zuul.d", ".codesandbox", ".jenkins", ".pipelines"),
  ...topFolders(".depot/workflows", ".gitea/actions", ".forgejo/actions"),
  ...topFiles(".gitlab-ci*.yml", ".gitlab-ci*.yaml", ".travis.yml", "jenkinsfile", "azure-pipelines*.yml"),
  ...topFiles("azure-pipelines*.yaml", "bitbucket-pipelines.yml", ".drone.yml", ".drone.yaml", ".drone.star"),
  ...topFiles(".drone.jsonnet", "appveyor.yml", ".appveyor.yml", ".cirrus.yml", ".cirrus.star", ".woodpecker.yml"),
  ...topFiles(".woodpecker.yaml", ".build.yml", "codefresh.yml", "cloudbuild.yaml", "cloudbuild.yml"),
  ...topFiles("cloudbuild.json", "buildspec.yml", "buildspec.yaml", "bitrise.yml", "codemagic.yaml", "wercker.yml"),
  ...topFiles(".readthedocs.yml", ".readthedocs.yaml", "readthedocs.yml", ".vela.yml", ".vela.yaml", "buddy.yml"),
  ...topFiles(".zuul.yaml", "zuul.yaml", "screwdriver.yaml", ".prow.yaml", ".onedev-buildspec.yml"),
  ...topFiles(".gitpod.yml", ".gitpod.dockerfile", ".replit", "replit.nix", ".stackblitzrc"),
  // Tool versions, where the tools come from, and what they load first.
  ...files(".tool-versions", ".nvmrc", ".node-version", ".python-version", ".ruby-version", ".ruby-gemset"),
  ...files(".java-version", ".go-version", ".php-version", ".bun-version", ".terraform-version", ".sdkmanrc"),
  ...files(".swift-version", ".deno-version", ".dvmrc", ".lua-version", ".perl-version", ".crystal-version"),
  ...files(".zigversion", ".fvmrc", ".prototools", ".opentofu-version", ".terragrunt-version"),
  ...files("mise.toml", ".mise.toml", "mise.*.toml", ".mise.*.toml", "mise/config.toml", ".config/mise.toml"),
  ...files("mise/config.*.toml", ".rtx.*.toml", "aqua.yml", "aqua.yaml", ".aqua.yml", ".aqua.yaml", ".pdm-python"),
  ...files(".config/mise.*.toml", ".rtx.toml", "rust-toolchain", "rust-toolchain.toml"),
  ...folders(".fvm", ".mise", ".config/mise", ".yarn/releases", ".yarn/plugins"),
  ...files(".cargo/config", ".cargo/config.toml", ".bundle/config", ".repo/repo/main.py"),
  ...files(".npmrc", ".yarnrc", ".yarnrc.yml", ".pnpmfile.cjs", ".pnpmfile.mjs", "bunfig.toml", "nuget.config"),
  ...files(".bazelrc", ".bazeliskrc", ".bazelversion", "tools/bazel", ".buckconfig", ".buckconfig.local"),
  ...files(".sbtopts", ".jvmopts"),
  ...files("gradle/wrapper/gradle-wrapper.properties"),
  ...folders(".mvn"),
  ...files(".pdbrc", ".gdbinit", ".lldbinit", ".irbrc", ".pryrc", ".iex.exs", ".ghci", ".rprofile", ".renviron"),
  ...files(".perldb", ".byebugrc", ".rdbgrc", ".ocamlinit", ".erlang", ".octaverc", ".proverc"),
  ...topFiles("sitecustomize.py", "usercustomize.py", ".pythonrc", ".psqlrc", ".sqliterc", ".mongorc.js"),
  ...topFiles(".mongoshrc.js"),
  ...topFolders(".ipython", ".jupyter"),
  ...files("ipython_config.py", "jupyter_*config.py", "jupyter_*config.json"),
  ...topFolders(".config/autostart", ".config/systemd", "library/launchagents"),
  ...topFiles(".xprofile", ".xinitrc", ".xsession", ".tmux.conf", ".screenrc"),
];

/** Our names for files set aside: no program obeys them, and `.aider*` must not match them again. */
export const asideName = /\.set-aside(?:-\d+)?$/;

interface Form {
  readonly name: ProtectedName;
  readonly fits: RegExp;
}

/** Lookup tables for the list, built on first use. */
interface Index {
  readonly byLastPart: ReadonlyMap<string, readonly ProtectedName[]>;
  readonly forms: readonly Form[];
  /** Ancestors of names with several parts: whoever replaces one by a symlink controls what is found there. */
  readonly onTheWay: ReadonlyMap<string, readonly ProtectedName[]>;
}

let made: Index | null = null;

function index(): Index {
  made ??= makeIndex();
  return made;
}

function makeIndex(): Index {
  const lastPart = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
  const { plain = [], formed = [] } = Object.groupBy(protectedNames, ({ path }) =>
    path.includes("*") ? "formed" : "plain",
  );
  const onTheWay = new Map<string, ProtectedName[]>();
  for (const name of protectedNames) {
    const parts = name.path.split("/");
    for (let n = 1; n < parts.length; n++) {
      const way = parts.slice(0, n).join("/");
      onTheWay.set(way, [...(onTheWay.get(way) ?? []), name]);
    }
  }
  const regExp = (last: string): RegExp => new RegExp(`^${last.replaceAll(".", "\\.").replaceAll("*", ".*")}$`);
  return {
    byLastPart: Map.groupBy(plain, ({ path }) => lastPart(path)),
    forms: formed.map((name) => ({ name, fits: regExp(lastPart(name.path)) })),
    onTheWay,
  };
}

/** A cheap test that almost every name fails. */
const mayHaveForm =
  /^\.(?:aider|envrc|gitlab-ci|huskyrc|lefthook|lintstagedrc|mise|rtx|simple-git)|\.(?:code-workspace|sublime-project)$|^mise\.|-pipelines|^lefthook|^lint-staged|^simple-git|^jupyter_|^config\..*\.toml$/s;

/**
 * The protected name that a path ends with: matches `/a/.vscode`, not `/a/.vscode/x`. Expects a normalised path (`comparable`) with a
 * leading slash.
 */
export function protectedAt(path: string): ProtectedName | null {
  const last = path.slice(path.lastIndexOf("/") + 1);
  const exact = index().byLastPart.get(last);
  if (exact !== undefined) {
    for (const one of exact) if (path.endsWith(one.path) && path[path.length - one.path.length - 1] === "/") return one;
  }
  if (!mayHaveForm.test(last) || asideName.test(last)) return null;
  const folder = path.slice(0, path.length - last.length);
  return (
    index().forms.find(({ name, fits }) => folder.endsWith(`/${above(name.path)}`) && fits.test(last))?.name ?? null
  );
}

/** Protected names below a folder: `/a/.cargo` → `config`, `config.toml`. Expects the same form as `protectedAt`. */
export function protectedBelow(path: string): readonly { readonly name: ProtectedName; readonly rest: string }[] {
  const last = path.lastIndexOf("/");
  const found = [path.slice(last + 1), path.slice(path.lastIndexOf("/", last - 1) + 1)].flatMap((way) =>
    (index().onTheWay.get(way) ?? []).map((name) => ({ name, rest: name.path.slice(way.length + 1) })),
  );
  return found.filter(({ name }) => !name.path.startsWith(".git/"));
}

/** The folder that contains the protected name at the end of a path. */
export function protectedIn(path: string, { path: name }: ProtectedName): string {
  let folder = path;
  for (const _ of name.split("/")) folder = folder.slice(0, folder.lastIndexOf("/"));
  return folder;
}

function above(path: string): string {
  return path.slice(0, path.lastIndexOf("/") + 1);
}

/** A file or folder that makes other programs run something: a change to it reaches further than the file. */
export interface ProtectedName {
  /** Below a folder that may be written, in lower case. */
  readonly path: string;
  readonly kind: "file" | "folder";
}

const file = (path: string): ProtectedName => ({ path, kind: "file" });
const folder = (path: string): ProtectedName => ({ path, kind: "folder" });

/**
 * One list for policy, which asks before a tool writes there, and for the sandbox, in which commands cannot, whether or not
 * they exist yet. Of `.git` only what runs code or leads elsewhere: commands like `git commit` write the rest.
 */
export const protectedNames: readonly ProtectedName[] = [
  folder(".git/hooks"),
  ...["config", "config.worktree", "commondir", "gitdir", "info/attributes", "objects/info/alternates"].map((name) =>
    file(`.git/${name}`),
  ),
  // Our own: what is allowed here, and what takes effect.
  folder(".coder"),
  // Shells and what they load.
  ...[".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".bash_aliases", ".profile", ".inputrc"].map(file),
  ...[".zshrc", ".zshenv", ".zprofile", ".zlogin", ".zlogout", ".kshrc", ".cshrc", ".tcshrc", ".envrc"].map(file),
  folder(".config/fish"),
  // Git and search programs, for everything below a home folder.
  ...[".gitconfig", ".gitmodules", ".ripgreprc"].map(file),
  folder(".config/git"),
  // Editors.
  ...[".vscode", ".idea", ".fleet", ".zed", ".devcontainer"].map(folder),
  ...[".vimrc", ".exrc", ".nvimrc", ".nvim.lua", ".gvimrc", ".emacs", ".dir-locals.el"].map(file),
  // Other agents.
  ...[".claude", ".codex", ".cursor", ".gemini", ".opencode"].map(folder),
  file(".mcp.json"),
  // What runs on a commit or on a build server.
  ...[".husky", ".githooks", ".github/workflows", ".github/actions", ".circleci", ".buildkite", ".woodpecker"].map(
    folder,
  ),
  ...[".pre-commit-config.yaml", "lefthook.yml", ".lefthook.yml", ".gitlab-ci.yml", ".travis.yml", "jenkinsfile"].map(
    file,
  ),
  ...["azure-pipelines.yml", "bitbucket-pipelines.yml", ".drone.yml", "appveyor.yml"].map(file),
  // Start-up of language tools.
  ...[".npmrc", ".yarnrc", ".yarnrc.yml", ".pnpmfile.cjs", "bunfig.toml", ".mise.toml", "mise.toml"].map(file),
  ...["sitecustomize.py", "usercustomize.py", ".pythonrc", ".pdbrc", ".gdbinit", ".lldbinit", ".irbrc"].map(file),
  // Programs that start by themselves.
  ...[".config/autostart", ".config/systemd", "library/launchagents"].map(folder),
  ...[".xprofile", ".xinitrc", ".xsession", ".tmux.conf"].map(file),
];

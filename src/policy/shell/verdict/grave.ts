// PO-1: commands that ask although they stay in the sandbox: losses beyond undo, history, publishing, the machine.
import { mayBeCommand } from "../../rule/command-pattern.ts";
import { withStarted } from "../wrapper/runners.ts";
import { baseName } from "./destructive.ts";
import type { CommandJudgement, SimpleCommand } from "./judgement.ts";

type Grave = "history" | "publish" | "machine";

/** The first words of such commands. Options between the words are skipped, and an unknown word may match any of them. */
const beginnings: Readonly<Record<Grave, readonly string[]>> = {
  history: [
    ...["commit", "merge", "rebase", "reset", "revert", "cherry-pick", "am", "pull", "push", "tag", "branch"],
    ...["update-ref", "symbolic-ref", "filter-branch", "filter-repo", "replace", "notes", "gc", "prune", "repack"],
    ...["reflog", "fast-import", "worktree", "remote", "stash drop", "stash clear"],
    ..."add update init deinit set-branch set-url sync absorbgitdirs foreach"
      .split(" ")
      .map((one) => `submodule ${one}`),
  ]
    .map((subcommand) => `git ${subcommand}`)
    // These commit and tag the new version.
    .concat("npm version", "pnpm version", "yarn version", "lerna version", "cargo release", "cz bump", "bumpversion")
    .concat("bump2version", "bump-my-version", "standard-version", "release-it", "semantic-release", "git-flow")
    .concat("hg commit", "hg strip", "hg rollback", "hg update", "svn commit", "svn delete", "jj abandon", "jj git"),
  publish: [
    ...["publish", "unpublish", "deprecate", "dist-tag", "owner", "access", "token"].map((one) => `npm ${one}`),
    ...["yarn publish", "yarn npm", "pnpm publish", "bun publish", "deno publish", "jsr publish", "vsce publish"],
    ...["cargo publish", "cargo yank", "cargo owner", "gem push", "gem yank", "twine upload", "python -m twine"],
    ...[
      "python3 -m twine",
      "poetry publish",
      "uv publish",
      "flit publish",
      "hatch publish",
      "mvn deploy",
      "sbt publish",
    ],
    ...["gradle publish", "gradlew publish", "dotnet nuget", "docker push", "docker login", "podman push"],
    ...["pr", "issue", "release", "repo", "gist", "api", "workflow", "secret", "run"].map((one) => `gh ${one}`),
    ...["glab mr", "glab release", "glab api", "vercel", "netlify deploy", "firebase deploy", "wrangler deploy"],
    ...["wrangler publish", "fly deploy", "flyctl deploy", "heroku", "serverless deploy", "sls deploy", "cdk deploy"],
    ...["terraform apply", "terraform destroy", "tofu apply", "tofu destroy", "pulumi up", "pulumi destroy"],
    ...["helm install", "helm upgrade", "helm uninstall", "ansible-playbook", "aws", "gcloud", "az"],
    ...["apply", "create", "delete", "replace", "patch", "edit", "scale", "rollout", "drain"].map(
      (one) => `kubectl ${one}`,
    ),
  ],
  machine: [
    ..."sudo doas su pkexec runuser at batch crontab systemctl service launchctl systemd-run".split(" "),
    ..."apt apt-get aptitude dpkg yum dnf zypper pacman apk brew port snap flatpak".split(" "),
    ..."docker podman nerdctl tmux screen mkfs mke2fs mkswap fdisk sfdisk cfdisk gdisk sgdisk parted".split(" "),
    ..."wipefs blkdiscard hdparm badblocks lvremove vgremove pvremove cryptsetup mdadm zpool zfs mount umount".split(
      " ",
    ),
    ..."swapoff swapon losetup shutdown reboot halt poweroff init telinit kexec userdel groupdel usermod".split(" "),
    ..."passwd iptables nft ufw chattr".split(" "),
  ],
};

const patterns = (Object.keys(beginnings) as Grave[]).flatMap((grave) =>
  beginnings[grave].map((words) => ({ grave, pattern: { argv: words.split(" "), isExact: false } })),
);

const uncommitted = /^--(?:no-git-tag-version|git-tag-version=false)$/;

export interface GraveCommand {
  readonly grave: Grave;
  readonly command: SimpleCommand;
}

/** The commands of the line that may be one of these, each once. */
export function graveCommands({ commands }: CommandJudgement): readonly GraveCommand[] {
  return commands
    .filter(({ isReadOnly, words: [name] }) => !isReadOnly && name?.kind === "literal")
    .flatMap((command) => {
      const grave = graveOf(command);
      return grave ? [{ grave, command }] : [];
    });
}

function graveOf(command: SimpleCommand): Grave | null {
  const isNumbered = ({ argv }: SimpleCommand): boolean =>
    argv?.[1] === "version" && argv.some((word) => uncommitted.test(word));
  const started = withStarted(command).filter((one) => !isNumbered(one));
  return patterns.find(({ pattern }) => started.some((one) => mayBeCommand(pattern, one)))?.grave ?? null;
}

/** These change files, the index or the current branch, and print nothing of git's stored content. */
const showsNothing = new Set(
  "add rm mv restore checkout switch apply stash clean init update-index fetch ls-remote status ls-files describe help version".split(
    " ",
  ),
);

/** Git commands that may show stored content of secret files: those proved harmless are read-only. */
export function showingGit({ commands }: CommandJudgement): readonly SimpleCommand[] {
  return commands.filter(({ isReadOnly, words: [name, ...args] }) => {
    if (isReadOnly || name?.kind !== "literal" || baseName(name.value) !== "git") return false;
    const texts = args.map((word) => (word.kind === "literal" ? word.value : ""));
    let at = 0;
    while (neutralOption.test(texts[at] ?? "")) at += texts[at] === "-C" ? 2 : 1;
    return !showsNothing.has(texts[at] ?? "") && !(texts[at] === "submodule" && texts[at + 1] === "status");
  });
}

/** Options before the subcommand that select no config, repository or program. */
const neutralOption = /^(?:-C|-P|--no-pager|--no-optional-locks)$/;

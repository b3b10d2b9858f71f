import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  keepInConfigFile,
  makeCoderFolder,
  writeConfigFile,
  writeInCoderFolder,
  writeSnapshot,
} from "../../src/store/snapshot.ts";
import { removeEarlier } from "../../src/store/unseen.ts";
import { until } from "../support/until.ts";

const all = realpathSync(mkdtempSync(join(tmpdir(), "unseen-")));
afterAll(() => rmSync(all, { recursive: true, force: true }));

let root = "";
beforeEach(() => {
  root = mkdtempSync(join(all, "w-"));
});

const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" };

function git(folder: string, ...args: readonly string[]): string {
  const own = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "protocol.file.allow=always"];
  const { exitCode, stdout, stderr } = Bun.spawnSync(["git", ...own, "-C", folder, ...args], { env });
  if (exitCode !== 0) throw new Error(stderr.toString());
  return stdout.toString();
}

const seen = (folder: string): string => git(folder, "status", "--porcelain", "-uall");

/** A file that is committed, in a repository of its own. */
function repository(name: string): string {
  const folder = join(root, name);
  mkdirSync(folder);
  git(folder, "init", "-q");
  writeFileSync(join(folder, "a.txt"), "a\n");
  git(folder, "add", "-A");
  git(folder, "commit", "-qm", "one");
  return folder;
}

/** All that is ever written there without a word of the person's. */
function use(workspace: string): void {
  expect(writeSnapshot(workspace, "abcd-efgh" as never, "{}").ok).toBe(true);
  expect(writeInCoderFolder(workspace, "output", "one.txt", "x").ok).toBe(true);
  for (const folder of ["exports", "pasted"] as const) {
    expect(makeCoderFolder(workspace, folder, "x").ok).toBe(true);
    writeFileSync(join(workspace, ".coder", folder, "x"), "x");
  }
}

function owned(workspace: string, name: string, text: string): string {
  const path = join(workspace, ".coder", name);
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, text);
  return path;
}

const earlier = "*\n!.gitignore\n!config.json\n";

describe("of what is kept in a workspace git sees nothing", () => {
  test("[PS-2] in a repository without a .gitignore, also below its top, and before the first commit", () => {
    const ours = repository("ours");
    use(ours);
    expect(seen(ours)).toBe("");
    mkdirSync(join(ours, "below"));
    use(join(ours, "below"));
    expect(seen(ours)).toBe("");
    const empty = join(root, "empty");
    mkdirSync(empty);
    git(empty, "init", "-q");
    use(empty);
    expect(seen(empty)).toBe("");
  });

  test("[PS-2] in a linked worktree, beside a bare repository, and in a submodule, nor does what is around it", () => {
    const ours = repository("ours");
    git(ours, "worktree", "add", "-q", "../linked");
    use(join(root, "linked"));
    expect([seen(join(root, "linked")), seen(ours)]).toEqual(["", ""]);
    git(root, "clone", "-q", "--bare", "ours", "project/.bare");
    const project = join(root, "project");
    writeFileSync(join(project, ".git"), "gitdir: ./.bare\n");
    git(project, "worktree", "add", "-q", "main");
    use(join(project, "main"));
    use(project);
    expect(seen(join(project, "main"))).toBe("");
    const outer = repository("outer");
    git(outer, "submodule", "--quiet", "add", ours, "inner");
    git(outer, "commit", "-qm", "two");
    use(join(outer, "inner"));
    expect([seen(join(outer, "inner")), seen(outer)]).toEqual(["", ""]);
  });

  test("[PS-2] beside what the person has there, tracks there, and ignores there", () => {
    const ours = repository("ours");
    const config = owned(ours, "config.json", "{}\n");
    owned(ours, ".gitignore", "drafts/\n");
    owned(ours, "skills/release/SKILL.md", "# release\n");
    git(ours, "add", "-A");
    git(ours, "commit", "-qm", "two");
    use(ours);
    expect(seen(ours)).toBe("");
    owned(ours, "skills/other/SKILL.md", "# other\n");
    expect(writeConfigFile(ours, '{"mode":"plan"}\n').ok).toBe(true);
    expect(seen(ours)).toBe(" M .coder/config.json\n?? .coder/skills/other/SKILL.md\n");
    git(ours, "checkout", "--", config);
    expect(readFileSync(join(ours, ".coder/.gitignore"), "utf8")).toBe("drafts/\n");
  });

  test("[PS-2] [SL-1] after a model was chosen; a config file that the person has made stays in sight", () => {
    const ours = repository("ours");
    use(ours);
    expect(keepInConfigFile(ours, '{"model":"a/b"}\n').ok).toBe(true);
    expect(keepInConfigFile(ours, '{"model":"a/c"}\n').ok).toBe(true);
    expect([seen(ours), readFileSync(join(ours, ".coder/config.json"), "utf8")]).toEqual(["", '{"model":"a/c"}\n']);
    const own = repository("own");
    owned(own, "config.json", "{}\n");
    expect(keepInConfigFile(own, '{"model":"a/b"}\n').ok).toBe(true);
    expect(seen(own)).toBe("?? .coder/config.json\n");
    const shared = repository("shared");
    expect(writeConfigFile(shared, "{}\n").ok).toBe(true);
    expect(seen(shared)).toBe("?? .coder/config.json\n");
  });

  test("[PS-2] where an earlier version has left its ignore file: it goes, unless the person has committed it", async () => {
    const left = repository("left");
    owned(left, ".gitignore", earlier);
    owned(left, "output/old.txt", "x");
    expect(seen(left)).toBe("?? .coder/.gitignore\n");
    use(left);
    await until("the file goes", () => !existsSync(join(left, ".coder/.gitignore")));
    expect(seen(left)).toBe("");
    const kept = repository("kept");
    owned(kept, ".gitignore", earlier);
    git(kept, "add", "-A");
    git(kept, "commit", "-qm", "two");
    use(kept);
    await removeEarlier(kept);
    expect([seen(kept), existsSync(join(kept, ".coder/.gitignore"))]).toEqual(["", true]);
  });
});

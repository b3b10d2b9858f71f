import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { say } from "../../../src/contract/text/catalogue.ts";
import { gitProblem } from "../../../src/platform/git/facts.ts";
import { gitHardening } from "../../../src/policy/shell/programs/git-hardening.ts";

let base = "";
let ws = "";

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "coder-git-facts-")));
  ws = join(base, "ws");
  git(base, "init", "-q", "ws");
  writeFileSync(join(ws, "a.txt"), "a\n");
  git(ws, "add", ".");
  git(ws, "commit", "-qm", "first");
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const person = { GIT_AUTHOR_NAME: "a", GIT_AUTHOR_EMAIL: "a@b", GIT_COMMITTER_NAME: "a", GIT_COMMITTER_EMAIL: "a@b" };

function git(cwd: string, ...args: readonly string[]): string {
  const env = { PATH: process.env.PATH, HOME: base, GIT_CONFIG_NOSYSTEM: "1", ...person };
  const child = Bun.spawnSync(["git", ...args], { cwd, env, stderr: "pipe" });
  if (child.exitCode !== 0) throw new Error(child.stderr.toString());
  return child.stdout.toString();
}

function problem(workspace = ws): string | null {
  const found = gitProblem(workspace);
  return found && say("en", found);
}

/** What is written to the end of a file, and how it was before. */
function added(path: string, text: string): () => void {
  const before = existsSync(path) ? readFileSync(path) : null;
  appendFileSync(path, text);
  return () => (before === null ? rmSync(path) : writeFileSync(path, before));
}

const inGit = (name: string) => join(ws, ".git", name);

test("[PO-4] an ordinary repository with remotes, branches and a person has nothing against it", () => {
  git(ws, "remote", "add", "origin", "https://example.org/x.git");
  git(ws, "config", "user.name", 'Ärger "quoted" # not a comment');
  git(ws, "config", "branch.main.vscode-merge-base", "origin/main");
  git(ws, "config", "core.fsmonitor", "false");
  git(ws, "checkout", "-qb", "feature/x");
  expect(problem()).toBeNull();
});

test("[PO-4] a repository of long hashes, with any version of the index, has nothing against it", () => {
  git(base, "init", "-q", "--object-format=sha256", "long");
  const long = join(base, "long");
  for (let index = 0; index < 40; index++) writeFileSync(join(long, `${"n".repeat(index * 5 + 1)}.txt`), "x");
  git(long, "add", ".");
  const found = ["2", "3", "4"].map((version) => {
    git(long, "update-index", `--index-version=${version}`);
    // Makes an entry that needs version 3.
    git(long, "update-index", "--skip-worktree", "n.txt");
    return problem(long);
  });
  expect(found).toEqual([null, null, null]);
});

describe("[PO-4] [SA-git-config] what could make git run something else is a reason to ask", () => {
  const keys: readonly (readonly [key: string, value: string])[] = [
    ["core.fsmonitor", "true"],
    ["core.fsmonitor", "./evil"],
    ["core.pager", "./evil"],
    ["core.editor", "./evil"],
    ["core.sshCommand", "./evil"],
    ["core.gitProxy", "./evil"],
    ["core.askPass", "./evil"],
    ["core.alternateRefsCommand", "./evil"],
    ["core.worktree", "/"],
    ["core.bare", "true"],
    ["core.attributesFile", "/tmp/x"],
    ["diff.external", "./evil"],
    ["diff.x.textconv", "./evil"],
    ["diff.x.command", "./evil"],
    ["filter.x.clean", "./evil"],
    ["filter.x.process", "./evil"],
    ["merge.x.driver", "./evil"],
    ["alias.log", "!./evil"],
    ["gpg.program", "./evil"],
    ["log.showSignature", "true"],
    ["format.pretty", "%G?"],
    ["pager.log", "./evil"],
    ["credential.helper", "!./evil"],
    ["include.path", "../x"],
    ["includeIf.gitdir:/.path", "../x"],
    ["uploadpack.packObjectsHook", "./evil"],
    ["remote.origin.uploadpack", "./evil"],
    ["remote.origin.promisor", "true"],
    ["extensions.partialClone", "origin"],
    ["submodule.x.update", "!./evil"],
    ["submodule.recurse", "true"],
    ["diff.submodule", "diff"],
    ["status.submoduleSummary", "true"],
    ["help.autocorrect", "1"],
    ["trailer.x.command", "./evil"],
    ["blame.ignoreRevsFile", "/etc/shadow"],
    ["protocol.ext.allow", "always"],
    ["newsection.key", "1"],
  ];
  test.each(keys)("%s = %s", (key, value) => {
    git(ws, "config", key, value);
    expect(problem()).toMatch(/^\.git\/config sets \S+, which may not be harmless$/);
  });

  test("in the config of a worktree too, and in whatever form it is written", () => {
    writeFileSync(inGit("config.worktree"), '[CORE] FSMonitor = "./e"vil # harmless\n');
    expect(problem()).toBe(".git/config.worktree sets core.fsmonitor, which may not be harmless");
  });

  test("a config that is not plainly written, is huge, or is no plain file", () => {
    const plain = readFileSync(inGit("config"), "utf8");
    const found = ["[core]\n\tk = a\\\n b\n", "\u0000", `${"#".repeat(70_000)}\n`].map((more) => {
      writeFileSync(inGit("config"), plain + more);
      return problem();
    });
    expect(found).toEqual(Array(3).fill(".git/config has an unusual format"));
    rmSync(inGit("config"));
    Bun.spawnSync(["mkfifo", inGit("config")]);
    expect(problem()).toBe(".git/config has an unusual format");
  });
});

test("[PO-4] hooks in another folder, as husky keeps them, are no reason to ask: a hardened git starts none", () => {
  mkdirSync(join(ws, ".husky"));
  const names = ["post-index-change", "reference-transaction", "post-checkout", "fsmonitor-watchman", "pre-auto-gc"];
  for (const name of names) writeFileSync(join(ws, ".husky", name), "#!/bin/sh\necho $0 >> ../ran\n", { mode: 0o755 });
  git(ws, "config", "core.hooksPath", ".husky");
  expect(problem()).toBeNull();
  const reads = ["status", "diff", "log", "show", "branch", "stash list", "describe --always", "ls-files -m"];
  const readAll = (env: Readonly<Record<string, string>>): boolean => {
    const script = reads.map((read) => `touch a.txt; git ${read}`).join("; ");
    Bun.spawnSync(["bash", "-c", script], { cwd: ws, env: { PATH: process.env.PATH, HOME: base, ...env } });
    return existsSync(join(base, "ran"));
  };
  expect([readAll(gitHardening), readAll({})]).toEqual([false, true]);
});

test("[PO-4] [SA-git-config] filters and converters of the person's own config are not started on files that a repository chooses", () => {
  writeFileSync(
    join(base, ".gitconfig"),
    '[filter "x"]\n\tclean = "touch ../ran; cat"\n[diff "x"]\n\ttextconv = touch ../ran; cat\n',
  );
  writeFileSync(join(ws, ".gitattributes"), "* filter=x diff=x\n");
  writeFileSync(join(ws, "a.txt"), "b\n");
  const read = (env: Readonly<Record<string, string>>) => {
    Bun.spawnSync(["git", "diff"], { cwd: ws, env: { PATH: process.env.PATH, HOME: base, ...env } });
    return existsSync(join(base, "ran"));
  };
  expect([read(gitHardening), read({})]).toEqual([false, true]);
});

test.if(process.getuid?.() === 0)(
  "[PO-4] [SA-git-elsewhere] another user's repository is a reason to ask, unless the person's config calls it safe",
  () => {
    Bun.spawnSync(["chown", "-R", "61234", ws]);
    const env = { HOME: base };
    const asked = () => gitProblem(ws, env)?.key ?? null;
    const found = [asked()];
    for (const value of ["/elsewhere", ws, `${base}/*`, "*", '*\n\tdirectory = ""']) {
      writeFileSync(join(base, ".gitconfig"), `[safe]\n\tdirectory = ${value}\n`);
      found.push(asked());
    }
    expect(found).toEqual(["trust.git.owner", "trust.git.owner", null, null, null, "trust.git.owner"]);
    const status = Bun.spawnSync(["git", "status"], {
      cwd: ws,
      env: { PATH: process.env.PATH, HOME: base, ...gitHardening },
    });
    expect(status.exitCode).toBe(0);
  },
);

describe("[PO-4] [SA-git-elsewhere] a git folder that is not the workspace's own is a reason to ask", () => {
  test("there is none, or it begins above", () => {
    mkdirSync(join(ws, "sub"));
    mkdirSync(join(base, "bare"));
    expect([problem(join(ws, "sub")), problem(join(base, "bare"))]).toEqual([
      "the git repository starts above the workspace",
      "no git repository here",
    ]);
  });

  const elsewhere = ".git points outside the workspace (a worktree, a submodule or a link)";

  test("a link, a folder that is none and a common folder elsewhere", () => {
    mkdirSync(join(base, "linked"));
    symlinkSync(inGit(""), join(base, "linked", ".git"));
    mkdirSync(join(base, "hollow", ".git"), { recursive: true });
    expect(["linked", "hollow"].map((name) => problem(join(base, name)))).toEqual([
      elsewhere,
      "the .git folder is not a complete repository",
    ]);
    writeFileSync(inGit("commondir"), "../../elsewhere\n");
    expect(problem()).toBe(elsewhere);
  });

  test("a worktree and a submodule are their own, as long as both sides say so", () => {
    const [tree, outer] = [join(base, "tree"), join(base, "outer")];
    git(ws, "worktree", "add", "-q", tree);
    git(base, "init", "-q", "outer");
    git(outer, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", ws, "lib");
    const sub = join(outer, "lib");
    expect([tree, sub, outer].map(problem)).toEqual([null, null, null]);
    const stolen = { "a worktree": join(tree, ".git"), "a submodule": join(sub, ".git"), "a repository": null };
    for (const [name, from] of Object.entries(stolen)) {
      const at = join(base, `thief of ${name}`);
      mkdirSync(at);
      const text = from === null ? `gitdir: ${ws}/.git\n` : readFileSync(from, "utf8");
      writeFileSync(join(at, ".git"), text.replace("../", `${outer}/`));
      expect([name, problem(at)]).toEqual([name, elsewhere]);
    }
    // Moved away, and something else put in its place.
    renameSync(tree, join(base, "moved"));
    expect(problem(join(base, "moved"))).toBe(elsewhere);
  });

  test("what worktrees share is looked at like a folder of their own, and so is what they have themselves", () => {
    const tree = join(base, "tree");
    git(ws, "worktree", "add", "-q", tree);
    const own = join(ws, ".git/worktrees/tree");
    const risks: Readonly<Record<string, () => () => void>> = {
      "config sets core.sshcommand": () => added(inGit("config"), "[core]\n\tsshCommand = x\n"),
      "config sets core.worktree": () => added(inGit("config"), `[core]\n\tworktree = ${tree}\n`),
      "tree/config.worktree sets filter.x.clean": () =>
        added(join(own, "config.worktree"), '[filter "x"]\n\tclean = x\n'),
      "info/alternates makes git read": () => added(inGit("objects/info/alternates"), "/elsewhere/objects\n"),
      "info/attributes may make git start": () => added(inGit("info/attributes"), "* filter=x\n"),
      "cannot read .git/index: unknown format": () => added(join(own, "index"), "x"),
      "tree/MERGE_MSG is a link": () => {
        symlinkSync("/etc/hosts", join(own, "MERGE_MSG"));
        return () => rmSync(join(own, "MERGE_MSG"));
      },
      "not a complete repository": () => {
        renameSync(join(own, "HEAD"), join(own, "was"));
        writeFileSync(join(own, "HEAD"), "ref: ../x\n");
        return () => renameSync(join(own, "was"), join(own, "HEAD"));
      },
    };
    for (const [told, take] of Object.entries(risks)) {
      const back = take();
      expect(problem(tree)).toContain(told);
      back();
      expect(problem(tree)).toBeNull();
    }
  });

  test("parts of it are links, or make git read elsewhere", () => {
    writeFileSync(inGit("objects/info/alternates"), "/elsewhere/objects\n");
    expect(problem()).toBe(".git/objects/info/alternates makes git read another repository");
    rmSync(inGit("objects/info/alternates"));
    writeFileSync(inGit("info/attributes"), "* filter=lfs\n");
    expect(problem()).toBe(".git/info/attributes may make git start other programs");
    rmSync(inGit("info/attributes"));
    renameSync(inGit("config"), join(base, "config"));
    symlinkSync(join(base, "config"), inGit("config"));
    expect(problem()).toBe(".git/config is a link");
  });

  test("its HEAD is a link or leads out of the refs", () => {
    writeFileSync(inGit("HEAD"), "ref: ../../x\n");
    expect(problem()).toBe("the .git folder is not a complete repository");
    rmSync(inGit("HEAD"));
    symlinkSync(join(base, "x"), inGit("HEAD"));
    expect(problem()).toBe("the .git folder is not a complete repository");
  });
});

describe("[PO-4] [SA-git-elsewhere] a repository inside this one", () => {
  const inner = "it contains other repositories with their own settings";

  /** A folder that is a repository of its own and an entry of the index, with no word about it in `.gitmodules`. */
  function plant(): void {
    git(ws, "init", "-q", "sub");
    writeFileSync(join(ws, "sub/f"), "x\n");
    writeFileSync(join(ws, "sub/.gitattributes"), "f filter=evil\n");
    git(join(ws, "sub"), "add", ".");
    git(join(ws, "sub"), "commit", "-qm", "x");
    git(ws, "-c", "advice.addEmbeddedRepo=false", "add", "sub");
  }

  test("is found in every version of the index, also among many entries", () => {
    for (let index = 0; index < 300; index++) writeFileSync(join(ws, `file-${index}-${"é".repeat(index % 90)}`), "x");
    git(ws, "add", ".");
    expect(problem()).toBeNull();
    plant();
    const found = ["2", "3", "4"].map((version) => {
      git(ws, "update-index", `--index-version=${version}`);
      return problem();
    });
    expect(found).toEqual([inner, inner, inner]);
  });

  test("the danger is real: with every helper of the outer one switched off, git status runs a filter of the inner one", () => {
    plant();
    const [evil, marker] = [join(base, "evil"), join(base, "marker")];
    writeFileSync(evil, `#!/bin/sh\ntouch ${marker}\ncat\n`);
    chmodSync(evil, 0o755);
    git(join(ws, "sub"), "config", "filter.evil.clean", evil);
    writeFileSync(join(ws, "sub/f"), "y\n");
    writeFileSync(join(ws, ".gitmodules"), '[submodule "s"]\n path = sub\n url = x\n ignore = none\n');
    git(
      ws,
      "-c",
      "core.fsmonitor=false",
      "-c",
      "core.hooksPath=/dev/null",
      "-c",
      "diff.ignoreSubmodules=all",
      "status",
    );
    expect(existsSync(marker)).toBe(true);
    expect(problem()).toBe(inner);
  });

  test("an index that is cut off, split or from the future is a reason to ask", () => {
    const bytes = readFileSync(inGit("index"));
    const odd = [bytes.subarray(0, 40), Buffer.from("DIRC"), Buffer.concat([Buffer.from("XXXX"), bytes.subarray(4)])];
    const newer = Buffer.from(bytes);
    newer.writeUInt32BE(9, 4);
    const found = [...odd, newer].map((content) => {
      writeFileSync(inGit("index"), content);
      return problem();
    });
    expect(found).toEqual(Array(4).fill("cannot read .git/index: unknown format"));
    writeFileSync(inGit("index"), bytes);
    git(ws, "update-index", "--split-index");
    expect(problem()).toBe("cannot read .git/index: unknown format");
  });

  test("what changes after a first look is seen at the next", () => {
    expect(problem()).toBeNull();
    plant();
    expect(problem()).toBe(inner);
    git(ws, "rm", "-q", "--cached", "-f", "sub");
    expect(problem()).toBeNull();
    appendFileSync(inGit("config"), "[core]\n\tpager = x\n");
    expect(problem()).toBe(".git/config sets core.pager, which may not be harmless");
  });
});

test("[PO-4] [SA-git-config] a link among the notes of git is not shown by git status", () => {
  writeFileSync(join(ws, ".env"), "KEY=1\n");
  for (const folder of ["rebase-merge", "worktrees/x"]) mkdirSync(inGit(folder), { recursive: true });
  writeFileSync(inGit("BISECT_LOG"), "");
  writeFileSync(inGit("BISECT_START"), "main\n");
  expect(problem()).toBeNull();
  for (const name of ["BISECT_START", "rebase-merge/done", "worktrees/x/locked", "info/exclude"]) {
    const before = readFileSync(existsSync(inGit(name)) ? inGit(name) : inGit("BISECT_LOG"));
    rmSync(inGit(name), { force: true });
    symlinkSync(join(ws, ".env"), inGit(name));
    expect(problem()).toContain(`.git/${name}`);
    if (name === "BISECT_START") expect(git(ws, "status")).toContain("KEY=1");
    rmSync(inGit(name));
    writeFileSync(inGit(name), before);
  }
});

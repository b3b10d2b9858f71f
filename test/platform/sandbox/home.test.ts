// What a confined command sees of the home folder: toolchains, caches, harmless settings, and nothing else.
import { describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { type Person, people, sharedPerson, startPerson } from "../../support/sandbox-person.ts";

/** Below the home folder, each with its own name as content. */
const shown = [
  ...[
    ".cargo/registry/index/a",
    ".m2/repository/a/a.pom",
    ".gradle/caches/a",
    ".gradle/wrapper/dists/a",
    ".cache/tool/a",
  ],
  ...[".ivy2/cache/a", ".nuget/packages/a/a.nuspec", ".npm/_cacache/a", "go/pkg/mod/a", ".pyenv/versions/3/lib/a.py"],
  ...[".nvm/versions/node/v1/bin/a", ".rustup/toolchains/a", ".sdkman/candidates/a", ".local/lib/a", ".bun/bin/a"],
  ...[".cache/certs/ca-bundle.crt", ".local/share/mise/installs/a", ".volta/bin/a", ".deno/bin/a", ".asdf/shims/a"],
];

const hidden = [
  ...[".ssh/id_rsa", ".ssh/config", ".aws/config", ".m2/settings.xml", ".m2/settings-security.xml", ".netrc", "notes"],
  ...[".gradle/gradle.properties", ".gradle/init.gradle", ".cargo/credentials.toml", ".cargo/credentials", ".bashrc"],
  ...[".ivy2/.credentials", ".nuget/NuGet/NuGet.Config", ".cache/huggingface/token", ".cache/mozilla/firefox/a"],
  ...[".docker/config.json", ".kube/config", "team.kdbx", "Documents/team.kdbx", "other/.env", "other/src/main.ts"],
  ...[".config/gh/hosts.yml", ".config/app/settings.json", ".local/share/keyrings/a", ".gem/credentials", ".profile"],
  ...[".bash_history", ".claude/history.jsonl", ".codex/auth.json", "go/src/other/.env", ".sbt/1.0/credentials.sbt"],
  ...[".cache/tool/credentials.json", ".npm/id_rsa", ".pyenv/.env", ".cargo/config.d/x", ".foundry/keystores/a"],
];

async function fill(person: Person, paths: readonly string[]): Promise<void> {
  for (const path of paths) person.write(join(person.home, path), `mine<${path}>`);
}

/** The names of all files below the home folder that can be read, as they stand in them. */
const readAll = "find -L ~ -type f -exec cat {} + 2>/dev/null | grep -ao 'mine<[^>]*>' | sed 's/mine<//; s/>//' | sort";

for (const kind of people) {
  describe(`as ${kind}`, () => {
    const ready = sharedPerson(kind);

    test("[PO-8] [SA-secrets] toolchains and caches are there without the logins in them, and all else is not", async () => {
      await using person = await startPerson(kind);
      await fill(person, [...shown, ...hidden]);
      const { stdout } = await person.run(readAll);
      expect(stdout.trim().split("\n")).toEqual(shown.toSorted());
      const read = await person.run({ command: readAll, readOnly: true, network: true });
      expect(
        read.stdout
          .trim()
          .split("\n")
          .filter((path) => hidden.includes(path)),
      ).toEqual([]);
    });

    test("[PO-8] nothing can be put into the home folder, and the sandbox is named as the cause", async () => {
      const person = await ready();
      await fill(person, [".cargo/bin/a", ".local/lib/a"]);
      for (const place of ["x", ".cargo/x", ".cargo/bin/x", ".local/x", ".config/x/y", ".coder/x"]) {
        const run = await person.run(`mkdir -p "$(dirname ~/${place})" && echo evil > ~/${place}`);
        expect([place, run.exitCode, run.blamed]).toEqual([place, 1, expect.stringContaining("are writable")]);
      }
    });

    test("[PO-8] git knows who the person is, and no login", async () => {
      await using person = await startPerson(kind);
      const config = `
[user]
  name = A Person
  email = a@person.example
[init]
  defaultBranch = trunk
[filter "lfs"]
  clean = git-lfs clean -- %f
[credential]
  helper = store
[url "https://token-word@host.example/"]
  insteadOf = https://host.example/
[http]
  extraHeader = "Authorization: word"
[include]
  path = more
[includeIf "gitdir:${person.workspace}/"]
  path = here
[includeIf "gitdir:/elsewhere/"]
  path = there`;
      person.write(join(person.home, ".gitconfig"), config);
      person.write(join(person.home, "more"), '[pull]\n  rebase = true\n[sendemail]\n  smtpPass = "word"\n');
      person.write(join(person.home, "here"), "[user]\n  email = a@work.example\n");
      person.write(join(person.home, "there"), "[user]\n  email = a@wrong.example\n");
      const keys = "user.name user.email init.defaultbranch filter.lfs.clean pull.rebase";
      const { stdout } = await person.run(
        `for key in ${keys}; do git config $key; done; cat ~/.gitconfig | grep -c word`,
      );
      expect(stdout).toBe("A Person\na@work.example\ntrunk\ngit-lfs clean -- %f\ntrue\n0\n");
      const made = await person.run("git config --global user.name evil; echo $?");
      expect(made.stdout).not.toBe("0\n");
    });

    test("[PO-8] settings of tools are there without the lines that open something", async () => {
      await using person = await startPerson(kind);
      const lines = {
        ".npmrc":
          "fund=false\n//host.example/:_authToken=word\n//host.example/:_password=word\nregistry=https://a:word@host.example/\n",
        ".cargo/config.toml": '[build]\njobs = 2\n[registries.own]\ntoken = "word"\n',
        ".config/pip/pip.conf": "[global]\ntimeout = 9\nindex-url = https://me:word@host.example/simple\n",
        ".tool-versions": "nodejs 20.0.0\n",
      };
      for (const [path, text] of Object.entries(lines)) person.write(join(person.home, path), text);
      const { stdout } = await person.run("cd ~ && cat .npmrc .cargo/config.toml .config/pip/pip.conf .tool-versions");
      expect(stdout).toBe("fund=false\n[build]\njobs = 2\n[registries.own]\n[global]\ntimeout = 9\nnodejs 20.0.0\n");
    });

    test("[PO-8] a program on PATH works together with its toolchain, and shows no project that it lies in", async () => {
      const folders = ["tools/node20/bin", ".local/bin", "proj/bin", "scripts", "venv/bin"];
      await using first = await startPerson(kind);
      const path = folders.map((folder) => join(first.home, folder)).join(":");
      await using person = await startPerson(kind, { PATH: `${path}:/usr/local/bin:/usr/bin:/bin` });
      const { home } = first;
      const files = {
        "tools/node20/lib/words": "toolchain",
        "venv/pyvenv.cfg": "venv",
        ".local/share/uv/tools/x/lib/words": "uv",
        "opt/thing/lib/words": "thing",
        "proj/package.json": "{}",
        "proj/.env": "A=word",
        "proj/lib/words": "project",
      };
      for (const [name, text] of Object.entries(files)) first.write(join(home, name), text);
      const program = (name: string, words: string): void => {
        first.write(join(home, name), `#!/bin/sh\ncat "${home}/${words}"\n`);
        chmodSync(join(home, name), 0o755);
      };
      program("tools/node20/bin/one", "tools/node20/lib/words");
      program(".local/share/uv/tools/x/bin/two", ".local/share/uv/tools/x/lib/words");
      program("opt/thing/bin/three", "opt/thing/lib/words");
      program("venv/bin/four", "venv/pyvenv.cfg");
      program("proj/bin/five", "proj/lib/words");
      program("scripts/six", "proj/.env");
      mkdirSync(join(home, ".local/bin"), { recursive: true });
      symlinkSync(join(home, ".local/share/uv/tools/x/bin/two"), join(home, ".local/bin/two"));
      symlinkSync("../../opt/thing/bin/three", join(home, ".local/bin/three"));
      const wish = { home, workspace: first.workspace, coderHome: first.coderHome };
      const run = await person.run({ ...wish, command: "for n in one two three four five six; do $n; echo; done" });
      expect(run.stdout).toBe("toolchain\nuv\nthing\nvenv\n\n\n");
      expect(run.stderr).not.toContain("command not found");
    });

    test("[PO-8] [SA-secrets] neither a variable nor a link of the home folder opens a place of secrets", async () => {
      await using first = await startPerson(kind);
      const { home, workspace, coderHome } = first;
      await fill(first, [".ssh/id_rsa", "other/.env", "other/README", "keys/deploy"]);
      first.write(join(dirname(home), "vault", "key"), "mine<vault>");
      symlinkSync(join(dirname(home), "vault"), join(home, ".gnupg"));
      const env = {
        NVM_DIR: home,
        PYENV_ROOT: join(home, ".ssh"),
        JAVA_HOME: dirname(home),
        GOPATH: `${home}/other:/`,
      };
      await using person = await startPerson(kind, env);
      const command = `${readAll}; cat ${dirname(home)}/vault/key`;
      expect((await person.run({ home, workspace, coderHome, command })).stdout).toBe("");
    });

    test("[PO-8] a home that is named through a link is there under both names", async () => {
      await using person = await startPerson(kind);
      await fill(person, [".cargo/bin/a", "notes"]);
      const named = join(dirname(person.home), "named");
      symlinkSync("home", named);
      const command = `cat ${named}/.cargo/bin/a ${person.home}/.cargo/bin/a; cat ${named}/notes ~/notes`;
      expect((await person.run({ command, home: named })).stdout).toBe("mine<.cargo/bin/a>mine<.cargo/bin/a>");
    });

    test("[PO-8] a package sees the repository that it is a part of, and a worktree its own git folder", async () => {
      await using person = await startPerson(kind);
      const root = join(person.home, "work", "mono");
      for (const path of [
        "packages/a/index.js",
        "packages/b/index.js",
        "node_modules/dep/index.js",
        ".env",
        "packages/b/.env",
      ])
        person.write(join(root, path), `mine<${path}>`);
      person.write(join(person.home, "work", "other", "x"), "mine<other>");
      const git = "git -c user.name=a -c user.email=a@b";
      const setUp = `cd ${root} && git init -q && ${git} add -A && ${git} commit -qm one && git worktree add -q ../tree`;
      expect((await person.run({ command: setUp, free: true })).exitCode).toBe(0);
      const read = "cat ../b/index.js ../../node_modules/dep/index.js ../../.env ../b/.env ../../../other/x";
      const one = await person.run({ command: read, workspace: join(root, "packages", "a") });
      expect(one.stdout).toBe("mine<packages/b/index.js>mine<node_modules/dep/index.js>");
      const tree = await person.run({
        command: "git log --oneline; cat ../other/x ../mono/.env",
        workspace: join(person.home, "work", "tree"),
      });
      expect(tree.stdout).toMatch(/^[0-9a-f]+ one\n$/);
    });

    test("[PO-8] [SA-secrets] of any folder of files in a home nothing is shown that is not a toolchain, cache or copy", async () => {
      const person = await ready();
      const names = [
        "work",
        ".config",
        ".local",
        "share",
        "notes",
        ".env",
        ".ssh",
        ".cargo",
        ".m2",
        ".gradle",
        "x",
        ".cache",
        "token",
        "bin",
      ];
      const path = fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 4 }).map((parts) => parts.join("/"));
      const isMeant =
        /^(?:\.cache\/|\.cargo\/(?:bin|registry|git)\/|\.m2\/(?:repository|wrapper)\/|\.local\/(?:bin|lib)\/)/;
      await fc.assert(
        fc.asyncProperty(fc.uniqueArray(path, { minLength: 3, maxLength: 12 }), async (paths) => {
          const home = join(dirname(person.home), `home-${Math.random().toString(36).slice(2)}`);
          // A name cannot be a file and a folder.
          const files = paths.filter((one) => !paths.some((other) => other.startsWith(`${one}/`)));
          for (const file of files) person.write(join(home, file), `mine<${file}>`);
          const { stdout } = await person.run({ home, command: readAll });
          const seen = stdout.split("\n").filter((one) => one !== "");
          expect(
            seen.filter(
              (one) =>
                !isMeant.test(one) || /(?:^|\/)(?:\.env|\.ssh)(?:\/|$)/.test(one.split("/").slice(0, 3).join("/")),
            ),
          ).toEqual([]);
        }),
        { numRuns: 15 },
      );
    });
  });
}

import { describe, expect, test } from "bun:test";
import { resolve } from "node:path";
import fc from "fast-check";
import type { Mode } from "../../src/contract/task.ts";
import { say } from "../../src/contract/text/catalogue.ts";
import { judgeCommand } from "../../src/policy/command.ts";
import { decide, type PolicyQuestion } from "../../src/policy/decide.ts";

const fact = (given: string) => {
  const real = given.startsWith("~") ? given : resolve("/ws", given);
  return { given, real, inside: real.startsWith("/ws/"), exists: true, kind: "file" } as const;
};

/** As the engine asks about a command, but for what lies on the disk. */
function ask(command: string, more: Partial<PolicyQuestion> = {}): PolicyQuestion {
  const judgement = judgeCommand(command, { gitProblem: null });
  const { reads, writes, mentions } = judgement;
  return {
    ...{ tool: "bash", access: "exec", mode: "auto-edit", preset: null, judgement, rules: [], sandbox: "ready" },
    ...{ workspace: "/ws", ownFolder: "/home/u/.coder", interactive: true, riskReasons: [] },
    paths: reads.map(({ path }) => fact(path)),
    writes: writes.map(({ path }) => fact(path)),
    mentions: mentions.map(({ path, isGlob, isChanged }) => ({ fact: fact(path), isGlob, isDeep: false, isChanged })),
    ...more,
  };
}

const decision = (command: string, more: Partial<PolicyQuestion> = {}) => decide(ask(command, more)).decision;
const allowed = (commands: readonly string[]) => commands.filter((one) => decision(one) === "allow");

const ordinary = [
  ...["npm test", "npm run build --silent", "npx vitest run a.test.ts", "pytest -q tests/test_a.py::test_b", "make"],
  ...["cargo build", "go test ./...", "mvn -q test", "./gradlew test", "tsc -p .", "prettier --write src", "black ."],
  ...["mkdir -p src/new", "cp a b", "mv a b", "touch x", "sed -i s/a/b/ src/a.ts", "chmod +x run.sh", "ln -s a b"],
  ...["echo hi > out.txt", "cat a b >> c", "npm test 2>&1 | tee log.txt", "FOO=1 make", "export A=b && make"],
  ...[
    "python3 - <<'E'\nprint(1)\nE",
    "node -e 'console.log(1)'",
    "cat <<E > a.txt\nx\nE",
    "for f in a b; do touch $f; done",
  ],
  ...[
    "git add -A",
    "git checkout -b fix",
    "git switch main",
    "git restore a",
    "git stash",
    "git apply x.patch",
    "git mv a b",
    "git --no-pager restore a",
    "npm version 2.0.0 --no-git-tag-version",
    "git ls-remote origin",
    "git describe --tags --dirty",
    "git submodule status --recursive",
  ],
  ...[
    "sleep 1 & wait",
    "kill %1",
    "kill 12",
    "python3 -m http.server 8000 &",
    "curl -s localhost:8000",
    "$(cat x) || true; x=$(date)",
  ].slice(0, 5),
];

const started = [
  ...[
    "npx -y prettier --write src",
    "poetry run pytest -q",
    "uv run --with pytest pytest",
    "bundle exec rspec",
    "uvx ruff check",
  ],
  ...[
    "npx jest src/aws",
    "npm exec -- tsc -p .",
    "npx cross-env NODE_ENV=test jest",
    "pnpm dlx prettier .",
    "npm run docker",
  ],
  ...[
    "yarn workspace aws build",
    "uv pip install docker",
    "conda run -n aws pytest",
    'npx "$x" a',
    "npx",
    "poetry run",
  ],
];

const grave = [
  ...["git commit -m x", "git push", "git -C . push -f", "git rebase main", "git reset --hard", "git branch -D x"],
  ...[
    "git tag v1",
    "git merge x",
    "git filter-branch",
    "git stash drop",
    "git update-ref x y",
    "git $sub",
    "env A=b git commit",
  ],
  ...[
    "git submodule add x",
    "git submodule --quiet update --init",
    "git submodule foreach 'git commit'",
    "git submodule $x",
  ],
  ...["git cat-file -p x", "git -c a=b add x", "git archive HEAD", "git $x y", "git -C sub unpack-objects"],
  ...["npm version patch", "npx standard-version", "yarn version --new-version 2.0.0", "bumpversion minor"],
  ...[
    "npx vercel --prod",
    "npx -y netlify@17 deploy",
    "poetry run twine upload dist/*",
    "uv run --with x git commit -m x",
  ],
  ...[
    "pnpm dlx vercel",
    "npm exec -- vercel",
    "npx -p gh gh pr create",
    "bundle exec gem push x",
    "direnv exec . git push",
  ],
  ...["npx cross-env A=b git push", "conda run -n x git push", "uv tool run twine upload x", "npx npm version major"],
  ...["git --no-pager cat-file -p x", "git --git-dir=x add a", "git --no-pager $x", "git -P -c a=b add x"],
  ...["python3 -c 'open(\".git/objects/aa/bb\")'", "python3 - <<E\nopen('.git/objects/a')\nE", "cp -r .git x"],
  ...["npm publish", "cargo publish", "twine upload dist/*", "gh pr create --fill", "terraform apply", "docker push x"],
  ...[
    "sudo make install",
    "apt-get install x",
    "systemctl restart x",
    "crontab -r",
    "docker run x",
    "mount a b",
    "shutdown now",
  ],
  ...["cp a /etc/x", "touch ~/.bashrc", "echo x > /tmp/../etc/y", "mv a ../b", "tee /var/log/x"],
  ...["cp .env.example .env", "echo x > .git/hooks/pre-commit", "mkdir -p .vscode", "touch .envrc", "echo x >> ../a"],
  ...["rm -rf $dir", 'rm *.log "$x"', "cd $x && rm -rf build", 'truncate -s 0 "$f"'],
  ...["$cmd x", "echo 'unclosed", "if then", "echo x 2>(touch y)"],
];

describe("auto-edit with a working sandbox", () => {
  test("[PO-1] [PO-8] lets commands run that stay in the sandbox", () => {
    expect([...ordinary, ...started].filter((one) => decision(one) !== "allow")).toEqual([]);
  });

  test("[PO-1] [PO-4] asks about history, publishing, the machine, other places, and what could not be read", () => {
    expect(allowed(grave)).toEqual([]);
  });

  test("[PO-1] asks where the sandbox is missing or left, or the network is wanted", () => {
    const open: readonly Partial<PolicyQuestion>[] = [
      { sandbox: "missing" },
      { sandbox: "off" },
      { sandbox: "broken" },
      { reach: { network: true, free: false } },
      { reach: { network: false, free: true } },
    ];
    expect(open.map((more) => decision("make", more))).toEqual(["ask", "ask", "ask", "ask", "ask"]);
  });

  test("[PO-1] asks about what undo could not bring back, and names it", () => {
    const told = (losses: PolicyQuestion["losses"] & {}) => {
      const { decision, reasons } = decide(ask("rm -rf data", { losses }));
      return [decision, ...(decision === "ask" ? reasons : []).map((reason) => say("en", reason))];
    };
    expect([told([]), told(["/ws/data/a.db"])]).toEqual([
      ["allow"],
      ["ask", "deletes or overwrites /ws/data/a.db, which /undo cannot restore"],
    ]);
  });

  test("[PO-1] [PO-2] no other mode and no stricter preset lets them run", () => {
    const others: readonly (readonly [Mode, PolicyQuestion["preset"]])[] = [
      ["plan", null],
      ["default", null],
      ["default", "auto-edit"],
      ["auto-edit", "balanced"],
      ["auto-edit", "strict"],
    ];
    const decisions = others.map(([mode, preset]) => decision("make", { mode, preset }));
    expect(decisions).toEqual(["deny", "ask", "ask", "ask", "deny"]);
  });

  test("[PO-3] the person's own rules hold: deny and ask as they say, allow lifts what is asked about", () => {
    const rule = (decision: "allow" | "ask" | "deny", command: string) =>
      ({
        decision,
        tool: "bash",
        command: { argv: command.split(" "), isExact: false },
        source: "--x",
        by: "person",
      }) as const;
    expect([
      decision("make x", { rules: [rule("deny", "make")] }),
      decision("make x", { rules: [rule("ask", "make")] }),
      decision("git commit -m x", { rules: [rule("allow", "git commit")] }),
    ]).toEqual(["deny", "ask", "allow"]);
  });

  test("[PO-1] whatever is put around a grave command, it is asked about", () => {
    const inner = fc.constantFrom<string>(
      "git commit -m x",
      "npm publish",
      "sudo x",
      "touch /etc/x",
      "cp a .git/config",
    );
    const around = fc.array(
      fc.constantFrom<(line: string) => string>(
        (line) => `cd src && ${line}`,
        (line) => `true; ${line}`,
        (line) => `if true; then ${line}; fi`,
        (line) => `for f in a b; do ${line}; done`,
        (line) => `( ${line} )`,
        (line) => `timeout 5 ${line}`,
        (line) => `env A=b ${line}`,
        (line) => `make || ${line}`,
        (line) => `x=$( ${line} )`,
        (line) => `{ ${line}; } 2>&1 | cat`,
        (line) => `bash -c ${JSON.stringify(line)}`,
      ),
      { maxLength: 4 },
    );
    fc.assert(
      fc.property(inner, around, (line: string, wraps) => {
        expect(decision(wraps.reduce<string>((all, wrap) => wrap(all), line))).not.toBe("allow");
      }),
    );
  });
});

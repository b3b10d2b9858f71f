// Rules on real command lines: what the analysis finds is what they are matched on.
import { describe, expect, test } from "bun:test";
import type { PermissionRule } from "../../../src/contract/permission.ts";
import { judgeCommand } from "../../../src/policy/command.ts";
import { alwaysRules } from "../../../src/policy/rule/always.ts";
import { answerByRules, type RuleQuestion } from "../../../src/policy/rule/rule.ts";
import { ruleText } from "../../../src/policy/rule/text.ts";
import { allow, deny, fact, workspace } from "../rule-sample.ts";

function line(command: string): RuleQuestion {
  const judgement = judgeCommand(command, { gitProblem: null });
  const paths = judgement.reads.map(({ path }) => fact(path));
  const writes = judgement.writes.map(({ path }) => fact(path, { exists: false }));
  return { tool: "bash", access: "exec", paths, writes, judgement, workspace };
}

const decisionOf = (rules: readonly PermissionRule[], command: string) =>
  answerByRules(rules, line(command))?.decision ?? null;

test("[PO-3] a rule against export holds where its names are known to be harmless", () => {
  expect(decisionOf([deny({ command: "export *" })], "export FOO=1 && ls")).toBe("deny");
});

describe("deny bash(git push *)", () => {
  const rules = [deny({ command: "git push *" })];
  const hidden = [
    "git push",
    "ls; git push",
    "ls && git push --force",
    "ls || git push",
    "ls | git push",
    "git push &",
    "(git push)",
    "{ git push; }",
    "if true; then git push; fi",
    "for i in 1 2; do git push; done",
    "while git push; do :; done",
    "case x in x) git push;; esac",
    "f() { git push; }; f",
    "echo $(git push)",
    "echo `git push`",
    'echo "$(git push)"',
    "cat <(git push)",
    "cat <<E\n$(git push)\nE",
    "[[ -n $(git push) ]]",
    "x=$(git push)",
    "ls\ngit push",
    "x=push; git $x",
    "x=log; if true; then x=push; fi; git $x",
    "x=log; for x in push; do true; done; git $x",
    "x=log; f() { x=push; }; f; git $x",
    "x=log; eval x=push; git $x",
    "x=log; source a; git $x",
    "x=log; . ./a; git $x",
    "x=log; command source a; git $x",
    "x=log; printf -v x push; git $x",
    "x=log; declare x=push; git $x",
    "x=log; readarray x < a; git $x",
    "x=log; getopts a x; git $x",
    "x=log; trap 'x=push' DEBUG; git $x",
    "x=log; $y x=push; git $x",
    "unset x; : $\u007bx:=push}; git $x",
    "x=1; echo $((x = y)); git $x",
    "x=log; select x in push; do break; done; git $x",
    "x=log; while ls; do git $x; eval x=push; done",
    "for x in log; do git $x; source a; done; git $x",
    "sudo git push",
    "env A=b git push",
    "A=b git push",
    "time git push",
    "nohup git push",
    "nice -n 5 git push",
    "timeout 5 git push",
    "command git push",
    "exec git push",
    "bash -c 'git push'",
    'sh -c "ls; git push"',
    "bash -c \"bash -c 'git push'\"",
    "eval git push",
    "eval 'git push'",
    "xargs git push",
    "xargs -a x git push",
    "sudo --odd x y git push",
    "env -S 'git push'",
    "env -vS 'git push'",
    "env --split-string='git push'",
    "script -qc 'git push' /dev/null",
    "su -lc 'git push'",
    "su me --command='git push'",
    "flock x -c 'git push'",
    "flock x git push -c x",
    "bash <<< 'git push'",
    "sh <<E\ngit push\nE",
    "setpriv --reuid 0 git push",
    "gosu me git push",
    "uv run git push",
    "npx -p x cross-env A=b git push",
    "bundle exec git push",
    "echo x | xargs git push",
    "find . -exec git push \\;",
    "find . -execdir git push {} +",
    "/usr/bin/git push",
    "git -C /tmp push",
    "git -c a.b=c push",
    "git --no-pager push",
    "g'i't p\"us\"h",
    "gi\\t push",
    "git pu\\\nsh",
    "git $SUB",
    "$GIT push",
    "git {push,pull}",
    "echo 'git push' | sh",
    "printf 'ls\\ngit push\\n' | tee x | bash -s",
    "cat <<'E' | sh\ngit push\nE",
    "bash <(echo git push)",
    "source <(printf 'git push')",
    ". /dev/stdin <<E\ngit push\nE",
    "source /dev/stdin <<< 'git push'",
    "[[ 'a[$(git push)]' -eq 1 ]]",
    "[[ -v 'a[$(git push)]' ]]",
    "test -v 'a[`git push`]'",
    "printf -v 'a[$(git push)]' x",
    "read 'a[$(git push)]' < x",
    "let 'a[$(git push)]=1'",
    "declare -i 'x=a[$(git push)]'",
    "mapfile -C 'git push' -c 1 < x",
    "compgen -C 'git push' x",
    "alias ls='git push'",
    "jobs -x git push",
    "hash -p /usr/bin/git ls; ls push",
  ];
  for (const command of hidden) {
    test(`[PO-3] [PO-4] [SA-deny-first-word] stops ${JSON.stringify(command)}`, () => {
      expect(decisionOf(rules, command)).toBe("deny");
    });
  }

  const others = [
    "git pull",
    "echo git push",
    "git commit -m 'git push'",
    "grep 'git push' x",
    "git log -- push",
    "ls push",
    "git commit -m 'say `git push` and $(git push)'",
    "echo 'git push' | cat",
    "printf 'run `git push`' > x",
    "echo 'git push' | bash x.sh | cat x",
  ];
  for (const command of others) {
    test(`[PO-3] leaves ${command}`, () => {
      expect(decisionOf(rules, command)).toBeNull();
    });
  }
});

describe("allow bash(npm test)", () => {
  const rules = [allow({ command: "npm test" })];
  for (const command of [
    "npm test",
    "npm test | tail -5",
    "ls && npm test",
    "npm 'test'",
    "npm test >/dev/null 2>&1",
    "bash -c 'npm test'",
  ]) {
    test(`[PO-3] lets ${command} through`, () => {
      expect(decisionOf(rules, command)).toBe("allow");
    });
  }

  const more = [
    "npm test; rm x",
    "npm test && make",
    "npm test $(make)",
    "npm test `make`",
    "npm test <(make)",
    "npm test\nmake",
    "npm test > src/x",
    "npm test | tee x",
    "LD_PRELOAD=./x npm test",
    "PATH=.:$PATH npm test",
    "X=1; npm test",
    "export PATH=.; npm test",
    "alias npm=make; npm test",
    "npm() { make; }; npm test",
    "hash -p ./evil npm; npm test",
    "enable -f ./evil npm; npm test",
    "source x; npm test",
    "sudo npm test",
    "env A=b npm test",
    "npm test $X",
    "npm $X",
    "./npm test",
    "npm test {a,b}",
    "npm test; $X",
    "npm test )",
  ];
  for (const command of more) {
    test(`[PO-3] [SA-allow-carries] does not carry ${JSON.stringify(command)}`, () => {
      expect(decisionOf(rules, command)).toBeNull();
    });
  }
});

describe("always", () => {
  const cases: readonly (readonly [command: string, rules: readonly string[] | null])[] = [
    ["npm test 2>&1 | tail -20", ["bash(npm test …)"]],
    ["cd sub && cargo test", null],
    ["cd sub; make", null],
    ["(cd sub && make)", null],
    ["bash -c 'cd sub && make'", null],
    ["env -C sub make", null],
    ["find . -execdir make \\;", null],
    ["cd /ws && make", ["bash(make)"]],
    ["timeout 5 make", ["bash(make)"]],
    ["npm run build && npm test", ["bash(npm run build …)", "bash(npm test …)"]],
    ["python -m http.server", ["bash(python -m http.server)"]],
    ["sudo npm test", null],
    ["rm x", null],
    ["npm test > log", null],
    ["npm test $(ls)", null],
    ["cat .env", null],
    ["X=1 npm test", null],
    ["npm test < .env", null],
    ["if", null],
  ];
  for (const [command, rules] of cases) {
    test(`[PO-6] ${command} is remembered as ${rules?.join(" and ") ?? "nothing"}`, () => {
      expect(alwaysRules(line(command))?.map(ruleText) ?? null).toEqual(rules as string[] | null);
    });
  }
});

test("[PO-6] what is remembered for the workspace does not hold in another folder, and what a person wrote does", () => {
  const remembered = alwaysRules(line("make all && npm test")) ?? [];
  const written = remembered.map((rule) => ({ ...rule, source: "--allow" }));
  const away = ["cd sub && make all", "cd sub; npm test", "(cd sub && npm test)", "bash -c 'cd sub && make all'"];
  const here = ["cd /ws && make all", "npm test && make all", "(cd /ws; npm test)"];
  const decided = (rules: readonly PermissionRule[], lines: readonly string[]) =>
    lines.map((one) => answerByRules(rules, line(one))?.decision ?? null);
  expect(decided(remembered, away)).toEqual([null, null, null, null]);
  expect(decided(remembered, here)).toEqual(["allow", "allow", "allow"]);
  expect(decided(written, away)).toEqual(["allow", "allow", "allow", "allow"]);
});

// Classes of attack that are about rules and settings rather than about one command line.
import { expect, test } from "bun:test";
import { judgeCommand } from "../../src/policy/command.ts";
import { decide, type PolicyQuestion } from "../../src/policy/decide.ts";
import { loadTools } from "../../src/tool/registry.ts";

const facts = { gitProblem: null };

test("[PO-4] [SA-git-options] no global option of git, and no option that starts or writes something, is read-only", () => {
  const lines = [
    ...["git -C sub status", "git -c core.pager=sh log", "git -c alias.x=!id x", "git --git-dir=x status"],
    ...[
      "git --work-tree=/ status",
      "git --exec-path=. log",
      "git --paginate log",
      "git -p log",
      "git --config-env=a=b log",
    ],
    ...[
      "git --namespace=x log",
      "git --super-prefix=x status",
      "git ls-remote --upload-pack=./x .",
      "git diff --output=x",
    ],
    ...["git show --ext-diff", "git log --textconv -p", "git grep -Ovi x", "git log --show-signature", "git fetch"],
  ];
  expect(lines.filter((line) => judgeCommand(line, facts).isReadOnly)).toEqual([]);
});

const question = (more: Partial<PolicyQuestion>): PolicyQuestion => ({
  ...{ tool: "bash", access: "exec", mode: "default", preset: null, paths: [], rules: [], workspace: "/ws" },
  ...{ ownFolder: "/home/u/.coder", sandbox: "ready", interactive: true, riskReasons: [] },
  ...more,
});

test("[PO-3] [SA-empty-list] no rules at all, and rules that name nothing of the call, allow nothing", () => {
  const judgement = judgeCommand("make", facts);
  const other = {
    decision: "allow",
    tool: "bash",
    command: { argv: ["npm"], isExact: false },
    source: "x",
    by: "person",
  } as const;
  expect([
    decide(question({ judgement })).decision,
    decide(question({ judgement, rules: [other] })).decision,
    decide(question({ judgement: judgeCommand("", facts), rules: [other] })).decision,
  ]).toEqual(["ask", "ask", "ask"]);
});

test("[PO-8] [SA-chosen-cwd] no tool that runs any command takes a folder to run it in", () => {
  // The commands of `diagnostics` are a fixed list, and its folder lies inside.
  const isFree = (name: string): boolean => name !== "diagnostics";
  const running = [...loadTools([]).values()].filter(({ access, name }) => access === "exec" && isFree(name));
  const names = running.flatMap((tool) =>
    Object.keys((tool.input.toJSONSchema() as { properties?: object }).properties ?? {}),
  );
  expect(names.filter((name) => /cwd|dir|folder|root|path/.test(name))).toEqual([]);
});

test("[PO-1] [SA-yolo-input] where nobody can be asked, nothing but the mode itself stands for a yes", () => {
  const judgement = judgeCommand("curl -s http://127.0.0.1/x | sh", facts);
  const modes = ["plan", "default", "auto-edit"] as const;
  expect(
    modes.map((mode) => decide(question({ judgement, mode, interactive: false, sandbox: "missing" })).decision),
  ).toEqual(["deny", "deny", "deny"]);
});

import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import fc from "fast-check";
import { parseRule } from "../../../src/config/permission/permission-text.ts";
import type { PermissionRule } from "../../../src/contract/permission.ts";
import { judgeCommand } from "../../../src/policy/command.ts";
import { alwaysRules, exactRules } from "../../../src/policy/rule/always.ts";
import { answerByRules, type RuleQuestion } from "../../../src/policy/rule/rule.ts";
import { ruleText } from "../../../src/policy/rule/text.ts";
import { workspace } from "../rule-sample.ts";
import { cases } from "../shell/cases.ts";

const digest = (text: string): string => `sha256:${createHash("sha256").update(text).digest("hex")}`;

function question(command: string): RuleQuestion {
  const judgement = judgeCommand(command, { gitProblem: null, digest });
  return { tool: "bash", access: "exec", paths: [], writes: [], judgement, workspace };
}

function allowing(text: string): PermissionRule {
  const parsed = parseRule(text, "--allow");
  if ("problem" in parsed) throw new Error(JSON.stringify(parsed.problem));
  return { decision: "allow", source: "--allow", by: "person", ...parsed.value };
}

const isAllowed = (rule: PermissionRule, command: string): boolean =>
  answerByRules([rule], question(command))?.decision === "allow";

const programs = [
  ..."python3 -|python3|python3 -u -|python3 -i|python3 a.py|node b.js|node|node -|node --input-type=module|bun -|deno run -|ruby|perl|php".split(
    "|",
  ),
  ..."lua -|sh|bash|bash -s|sh -s a|zsh|dash|fish|psql|psql db|mysql db|sqlite3 a.db|mongosh|redis-cli|ssh host".split(
    "|",
  ),
  ..."docker exec -i box sh|kubectl apply -f -|patch -p1|git apply|git am|ed a|ex a|at now|crontab -|make -f -".split(
    "|",
  ),
  ..."parallel|tclsh|R --no-save|ghci|scala|groovysh|jshell|irb|osascript|gdb|terraform apply|npm run repl|unknown-tool".split(
    "|",
  ),
  ..."python3 /dev/stdin|python3 /dev/fd/0|bash /proc/self/fd/0|env python3 -|timeout 5 sh|nice python3".split("|"),
];

/** Ways to feed a text to a command. */
const feeds: readonly ((command: string, text: string) => string)[] = [
  (command, text) => `${command} <<'E'\n${text}\nE`,
  (command, text) => `${command} <<E\n${text}\nE`,
  (command, text) => `${command} <<< '${text}'`,
  (command, text) => `{ ${command}; } <<'E'\n${text}\nE`,
  (command, text) => `( ${command} ) <<< "${text}"`,
  (command, text) => `if true; then ${command}; fi <<< ${text}`,
  (command, text) => `while true; do ${command}; done <<< ${text}`,
  (command, text) => `bash -c '${command}' <<< ${text}`,
  (command, text) => `echo ${text} | ${command}`,
  (command, text) => `cat ${text} | ${command}`,
  (command, text) => `cat ${text} | { ${command}; }`,
  (command, text) => `ls && cat ${text} | tee /dev/null | ${command}`,
  (command, text) => `${command} < ${text}`,
  (command, text) => `cat ${text} | ${command} 2</dev/null`,
  (command, text) => `cat ${text} | ${command} 3<&-`,
  (command, text) => `{ ${command} 3</dev/null; } < ${text}`,
  (command, text) => `${command} 3< ${text} </dev/null`,
  (command, text) => `{ ${command} </dev/null; } 3< ${text}`,
  (command, text) => `{ ${command} </dev/null 0>&2; } 2< ${text}`,
];

const fed = fc.tuple(fc.constantFrom(...programs), fc.constantFrom(...feeds));

describe("a command that takes its orders from its input", () => {
  test("[PO-6] is never remembered, and no flag is advised for it", () => {
    fc.assert(
      fc.property(fed, ([program, feed]) => {
        const asked = question(feed(program, "aaa"));
        expect([feed(program, "aaa"), alwaysRules(asked), exactRules(asked)]).toEqual([
          feed(program, "aaa"),
          null,
          null,
        ]);
      }),
      cases(),
    );
  });

  test("[PO-3] is not allowed by a rule that names its words", () => {
    fc.assert(
      fc.property(fed, fc.constantFrom("", " *"), ([program, feed], rest) => {
        const rule = allowing(`bash(${program}${rest})`);
        expect([feed(program, "aaa"), isAllowed(rule, feed(program, "aaa"))]).toEqual([feed(program, "aaa"), false]);
      }),
      cases(),
    );
  });

  test("[PO-3] is allowed by a rule that names its words and its input, and with no other input", () => {
    const rule = allowing(`bash(python3 - <${digest("print(1)\n")})`);
    const lines = [
      "python3 - <<'E'\nprint(1)\nE",
      "python3 - <<'E'\nprint(2)\nE",
      "python3 -",
      "cat a | python3 -",
      "python3 - < a",
      "python3 - <<'E' 3<<'F'\nprint(2)\nE\nprint(1)\nF",
      "python3 - 3<<'E' <<'F'\nprint(2)\nE\nprint(1)\nF",
    ];
    expect(lines.map((line) => isAllowed(rule, line))).toEqual([true, false, false, false, false, false, false]);
    expect(ruleText(rule)).toBe(`bash(python3 - <${digest("print(1)\n")})`);
  });
});

test("[PO-6] a test tool that is fed something is remembered as before, a script of any name is not", () => {
  const lines = [
    "cat a | npm test",
    "yes | npm run build",
    "npm run repl <<< 'evil'",
    "sh -c 'ls' < /dev/null",
    "python3 tools/a.py < data",
  ];
  expect(lines.map((line) => alwaysRules(question(line))?.map(ruleText) ?? null)).toEqual([
    ["bash(npm test …)"],
    null,
    null,
    ["bash(sh -c ls)"],
    null,
  ]);
});

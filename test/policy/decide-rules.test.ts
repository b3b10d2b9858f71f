import { expect, test } from "bun:test";
import type { Decision } from "../../src/contract/event.ts";
import type { PermissionRule } from "../../src/contract/permission.ts";
import { type Mode, modes } from "../../src/contract/task.ts";
import { say } from "../../src/contract/text/catalogue.ts";
import type { PathFact } from "../../src/contract/tool.ts";
import { judgeCommand } from "../../src/policy/command.ts";
import { decide, type PolicyQuestion } from "../../src/policy/decide.ts";

const fact = (given: string, more: Partial<PathFact> = {}): PathFact => ({
  given,
  real: `/ws/${given}`,
  inside: true,
  exists: true,
  kind: "file",
  ...more,
});

const rule = (decision: Decision, more: Partial<PermissionRule>): PermissionRule => ({
  decision,
  source: "config.json:3",
  by: "person",
  ...more,
});
const command = (decision: Decision, words: string, isExact = false) =>
  rule(decision, { tool: "bash", command: { argv: words.split(" "), isExact } });

const here = { preset: null, workspace: "/ws", ownFolder: "/home/u/.coder", rules: [], interactive: true } as const;

function shell(text: string, mode: Mode, more: Partial<PolicyQuestion> = {}): PolicyQuestion {
  const judgement = judgeCommand(text, { gitProblem: null });
  const paths = judgement.reads.map(({ path }) => fact(path));
  const what = {
    tool: "bash",
    role: "runs",
    access: "exec",
    judgement,
    paths,
    sandbox: "ready",
    riskReasons: [],
  } as const;
  return { ...here, ...what, mode, ...more };
}

function write(path: PathFact, mode: Mode, more: Partial<PolicyQuestion> = {}): PolicyQuestion {
  const what = { tool: "write", access: "write", paths: [path], sandbox: "off", riskReasons: [] } as const;
  return { ...here, ...what, mode, ...more };
}

const inModes = (make: (mode: Mode) => PolicyQuestion) =>
  Object.fromEntries(modes.map((mode) => [mode, decide(make(mode)).decision]));

test("[PO-3] an explicit rule stands in place of the base table, and its place is the source", () => {
  const verdict = decide(shell("npm test", "default", { rules: [command("allow", "npm test")] }));
  expect([verdict.decision, verdict.source]).toEqual(["allow", "config.json:3"]);
});

test("[PO-3] among explicit rules the strictest wins", () => {
  const rules = [command("allow", "npm"), command("ask", "npm run"), command("deny", "npm run deploy")];
  expect(
    ["npm test", "npm run x", "npm run deploy", "npm test && npm run deploy"].map(
      (text) => decide(shell(text, "default", { rules })).decision,
    ),
  ).toEqual(["allow", "ask", "deny", "deny"]);
});

test("[PO-3] an ask rule turns a command that only reads into a question, and into a denial where nobody can be asked", () => {
  const rules = [command("ask", "ls")];
  expect([
    decide(shell("ls", "auto-edit", { rules })).decision,
    decide(shell("ls", "auto-edit", { rules, interactive: false })).decision,
  ]).toEqual(["ask", "deny"]);
});

test("[PO-1] no allow rule breaks the promise of plan mode", () => {
  const rules = [command("allow", "npm test", true), rule("allow", { tool: "write" })];
  expect([
    inModes((mode) => shell("npm test", mode, { rules })),
    inModes((mode) => write(fact("a.ts"), mode, { rules })),
  ]).toEqual([
    { plan: "deny", default: "allow", "auto-edit": "allow", yolo: "allow" },
    { plan: "deny", default: "allow", "auto-edit": "allow", yolo: "allow" },
  ]);
});

test("[PO-5] what always asks is lifted by a rule that names the exact argv, and by no wider one", () => {
  const asked = (text: string, ...rules: PermissionRule[]) => decide(shell(text, "default", { rules })).decision;
  expect([
    asked("rm -rf build", command("allow", "rm")),
    asked("rm -rf build", command("allow", "rm -rf build", true)),
    asked("rm -rf build dist", command("allow", "rm -rf build", true)),
    asked("echo $(rm x)", command("allow", "rm x", true), command("allow", "echo")),
    asked("rm -rf 'build", command("allow", "rm")),
  ]).toEqual(["ask", "allow", "ask", "ask", "ask"]);
});

test("[PO-5] a redirection that overwrites asks, whatever allows the command; one that makes a new file does not", () => {
  const rules = [command("allow", "make"), rule("allow", { tool: "write" })];
  const to = (exists: boolean) =>
    decide(
      shell("make > log", "default", {
        rules: [...rules, rule("allow", { path: "log" })],
        writes: [fact("log", { exists })],
      }),
    );
  expect([to(true).decision, to(false).decision]).toEqual(["ask", "allow"]);
});

test("[TP-7] in yolo only the person's own denials hold for commands", () => {
  const asked = (more: PermissionRule) => decide(shell("git push", "yolo", { rules: [more] })).decision;
  expect([
    asked(command("deny", "git push")),
    asked({ ...command("deny", "git push"), by: "project" }),
    asked(command("ask", "git push")),
  ]).toEqual(["deny", "allow", "allow"]);
});

test("[PO-8] [SA-sandbox-silent] in yolo the sandbox that the person asked for is not left without a question", () => {
  const free = { reach: { network: false, free: true } };
  const asked = (more: Partial<PolicyQuestion>) => {
    const { decision, reasons } = decide(shell("git push", "yolo", more));
    return [decision, reasons.at(-1)?.key];
  };
  const on = { isAlwaysConfined: true };
  expect([
    asked(on),
    asked({ ...on, ...free }),
    asked({ ...on, sandbox: "broken" }),
    asked({ ...on, ...free, interactive: false }),
    asked({ ...free, sandbox: "off" }),
  ]).toEqual([
    ["allow", "policy.why.exec"],
    ["ask", "policy.sandbox.free"],
    ["ask", "policy.sandbox.broken"],
    ["deny", "policy.advice.person"],
    ["allow", "policy.why.exec"],
  ]);
});

test("[PO-7] a wide rule lifts no secret, no protected and no foreign path; one that names it does", () => {
  const foreign = fact("/etc/hosts", { real: "/etc/hosts", inside: false });
  const paths = [fact(".env"), fact(".git/hooks/pre-commit"), foreign];
  const wide = paths.map(
    (path) => decide(write(path, "auto-edit", { rules: [rule("allow", { tool: "write" })] })).decision,
  );
  const named = paths.map(
    (path) =>
      decide(write(path, "auto-edit", { rules: [rule("allow", { tool: "write", path: path.given })] })).decision,
  );
  expect([wide, named]).toEqual([
    ["ask", "ask", "ask"],
    ["allow", "allow", "allow"],
  ]);
});

test("[PO-9] [SA-own-settings] our own files are changed by no tool, in no mode, by no rule", () => {
  const own = fact("/home/u/.coder/config.json", { real: "/home/u/.coder/config.json", inside: false });
  const rules = [rule("allow", { tool: "write", path: own.given })];
  expect(inModes((mode) => write(own, mode, { rules }))).toEqual({
    plan: "deny",
    default: "deny",
    "auto-edit": "deny",
    yolo: "deny",
  });
});

test("[PO-8] a sandbox that is there and fails asks about every command, also an allowed one", () => {
  const rules = [command("allow", "npm test", true)];
  const kinds = ["ready", "missing", "off", "broken"] as const;
  expect(
    kinds.map((sandbox) => [
      decide(shell("npm test", "default", { rules, sandbox })).decision,
      decide(shell("ls", "default", { sandbox })).decision,
      decide(shell("git status", "default", { sandbox })).decision,
    ]),
  ).toEqual([
    ["allow", "allow", "allow"],
    ["allow", "allow", "ask"],
    ["allow", "allow", "ask"],
    ["ask", "ask", "ask"],
  ]);
});

test("[PO-8] the network and the way out of the sandbox are asked about, and the prompt says that an earlier run may have had effects", () => {
  const rules = [command("allow", "npm install", true)];
  const online = (...more: PermissionRule[]) =>
    decide(shell("npm install", "default", { rules: [...rules, ...more], reach: { network: true, free: false } }));
  const free = decide(shell("npm install", "default", { rules, reach: { network: false, free: true } }));
  expect([online().decision, online().mayAlways, online(rule("allow", { tool: "network" })).decision]).toEqual([
    "ask",
    false,
    "allow",
  ]);
  expect([free.decision, free.mayAlways]).toEqual(["ask", false]);
  expect(free.reasons.map((reason) => say("en", reason)).join()).toContain(
    "an earlier run inside may already have had effects",
  );
});

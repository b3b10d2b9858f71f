import { expect, test } from "bun:test";
import fc from "fast-check";
import type { Decision } from "../../src/contract/event.ts";
import type { Access } from "../../src/contract/message.ts";
import { type Mode, modes, type Preset, presets } from "../../src/contract/task.ts";
import { everyText, type Phrase, phrase, say } from "../../src/contract/text/catalogue.ts";
import type { PathFact } from "../../src/contract/tool.ts";
import { judgeCommand } from "../../src/policy/command.ts";
import { decide, type PolicyQuestion } from "../../src/policy/decide.ts";
import { effectiveTable } from "../../src/policy/effective-table.ts";

const inside = (given: string): PathFact => ({ given, real: `/ws/${given}`, inside: true, exists: true, kind: "file" });
const outside = (given: string, real = given): PathFact => ({ given, real, inside: false, exists: true, kind: "file" });

const toolOf: Readonly<Record<Access, string>> = {
  read: "read",
  write: "write",
  exec: "bash",
  network: "fetch",
  session: "todowrite",
};

type More = Partial<PolicyQuestion> & { readonly command?: string };

function ask(access: Access, mode: Mode, { command, ...more }: More = {}): PolicyQuestion {
  const paths = access === "read" || access === "write" ? [inside("src/a.ts")] : [];
  const judged = command === undefined ? {} : { judgement: judgeCommand(command, { gitProblem: null }) };
  const here = { workspace: "/ws", ownFolder: "/home/u/.coder", rules: [], sandbox: "ready" } as const;
  const person = { interactive: true, riskReasons: [] };
  const role = (more.tool ?? toolOf[access]) === "bash" ? { role: "runs" as const } : {};
  return { tool: toolOf[access], ...role, access, mode, preset: null, paths, ...here, ...person, ...judged, ...more };
}

const decisions = (make: (mode: Mode) => PolicyQuestion): Record<string, Decision> =>
  Object.fromEntries(modes.map((mode) => [mode, decide(make(mode)).decision]));

const english = (reasons: readonly Phrase[]): string[] => reasons.map((reason) => say("en", reason));

test("[PO-1] each mode decides reads, writes, commands, network and todos by its row", () => {
  const exec = { command: "npm install" };
  expect({
    read: decisions((mode) => ask("read", mode)),
    write: decisions((mode) => ask("write", mode)),
    "exec, held": decisions((mode) => ask("exec", mode, exec)),
    "exec, effects": decisions((mode) => ask("exec", mode, { ...exec, sandbox: "missing" })),
    "exec, reads": decisions((mode) => ask("exec", mode, { command: "ls -la" })),
    network: decisions((mode) => ask("network", mode)),
    session: decisions((mode) => ask("session", mode)),
  }).toEqual({
    read: { plan: "allow", default: "allow", "auto-edit": "allow", yolo: "allow" },
    write: { plan: "deny", default: "ask", "auto-edit": "allow", yolo: "allow" },
    "exec, held": { plan: "deny", default: "ask", "auto-edit": "allow", yolo: "allow" },
    "exec, effects": { plan: "deny", default: "ask", "auto-edit": "ask", yolo: "allow" },
    "exec, reads": { plan: "allow", default: "allow", "auto-edit": "allow", yolo: "allow" },
    network: { plan: "ask", default: "ask", "auto-edit": "ask", yolo: "allow" },
    session: { plan: "allow", default: "allow", "auto-edit": "allow", yolo: "allow" },
  });
});

test("[PO-2] each preset decides by its row where the mode forbids nothing", () => {
  const of = (access: Access, more: More = {}) =>
    Object.fromEntries(presets.map((preset) => [preset, decide(ask(access, "yolo", { ...more, preset })).decision]));
  const exec = { tool: "job", command: "npm install", sandbox: "missing" } as const;
  const held = { tool: "job", command: "npm install" };
  expect(of("exec", held)).toEqual({ strict: "deny", balanced: "ask", "auto-edit": "allow", yolo: "allow" });
  expect([of("read"), of("write"), of("exec", exec), of("exec", { ...exec, command: "ls" }), of("network")]).toEqual([
    { strict: "allow", balanced: "allow", "auto-edit": "allow", yolo: "allow" },
    { strict: "deny", balanced: "ask", "auto-edit": "allow", yolo: "allow" },
    { strict: "deny", balanced: "ask", "auto-edit": "ask", yolo: "allow" },
    { strict: "deny", balanced: "allow", "auto-edit": "allow", yolo: "allow" },
    { strict: "deny", balanced: "ask", "auto-edit": "ask", yolo: "allow" },
  ]);
});

test("[PO-2] the stricter of mode and preset applies and is named as the source", () => {
  const verdict = (mode: Mode, preset: Preset | null) => {
    const { decision, source } = decide(ask("write", mode, { preset }));
    return `${decision} by ${source}`;
  };
  expect([
    verdict("default", null),
    verdict("default", "yolo"),
    verdict("default", "strict"),
    verdict("auto-edit", "balanced"),
    verdict("plan", "yolo"),
  ]).toEqual([
    "ask by mode default",
    "ask by mode default",
    "deny by preset strict",
    "ask by preset balanced",
    "deny by mode plan",
  ]);
});

test("[PO-2] the effective table names what each row says and where it comes from", () => {
  const rows = effectiveTable("default", "strict").map(({ access, decision, source }) => [access, decision, source]);
  expect(rows).toEqual([
    ["session", "allow", "mode default"],
    ["read", "allow", "mode default"],
    ["write", "deny", "preset strict"],
    ["exec_read", "deny", "preset strict"],
    ["exec_held", "deny", "preset strict"],
    ["exec", "deny", "preset strict"],
    ["loss", "deny", "preset strict"],
    ["history", "deny", "preset strict"],
    ["publish", "deny", "preset strict"],
    ["machine", "deny", "preset strict"],
    ["network", "deny", "preset strict"],
    ["private_host", "deny", "mode default"],
    ["outside_read", "ask", "mode default"],
    ["outside_write", "deny", "preset strict"],
    ["secret", "ask", "mode default"],
    ["protected_write", "deny", "preset strict"],
    ["own_write", "deny", "mode default"],
  ]);
});

test("[TP-7] the effective table shows that mode yolo runs commands under any preset", () => {
  const exec = effectiveTable("yolo", "strict").filter(({ access }) => access.startsWith("exec"));
  expect(exec.map(({ decision, source }) => `${decision} by ${source}`)).toEqual([
    "allow by mode yolo",
    "allow by mode yolo",
    "allow by mode yolo",
  ]);
});

test("[PO-7] a path outside the workspace asks for reading and writing, and plan and strict deny the write", () => {
  const paths = [inside("a"), outside("link", "/etc/passwd")];
  expect([
    decisions((mode) => ask("read", mode, { paths })),
    decisions((mode) => ask("write", mode, { paths })),
    decide(ask("read", "default", { paths, preset: "strict" })).decision,
    decide(ask("write", "auto-edit", { paths, preset: "strict" })).decision,
  ]).toEqual([
    { plan: "ask", default: "ask", "auto-edit": "ask", yolo: "allow" },
    { plan: "deny", default: "ask", "auto-edit": "ask", yolo: "allow" },
    "ask",
    "deny",
  ]);
});

test("[PO-7] the reason names where a link really leads", () => {
  const verdict = decide(ask("read", "default", { paths: [outside("notes.md", "/home/u/.bashrc")] }));
  expect(english(verdict.reasons)).toEqual(["/home/u/.bashrc is outside the workspace"]);
});

test("[PO-7] a path that cannot be resolved asks like one outside", () => {
  const paths: PathFact[] = [{ given: "loop", real: null, inside: false, exists: false, kind: "none" }];
  const verdict = decide(ask("read", "auto-edit", { paths }));
  expect([verdict.decision, ...english(verdict.reasons)]).toEqual(["ask", "cannot tell where loop leads"]);
});

test("[PO-7] a secrets file asks even for reading, by its own name or by where it leads", () => {
  const byName = ask("read", "auto-edit", { paths: [inside(".env.local")] });
  const byLink = ask("read", "auto-edit", { paths: [{ ...inside("notes.md"), real: "/ws/config/server.pem" }] });
  expect([decide(byName).decision, decide(byLink).decision, decide({ ...byName, mode: "yolo" }).decision]).toEqual([
    "ask",
    "ask",
    "allow",
  ]);
});

test("writing into .git or .coder asks even in auto-edit, and reading there does not", () => {
  const paths = [inside("sub/.git/hooks/pre-commit")];
  expect([
    decide(ask("write", "auto-edit", { paths })).decision,
    decide(ask("write", "auto-edit", { paths: [inside(".coder/config.json")] })).decision,
    decide(ask("write", "auto-edit", { paths: [{ ...inside("hook"), real: "/ws/.git/hooks/x" }] })).decision,
    decide(ask("read", "auto-edit", { paths })).decision,
    decide(ask("write", "yolo", { paths })).decision,
    decide(ask("write", "plan", { paths })).decision,
  ]).toEqual(["ask", "ask", "ask", "allow", "allow", "deny"]);
});

test("opening a pipe or a device inside the workspace asks", () => {
  const verdict = decide(ask("read", "auto-edit", { paths: [{ ...inside("fifo"), kind: "other" }] }));
  expect([verdict.decision, ...english(verdict.reasons)]).toEqual(["ask", "fifo is a pipe, socket or device"]);
});

test("[PO-7] the path operands of a read-only command follow the same rules", () => {
  const cat = (paths: PathFact[]) => decide(ask("exec", "default", { command: "cat a .env", paths })).decision;
  expect([
    decide(ask("exec", "default", { command: "cat a b", paths: [inside("a"), inside("b")] })).decision,
    cat([inside("a"), inside(".env")]),
    cat([inside("a"), outside(".env", "/etc/x")]),
  ]).toEqual(["allow", "ask", "ask"]);
});

test("an operand without a fact asks", () => {
  expect(decide(ask("exec", "default", { command: "cat a b", paths: [inside("a")] })).decision).toBe("ask");
});

test("[PO-1] the reason for asking about a command says what is not understood", () => {
  expect(english(decide(ask("exec", "default", { command: "rm -rf build" })).reasons)).toEqual([
    "runs a command that may have effects (mode default)",
    "rm can destroy data or stop something: rm -rf build",
  ]);
});

test("[TP-1] risk reasons turn allow into ask, and stand beside the reasons of an ask", () => {
  const riskReasons = [phrase("policy.path.special", { path: "big.bin" })];
  const allowed = decide(ask("write", "auto-edit", { riskReasons }));
  const asked = decide(ask("write", "default", { riskReasons }));
  expect([allowed, asked]).toEqual([
    { decision: "ask", reasons: riskReasons, source: "risk", mayAlways: false },
    {
      decision: "ask",
      reasons: [phrase("policy.why.write", { source: phrase("words.by.mode", { name: "default" }) }), ...riskReasons],
      source: "mode default",
      mayAlways: false,
    },
  ]);
});

test("[TP-7] mode yolo with bash skips risk reasons, another tool does not", () => {
  const riskReasons = [phrase("policy.path.special", { path: "x" })];
  expect([
    decide(ask("exec", "yolo", { command: "rm -rf /", riskReasons })).decision,
    decide(ask("write", "yolo", { riskReasons })).decision,
  ]).toEqual(["allow", "ask"]);
});

test("[RB-3] what the person has asked for is still asked about where it is risky; alone, mode yolo is the answer", () => {
  const riskReasons = [phrase("policy.path.special", { path: "x" })];
  const given = { tool: "undo", paths: [], authority: "undo" };
  const answers = (more: Partial<PolicyQuestion>) => decisions((mode) => ask("write", mode, { ...given, ...more }));
  expect([
    answers({}),
    answers({ riskReasons }),
    answers({ riskReasons, interactive: false }),
    advice(ask("write", "auto-edit", { ...given, riskReasons, interactive: false }))[1],
  ]).toEqual([
    { plan: "deny", default: "allow", "auto-edit": "allow", yolo: "allow" },
    { plan: "deny", default: "ask", "auto-edit": "ask", yolo: "ask" },
    { plan: "deny", default: "deny", "auto-edit": "deny", yolo: "allow" },
    "needs approval, and nobody can be asked here; to allow it, use --mode yolo",
  ]);
});

const advice = (question: PolicyQuestion): readonly [Decision, string | undefined] => {
  const verdict = decide(question);
  return [verdict.decision, english(verdict.reasons).at(-1)];
};

test("[PO-5] without a person ask becomes deny, with advice that names the flag and the mode that would allow it", () => {
  const alone = { interactive: false };
  const needs = (rule: string, mode: string) =>
    `needs approval, and nobody can be asked here; to allow exactly this, use --allow '${rule}', or use --mode ${mode}`;
  expect([
    advice(ask("write", "default", alone)),
    advice(ask("exec", "auto-edit", { ...alone, command: "npm install", sandbox: "missing" })),
    advice(ask("read", "default", { ...alone, paths: [outside("/etc/hosts")] })),
  ]).toEqual([
    ["deny", needs("write(src/a.ts)", "auto-edit")],
    ["deny", needs("bash(npm install)", "yolo")],
    ["deny", needs("read(/etc/hosts)", "yolo")],
  ]);
});

test("[PO-5] the original reasons come before the advice", () => {
  const { reasons, source } = decide(ask("write", "default", { interactive: false }));
  expect([english(reasons)[0], source]).toEqual(["changes files (mode default)", "mode default"]);
});

test("[PO-5] a denial names the mode that forbids it no longer, or the preset that stands in the way", () => {
  expect([
    advice(ask("write", "plan")),
    advice(ask("write", "plan", { interactive: false })),
    advice(ask("write", "auto-edit", { preset: "strict" })),
    advice(ask("write", "yolo", { interactive: false, riskReasons: [phrase("policy.path.special")] })),
  ]).toEqual([
    [
      "deny",
      "plan mode changes nothing and runs nothing; to leave it: /mode default (in the terminal also Shift+Tab, at the start --mode default)",
    ],
    [
      "deny",
      "plan mode changes nothing and runs nothing; to leave it: /mode auto-edit (in the terminal also Shift+Tab, at the start --mode auto-edit)",
    ],
    ["deny", "preset strict denies it; to allow it, choose another preset and mode default (--mode default)"],
    ["deny", "every mode requires a person to approve this; run it where someone can be asked"],
  ]);
});

const anyFact: fc.Arbitrary<PathFact> = fc.record({
  given: fc.constantFrom("a", ".env", ".git/config", "link"),
  real: fc.constantFrom("/ws/a", "/ws/.env", "/etc/passwd", null),
  inside: fc.boolean(),
  exists: fc.boolean(),
  kind: fc.constantFrom("file", "folder", "other", "none"),
});

const anyQuestion: fc.Arbitrary<PolicyQuestion> = fc
  .record({
    access: fc.constantFrom<Access>("read", "write", "exec", "network", "session"),
    mode: fc.constantFrom(...modes),
    preset: fc.constantFrom(null, ...presets),
    command: fc.constantFrom("ls", "cat a", "cat .env link", "rm -rf /", "echo $(id)"),
    paths: fc.array(anyFact, { maxLength: 3 }),
    interactive: fc.boolean(),
    riskReasons: fc.array(fc.constant(phrase("policy.path.special", { path: "x" })), { maxLength: 1 }),
  })
  .map(({ access, mode, ...question }) => ask(access, mode, question));

const strictness: Readonly<Record<Decision, number>> = { allow: 0, ask: 1, deny: 2 };

test("[TP-7] mode yolo with bash is always allowed", () => {
  fc.assert(
    fc.property(anyQuestion, (question) => {
      expect(decide({ ...question, tool: "bash", role: "runs", access: "exec", mode: "yolo" }).decision).toBe("allow");
    }),
  );
});

test("[PO-2] strict never allows a write or a command outside mode yolo, whatever else is true", () => {
  fc.assert(
    fc.property(anyQuestion, fc.constantFrom<Access>("write", "exec"), (question, access) => {
      const mode = question.mode === "yolo" ? "default" : question.mode;
      expect(decide({ ...question, access, tool: toolOf[access], mode, preset: "strict" }).decision).toBe("deny");
    }),
  );
});

test("[PO-2] a stricter preset never loosens a decision", () => {
  fc.assert(
    fc.property(anyQuestion, (question) => {
      const levels = [...presets, null].map((preset) => strictness[decide({ ...question, preset }).decision]);
      expect(levels).toEqual([...levels].sort((one, other) => other - one));
    }),
  );
});

test("[PO-1] every decision gives reasons in both languages with every blank filled in", () => {
  fc.assert(
    fc.property(anyQuestion, (question) => {
      const { reasons } = decide(question);
      expect(reasons.length).toBeGreaterThan(0);
      for (const reason of reasons) {
        expect(reason.key in everyText()).toBe(true);
        expect(`${say("en", reason)} ${say("zh", reason)}`).not.toMatch(/\{\w+\}/);
      }
    }),
  );
});

test("[PO-6] [SA-hidden-text] a name or a part of a command cannot look like a reason or an advice of its own", () => {
  const name = "/etc/x\nallowed by the person\u202e";
  const read = decide(ask("read", "default", { paths: [outside(name)], interactive: false }));
  const run = decide(
    ask("exec", "default", { command: "foo 'a\nallowed by the person'; rm 'b\nfine'", interactive: false }),
  );
  const lines = [...english(read.reasons), ...english(run.reasons)];
  expect(lines.filter((line) => /[\n\u202e]/.test(line))).toEqual([]);
  expect(lines.join("\n")).toContain("--allow $'read(/etc/x\\nallowed by the person\\u202e)'");
});

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { type FlagValues, loadSettings } from "../../../src/config/load.ts";
import { projectRules } from "../../../src/config/permission/permission.ts";
import { parseCommand, parseRule } from "../../../src/config/permission/permission-text.ts";
import type { PermissionRule } from "../../../src/contract/permission.ts";
import { say } from "../../../src/contract/text/catalogue.ts";
import { exactGlob } from "../../../src/policy/rule/glob.ts";
import { ruleText } from "../../../src/policy/rule/text.ts";
import { fromSource } from "../../support/binary.ts";
import { growsEvenly } from "../../support/cpu.ts";

let base = "";
let home = "";

beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "coder-permission-")));
  home = join(base, "person");
  mkdirSync(join(home, ".coder"), { recursive: true });
});

afterAll(() => rmSync(base, { recursive: true, force: true }));

function load(flags: FlagValues, config: unknown = {}) {
  const file = join(home, ".coder", "config.json");
  writeFileSync(file, typeof config === "string" ? config : JSON.stringify(config));
  return { file, loaded: loadSettings({ flags, env: { HOME: home }, cwd: base }) };
}

function rulesOf(flags: FlagValues, config?: unknown): readonly PermissionRule[] {
  const { loaded } = load(flags, config);
  if (!loaded.ok) throw new Error(say("en", loaded.error.text));
  return loaded.value.rules;
}

function problem(flags: FlagValues, config?: unknown): string {
  const { loaded, file } = load(flags, config);
  return loaded.ok ? "none" : `${loaded.error.code} ${say("en", loaded.error.text).replace(file, "FILE")}`;
}

describe("--allow and --deny", () => {
  test("[PO-3] take a host for the network of commands, and no rule for all of it", () => {
    const host = { name: "github.com", isBelow: false, port: null };
    const common = { tool: "network", host, by: "person" } as const;
    expect(rulesOf({ allow: ["network(GitHub.com.)"] })).toEqual([{ ...common, decision: "allow", source: "--allow" }]);
    expect(problem({ allow: ["network"] })).toContain("network needs a host");
    const written = rulesOf(
      {},
      { permissions: { rules: [{ decision: "deny", tool: "network", host: "github.com" }] } },
    );
    expect(written).toMatchObject([{ ...common, decision: "deny" }]);
    expect([...rulesOf({ allow: ["network([::1]:80)"] }), ...written].map(ruleText)).toEqual([
      "network([::1]:80)",
      "network(github.com)",
    ]);
  });

  test("[PO-3] take a host for fetch, in one form, and nothing else in its place", () => {
    const allow = ["fetch", "fetch(Docs.Python.org)", "fetch( *.python.org )", "fetch(localhost:3000)"];
    const common = { decision: "allow", tool: "fetch", source: "--allow", by: "person" } as const;
    const rules = rulesOf({ allow });
    expect(rules).toEqual([
      common,
      { ...common, host: { name: "docs.python.org", isBelow: false, port: null } },
      { ...common, host: { name: "python.org", isBelow: true, port: null } },
      { ...common, host: { name: "localhost", isBelow: false, port: 3000 } },
    ]);
    expect(rules.map(ruleText)).toEqual([
      "fetch",
      "fetch(docs.python.org)",
      "fetch(*.python.org)",
      "fetch(localhost:3000)",
    ]);
    for (const host of ["https://a.example/", "a.example/x", "*", "", "u@a.example", "docs/**"]) {
      expect(problem({ allow: [`fetch(${host})`] })).toContain(
        "a host is a name or an address without scheme and path",
      );
    }
    const written = rulesOf({}, { permissions: { rules: [{ decision: "deny", host: "evil.example" }] } });
    expect(written).toMatchObject([
      { decision: "deny", tool: "fetch", host: { name: "evil.example", isBelow: false, port: null } },
    ]);
  });

  test("[CLI-2] [PO-3] take a tool, a tool with a path, and a command, exact or how it begins", () => {
    const allow = ["read", "write(docs/**)", "bash(npm test)", " bash ( npm run * ) "];
    const common = { source: "--allow", by: "person" } as const;
    expect(rulesOf({ allow, deny: ["bash(git push *)"] })).toEqual([
      { decision: "allow", tool: "read", ...common },
      { decision: "allow", tool: "write", path: "docs/**", ...common },
      { decision: "allow", tool: "bash", command: { argv: ["npm", "test"], isExact: true }, ...common },
      { decision: "allow", tool: "bash", command: { argv: ["npm", "run"], isExact: false }, ...common },
      {
        decision: "deny",
        tool: "bash",
        command: { argv: ["git", "push"], isExact: false },
        source: "--deny",
        by: "person",
      },
    ]);
  });

  const words: readonly (readonly [text: string, argv: readonly string[]])[] = [
    ["echo 'a b' \"c d\" e\\ f", ["echo", "a b", "c d", "e f"]],
    ["echo '' \"\"", ["echo", "", ""]],
    ["echo 'it'\\''s'", ["echo", "it's"]],
    ['echo "\\$x \\" \\\\"', ["echo", '$x " \\']],
    ["echo '*' \\* a#b a~b", ["echo", "*", "*", "a#b", "a~b"]],
    ["find . -name '*.ts'", ["find", ".", "-name", "*.ts"]],
    ["  make   all\t", ["make", "all"]],
    ["git commit -m '日本語\n2'", ["git", "commit", "-m", "日本語\n2"]],
  ];
  for (const [text, argv] of words) {
    test(`[PO-3] the words of ${JSON.stringify(text)} are those of a shell`, () => {
      expect(parseCommand(text, "x")).toEqual({ value: { argv, isExact: true } });
    });
  }

  const wrong: readonly (readonly [rule: string, said: RegExp])[] = [
    ["npm test", /is not a rule: it must be a tool/],
    ["bash(npm test", /is not a rule/],
    ["", /is not a rule/],
    ["bash npm", /is not a rule/],
    ["Bash(npm test)", /unknown tool Bash; did you mean bash/],
    ["wirte(x)", /unknown tool wirte; did you mean write/],
    ["zzzzzzzz(x)", /unknown tool zzzzzzzz; the tools are read, list/],
    ["bash()", /starts with the name of a program; bash alone/],
    ["bash(*)", /starts with the name of a program; bash alone/],
    ["bash('')", /starts with the name of a program/],
    ["bash(A=b npm test)", /not with a variable: A=b/],
    ["bash(npm test:*)", /plain words only, and this is not one: \*/],
    ["bash(npm * test)", /\* may only be the last word/],
    ["bash(npm test; rm x)", /not one: ; rm x/],
    ["bash(npm test && x)", /not one: && x/],
    ["bash(echo $HOME)", /not one: \$HOME/],
    ['bash(echo "$HOME")', /not one: "\$HOME"/],
    ["bash(echo `x`)", /not one: `x`/],
    ["bash(echo $(x))", /not one: \$\(x\)/],
    ["bash(ls > x)", /not one: > x/],
    ["bash(ls ~/x)", /not one: ~\/x/],
    ["bash(ls #x)", /not one: #x/],
    ["bash(! ls)", /not one: ! ls/],
    ["bash(echo {a,b})", /not one: \{a,b\}/],
    ["bash(echo 'x)", /not one: 'x/],
    ["bash(echo x\\)", /not one: \\/],
    ["write()", /one line of text, not empty/],
    ["write( )", /one line of text, not empty/],
    ["write(a\nb)", /one line of text/],
    ["write(../x)", /never contains \.\./],
    ["write(a/../b)", /never contains \.\./],
    ["write(*.{ts,js})", /braces with commas/],
    ["write(~ada/x)", /only ~\/ is supported/],
  ];
  for (const [text, said] of wrong) {
    test(`[CLI-2] [ER-2] --deny ${JSON.stringify(text)} is refused by name, with an example`, () => {
      const found = problem({ deny: [text] });
      expect(found).toStartWith(`E_CONFIG --deny ${JSON.stringify(text)}`);
      expect(found).toMatch(said);
      const { loaded } = load({ deny: [text] });
      const advice = loaded.ok ? undefined : loaded.error.advice;
      expect(advice && say("en", advice)).toContain("bash(npm run *)");
      expect(advice && say("zh", advice)).toContain("bash(npm run *)");
    });
  }

  test("[PO-3] what a rule is shown as can be given back and is the same rule", () => {
    const argv = fc.array(fc.string({ maxLength: 6, unit: "grapheme" }), { minLength: 1, maxLength: 4 });
    const program = fc.constantFrom("npm", "./a b", "x'y", "日本");
    fc.assert(
      fc.property(program, argv, fc.boolean(), (first, rest, isExact) => {
        const rule = { tool: "bash", command: { argv: [first, ...rest], isExact } };
        const shown = ruleText({ decision: "allow", source: "", by: "person", ...rule });
        expect(parseRule(shown, "x")).toEqual({ value: rule });
      }),
    );
    const name = fc.string({ minLength: 1, maxLength: 8, unit: fc.constantFrom(..."ab*?\\{},[]() 中~") });
    fc.assert(
      fc.property(name, (text) => {
        const path = exactGlob(text.trim() || "a");
        const shown = ruleText({ decision: "allow", tool: "write", path, source: "", by: "person" });
        expect(parseRule(shown, "x")).toEqual({ value: { tool: "write", path } });
      }),
    );
  });

  test("[PO-3] no text makes it throw or take long", async () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 60, unit: "binary" }), (text) => {
        const parsed = parseRule(`bash(${text})`, "x");
        expect("value" in parsed || "problem" in parsed).toBe(true);
      }),
    );
    const texts: readonly ((scale: number) => string)[] = [
      (scale) => `bash(${"a'b' ".repeat(2_500 * scale)})`,
      (scale) => `write(${"{".repeat(6_250 * scale)})`,
      (scale) => "(".repeat(6_250 * scale),
    ];
    for (const text of texts)
      expect([text(1).slice(0, 9), await growsEvenly((scale) => parseRule(text(scale), "x"))]).toEqual([
        ...[text(1).slice(0, 9), true],
      ]);
  });
});

describe("paths of rules", () => {
  const pathOf = (text: string) => rulesOf({ deny: [`read(${text})`] })[0]?.path;

  test("[PO-3] [SA-links] an absolute one is resolved through links as far as it exists, and ~/ is the home", () => {
    mkdirSync(join(base, "real", "deep"), { recursive: true });
    symlinkSync(join(base, "real"), join(base, "link"));
    symlinkSync(home, join(base, "home-link"));
    expect(pathOf(`${base}/link/deep/**`)).toBe(`${base}/real/deep/**`);
    expect(pathOf(`${base}/link/new/x`)).toBe(`${base}/real/new/x`);
    expect(pathOf(`${base}/link*/deep`)).toBe(`${base}/link*/deep`);
    expect(pathOf("~/.ssh/**")).toBe(`${home}/.ssh/**`);
    expect(pathOf("~")).toBe(home);
    expect(pathOf("/**")).toBe("/**");
    expect(pathOf("/")).toBe("/**");
    const linked = loadSettings({ flags: { deny: ["read(~/x)"] }, env: { HOME: join(base, "home-link") }, cwd: base });
    expect(linked.ok && linked.value.rules[0]?.path).toBe(`${home}/x`);
  });

  test("[PO-3] a relative one stays as it is, and a folder means what is in it", () => {
    expect(pathOf("docs/")).toBe("docs/**");
    expect(pathOf("./docs/*.md")).toBe("./docs/*.md");
    expect(pathOf("[id]\\*.ts")).toBe("[id]\\*.ts");
  });
});

describe("permissions.rules of the user's config", () => {
  test("[PO-3] [CF-1] each becomes a rule that knows its line", () => {
    const text = `{
      // mine
      "permissions": { "rules": [
        { "decision": "allow", "command": "npm run *", "reason": "ours",
          "examples": { "matches": ["npm run x"], "others": ["npm ci"] } },
        { "decision": "ask", "tool": "fetch" }, { "decision": "deny", "path": "keys/" }
      ] }
    }`;
    const { file } = load({});
    const common = { by: "person" } as const;
    expect(rulesOf({ deny: ["read"] }, text)).toEqual([
      {
        ...{ decision: "allow", tool: "bash", command: { argv: ["npm", "run"], isExact: false }, reason: "ours" },
        ...{ examples: { matches: ["npm run x"], others: ["npm ci"] }, source: `${file}:4` },
        ...common,
      },
      { decision: "ask", tool: "fetch", source: `${file}:6`, ...common },
      { decision: "deny", path: "keys/**", source: `${file}:6`, ...common },
      { decision: "deny", tool: "read", source: "--deny", ...common },
    ]);
  });

  const wrong: readonly (readonly [rule: unknown, said: string])[] = [
    [{ tool: "bash" }, "permissions.rules[0] lacks the key decision"],
    [{ decision: "never", tool: "bash" }, "permissions.rules[0].decision must be one of: allow, ask, deny"],
    [{ decision: "deny" }, "permissions.rules[0] applies to nothing: a rule needs a tool, a command, a path or a host"],
    [{ decision: "deny", tool: "bahs" }, "permissions.rules[0].tool must be one of"],
    [{ decision: "deny", command: "a", path: "b" }, "has more than one of command, path and host"],
    [{ decision: "deny", command: "a", tool: "write" }, "its tool can only be bash"],
    [{ decision: "deny", path: "a", tool: "bash" }, "for bash, a rule names a command"],
    [{ decision: "deny", tool: "read", examples: { matches: ["a"] } }, "has examples, but no command, path or host"],
    [{ decision: "deny", tool: "fetch", path: "a" }, "fetch and network take no paths; name a host"],
    [{ decision: "deny", tool: "read", host: "a.example" }, "only fetch and network take a host"],
    [{ decision: "allow", tool: "network" }, "network needs a host"],
    [{ decision: "allow", tool: "network", path: "a" }, "fetch and network take no paths"],
    [{ decision: "deny", host: "a.example", path: "b" }, "has more than one of command, path and host"],
    [{ decision: "deny", host: "https://a.example/" }, "permissions.rules[0].host: a host is a name or an address"],
    [{ decision: "deny", command: "a; b" }, "permissions.rules[0].command: a rule takes plain words only"],
    [{ decision: "deny", path: "../a" }, "permissions.rules[0].path: rules match the real path"],
    [{ decision: "deny", tool: "read", colour: 1 }, "colour"],
  ];
  for (const [rule, said] of wrong) {
    test(`[CF-2] ${JSON.stringify(rule)} is refused with file and line`, () => {
      const found = problem({}, `{"permissions":\n{"rules":[\n${JSON.stringify(rule)}]}}`);
      expect(found).toStartWith("E_CONFIG FILE:3: permissions.rules[0]");
      expect(found).toContain(said);
    });
  }
});

describe("permissions.rules of a project's config", () => {
  const read = (text: string) => {
    const { rules, ignored } = projectRules({ bytes: Buffer.from(text) });
    return {
      rules: rules.map((rule) => [rule.decision, ruleText(rule), rule.source, rule.by]),
      ignored: ignored.map((one) => say("en", one)),
    };
  };

  test("[PO-9] only ask and deny take effect; an allow is told and left out", () => {
    const rules = [
      { decision: "deny", command: "git push *" },
      { decision: "allow", tool: "bash" },
      { decision: "ask", tool: "write", path: "src/**" },
    ];
    expect(read(JSON.stringify({ permissions: { rules } }))).toEqual({
      rules: [
        ["deny", "bash(git push *)", ".coder/config.json:1", "project"],
        ["ask", "write(src/**)", ".coder/config.json:1", "project"],
      ],
      ignored: [".coder/config.json:1 is ignored: a project's rules may only ask or deny"],
    });
  });

  test("[PO-9] a broken rule undoes no other, and neither does a broken key beside them", () => {
    const rules = [{ decision: "deny", command: "a;b" }, { decision: "deny" }, 5, { decision: "deny", tool: "fetch" }];
    expect(read(JSON.stringify({ max_stepz: 1, permissions: { rules } }))).toEqual({
      rules: [["deny", "fetch", ".coder/config.json:1", "project"]],
      ignored: [
        expect.stringMatching(/^\.coder\/config\.json:1: permissions\.rules\[0\]\.command: .*\(ignored\)$/),
        expect.stringMatching(/^\.coder\/config\.json:1: permissions\.rules\[1\] applies to nothing.*\(ignored\)$/),
      ],
    });
    for (const text of ["", "{", "[]", '{"permissions": 5}', '{"permissions": {"rules": {}}}'])
      expect(read(text).rules).toEqual([]);
  });
});

test("[CF-2] coder config set refuses a rule that would stop the next start, and changes nothing", async () => {
  const file = join(home, ".coder", "config.json");
  const text = '{ "max_steps": 3 }';
  writeFileSync(file, text);
  const set = async (rule: object) => {
    const args = ["config", "set", "permissions.rules", JSON.stringify([rule])];
    const env = { ...process.env, HOME: home, CODER_HOME: join(home, ".coder"), LANG: "C" };
    const child = Bun.spawn([...fromSource, ...args], { cwd: base, env, stderr: "pipe" });
    return [await child.exited, await new Response(child.stderr).text()] as const;
  };
  const [code, err] = await set({ decision: "deny", command: "a; b" });
  expect([code, readFileSync(file, "utf8")]).toEqual([2, text]);
  expect(err).toContain("permissions.rules[0].command: a rule takes plain words only");
  const [again] = await set({ decision: "deny", command: "git push *" });
  expect(again).toBe(0);
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({
    max_steps: 3,
    permissions: { rules: [{ decision: "deny", command: "git push *" }] },
  });
});

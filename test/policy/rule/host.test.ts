import { describe, expect, test } from "bun:test";
import type { Decision } from "../../../src/contract/event.ts";
import { hostOf, parseHost } from "../../../src/contract/network/network.ts";
import type { PermissionRule } from "../../../src/contract/permission.ts";
import { modes } from "../../../src/contract/task.ts";
import { say } from "../../../src/contract/text/catalogue.ts";
import { decide, type PolicyQuestion } from "../../../src/policy/decide.ts";
import { alwaysRules } from "../../../src/policy/rule/always.ts";
import { brokenExamples } from "../../../src/policy/rule/examples.ts";
import { namesHost } from "../../../src/policy/rule/host.ts";
import { ruleText } from "../../../src/policy/rule/text.ts";

const rule = (decision: Decision, host?: string, more: Partial<PermissionRule> = {}): PermissionRule => {
  const named = host === undefined ? null : parseHost(host);
  return { decision, tool: "fetch", ...(named ? { host: named } : {}), source: "--test", by: "person", ...more };
};

const asked = (url: string, more: Partial<PolicyQuestion> = {}): PolicyQuestion => ({
  tool: "fetch",
  access: "network",
  mode: "default",
  preset: null,
  paths: [],
  hosts: [hostOf(new URL(url))],
  rules: [],
  workspace: "/ws",
  ownFolder: "/home/u/.coder",
  sandbox: "off",
  interactive: true,
  riskReasons: [],
  ...more,
});

const decisions = (rules: readonly PermissionRule[], ...urls: readonly string[]) =>
  urls.map((url) => decide(asked(url, { rules })).decision);

describe("a rule about a host", () => {
  test("[PO-3] allows that very host and no other, whatever it begins or ends with", () => {
    const urls = [
      ...["https://docs.python.org/3/", "https://python.org/", "https://docs.python.org.evil.example/"],
      ...["https://xdocs.python.org/", "https://a.docs.python.org/", "http://docs.python.org:8080/"],
    ];
    expect(decisions([rule("allow", "docs.python.org")], ...urls)).toEqual([
      ...(["allow", "ask", "ask", "ask", "ask", "allow"] as const),
    ]);
  });

  test("[PO-3] with `*.` it allows all below a name and not the name itself; with a port only that port", () => {
    const urls = ["https://a.python.org/", "https://a.b.python.org/", "https://python.org/", "https://xpython.org/"];
    expect(decisions([rule("allow", "*.python.org")], ...urls)).toEqual(["allow", "allow", "ask", "ask"]);
    const ported = ["http://a.example:8080/", "http://a.example/"];
    expect(decisions([rule("allow", "a.example:8080")], ...ported)).toEqual(["allow", "ask"]);
  });

  test("[PO-3] denies a name with all below it, in every mode, whatever else allows it", () => {
    const rules = [rule("deny", "evil.example"), rule("allow"), rule("allow", "www.evil.example")];
    const urls = ["https://evil.example/", "https://www.EVIL.example./", "https://notevil.example/"];
    expect(decisions(rules, ...urls)).toEqual(["deny", "deny", "allow"]);
    expect(modes.map((mode) => decide(asked(urls[0] ?? "", { rules, mode })).decision)).toEqual(
      modes.map(() => "deny"),
    );
  });

  test("[PO-3] says nothing about commands and files, and rules about those say nothing about it", () => {
    const rules = [rule("allow", "a.example")];
    const read = { tool: "read", access: "read", hosts: [], rules } as const;
    expect(decide({ ...asked("https://a.example/"), ...read }).source).toBe("mode default");
    const others: PermissionRule[] = [
      { decision: "allow", tool: "read", source: "--test", by: "person" },
      { decision: "allow", path: "**", source: "--test", by: "person" },
      { decision: "deny", tool: "write", path: "**", source: "--test", by: "person" },
    ];
    expect(decisions(others, "https://a.example/")).toEqual(["ask"]);
  });

  test("[PO-2] without one the network asks; strict and no person deny; yolo allows", () => {
    const url = "https://a.example/";
    const inModes = modes.map((mode) => [mode, decide(asked(url, { mode })).decision]);
    expect(Object.fromEntries(inModes)).toEqual({ plan: "ask", default: "ask", "auto-edit": "ask", yolo: "allow" });
    expect(decide(asked(url, { preset: "strict" })).decision).toBe("deny");
    expect(decide(asked(url, { interactive: false })).decision).toBe("deny");
  });

  test("[PO-5] where nobody can be asked, the advice names the rule that lets this host through", () => {
    const { reasons } = decide(asked("https://a.example:8443/x", { interactive: false }));
    expect(reasons.map((one) => say("en", one)).at(-1)).toContain("--allow 'fetch(a.example:8443)'");
  });

  test("[PO-6] always remembers the host, and it does what it was made for", () => {
    const question = asked("https://docs.python.org/3/");
    const rules = alwaysRules(question) ?? [];
    expect(rules.map(ruleText)).toEqual(["fetch(docs.python.org)"]);
    expect(decisions(rules, "https://docs.python.org/other", "https://python.org/")).toEqual(["allow", "ask"]);
  });

  test("[PO-3] its examples are URLs or hosts", () => {
    const examples = { matches: ["https://a.example/x", "a.example"], others: ["b.example", "not a host"] };
    expect(brokenExamples([rule("allow", "a.example", { examples })], "/ws")).toEqual([]);
    const wrong = rule("deny", "a.example", { examples: { matches: ["b.example"], others: ["x.a.example"] } });
    expect(brokenExamples([wrong], "/ws").map(({ problem }) => problem.key)).toEqual([
      "permission.example_other",
      "permission.example_hit",
    ]);
  });
});

describe("hosts that are not everybody's", () => {
  const near = ["http://localhost:3000/", "http://10.0.0.5/", "http://169.254.169.254/latest/", "http://[::1]/"];

  test("[SA-local-server] are denied in every mode without asking, also where all of fetch is allowed", () => {
    for (const mode of modes) {
      for (const url of [...near, "http://2130706433/", "http://redis:6379/", "http://metadata.google.internal/"]) {
        expect([
          url,
          decide(asked(url, { mode, rules: [rule("allow"), rule("allow", "*.internal")] })).decision,
        ]).toEqual([url, "deny"]);
      }
    }
  });

  test("[SA-local-server] are allowed by a rule of the person's that names them, and the advice says which", () => {
    const { reasons } = decide(asked("http://localhost:3000/"));
    expect(reasons.map((one) => say("en", one))).toEqual([
      "uses the network (mode default)",
      "localhost:3000 is this machine or on a private network",
      "coder does not ask about this; only the user can allow it, with a rule that names the host: --allow 'fetch(localhost:3000)'",
    ]);
    expect(decisions([rule("allow", "localhost:3000")], "http://localhost:3000/", "http://localhost:6379/")).toEqual([
      "allow",
      "deny",
    ]);
    expect(decisions([rule("allow", "10.0.0.5")], "http://10.0.0.5/", "http://10.0.0.6/")).toEqual(["allow", "deny"]);
  });

  test("[SA-local-server] a rule of a project, one that asks, and one for all below a name do not name a host", () => {
    const host = { name: "a.lan", port: 80 };
    expect([
      namesHost([rule("allow", "a.lan")], host),
      namesHost([rule("allow", "*.lan")], host),
      namesHost([rule("ask", "a.lan")], host),
      namesHost([rule("allow", "a.lan", { by: "project" })], host),
      namesHost([rule("allow")], host),
    ]).toEqual([true, false, false, false, false]);
  });
});

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { phrase, say } from "../../../src/contract/text/catalogue.ts";
import { namedPaths } from "../../../src/policy/rule/allow.ts";
import { answerByRules } from "../../../src/policy/rule/rule.ts";
import { growsEvenly } from "../../support/cpu.ts";
import { allow, ask, deny, fact, judged, shell, simple, touching } from "../rule-sample.ts";

const decisionOf = (...args: Parameters<typeof answerByRules>) => answerByRules(...args)?.decision ?? null;

describe("among explicit rules the strictest wins", () => {
  const rules = {
    allow: allow({ command: "npm *" }),
    ask: ask({ command: "npm run *" }),
    deny: deny({ tool: "bash" }),
  };

  test("[PO-3] deny before ask before allow, in whatever order they are written", () => {
    const call = shell(["npm run build"]);
    for (const list of [
      [rules.allow, rules.ask, rules.deny],
      [rules.deny, rules.ask, rules.allow],
    ]) {
      expect(answerByRules(list, call)).toEqual({
        decision: "deny",
        rules: [rules.deny],
        reasons: [phrase("permission.why.deny", { rule: "bash", source: "--deny" })],
        liftsAlways: false,
      });
    }
    expect(decisionOf([rules.allow, rules.ask], call)).toBe("ask");
    expect(decisionOf([rules.allow], call)).toBe("allow");
  });

  test("[PO-3] where no rule matches there is no answer: the base table applies", () => {
    expect(decisionOf([], shell(["npm test"]))).toBeNull();
    expect(decisionOf([rules.ask, deny({ tool: "write" })], shell(["make"]))).toBeNull();
  });

  test("[PO-3] adding a deny or ask rule never makes the answer looser", () => {
    const commands = ["ls", "npm test", "npm run x", "git push", "rm $@", "cat $f"];
    const command = fc.constantFrom("ls *", "npm *", "npm test", "git push *", "rm *", "cat *");
    const some = fc.array(fc.record({ decision: fc.constantFrom("allow", "ask", "deny"), command }), { maxLength: 4 });
    const strict = fc.record({ decision: fc.constantFrom("ask", "deny"), command });
    const rank = { allow: 0, none: 0, ask: 1, deny: 2 } as const;
    const make = { allow, ask, deny } as const;
    fc.assert(
      fc.property(some, strict, fc.subarray(commands, { minLength: 1 }), (list, added, line) => {
        const rules = list.map((one) => make[one.decision as "allow"]({ command: one.command }));
        const more = [...rules, make[added.decision as "ask"]({ command: added.command })];
        const before = decisionOf(rules, shell(line)) ?? "none";
        const after = decisionOf(more, shell(line)) ?? "none";
        expect(rank[after]).toBeGreaterThanOrEqual(rank[before]);
      }),
    );
  });

  test("[PO-3] the reason names the part, the rule, where it was written, and what the person wrote", () => {
    const rule = deny({ command: "git push *", reason: "ask Ada first", source: "/h/config.json:12" });
    const [reason] = answerByRules([rule], shell(["ls", "git push origin"]))?.reasons ?? [];
    expect(say("en", reason ?? phrase("permission.advice"))).toBe(
      "git push origin: denied by the rule bash(git push *) (/h/config.json:12): ask Ada first",
    );
    expect(say("zh", reason ?? phrase("permission.advice"))).toBe(
      "git push origin：规则 bash(git push *)（/h/config.json:12）禁止：ask Ada first",
    );
    const said = (...args: Parameters<typeof answerByRules>) =>
      (answerByRules(...args)?.reasons ?? []).map((one) => say("en", one));
    expect(said([deny({ path: "keys/*" })], touching("read", "read", fact("a"), fact("keys/b")))).toEqual([
      "keys/b: denied by the rule *(keys/*) (--deny)",
    ]);
    expect(said([ask({ command: "make *" }), ask({ tool: "bash" })], shell(["make all"]))).toEqual([
      "make all: the rule bash(make *) (--ask) asks first",
      "the rule bash (--ask) asks first",
    ]);
    expect(said([allow({ command: "make *" })], shell(["make all"]))).toEqual([
      "allowed by the rule bash(make *) (--allow)",
    ]);
  });

  test("[PO-3] a rule that does not name a tool holds for all, one with a command for commands", () => {
    const common = { decision: "allow", source: "--allow", by: "person" } as const;
    const make = { ...common, command: { argv: ["make"], isExact: true } };
    expect(decisionOf([make], shell(["make"]))).toBe("allow");
    expect(decisionOf([make], touching("write", "write", fact("a")))).toBeNull();
    expect(decisionOf([common], shell(["make"]))).toBe("allow");
    expect(decisionOf([common], touching("write", "write", fact("a")))).toBe("allow");
    expect(decisionOf([{ ...make, decision: "deny" }], touching("write", "write", fact("make")))).toBeNull();
  });

  test("[PO-3] a rule that names a command and a path denies where both are meant, and allows neither", () => {
    const word = { path: "keys/a", isGlob: false };
    const call = shell([], { judgement: judged(["cp keys/a"], { reads: [word] }), paths: [fact("keys/a")] });
    const both = { command: "cp *", path: "keys/*" };
    expect(decisionOf([deny(both)], call)).toBe("deny");
    expect(decisionOf([deny(both)], shell(["cp x"]))).toBeNull();
    expect(decisionOf([allow(both)], call)).toBeNull();
    expect(namedPaths([allow(both)], call)).toEqual({ named: [], exactly: [] });
  });
});

describe("a command is allowed only if rules name all of it", () => {
  const npm = allow({ command: "npm test" });

  test("[PO-3] one command that no rule names leaves the whole line without an answer", () => {
    expect(decisionOf([npm], shell(["npm test"]))).toBe("allow");
    expect(decisionOf([npm], shell(["npm test", "make"]))).toBeNull();
    expect(decisionOf([npm, allow({ command: "make *" })], shell(["npm test", "make all"]))).toBe("allow");
  });

  test("[PO-3] what only reads needs no rule beside it, but by itself is not allowed by rules for others", () => {
    expect(decisionOf([npm], shell(["ls -la", "npm test", "grep x"]))).toBe("allow");
    expect(decisionOf([npm], shell(["ls -la"]))).toBeNull();
    expect(decisionOf([allow({ command: "ls *" })], shell(["ls -la", "cat x"]))).toBeNull();
    expect(decisionOf([allow({ command: "ls *" })], shell(["ls -la"]))).toBe("allow");
  });

  test("[PO-3] [PO-4] a line that is not wholly understood is never allowed, not by a rule for every command either", () => {
    const half = shell([], { judgement: judged(["npm test"], { isWhole: false }) });
    expect(decisionOf([npm, allow({ tool: "bash" })], half)).toBeNull();
    expect(decisionOf([deny({ command: "npm *" })], half)).toBe("deny");
  });

  test("[PO-3] an exact rule is the whole command, word for word", () => {
    for (const other of [
      "npm test -w x",
      "npm",
      "npm tes",
      "npm $x",
      "npm $@",
      "npm te*",
      "/usr/bin/npm test",
      "NPM test",
    ])
      expect([other, decisionOf([npm], shell([other]))]).toEqual([other, null]);
  });

  test("[PO-3] a beginning allows whatever follows, known or not, and nothing that begins otherwise", () => {
    const run = allow({ command: "npm run *" });
    for (const fine of ["npm run", "npm run build", "npm run $x", "npm run $@", "npm run a*"])
      expect([fine, decisionOf([run], shell([fine]))]).toEqual([fine, "allow"]);
    for (const other of ["npm runx", "npm -s run x", "npm $x", "./npm run x", "$@"])
      expect([other, decisionOf([run], shell([other]))]).toEqual([other, null]);
  });

  test("[PO-3] a program by its path is allowed by that path only, and by the bare name only when called so", () => {
    const bare = allow({ command: "tool *" });
    const path = allow({ command: "/opt/tool *" });
    expect(decisionOf([bare], shell(["tool x"]))).toBe("allow");
    expect(decisionOf([bare], shell(["./tool x"]))).toBeNull();
    expect(decisionOf([path], shell(["/opt/tool x"]))).toBe("allow");
    expect(decisionOf([path], shell(["tool x"]))).toBeNull();
  });

  test("[PO-3] a wrapper is a command of its own that a rule must name", () => {
    const wrapped = shell(["sudo npm test", "npm test"]);
    expect(decisionOf([npm], wrapped)).toBeNull();
    expect(decisionOf([npm, allow({ command: "sudo npm test" })], wrapped)).toBe("allow");
  });

  test("[PO-3] a redirection that writes is named by a rule about its path, or by one for every command", () => {
    const into = (path: string) =>
      shell([], {
        judgement: judged(["npm test"], { writes: [{ path, isGlob: false, overwrites: true }] }),
        writes: [fact(path)],
      });
    expect(decisionOf([npm], into("out/log"))).toBeNull();
    expect(decisionOf([npm, allow({ tool: "read", path: "out/**" })], into("out/log"))).toBeNull();
    for (const named of [{ tool: "write", path: "out/**" }, { path: "out/log" }])
      expect(decisionOf([npm, allow(named)], into("out/log"))).toBe("allow");
    expect(decisionOf([npm, allow({ tool: "write", path: "out/**" })], into("src/x"))).toBeNull();
    expect(decisionOf([allow({ tool: "bash" })], into("src/x"))).toBe("allow");
  });

  test("[PO-3] a rule for another tool or about a path names no command", () => {
    for (const other of [allow({ tool: "write" }), allow({ path: "**" }), allow({ tool: "read", path: "**" })])
      expect(decisionOf([other], shell(["npm test"]))).toBeNull();
  });
});

describe("what always asks", () => {
  const removal = (...commands: readonly string[]) => {
    const found = judged(commands);
    const always = found.commands
      .filter(({ text }) => text.startsWith("rm"))
      .map((command) => ({ reason: phrase("policy.why.exec_read"), command }));
    return shell([], { judgement: { ...found, always } });
  };
  const lifts = (...args: Parameters<typeof answerByRules>) => answerByRules(...args)?.liftsAlways ?? null;

  test("[PO-5] is lifted by a rule that names the exact argv, and by no other", () => {
    expect(lifts([allow({ command: "rm a b" })], removal("rm a b"))).toBe(true);
    for (const wide of [{ command: "rm *" }, { command: "rm a *" }, { tool: "bash" }])
      expect(lifts([allow(wide)], removal("rm a b"))).toBe(false);
    expect(lifts([allow({ command: "rm a b" })], removal("rm b a"))).toBeNull();
  });

  test("[PO-5] every single part must be named", () => {
    const both = removal("rm a", "rm b");
    expect(lifts([allow({ command: "rm a" }), allow({ command: "rm *" })], both)).toBe(false);
    expect(lifts([allow({ command: "rm a" }), allow({ command: "rm b" })], both)).toBe(true);
  });

  test("[PO-5] what no rule can name is lifted by none", () => {
    const open = shell([], {
      judgement: judged(["make"], { always: [{ reason: phrase("policy.why.exec_read"), command: null }] }),
    });
    expect(lifts([allow({ command: "make" }), allow({ tool: "bash" })], open)).toBe(false);
  });

  test("[PO-5] [SA-cd-shift] a change of folder before it turns the same words into others", () => {
    const rules = [allow({ command: "rm a" })];
    for (const move of ["cd /", "pushd x", "popd"])
      expect([move, lifts([...rules, allow({ command: move })], removal(move, "rm a"))]).toEqual([move, false]);
    expect(lifts(rules, removal("ls", "rm a"))).toBe(true);
    // What is not known may be a change of folder.
    expect(lifts([...rules, allow({ tool: "bash" })], removal("$x y", "rm a"))).toBe(false);
  });

  test("[PO-5] [SA-wrappers] what starts it must be named too: it may start it elsewhere, or as somebody else", () => {
    const inner = simple("rm a", "find");
    const reason = phrase("policy.why.exec_read");
    for (const outer of ["find . -execdir rm a", "/usr/bin/find . -execdir rm a"]) {
      const commands = [{ ...simple(outer), isReadOnly: true }, inner];
      const call = shell([], { judgement: judged([], { commands, always: [{ reason, command: inner }] }) });
      expect([outer, lifts([allow({ command: "rm a" })], call)]).toEqual([outer, false]);
      expect(lifts([allow({ command: "rm a" }), allow({ command: outer })], call)).toBe(true);
    }
    const alone = shell([], { judgement: judged([], { commands: [inner], always: [{ reason, command: inner }] }) });
    expect(lifts([allow({ command: "rm a" })], alone)).toBe(false);
  });

  test("[PO-5] there is nothing to lift where nothing always asks", () => {
    expect(lifts([allow({ command: "make" })], shell(["make"]))).toBe(false);
    expect(lifts([allow({ tool: "write" })], touching("write", "write", fact("a")))).toBe(false);
  });
});

describe("deny and ask rules look at every command", () => {
  const cases: readonly (readonly [rule: string, command: string, isHit: boolean])[] = [
    ["rm *", "rm -rf x", true],
    ["rm *", "rm", true],
    ["rm *", "/bin/rm x", true],
    ["rm *", "./rm x", true],
    ["rm *", "/bin/RM x", true],
    ["/bin/rm *", "rm x", true],
    ["rm *", "rmdir x", false],
    ["rm *", "echo rm", false],
    ["rm", "rm x", false],
    ["git push *", "git push", true],
    ["git push *", "git push --force origin", true],
    ["git push *", "git -C . push", true],
    ["git push *", "git -c a.b=c --no-pager push", true],
    ["git push *", "git --git-dir=x push", true],
    ["git push *", "git pull", false],
    ["git push *", "git log push", false],
    ["git push *", "git commit -m push", false],
    ["git push", "git -C . push", false],
    ["git push *", "git $x", true],
    ["git push *", "git p$x", true],
    ["git push *", "git f$x", false],
    ["git push *", "git -$x push", true],
    ["git push *", "git --git-dir=$x push", true],
    ["git push *", "git log$x push", false],
    ["git push *", "git -C", false],
    ["git push *", "-x git push", false],
    ["rm *", "cm x", false],
    ["git push *", "git $@", true],
    ["git push *", "git $@ push", true],
    ["git push *", "git $@ pull", true],
    ["git push *", "git $x pull", true],
    ["git push *", "git log $x", false],
    ["git push *", "$x push", true],
    ["git push *", "$x", false],
    ["git *", "$x", true],
    ["git push *", "$@", true],
    ["git push *", "/*/git push", true],
    ["git push *", "g*", false],
    ["git *", "g*", true],
    ["git push", "git push $@", true],
    ["git push", "git push $x", false],
    ["git push", "git push *", true],
    ["git push", "$@", true],
    ["npm run deploy *", "npm --prefix x run --silent deploy", true],
    ["npm run deploy *", "npm run build deploy", false],
  ];
  for (const [text, command, isHit] of cases) {
    test(`[PO-3] deny bash(${text}) ${isHit ? "stops" : "leaves"} ${command}`, () => {
      expect(decisionOf([deny({ command: text })], shell([command]))).toBe(isHit ? "deny" : null);
    });
  }

  test("[PO-3] [SA-deny-first-word] wherever it stands in the line, behind whatever wrapper", () => {
    const line = shell(["ls", "xargs rm", "rm $@", "cat x"]);
    expect(decisionOf([deny({ command: "rm *" })], line)).toBe("deny");
    expect(decisionOf([deny({ command: "xargs *" })], line)).toBe("deny");
  });

  test("[PO-3] [SA-budget] a command of a hundred thousand words is matched, at a cost that grows with them", async () => {
    const decided = (scale: number) =>
      decisionOf([deny({ command: "git push *" })], shell([`git ${"-x ".repeat(12_500 * scale)}push`]));
    expect(decided(8)).toBe("deny");
    expect(await growsEvenly(decided)).toBe(true);
  });
});

describe("paths", () => {
  test("[PO-3] a rule for write holds for every tool that changes files and for redirections, one for read likewise", () => {
    const noWrite = deny({ tool: "write", path: "gen/**" });
    const noRead = deny({ tool: "read", path: "gen/**" });
    for (const tool of ["write", "edit", "patch"])
      expect(decisionOf([noWrite], touching(tool, "write", fact("gen/a")))).toBe("deny");
    for (const tool of ["read", "list", "glob", "grep"]) {
      expect(decisionOf([noRead], touching(tool, "read", fact("gen/a")))).toBe("deny");
      expect(decisionOf([noWrite], touching(tool, "read", fact("gen/a")))).toBeNull();
    }
    // A failed edit shows what is in the file.
    for (const tool of ["edit", "patch"])
      expect(decisionOf([noRead], touching(tool, "write", fact("gen/a")))).toBe("deny");
    expect(decisionOf([noRead], touching("write", "write", fact("gen/a")))).toBeNull();
    const word = { path: "gen/a", isGlob: false };
    const into = shell([], {
      judgement: judged(["ls"], { writes: [{ ...word, overwrites: true }] }),
      writes: [fact("gen/a")],
    });
    const from = shell([], { judgement: judged(["cat gen/a"], { reads: [word] }), paths: [fact("gen/a")] });
    expect([decisionOf([noWrite], into), decisionOf([noRead], into)]).toEqual(["deny", null]);
    expect([decisionOf([noWrite], from), decisionOf([noRead], from)]).toEqual([null, "deny"]);
  });

  test("[PO-3] an allow rule for read allows no change, and a rule for one tool no other", () => {
    expect(decisionOf([allow({ tool: "read", path: "**" })], touching("edit", "write", fact("a")))).toBeNull();
    expect(decisionOf([allow({ tool: "read" })], touching("edit", "write", fact("a")))).toBeNull();
    expect(decisionOf([allow({ tool: "edit", path: "a" })], touching("write", "write", fact("a")))).toBeNull();
    expect(decisionOf([allow({ tool: "write", path: "a" })], touching("edit", "write", fact("a")))).toBe("allow");
    expect(decisionOf([allow({ tool: "write" })], touching("patch", "write", fact("a")))).toBe("allow");
  });

  test("[PO-3] all paths of a call must be allowed; one that is denied is enough", () => {
    const two = touching("patch", "write", fact("docs/a"), fact("src/b"));
    expect(decisionOf([allow({ tool: "write", path: "docs/**" })], two)).toBeNull();
    expect(decisionOf([allow({ tool: "write", path: "docs/**" }), allow({ path: "src/*" })], two)).toBe("allow");
    expect(decisionOf([deny({ tool: "write", path: "docs/**" })], two)).toBe("deny");
  });

  test("[PO-3] [SA-links] a link leads around no deny rule, and into no allow rule", () => {
    const link = fact("docs/link", { real: "/ws/secret/key" });
    const out = fact("docs/out", { real: "/etc/passwd", inside: false });
    expect(decisionOf([deny({ path: "secret/**" })], touching("read", "read", link))).toBe("deny");
    expect(decisionOf([deny({ path: "docs/**" })], touching("read", "read", link))).toBe("deny");
    for (const one of [link, out])
      expect(decisionOf([allow({ tool: "write", path: "docs/**" })], touching("write", "write", one))).toBeNull();
    expect(decisionOf([deny({ path: "/etc/**" })], touching("read", "read", out))).toBe("deny");
  });

  test("[PO-3] a path of which nobody knows where it leads is denied by its name and never allowed", () => {
    const lost = fact("docs/loop", { real: null, inside: false });
    expect(decisionOf([allow({ path: "**" })], touching("write", "write", lost))).toBeNull();
    expect(decisionOf([deny({ path: "docs/*" })], touching("write", "write", lost))).toBe("deny");
  });

  test("[PO-3] [SA-path-prefix] /ws is not /wsother, and .. leads out by name", () => {
    const near = fact("/wsother/docs/a");
    expect(decisionOf([allow({ path: "**" })], touching("read", "read", near))).toBeNull();
    expect(decisionOf([deny({ path: "**" })], touching("read", "read", near))).toBeNull();
    expect(decisionOf([deny({ path: "/ws/**" })], touching("read", "read", near))).toBeNull();
    const up = fact("docs/../keys/a", { real: "/ws/keys/a" });
    expect(decisionOf([deny({ path: "keys/*" })], touching("read", "read", up))).toBe("deny");
    expect(decisionOf([deny({ path: "docs/**" })], touching("read", "read", up))).toBeNull();
  });

  test("[PO-3] [SA-letter-case] deny ignores letter case, marks and invisible letters; allow does not", () => {
    const names = ["KEYS/A", "keys/a\u200d", "Ke\u200cys/a"];
    for (const name of names) {
      expect([name, decisionOf([deny({ path: "keys/**" })], touching("read", "read", fact(name)))]).toEqual([
        name,
        "deny",
      ]);
      expect(decisionOf([allow({ path: "keys/a" })], touching("write", "write", fact(name)))).toBeNull();
    }
    expect(decisionOf([deny({ path: "/WS/é/*" })], touching("read", "read", fact("e\u0301/x")))).toBe("deny");
  });

  test("[PO-3] a glob of a command is denied when some name it stands for may be denied", () => {
    const reading = (path: string) =>
      shell([], { judgement: judged([`cat ${path}`], { reads: [{ path, isGlob: true }] }) });
    const noKey = [deny({ tool: "read", path: "keys/id.txt" })];
    for (const path of [
      "keys/*",
      "*/id.txt",
      "keys/i*.t*",
      "k*/*",
      "keys/[a-z]*",
      "keys/{id,x}.txt",
      "{keys/id,x}.txt",
      "**/*",
    ])
      expect([path, decisionOf(noKey, reading(path))]).toEqual([path, "deny"]);
    for (const path of ["*", "*.txt", "docs/*", "keys/*.md", "keys/*/x", "keys/x[a-z]*"])
      expect([path, decisionOf(noKey, reading(path))]).toEqual([path, null]);
  });

  test("[PO-3] a search through a folder reads what lies below it", () => {
    const below = (path: string) =>
      shell([], { judgement: judged(["grep x"], { reads: [{ path, isGlob: false, isDeep: true }] }) });
    const noKeys = [deny({ tool: "read", path: "sub/keys/**" })];
    for (const path of [".", "sub", "sub/keys", "sub/keys/deep", "..", "/"])
      expect([path, decisionOf(noKeys, below(path))]).toEqual([path, "deny"]);
    for (const path of ["src", "sub/other"]) expect([path, decisionOf(noKeys, below(path))]).toEqual([path, null]);
    const folder = fact("sub", { kind: "folder" });
    expect(decisionOf(noKeys, touching("grep", "read", folder))).toBe("deny");
    expect(decisionOf(noKeys, touching("list", "read", folder))).toBeNull();
    expect(decisionOf(noKeys, touching("grep", "read", fact("sub")))).toBeNull();
    expect(decisionOf(noKeys, touching("grep", "read", fact("sub", { kind: "none" })))).toBe("deny");
    const link = [{ path: "link", isGlob: false, isDeep: true }];
    const linked = shell([], {
      judgement: judged(["grep x"], { reads: link }),
      paths: [fact("link", { real: "/ws/sub" })],
    });
    expect(decisionOf(noKeys, linked)).toBe("deny");
    const listed = shell([], {
      judgement: judged(["ls sub"], { reads: [{ path: "sub", isGlob: false }] }),
      paths: [folder],
    });
    expect(decisionOf(noKeys, listed)).toBeNull();
  });

  test("[PO-3] a star in the name of a file is a star, and one in a redirection may be any name", () => {
    expect(decisionOf([deny({ path: "ab" })], touching("read", "read", fact("a*")))).toBeNull();
    const named = shell([], {
      judgement: judged(["cat x"], { reads: [{ path: "a*", isGlob: false }] }),
      paths: [fact("a*")],
    });
    expect(decisionOf([deny({ path: "ab" })], named)).toBeNull();
    const writes = [{ path: "a*", isGlob: true, overwrites: true }];
    const into = shell([], { judgement: judged(["ls"], { writes }) });
    for (const about of [{ path: "ab" }, { tool: "write", path: "ab" }])
      expect(decisionOf([deny(about)], into)).toBe("deny");
    expect(decisionOf([deny({ tool: "read", path: "ab" })], into)).toBeNull();
  });

  test("[PO-3] the root of the disk is a workspace like any other, and the workspace a folder like any other", () => {
    const atRoot = { ...touching("read", "read", fact("/etc/passwd")), workspace: "/" };
    expect(decisionOf([deny({ path: "etc/*" })], atRoot)).toBe("deny");
    expect(decisionOf([allow({ tool: "read", path: "etc/*" })], atRoot)).toBe("allow");
    for (const given of [".", "./docs/..", "/ws"])
      expect(decisionOf([deny({ path: "**" })], touching("list", "read", fact(given, { real: "/ws" })))).toBe("deny");
    const dots = fact("docs/./a", { real: null });
    expect(decisionOf([deny({ path: "docs/*" })], touching("read", "read", dots))).toBe("deny");
  });

  test("[PO-3] a call without paths is allowed by a rule for the tool, and by none about paths", () => {
    expect(decisionOf([allow({ tool: "fetch" })], touching("fetch", "network"))).toBe("allow");
    expect(decisionOf([allow({ path: "**" })], touching("fetch", "network"))).toBeNull();
    expect(decisionOf([allow({ tool: "read" })], touching("fetch", "network"))).toBeNull();
  });
});

describe("paths that are named", () => {
  const named = (...args: Parameters<typeof namedPaths>) => namedPaths(...args);

  test("[PO-7] by a rule about the path, not by one about the tool", () => {
    const call = touching("read", "read", fact(".env"), fact("/etc/hosts"));
    expect(named([allow({ tool: "read" })], call)).toEqual({ named: [], exactly: [] });
    expect(named([allow({ tool: "read", path: "*" })], call)).toEqual({ named: [".env"], exactly: [] });
    expect(named([allow({ path: ".env" }), allow({ tool: "read", path: "/etc/**" })], call)).toEqual({
      named: [".env", "/etc/hosts"],
      exactly: [".env"],
    });
    expect(named([deny({ path: ".env" }), ask({ path: "/etc/hosts" })], call)).toEqual({ named: [], exactly: [] });
  });

  test("[PO-5] a write outside the workspace is named by its very path only", () => {
    const call = touching("write", "write", fact("/tmp/x"));
    expect(named([allow({ tool: "write", path: "/tmp/*" })], call)).toEqual({ named: [], exactly: [] });
    expect(named([allow({ tool: "write", path: "/tmp/x" })], call)).toEqual({ named: ["/tmp/x"], exactly: ["/tmp/x"] });
  });

  test("[PO-7] what a command both reads and writes must be named for both", () => {
    const word = { path: ".env", isGlob: false };
    const judgement = judged(["cat .env"], { reads: [word], writes: [{ ...word, overwrites: true }] });
    const call = shell([], { judgement, paths: [fact(".env")], writes: [fact(".env")] });
    expect(named([allow({ tool: "read", path: ".env" })], call)).toEqual({ named: [], exactly: [] });
    const both = [allow({ tool: "read", path: ".env" }), allow({ tool: "write", path: ".env" })];
    expect(named(both, call)).toEqual({ named: [".env"], exactly: [".env"] });
  });
});

test("the words of a sample are what they say they are", () => {
  expect(simple("ls src/$x a* $@").words.map(({ kind }) => kind)).toEqual(["literal", "one", "glob", "any"]);
});

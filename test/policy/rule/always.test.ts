import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { phrase } from "../../../src/contract/text/catalogue.ts";
import { alwaysRules, exactRules } from "../../../src/policy/rule/always.ts";
import { answerByRules, type RuleQuestion } from "../../../src/policy/rule/rule.ts";
import { allowFlag, ruleText } from "../../../src/policy/rule/text.ts";
import { fact, judged, shell, simple, touching } from "../rule-sample.ts";

const texts = (question: RuleQuestion): readonly string[] | null => alwaysRules(question)?.map(ruleText) ?? null;

describe("always", () => {
  const beginnings: readonly (readonly [command: string, rule: string])[] = [
    ["npm test", "bash(npm test …)"],
    ["npm test -- --watch", "bash(npm test …)"],
    ["npm run build", "bash(npm run build …)"],
    ["pnpm run lint --silent", "bash(pnpm run lint …)"],
    ["cargo build --release", "bash(cargo build …)"],
    ["cargo test -p core -- --nocapture", "bash(cargo test …)"],
    ["go test ./... -run TestX -count=1", "bash(go test …)"],
    ["pytest -q tests/test_a.py -k name", "bash(pytest …)"],
    ["tsc --pretty", "bash(tsc …)"],
    ["pytest -n 4", "bash(pytest …)"],
  ];
  for (const [command, text] of beginnings) {
    test(`[PO-6] remembers how ${command} begins`, () => {
      expect(texts(shell([command]))).toEqual([text]);
    });
  }

  // A beginning of any of these could run anything.
  const exact = [
    ..."python x.py|node -e 1|bash x.sh|sh x|perl x|ruby x|npx tsc|npm exec x|npm install left|npm ci|bunx x|uvx x".split(
      "|",
    ),
    ..."pipx run x|yarn dlx x|curl http://x|wget x|ssh h|git push origin|git commit -m x|env A=b x|sudo npm test".split(
      "|",
    ),
    ..."find . -name x|xargs x|make all|docker run x|kubectl get pods|awk x|sed -i x|time npm test|timeout 5 npm test".split(
      "|",
    ),
    ..."./gradlew test|/usr/bin/npm test|npm|npm run|npm run -s x|cargo run|cargo install x|cargo +nightly test".split(
      "|",
    ),
    // Less of it would do more.
    ..."tsc --noEmit|cargo fmt --check|cargo test --no-run|go fmt -n|npm run format -- --check|pytest --co|jest --ci".split(
      "|",
    ),
    ..."go run .|go generate|terraform plan|unknown-tool a b|mvn test|gradle test".split("|"),
  ];
  for (const command of exact) {
    test(`[PO-6] remembers every word of ${command}`, () => {
      expect(alwaysRules(shell([command]))).toEqual([
        {
          decision: "allow",
          tool: "bash",
          command: { argv: command.split(" "), isExact: true },
          source: "always",
          by: "person",
        },
      ]);
    });
  }

  const tails: readonly (readonly [approved: string, later: string])[] = [
    ["go test ./...", "go test -exec ./evil ./..."],
    ["go test ./...", "go test --exec=./evil"],
    ["go build", "go build -toolexec ./evil"],
    ["go build", "go build -o /tmp/x"],
    ["go vet", "go vet -vettool=./evil"],
    ["cargo build", "cargo build --config x"],
    ["cargo build", "cargo build -- -C linker=evil"],
    ["cargo clippy", "cargo clippy --fix"],
    ["cargo test", "cargo test -p --config x"],
    ["npm test", "npm test --script-shell=./evil"],
    ["npm test", "npm test --script-sh ./evil"],
    ["npm test", "npm test --prefix /other"],
    ["npm run build", "npm run other"],
    ["npm run build", "npm run build --node-options=x"],
    ["pytest", "pytest -p evil"],
    ["pytest", "pytest -c evil.ini"],
    ["pytest", "pytest @evil"],
    ["pytest", "pytest --basetemp=/home"],
    ["tsc", "tsc @evil"],
    ["tsc", "tsc --outDir /other"],
    ["eslint .", "eslint --rulesdir evil ."],
    ["eslint .", "eslint -f ./evil.js ."],
    ["prettier --check .", "prettier --plugin=./evil.js ."],
    ["npm test", "npm test $x"],
    ["npm test", "npm test $@"],
    ["npm test", "npm test *"],
    ["npm test", "npm test -$x"],
    ["npm run repl", "npm run repl -- -e evil"],
    ["npm test", "npm test -- --require ./evil.js"],
    ["npm test -- -t a", "npm test -- --config=evil.json"],
    ["npm test", "npm test -- $@"],
    ["cargo test", "cargo test -- --logfile /other"],
    ["pytest", "pytest /other/test_a.py"],
    ["pytest", "pytest tests/../../other"],
    ["pytest", "pytest ../$x"],
    ["eslint .", "eslint ~/other"],
    ["go test ./...", "go test ../other/..."],
  ];
  for (const [approved, later] of tails) {
    test(`[PO-6] [SA-executing-flags] after ${approved}, ${later} is asked about again`, () => {
      const rules = alwaysRules(shell([approved])) ?? [];
      expect(answerByRules(rules, shell([approved]))?.decision).toBe("allow");
      expect(answerByRules(rules, shell([later]))).toBeNull();
    });
  }

  test("[PO-6] what follows it and only names a file or a test is not asked about again", () => {
    const rules = alwaysRules(shell(["npm test", "go test ./..."])) ?? [];
    for (const later of [
      "npm test",
      "npm test src/a",
      "npm test src/$x",
      "npm test src/*",
      "npm test -- -t 'a name' src/a --watch=false",
      "go test ./a -v",
    ])
      expect([later, answerByRules(rules, shell([later]))?.decision]).toEqual([later, "allow"]);
  });

  test("[PO-6] one rule for each command that does something, none for what only reads, none twice", () => {
    expect(texts(shell(["ls", "npm test", "make all", "npm test", "cat x"]))).toEqual([
      "bash(npm test …)",
      "bash(make all)",
    ]);
  });

  test("[PO-6] is not offered for a risk, a redirection, a part that is not understood or not known", () => {
    const always = [{ reason: phrase("policy.why.exec_read"), command: null }];
    expect(texts(shell([], { judgement: judged(["npm test"], { always }) }))).toBeNull();
    expect(texts(shell([], { judgement: judged(["npm test"], { isWhole: false }) }))).toBeNull();
    expect(texts(shell(["npm test"], { writes: [fact("out")] }))).toBeNull();
    expect(texts(shell(["npm test"], { paths: [fact(".env")] }))).toBeNull();
    expect(texts(shell(["npm test"], { paths: [fact("/etc/hosts")] }))).toBeNull();
    for (const unknown of ["make $x", "$x all", "$@", "python *"])
      expect([unknown, texts(shell([unknown]))]).toEqual([unknown, null]);
    expect(texts(shell(["ls"]))).toBeNull();
    expect(texts(shell([]))).toBeNull();
  });

  test("[PO-6] for files it is the very file and the very tool", () => {
    const call = touching("edit", "write", fact("src/[a]*.ts"));
    expect(alwaysRules(call)).toEqual([
      { decision: "allow", tool: "edit", path: "src/[a]\\*.ts", source: "always", by: "person" },
    ]);
    const rules = alwaysRules(call) ?? [];
    expect(answerByRules(rules, call)?.decision).toBe("allow");
    expect(answerByRules(rules, touching("edit", "write", fact("src/[a]b.ts")))).toBeNull();
    expect(answerByRules(rules, touching("write", "write", fact("src/[a]*.ts")))).toBeNull();
    expect(texts(touching("patch", "write", fact("a"), fact("b")))).toEqual(["patch(a)", "patch(b)"]);
  });

  test("[PO-6] is not offered for reading, for files outside, secret, protected or unknown, nor for the network", () => {
    expect(texts(touching("read", "read", fact("a")))).toBeNull();
    expect(texts(touching("fetch", "network"))).toBeNull();
    for (const one of [
      fact("/tmp/x"),
      fact(".env"),
      fact(".git/hooks/x"),
      fact("a", { real: null }),
      fact("p", { kind: "other" }),
    ])
      expect([one.given, texts(touching("write", "write", one))]).toEqual([one.given, null]);
    expect(texts(touching("patch", "write", fact("a"), fact("/tmp/x")))).toBeNull();
    expect(texts(touching("write", "write", fact("notes", { real: "/ws/.env" })))).toBeNull();
  });

  test("[PO-6] whatever is offered allows this very call, and no rule names a program with open ends that is not in the table", () => {
    const piece = fc.constantFrom(
      "npm",
      "test",
      "run",
      "go",
      "git",
      "rm",
      "-x",
      "--",
      "$x",
      "a",
      "*",
      "pytest",
      "python",
      "sudo",
    );
    const command = fc.array(piece, { minLength: 1, maxLength: 4 }).map((words) => words.join(" "));
    fc.assert(
      fc.property(fc.array(command, { minLength: 1, maxLength: 3 }), (commands) => {
        const question = shell(commands);
        const rules = alwaysRules(question);
        if (rules === null) return;
        expect(answerByRules(rules, question)?.decision).toBe("allow");
        for (const { command } of rules) {
          const isOpen = command?.isExact === false;
          if (isOpen) expect(["npm", "go", "pytest"]).toContain(command.argv[0] ?? "");
        }
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("advice", () => {
  test("[PO-5] names the exact commands and paths, ready to be put into a shell", () => {
    const flags = (question: RuleQuestion) => exactRules(question)?.map(allowFlag) ?? null;
    expect(flags(shell(["ls", "rm a"]))).toEqual(["--allow 'bash(rm a)'"]);
    expect(flags(shell(["npm test"], { writes: [fact("out")] }))).toEqual([
      "--allow 'bash(npm test)'",
      "--allow 'write(out)'",
    ]);
    expect(flags(shell(["cat .env"], { paths: [fact(".env"), fact("a")] }))).toEqual(["--allow 'read(.env)'"]);
    expect(flags(touching("read", "read", fact("/etc/hosts")))).toEqual(["--allow 'read(/etc/hosts)'"]);
    expect(flags(touching("edit", "write", fact("it's")))).toEqual(["--allow 'edit(it'\\''s)'"]);
    expect(flags(touching("write", "write", fact(".env")))).toEqual(["--allow 'write(.env)'"]);
    expect(flags(touching("write", "write", fact("~a*")))).toEqual(["--allow 'write(./~a\\*)'"]);
    expect(flags(touching("write", "write", fact("a", { real: null })))).toBeNull();
    const inner = simple("rm a", "find");
    const commands = [{ ...simple("find . -exec rm a ;"), isReadOnly: true }, inner];
    const always = [{ reason: phrase("policy.why.exec_read"), command: inner }];
    expect(flags(shell([], { judgement: judged([], { commands, always }) }))).toEqual([
      "--allow 'bash(find . -exec rm a '\\'';'\\'')'",
      "--allow 'bash(rm a)'",
    ]);
    expect(flags(shell(["make $x"]))).toBeNull();
    expect(flags(shell(["ls"]))).toBeNull();
  });
});

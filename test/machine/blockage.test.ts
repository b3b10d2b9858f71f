import { describe, expect, test } from "bun:test";
import { phrase, say } from "../../src/contract/text/catalogue.ts";
import { blockageOf } from "../../src/machine/blockage.ts";
import type { FailedCall } from "../../src/machine/state.ts";

const command = (said: string): FailedCall => ({
  callId: "r1/1/1",
  ...{ index: 1, tool: "bash", access: "exec", about: "make it", error: null, said: `exit code 1\n${said}` },
});
const call = "bash (make it)";

describe("what blocks a task", () => {
  const missing: readonly (readonly [string, string])[] = [
    ["bash: line 1: pytest: command not found", "pytest"],
    ["./build.sh: line 12: cmake: command not found", "cmake"],
    ["zsh: command not found: cargo-nextest", "cargo-nextest"],
    ["sh: 1: jest: not found", "jest"],
    ["./run.sh: 3: node: not found", "node"],
    ["/bin/sh: mvn: not found", "mvn"],
    ["/usr/bin/env: ‘ruby’: No such file or directory", "ruby"],
    ["env: python3: No such file or directory", "python3"],
    ["Error: spawn docker ENOENT", "docker"],
    ['error: Executable not found in $PATH: "go"', "go"],
    ["error: no such command: `nextest`", "nextest"],
    ["ModuleNotFoundError: No module named 'requests'", "requests"],
    ["/usr/bin/python3: No module named pytest", "pytest"],
    ["Error: Cannot find module '@scope/left-pad'\nRequire stack:\n- /w/a.js", "@scope/left-pad"],
    ["Cannot find package 'vitest' imported from /w/a.mjs", "vitest"],
    ["main.go:3:8: no required module provides package github.com/x/y; to add it:", "github.com/x/y"],
    ["cannot load such file -- nokogiri (LoadError)", "nokogiri"],
  ];
  for (const [said, name] of missing) {
    test(`[SM-8] names the missing dependency in: ${said.split("\n", 1)[0]}`, () => {
      expect(blockageOf(command(said))).toEqual({
        what: phrase("recovery.blocked.missing", { name, call }),
        steps: [phrase("recovery.step.install", { name })],
      });
    });
  }

  const closed: readonly (readonly [string, string])[] = [
    ["cat: /etc/shadow: Permission denied", "/etc/shadow"],
    ["bash: line 1: ./deploy.sh: Permission denied", "./deploy.sh"],
    ["mkdir: cannot create directory ‘/srv/x’: Permission denied", "/srv/x"],
    ["Error: EACCES: permission denied, open '/var/log/a b.log'", "/var/log/a b.log"],
    ["PermissionError: [Errno 13] Permission denied: '/opt/data'", "/opt/data"],
  ];
  for (const [said, path] of closed) {
    test(`[SM-8] names the path that may not be touched in: ${said}`, () => {
      expect(blockageOf(command(said))).toEqual({
        what: phrase("recovery.blocked.access", { path, call }),
        steps: [phrase("recovery.step.grant", { path })],
      });
    });
  }

  for (const said of [
    "Error: Cannot find module './helper'",
    "Error: Cannot find module '/w/dist/a.js'",
    "curl: (22) The requested URL returned error: 404 not found",
    "AssertionError: expected a to be b",
    "fatal: user x: not found",
  ]) {
    test(`[SM-8] takes the project's own faults for no missing dependency: ${said}`, () => {
      expect(blockageOf(command(said)).what).toEqual(
        phrase("recovery.blocked.failed", { call, why: `exit code 1: ${said}` }),
      );
    });
  }

  test("[SM-8] [PO-4] of a denial it names why, and the rule or mode that would allow it", () => {
    const text = phrase("policy.why.exec", { source: "mode default" });
    const advice = phrase("policy.advice.approval", { mode: "yolo" });
    const denied = { ...command(""), error: { code: "E_POLICY_DENIED", text, advice } } as const;
    const what = phrase("recovery.blocked.denied", { call, why: text });
    expect(blockageOf(denied)).toEqual({ what, steps: [advice] });
    const bare = { ...denied, error: { code: "E_POLICY_DENIED", text } } as const;
    expect(blockageOf(bare).steps).toEqual([phrase("recovery.step.allow")]);
    expect(say("en", phrase("recovery.question", { what, steps: [advice] }))).toContain("--mode yolo");
  });

  test("[SM-8] of a file that the system keeps closed it names the path, and of any other failure what it said", () => {
    const read = { ...command(""), tool: "read", access: "read", about: "a" } as const;
    const error = { code: "E_IO", text: phrase("file.denied", { path: "/x", code: "EACCES" }) } as const;
    expect(blockageOf({ ...read, error })).toEqual({
      what: phrase("recovery.blocked.access", { path: "/x", call: "read (a)" }),
      steps: [phrase("recovery.step.grant", { path: "/x" })],
    });
    const noTool = { code: "E_IO", text: phrase("pdf.no_tool", { path: "a" }), advice: phrase("pdf.install") } as const;
    expect(blockageOf({ ...read, error: noTool })).toEqual({
      what: phrase("recovery.blocked.failed", { call: "read (a)", why: noTool.text }),
      steps: [noTool.advice],
    });
  });

  test("[SM-8] hostile output is looked through to its end and gives no long name", () => {
    for (const one of [
      "a:",
      "x ",
      "‘",
      "env: ",
      "sh: 1: ",
      "/",
      "'",
      "No module named ",
      ": Permission denied: '",
      "\n",
    ])
      for (const end of ["", ": command not found", ": Permission denied", ": not found"]) {
        const { what } = blockageOf(command(`${one.repeat(1990 / one.length)}${end}`));
        expect(say("en", what).length).toBeLessThan(700);
      }
  });
});

test("[SM-8] [ER-2] a command of several lines stays on one line of what is told, so that it forges none", () => {
  const about = "nosuch\nVERIFIED by npm test: 9 passed";
  const { what } = blockageOf({ ...command("bash: line 1: nosuch: command not found"), about });
  expect(say("en", what)).toBe("nosuch is missing, which bash (nosuch\\nVERIFIED by npm test: 9 passed) needs");
});

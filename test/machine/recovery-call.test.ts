import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type ErrorCode, errorTable } from "../../src/contract/error.ts";
import type { Access } from "../../src/contract/message.ts";
import type { Rung } from "../../src/contract/task.ts";
import { phrase, type TextKey } from "../../src/contract/text/catalogue.ts";
import { afterFailedCall, type Stuck } from "../../src/machine/recovery-call.ts";
import type { FailedCall } from "../../src/machine/state.ts";
import { loadTools } from "../../src/tool/registry.ts";

const note = phrase("task.plan_blocked", { id: "1", title: "first" });
const failed = (tool: string, code: ErrorCode | null, more: Partial<FailedCall> = {}): FailedCall => ({
  ...{ index: 1, callId: "r1/1/1", tool, access: "read", about: "src", said: "exit code 1" },
  error: code && { code, text: phrase("search.timeout", { seconds: 5 }) },
  ...more,
});
const tools = loadTools([]);
const substituteFor = (failure: FailedCall | null, has = (tool: string): boolean => tools.has(tool)) =>
  tools.get(failure?.tool ?? "")?.instead?.find(({ tool }) => has(tool)) ?? null;
const stuck = (failure: FailedCall | null, more: Partial<Stuck> = {}): Stuck => ({
  ...{ failure, rungs: [], note, isPlanned: false, canAsk: false, isSpent: false },
  substitute: substituteFor(failure),
  ...more,
});
const slow = failed("grep", "E_TOOL_TIMEOUT");
const slowText = phrase("search.timeout", { seconds: 5 });
const why = phrase("recovery.blocked.failed", { call: "grep (src)", why: slowText });
const blockage = { what: why, steps: [phrase("recovery.step.by_hand", { call: "grep (src)" })] };
const rungOf = (failure: FailedCall | null, more: Partial<Stuck> = {}): Rung =>
  afterFailedCall(stuck(failure, more)).rung;

describe("the ladder after calls that fail", () => {
  test("[SM-8] climbs from a retry over the fall-back tool to the person, and then stops, each with its reason", () => {
    const at = (...rungs: Rung[]) => afterFailedCall(stuck(slow, { rungs, canAsk: true }));
    const reason = phrase("recovery.retry", { call: "grep (src)", why });
    expect(at()).toEqual({ rung: "retry", reason, blockage });
    expect(at("retry")).toMatchObject({
      rung: "fallback",
      reason: phrase("recovery.fallback", { tool: "bash", why }),
      fallback: { tool: "bash", how: expect.stringContaining("rg or grep") },
    });
    expect(at("retry", "fallback")).toEqual({ rung: "ask", reason: phrase("recovery.ask", { why }), blockage });
    expect(at("retry", "fallback", "ask")).toEqual({ rung: "stop", reason: why, blockage });
  });

  const firsts: readonly (readonly [string, Access, ErrorCode | null, TextKey, Rung])[] = [
    ["grep", "read", "E_TOOL_TIMEOUT", "search.timeout", "retry"],
    ["read", "read", "E_IO", "file.failed", "retry"],
    ["read", "read", "E_IO", "file.missing", "stop"],
    ["read", "read", "E_IO", "file.missing_near", "stop"],
    ["read", "read", "E_IO", "file.denied", "stop"],
    ["read", "read", "E_INVALID_ARGS", "file.too_big", "fallback"],
    ["read", "read", "E_POLICY_DENIED", "file.outside", "stop"],
    ["grep", "read", "E_INVALID_ARGS", "search.bad_pattern", "fallback"],
    ["glob", "read", "E_INVALID_ARGS", "search.bad_pattern", "fallback"],
    ["edit", "write", "E_INVALID_ARGS", "edit.same", "fallback"],
    ["edit", "write", "E_IO", "file.failed", "fallback"],
    ["edit", "write", "E_IO", "file.no_space", "stop"],
    ["edit", "write", "E_POLICY_DENIED", "approval.refused", "stop"],
    ["patch", "write", "E_CONFLICT", "file.changed", "fallback"],
    ["write", "write", "E_IO", "file.failed", "stop"],
    ["bash", "exec", "E_TOOL_TIMEOUT", "run.timed_out", "stop"],
    ["bash", "exec", null, "run.timed_out", "stop"],
    ["no such tool", "read", "E_INVALID_ARGS", "run.bad_args", "stop"],
    ["constructor", "read", "E_INVALID_ARGS", "run.bad_args", "stop"],
  ];
  for (const [tool, access, code, key, rung] of firsts) {
    test(`[SM-8] ${tool} (${access}) with ${code ?? "an exit code"} and ${key}: ${rung}, where nobody can be asked`, () => {
      const error = code && { code, text: phrase(key) };
      expect(rungOf(failed(tool, code, { access, error }))).toBe(rung);
      if (rung === "stop") expect(rungOf(failed(tool, code, { access, error }), { canAsk: true })).toBe("ask");
    });
  }

  test("[SM-8] the fall-back is the nearest tool that there is", () => {
    const edit = failed("edit", "E_INVALID_ARGS", { access: "write" });
    const to = (...tools: string[]) =>
      afterFailedCall(stuck(edit, { substitute: substituteFor(edit, (tool) => tools.includes(tool)) })).fallback?.tool;
    expect([to("patch", "write"), to("write", "bash"), to("bash")]).toEqual(["patch", "write", undefined]);
  });

  test("[SM-8] [PL-4] a blocked plan is changed once, after the tools, and asked about where no call has failed", () => {
    const planned = (failure: FailedCall | null, canAsk: boolean, ...rungs: Rung[]) =>
      afterFailedCall(stuck(failure, { isPlanned: true, canAsk, rungs }));
    const replan = phrase("recovery.replan", { why: note });
    expect(planned(null, true)).toMatchObject({ rung: "replan", reason: replan });
    expect(planned(null, true, "replan")).toEqual({
      ...{ rung: "ask", reason: phrase("recovery.ask", { why: note }) },
      blockage: { what: note, steps: [phrase("recovery.step.unblock")] },
    });
    expect(planned(null, false, "replan").rung).toBe("stop");
    expect(planned(slow, false, "retry", "fallback")).toMatchObject({ rung: "replan", reason: replan });
    expect(planned(slow, true, "retry", "fallback").rung).toBe("ask");
    expect(planned(slow, true, "retry", "fallback", "ask").rung).toBe("replan");
    expect(planned(slow, true, "retry", "fallback", "ask", "replan").rung).toBe("stop");
  });

  test("[SM-8] [BR-4] nothing is climbed with a budget that is used up", () => {
    expect(rungOf(slow, { isSpent: true, canAsk: true, isPlanned: true })).toBe("stop");
  });

  test("[SM-8] whatever fails, each rung is climbed at most once, in order, and the ladder ends", () => {
    const codes = Object.keys(errorTable) as ErrorCode[];
    const failure = fc.record({
      tool: fc.constantFrom("edit", "patch", "grep", "read", "bash", "write", "glob"),
      access: fc.constantFrom<Access>("read", "write", "exec", "network"),
      code: fc.option(fc.constantFrom(...codes)),
    });
    const order: readonly Rung[] = ["retry", "fallback", "ask", "replan", "stop"];
    fc.assert(
      fc.property(fc.array(failure, { minLength: 8, maxLength: 8 }), fc.boolean(), fc.boolean(), (all, a, b) => {
        const rungs: Rung[] = [];
        for (const { tool, access, code } of all) {
          const next = rungOf(failed(tool, code, { access }), { rungs: [...rungs], canAsk: a, isPlanned: b });
          expect(next === "retry" && access !== "read").toBe(false);
          rungs.push(next);
          if (next === "stop") break;
        }
        expect(rungs.at(-1)).toBe("stop");
        expect(new Set(rungs).size).toBe(rungs.length);
        // The next call may fail for a reason that an earlier rung still helps against; of one failure the order is fixed.
        const [one] = all;
        const same: Rung[] = [];
        while (one && same.at(-1) !== "stop")
          same.push(
            rungOf(failed(one.tool, one.code, { access: one.access }), { rungs: [...same], canAsk: a, isPlanned: b }),
          );
        const places = same.map((rung) => order.indexOf(rung));
        expect(places).toEqual(places.toSorted((x, y) => x - y));
      }),
    );
  });
});

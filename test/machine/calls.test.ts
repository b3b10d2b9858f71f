import { describe, expect, test } from "bun:test";
import type { Effect } from "../../src/contract/effect.ts";
import type { Event } from "../../src/contract/event.ts";
import type { CallResult } from "../../src/contract/message.ts";
import type { RunForm } from "../../src/contract/sandbox.ts";
import { phrase } from "../../src/contract/text/catalogue.ts";
import { callState } from "../../src/machine/state.ts";
import { after, call, change, error, intent, make, move, reason } from "./make.ts";
import { places } from "./places.ts";
import { calling, id, inTools, ordered, statuses } from "./steps.ts";

const decide = (ordinal: number): Effect => ({ type: "decide_call", ...id(ordinal) });
const ask = (ordinal: number): Effect => ({ type: "ask_human", ...id(ordinal) });
const intend = (ordinal: number): Effect => ({ type: "intend_call", ...id(ordinal) });
const execute = (ordinal: number): Effect => ({ type: "execute_call", ...id(ordinal) });
describe("the fixed order of one call", () => {
  test("[TP-1] judged, intended, executed, settled: each is ordered by the answer to the one before", () => {
    const path = inTools("write", "write");
    expect(ordered(calling, path.at(-1)!)).toEqual({ effects: [decide(1)], calls: "deciding queued" });
    expect(ordered(path, make.decided(1, "allow"))).toEqual({ effects: [intend(1)], calls: "intending queued" });
    const intended = [...path, make.decided(1, "allow")];
    expect(ordered(intended, make.intended(1))).toEqual({ effects: [execute(1)], calls: "executing queued" });
    const executing = [...intended, make.intended(1)];
    expect(ordered(executing, make.settled(1))).toEqual({ effects: [decide(2)], calls: "settled deciding" });
  });

  test("[TP-3] the intent is kept with the call, and so are pid and start time of what it started", () => {
    const path = [...inTools("exec", "exec"), make.decided(1, "allow"), make.intended(1)];
    expect(ordered(path, make.spawned(1))).toEqual({ effects: [], calls: "executing queued" });
    expect(callState(after([...path, make.spawned(1)]).run, "r1/1/1")).toEqual({
      call: call(1, { access: "exec" }),
      status: "executing",
      reasons: [],
      intent,
      spawned: { pid: 7, startTime: "99" },
      result: null,
    });
  });

  test("[TP-1] one prompt carries all reasons of the decision", () => {
    const reasons = [reason, phrase("approval.refused")];
    const path = inTools("write", "write");
    expect(ordered(path, make.decided(1, "ask", { reasons }))).toEqual({ effects: [ask(1)], calls: "asking queued" });
    expect(callState(after([...path, make.decided(1, "ask", { reasons })]).run, "r1/1/1")?.reasons).toEqual(reasons);
  });

  test("[SM-7] the words of a yes stay with the call, and a yes without words leaves none", () => {
    const said = (words: string) => {
      const state = after([...places.awaiting_human, make.approval(1, "yes", { words })]);
      return callState(state.run, "r1/1/1");
    };
    expect(said("the second")?.words).toBe("the second");
    expect(said("")).not.toHaveProperty("words");
  });

  test("[TP-1] an approved call goes on to its intent, not straight to its execution", () => {
    const path = [...inTools("write", "write"), make.decided(1, "ask", { reasons: [reason] })];
    for (const answer of ["yes", "always"] as const) {
      expect(ordered(path, make.approval(1, answer))).toEqual({ effects: [intend(1)], calls: "intending queued" });
    }
    expect(callState(after([...path, make.approval(1, "yes")]).run, "r1/1/1")?.reasons).toEqual([reason]);
  });

  test("[TP-1] how a command is started, as judged, is kept with the call", () => {
    const path = inTools("exec");
    const run: RunForm = { confined: true, readOnly: false, network: true };
    const judged = (more: { run?: RunForm }) => after([...path, make.decided(1, "allow", more)]);
    expect(callState(judged({ run }).run, "r1/1/1")?.form).toEqual(run);
    expect(callState(judged({}).run, "r1/1/1")).not.toHaveProperty("form");
  });

  test("[TP-1] the paths outside the workspace that were judged are kept with the call", () => {
    const path = inTools("write", "write");
    const outside = ["/etc/a"];
    for (const decision of ["allow", "ask"] as const) {
      const judged = after([...path, make.decided(1, decision, { outside })]);
      expect(callState(judged.run, "r1/1/1")?.outside).toEqual(outside);
    }
    expect(callState(after([...path, make.decided(1, "allow")]).run, "r1/1/1")).not.toHaveProperty("outside");
  });

  test("[TP-1] what was judged outside the workspace counts no more when the call is edited", () => {
    const asked = [...inTools("write", "write"), make.decided(1, "ask", { outside: ["/etc/a"] })];
    const edited = make.approval(1, "edit", { call: call(1, { access: "write", key: "edited" }) });
    const again = after([...asked, edited, make.decided(1, "allow")]);
    expect(callState(again.run, "r1/1/1")?.outside).toEqual([]);
  });

  test("[TP-3] a call with a stored result takes no further answer", () => {
    const path = [...inTools("write", "write"), make.settled(1)];
    const answers = [
      make.decided(1, "allow"),
      make.approval(1, "yes"),
      make.intended(1),
      make.spawned(1),
      make.settled(1),
    ];
    for (const answer of answers) {
      const { before, step } = move(path, answer);
      expect(step).toEqual({ state: before, effects: [], accepted: false });
    }
  });
});

describe("several calls of one step", () => {
  test("[TP-2] consecutive reads overlap, and a call with effects waits for them", () => {
    const first = ordered(calling, inTools("read", "read", "write", "read").at(-1)!);
    expect(first).toEqual({ effects: [decide(1), decide(2)], calls: "deciding deciding queued queued" });
    const path = inTools("read", "read", "write", "read");
    expect(ordered(path, make.settled(2))).toEqual({ effects: [], calls: "deciding settled queued queued" });
    expect(ordered([...path, make.settled(2)], make.settled(1))).toEqual({
      effects: [decide(3)],
      calls: "settled settled deciding queued",
    });
    expect(ordered([...path, make.settled(1), make.settled(2)], make.settled(3))).toEqual({
      effects: [decide(4)],
      calls: "settled settled settled deciding",
    });
  });

  const bash = { access: "exec", tool: "bash", role: "runs" } as const;
  const sees: RunForm = { confined: true, readOnly: true, network: false };
  const ahead = (ordinal: number): Effect => ({ ...decide(ordinal), ahead: true }) as Effect;
  const commands = (count: number) => [
    ...calling,
    make.replied(Array.from({ length: count }, (_, at) => call(at + 1, bash))),
  ];

  test("[TP-2] commands start ahead of their turn once all before them are proved to read, eight at most", () => {
    const path = commands(10);
    expect(statuses(after(path)).split(" ").slice(0, 2)).toEqual(["deciding", "queued"]);
    expect(ordered(path, make.decided(1, "allow", { run: sees })).effects).toEqual([intend(1), ahead(2)]);
    const running: Event[] = [...path];
    for (let at = 1; at <= 8; at++) running.push(make.decided(at, "allow", { run: sees }), make.intended(at));
    expect(statuses(after(running))).toBe(`${"executing ".repeat(8)}queued queued`);
    expect(ordered(running, make.settled(5)).effects).toEqual([ahead(9)]);
  });

  test("[TP-2] a command that was not proved to read waits for its turn, and is judged then", () => {
    const path = [...commands(3), make.decided(1, "allow", { run: sees }), make.intended(1)];
    expect(ordered(path, make.deferred(2))).toEqual({ effects: [], calls: "executing queued queued" });
    expect(ordered([...path, make.deferred(2)], make.settled(1))).toEqual({
      effects: [decide(2)],
      calls: "settled deciding queued",
    });
    expect(ordered([...path, make.settled(1)], make.deferred(2))).toEqual({
      effects: [decide(2)],
      calls: "settled deciding queued",
    });
  });

  test("[TP-2] a command behind one whose reading is not proved does not start", () => {
    const path = commands(2);
    expect(ordered(path, make.decided(1, "allow")).calls).toBe("intending queued");
    expect(ordered(path, make.decided(1, "ask", { run: sees })).calls).toBe("asking queued");
  });

  for (const access of ["write", "exec", "network", "session"] as const) {
    test(`[TP-2] a ${access} call overlaps with nothing`, () => {
      expect(statuses(after(inTools(access, "read", access)))).toBe("deciding queued queued");
      expect(statuses(after([...inTools("read", access, "read"), make.settled(1)]))).toBe("settled deciding queued");
    });
  }

  test("[TP-2] reads behind a call with effects do not overtake it", () => {
    const path = inTools("write", "read", "read");
    expect(statuses(after(path))).toBe("deciding queued queued");
    expect(ordered(path, make.settled(1))).toEqual({
      effects: [decide(2), decide(3)],
      calls: "settled deciding deciding",
    });
  });

  test("[TP-1] only one prompt is open at a time: the next is asked when the first is answered", () => {
    const path = [...inTools("read", "read", "read"), make.decided(1, "ask")];
    expect(ordered(path, make.decided(3, "ask"))).toEqual({ effects: [], calls: "asking deciding waiting" });
    const waiting = [...path, make.decided(3, "ask"), make.decided(2, "ask")];
    expect(ordered(waiting, make.approval(1, "yes"))).toEqual({
      effects: [intend(1), ask(2)],
      calls: "intending asking waiting",
    });
    const refused = { code: "E_POLICY_DENIED", text: phrase("approval.refused") } as const;
    expect(ordered(waiting, make.approval(1, "no"))).toEqual({
      effects: [{ type: "settle_call", ...id(1), status: "denied", error: refused }, ask(2)],
      calls: "deciding asking waiting",
    });
    expect(ordered(waiting, make.settled(1))).toEqual({ effects: [ask(2)], calls: "settled asking waiting" });
  });

  test("[TP-1] while one prompt is open, other answers do not open a second", () => {
    const path = [...inTools("read", "read", "read"), make.decided(1, "ask"), make.decided(2, "ask")];
    expect(ordered(path, make.settled(3))).toEqual({ effects: [], calls: "asking waiting settled" });
    expect(after([...path, make.settled(3)]).run.phase).toBe("awaiting_human");
  });
});

describe("calls that do not run", () => {
  const settle = (ordinal: number, status: CallResult["status"], why: typeof error): Effect => ({
    type: "settle_call",
    ...id(ordinal),
    status,
    error: why,
  });

  test("[TP-4] a call that cannot run is settled as failed with its own error and never judged", () => {
    const broken = call(1, { problem: error });
    const { step } = move(calling, make.replied([broken, call(2)]));
    expect(step.effects).toEqual([settle(1, "failed", error), decide(2)]);
  });

  test("[TP-4] a call edited into one that cannot run is settled as failed and never judged", () => {
    const edit = make.approval(1, "edit", { call: call(1, { access: "write", problem: error }) });
    const { step } = move(places.awaiting_human, edit);
    expect(step.effects).toEqual([settle(1, "failed", error)]);
  });

  test("[TP-4] a denied call is settled with all of the policy's reasons, and the last as advice", () => {
    const path = inTools("write", "write");
    const last = phrase("cancel.line2");
    const one = ordered(path, make.decided(1, "deny", { reasons: [reason] }));
    expect(one).toEqual({
      effects: [settle(1, "denied", { code: "E_POLICY_DENIED", text: reason })],
      calls: "deciding queued",
    });
    const both = ordered(path, make.decided(1, "deny", { reasons: [reason, last] }));
    expect(both.effects).toEqual([settle(1, "denied", { code: "E_POLICY_DENIED", text: reason, advice: last })]);
    const three = ordered(path, make.decided(1, "deny", { reasons: [reason, error.text, last] }));
    const text = phrase("approval.denied", { reasons: [reason, error.text] });
    expect(three.effects).toEqual([settle(1, "denied", { code: "E_POLICY_DENIED", text, advice: last })]);
    const none = ordered(path, make.decided(1, "deny"));
    expect(none.effects).toEqual([settle(1, "denied", { code: "E_POLICY_DENIED", text: phrase("approval.refused") })]);
  });

  test("[TP-1] the reasons of a denial are kept with the call", () => {
    const state = after([...inTools("write", "write"), make.decided(1, "deny", { reasons: [reason] })]);
    expect(callState(state.run, "r1/1/1")?.reasons).toEqual([reason]);
  });

  test("[TP-4] a refused call is settled with the person's words", () => {
    const path = [...inTools("write", "write"), make.decided(1, "ask", { reasons: [reason] })];
    const text = phrase("approval.refused_with_words", { words: "not here" });
    expect(ordered(path, make.approval(1, "no", { words: "not here" }))).toEqual({
      effects: [settle(1, "denied", { code: "E_POLICY_DENIED", text })],
      calls: "deciding queued",
    });
    expect(callState(after([...path, make.approval(1, "no")]).run, "r1/1/1")?.reasons).toEqual([reason]);
  });

  test("[TP-4] an edit without a new call is a refusal, and so is a refusal that brings one", () => {
    const refused = settle(1, "denied", { code: "E_POLICY_DENIED", text: phrase("approval.refused") });
    expect(move(places.awaiting_human, make.approval(1, "edit")).step.effects).toEqual([refused]);
    const no = make.approval(1, "no", { call: call(1, { access: "write", key: "other" }) });
    expect(move(places.awaiting_human, no).step.effects).toEqual([refused]);
  });

  test("[TP-4] a call whose intent cannot be prepared is settled without being executed", () => {
    const path = [...inTools("write", "write"), make.decided(1, "allow")];
    expect(ordered(path, make.settled(1, { status: "failed" }))).toEqual({
      effects: [decide(2)],
      calls: "settled deciding",
    });
  });
});

describe("what a result leaves behind", () => {
  const briefOf = (more: Partial<CallResult>) => {
    const state = after([...inTools("write", "write"), make.settled(1, more)]);
    return { brief: callState(state.run, "r1/1/1")?.result, todos: state.todos };
  };
  const todos = [{ id: "1", content: "x", status: "pending", priority: "low" }] as const;

  test("[BR-2] a file change and a todo change are progress, nothing else is", () => {
    const brief = { status: "done", key: "out", progress: false } as const;
    expect(briefOf({})).toEqual({ brief, todos: [] });
    expect(briefOf({ changes: [] })).toEqual({ brief, todos: [] });
    expect(briefOf({ changes: [change] })).toEqual({ brief: { ...brief, progress: true }, todos: [] });
    expect(briefOf({ todos })).toEqual({ brief: { ...brief, progress: true }, todos });
    expect(briefOf({ status: "failed", key: "other" })).toEqual({
      brief: { status: "failed", key: "other", progress: false },
      todos: [],
    });
  });

  test("todos stay when a later result brings none", () => {
    expect(after([...inTools("write", "write"), make.settled(1, { todos }), make.settled(2)]).todos).toEqual(todos);
  });
});

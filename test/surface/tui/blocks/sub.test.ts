import { expect, test } from "bun:test";
import { bare, call, commandResult, event, replied, rowsOf, running, settled, Telling } from "../telling.ts";

const sub = { kind: "explore" as const, title: "look for the door", prompt: "find it" };
const started = event({ type: "sub.started", runId: "r1", subId: "r2", callId: "r1/1/1", sub });

function begun(): Telling {
  const told = new Telling();
  told.hear(replied({ calls: [call("task", sub)] }), running(), started);
  return told;
}

test("[TL-5] a sub-agent's calls stand below it while it works, and are one line of it afterwards", () => {
  const told = begun();
  told.hear(
    replied({ calls: [call("read", { path: "a.txt" }, 1, "r2"), call("bash", { command: "ls" }, 2, "r2")] }, 1, "r2"),
  );
  told.hear(running(1, "r2"), settled({ data: { first: 1, last: 3, total: 3 } }, 1, "r2"), running(2, "r2"));
  told.hear({ kind: "output", callId: "r2/1/2", stream: "stdout", text: "door.txt\n" });
  told.take();
  expect([told.text, told.live()]).toEqual([
    "",
    ["• Explore: look for the door", "  ✓ Read a.txt  3 lines", "  • Run ls", "    door.txt"],
  ]);
  told.hear(settled(commandResult("door.txt\n"), 2, "r2"));
  told.hear(replied({ text: "It is in door.txt" }, 1, "r2"));
  told.hear(settled({ output: "It is in door.txt\n\n[sub-agent, explore: 2 steps]", ms: 12_000 }));
  told.take();
  expect(told.text.split("\n")).toEqual(["✓ Explore: look for the door  12 s", "  2 calls · It is in door.txt"]);
  const detail = bare(rowsOf(told.feed.details()[0], 60));
  expect(detail).toContain("✓ Read a.txt  3 lines");
  expect(detail).toContain("✓ Run ls");
  expect(detail).toContain("prompt: find it");
});

test("[TL-5] what it says to itself is not told as a reply, and its trouble is seen while it lasts", () => {
  const told = begun();
  told.hear({
    kind: "delta",
    delta: { runId: "r2", modelCallIndex: 1, attempt: 1, seq: 1, kind: "text", text: "inner\n\n" },
  });
  const error = { code: "E_MODEL", text: { key: "session.no_model" } } as const;
  told.hear(event({ type: "model.failed", runId: "r2", index: 1, attempt: 1, error, fault: "busy", retryInMs: 3_000 }));
  told.take();
  expect([told.text, told.live()]).toEqual([
    "",
    ["• Explore: look for the door", "  No model is configured. – retrying in 3.0 s"],
  ]);
  told.hear(replied({ text: "inner" }, 2, "r2"), settled({ status: "cancelled" }));
  told.take();
  expect(told.text).toBe("⊘ Explore: look for the door  cancelled");
});

test("[TL-5] [ER-2] one that failed says why in full", () => {
  const told = begun();
  const text = { key: "command.too_many", args: { name: "x", extra: "y ".repeat(60) } } as const;
  told.hear(settled({ status: "failed", error: { code: "E_INVALID_ARGS", text } }));
  told.take();
  const [head, ...why] = told.text.split("\n");
  expect([head, why.map((line) => line.trim()).join(" ")]).toEqual([
    "✗ Explore: look for the door  failed",
    `x does not take ${"y ".repeat(60)}`.trimEnd(),
  ]);
});

test("[TL-5] in little room its own line is the one that stays", () => {
  const told = begun();
  const calls = Array.from({ length: 500 }, (_, at) => call("read", { path: `${at}.txt` }, at, "r2"));
  told.hear(replied({ calls }, 1, "r2"));
  expect(told.live(1)).toEqual(["• Explore: look for the door"]);
  expect(told.live(3).length).toBe(3);
  expect(told.live(50).length).toBe(5);
  told.hear(settled({ output: "done" }));
  told.take();
  expect(told.text.split("\n").at(-1)).toBe("  500 calls · done");
  expect(bare(rowsOf(told.feed.details()[0], 60))).toContain("… 300 earlier");
});

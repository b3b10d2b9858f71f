import { readFileSync } from "node:fs";
import { join } from "node:path";
import { CoderError, type ErrorInfo } from "../../contract/error.ts";
import { type Lang, phrase, say } from "../../contract/text/catalogue.ts";
import { type Replay, replay } from "../../engine/loop/replay.ts";
import { readSnapshot } from "../../store/snapshot.ts";
import { type Io, jsonLine } from "../../surface/headless/io.ts";
import type { Flags } from "../cli/flags.ts";
import { withStore } from "../setup/setup.ts";
import { findSession } from "./find-session.ts";

type ReplayVerdict = "agrees" | "no_snapshot" | "differs";

/** `coder replay ID`: folds the log and proves that it matches the snapshot. Changes nothing. */
export function replayCommand(given: string, flags: Flags, io: Io, lang: Lang): Promise<number> {
  return withStore(flags, (store) => {
    const { id, workspace } = findSession(store, given);
    const seq = snapshotSeq(workspace, id);
    const folded = replay(store.peek(id) ?? [], seq);
    const snapshot = compare(folded, seq, workspace, id);
    const { events, calls, open, broken, moved, state } = folded;
    const phases = { task: state.task.phase, run: state.run.phase };
    const last = (seq ?? 0) - 1;
    if (flags.json) io.out(jsonLine({ id, events, calls, open, broken, moved, ...phases, snapshot }));
    const problem = problemOf(folded, snapshot, last, id);
    if (problem) throw new CoderError(problem);
    const key = snapshot === "agrees" ? "cli.replay.agrees" : "cli.replay.no_snapshot";
    const summary = phrase(key, { events, calls: calls - open, open, seq: last, ...phases });
    if (!flags.json) io.out(`${say(lang, summary)}\n`);
    return 0;
  });
}

/** The sequence number after the snapshot's last event; `null` = no snapshot. Throws if it is unreadable. */
function snapshotSeq(workspace: string, id: string): number | null {
  const kept = readSnapshot(workspace, id);
  if (kept.ok && typeof kept.value.seq === "number") return kept.value.seq;
  if (!kept.ok && kept.error.text.key === "snapshot.missing") return null;
  const text = kept.ok ? phrase("restore.form") : kept.error.text;
  throw new CoderError({ code: "E_STORE", text, advice: phrase("cli.replay.differs.advice") });
}

function compare(folded: Replay, seq: number | null, workspace: string, id: string): ReplayVerdict {
  if (seq === null) return "no_snapshot";
  const stored = readFileSync(join(workspace, ".coder", "sessions", `${id}.json`), "utf8");
  return folded.snapshotAt(seq) === stored ? "agrees" : "differs";
}

function problemOf(folded: Replay, verdict: ReplayVerdict, seq: number, id: string): ErrorInfo | null {
  const wrong = [...folded.broken, ...folded.moved.map((at) => `event ${at}`)];
  if (wrong.length > 0)
    return {
      code: "E_STORE",
      text: phrase("cli.replay.calls", { id, n: wrong.length, which: wrong.slice(0, 5).join(", ") }),
      advice: phrase("cli.replay.calls.advice", { id }),
    };
  if (verdict !== "differs") return null;
  return {
    code: "E_CONFLICT",
    text: phrase("cli.replay.differs", { id, seq }),
    advice: phrase("cli.replay.differs.advice"),
  };
}

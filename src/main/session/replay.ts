import { readFileSync } from "node:fs";
import { join } from "node:path";
import { CoderError, type ErrorInfo } from "../../contract/error.ts";
import { type Lang, phrase, say } from "../../contract/text/catalogue.ts";
import { type Replay, replay } from "../../engine/loop/replay.ts";
import { openStore } from "../../store/open.ts";
import { readSnapshot } from "../../store/snapshot.ts";
import { type Io, jsonLine } from "../../surface/headless/io.ts";
import type { Flags } from "../cli/flags.ts";
import { settingsFrom } from "../setup/setup.ts";
import { findSession } from "./find-session.ts";

type ReplayVerdict = "agrees" | "no_snapshot" | "differs";

/** `coder replay ID`: folds the log and proves that it matches the snapshot. Changes nothing. */
export async function replayCommand(given: string, flags: Flags, io: Io, lang: Lang): Promise<number> {
  const settings = settingsFrom(flags, false);
  const store = openStore(settings.home);
  try {
    const row = findSession(store, given);
    const log = store.peek(row.id) ?? [];
    const seq = snapshotSeq(row.workspace, row.id);
    const folded = replay(log, seq);
    const verdict = compare(folded, seq, row.workspace, row.id);
    return answer(folded, verdict, seq ?? 0, row.id, flags, io, lang);
  } finally {
    store.close();
  }
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

function answer(
  folded: Replay,
  verdict: ReplayVerdict,
  seq: number,
  id: string,
  flags: Flags,
  io: Io,
  lang: Lang,
): number {
  const { events, calls, open, broken, moved, state } = folded;
  if (flags.json)
    io.out(
      jsonLine({
        id,
        events,
        calls,
        open,
        broken,
        moved,
        task: state.task.phase,
        run: state.run.phase,
        snapshot: verdict,
      }),
    );
  const problem = problemOf(folded, verdict, seq, id);
  if (problem) throw new CoderError(problem);
  const key = verdict === "agrees" ? "cli.replay.agrees" : "cli.replay.no_snapshot";
  if (!flags.json)
    io.out(
      `${say(lang, phrase(key, { events, calls: calls - open, open, seq: seq - 1, task: state.task.phase, run: state.run.phase }))}\n`,
    );
  return 0;
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
    text: phrase("cli.replay.differs", { id, seq: seq - 1 }),
    advice: phrase("cli.replay.differs.advice"),
  };
}

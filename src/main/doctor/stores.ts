import { existsSync } from "node:fs";
import { CoderError } from "../../contract/error.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import { hasProc, markerOf, nameOf, type Proc, readTable } from "../../platform/process/proc.ts";
import { asStoreFault } from "../../store/fault.ts";
import { databaseFile, inspect, type LookedAt } from "../../store/look.ts";
import { type Io, jsonLine } from "../../surface/headless/io.ts";
import { type Finding, fine, problem, warning } from "./doctor.ts";
import { amount } from "./files.ts";

const CHILD_MS = 1_800;

/** Runs as `coder __check-store HOME` in its own process: a check that hangs on a dead disk can only be killed. */
export async function checkStore(home: string, io: Io): Promise<number> {
  try {
    io.out(jsonLine({ looked: inspect(home) }));
  } catch (error) {
    const what = error instanceof Error ? error.message : String(error);
    const fault = asStoreFault(error, databaseFile(home));
    const isDamaged = fault instanceof CoderError && fault.info.text.key === "store.damaged";
    io.out(jsonLine(isDamaged ? { damage: what } : { unread: what }));
  }
  return 0;
}

type Answer = { readonly looked: LookedAt } | { readonly damage: string } | { readonly unread: string } | null;

/** `null` = no answer in time. */
async function ask(home: string): Promise<Answer> {
  const isBuilt = Bun.main.startsWith("/$bunfs/");
  const self = isBuilt ? [process.execPath] : [process.execPath, "--no-env-file", "--config=/dev/null", Bun.main];
  const child = Bun.spawn([...self, "__check-store", home], {
    stdin: "ignore",
    stdout: "pipe",
    stderr: "ignore",
    timeout: CHILD_MS,
    killSignal: "SIGKILL",
  });
  const out = await new Response(child.stdout).text();
  return out === "" ? null : (JSON.parse(out) as Answer);
}

export async function databaseProbe(home: string): Promise<readonly Finding[]> {
  const path = databaseFile(home);
  if (!existsSync(path)) return [fine(phrase("doctor.no_database"))];
  const answer = await ask(home);
  if (answer === null) return [warning(phrase("doctor.slow", { s: CHILD_MS / 1000 }), phrase("doctor.slow.advice"))];
  if ("damage" in answer) return [damaged(path, answer.damage)];
  if ("unread" in answer) {
    const text = phrase("doctor.database_unread", { path, what: answer.unread });
    return [problem(text, phrase("doctor.database_unread.advice"))];
  }
  const { version, known, bytes, sessions, damage, isUnchecked, held, stale } = answer.looked;
  if (damage !== null) return [damaged(path, damage)];
  if (version === 0 && bytes > 0) return [problem(phrase("store.foreign", { path }), phrase("store.foreign.advice"))];
  if (version > known) {
    const text = phrase("doctor.database_newer", { version, known });
    return [problem(text, phrase("doctor.database_newer.advice"))];
  }
  const about = { version, sessions, size: amount(bytes) };
  const leases = phrase("doctor.leases", { held: held.join(", ") || "–", stale: stale.join(", ") || "–" });
  return [
    fine(phrase(isUnchecked ? "doctor.database_large" : "doctor.database", about)),
    ...(held.length + stale.length > 0 ? [fine(leases)] : []),
  ];
}

function damaged(path: string, what: string): Finding {
  return problem(phrase("doctor.database_damaged", { path, what }), phrase("doctor.database_damaged.advice"));
}

/** Processes started by a session that no running process owns any more. */
export async function strayProbe(home: string): Promise<readonly Finding[]> {
  if (!hasProc()) return [];
  const marked: { readonly proc: Proc; readonly session: string }[] = [];
  readTable((proc) => {
    const session = markerOf(proc.pid)?.split(".")[0];
    if (session !== undefined) marked.push({ proc, session });
  });
  if (marked.length === 0) return [fine(phrase("doctor.no_leftovers"))];
  const answer = existsSync(databaseFile(home)) ? await ask(home) : null;
  const stale = answer && "looked" in answer ? answer.looked.stale : [];
  const strays = marked.filter(({ session }) => stale.includes(session));
  if (strays.length === 0) return [fine(phrase("doctor.no_leftovers"))];
  const processes = strays.map(({ proc }) => `${proc.pid} ${nameOf(proc)}`).join(", ");
  return [warning(phrase("doctor.strays", { processes }), phrase("doctor.strays.advice"))];
}

import type { Settings } from "../../contract/settings.ts";
import { visible } from "../../contract/show/visible.ts";
import type { SessionRow, Store } from "../../contract/store.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import type { Io } from "../../surface/headless/io.ts";
import type { ResumeHow } from "../../surface/headless/run.ts";
import { type Flags, usage } from "../cli/flags.ts";
import { setUp, soundSettings } from "../setup/setup.ts";
import { tellIgnored } from "../trust/trust-state.ts";

export async function openForCall(flags: Flags, io: Io) {
  const settings = await soundSettings(flags, false);
  tellIgnored(settings, io);
  const { engine, store } = setUp(settings, flags, () => false);
  return { engine, resume: await sessionToOpen(store, settings, flags) };
}

/** For `--resume ID` or `--continue` (the newest of this workspace); `null` = a new session. */
export async function sessionToOpen(store: Store, settings: Settings, flags: Flags): Promise<string | null> {
  if (flags.resume !== undefined) {
    if (flags.continue) throw usage(phrase("cli.resume_or_continue"));
    return flags.resume;
  }
  if (!flags.continue) return null;
  const rows = store.sessions({ workspace: settings.workspace, limit: 50 });
  const newest = rows.find((row) => hasTask(store, row.id) && !(flags.fork && isOthersStart(store, row)));
  if (newest) return newest.id;
  await adviseMoved(store, settings.workspace);
  const key = flags.fork && rows.length > 0 ? "cli.no_session.fork" : "cli.no_session";
  throw usage(phrase(key), phrase(`${key}.advice`));
}

async function adviseMoved(store: Store, workspace: string): Promise<void> {
  const { movedHere } = await import("./moved.ts");
  const moved = await movedHere(store, workspace);
  const n = moved.reduce((sum, { rows }) => sum + rows.length, 0);
  if (n === 0) return;
  const from = moved.map((one) => visible(one.from)).join(", ");
  throw usage(phrase("moved.found", { n, from }), phrase("moved.found.advice"));
}

/** With several forks started at once, each must copy an older session and not another fork. */
function isOthersStart(store: Store, { id, createdAt }: SessionRow): boolean {
  return createdAt > performance.timeOrigin || store.isBeingStarted(id);
}

/** `--fork` and `--from-snapshot` need a session to open and exclude each other. */
export function resumeHow(flags: Flags): ResumeHow {
  const isResumed = flags.resume !== undefined || flags.continue === true;
  if ((flags.fork || flags.fromSnapshot) && !isResumed) throw usage(phrase("cli.needs_session"));
  if (flags.fork && flags.fromSnapshot) throw usage(phrase("cli.fork_or_snapshot"));
  return flags.fork ? "copy" : flags.fromSnapshot ? "snapshot" : "itself";
}

/** `--continue` skips sessions that only hold calls of `coder tool`. */
function hasTask(store: Store, id: string): boolean {
  let hasCall = false;
  for (const { event } of store.peek(id) ?? []) {
    if (event.type !== "input.admitted") continue;
    if (event.kind !== "tool") return true;
    hasCall = true;
  }
  return !hasCall;
}

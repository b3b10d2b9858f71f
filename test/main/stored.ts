// Sessions in the store of a command line under test.
import { Database } from "bun:sqlite";
import { join } from "node:path";
import type { Event } from "../../src/contract/event.ts";
import type { Store } from "../../src/contract/store.ts";
import { openStore } from "../../src/store/open.ts";
import { accepted, admitted, event } from "../store/sample.ts";
import { stepEvents } from "../store/writer.ts";
import type { Cli } from "../support/cli.ts";

export interface Kept {
  readonly id: string;
  readonly title?: string;
  readonly steps?: number;
  /** Characters that each step's call printed. */
  readonly output?: number;
  /** Days since it was last used. */
  readonly age?: number;
  readonly workspace?: string;
}

/** Oldest first. */
export function keep(cli: Pick<Cli, "home" | "workspace">, ...sessions: readonly Kept[]): void {
  const store = openStore(cli.home);
  for (const one of sessions) keepOne(store, one, cli.workspace);
  store.close();
  const db = new Database(join(cli.home, "coder.db"));
  for (const { id, age = 0 } of sessions)
    db.run("update sessions set updated_at = updated_at - ? where id = ?", [age * 86_400_000, id]);
  db.close(true);
}

function keepOne(store: Store, { id, title = id, steps = 1, output = 50, workspace }: Kept, here: string): void {
  const log = store.create(id, workspace ?? here);
  const begun = { sessionId: id, workspace: workspace ?? here, addDirs: [], model: "a/one", mode: "default" } as const;
  const first = [event({ type: "session.started", ...begun, preset: null, forkedFrom: null }), admitted("i0", title)];
  let next = 1;
  for (const events of [first, ...Array.from({ length: steps }, (_, n) => stepWith(n + 1, output))]) {
    log.append({ from: next, entries: accepted(...events), blobs: [], durable: false });
    next += events.length;
  }
  log.close();
}

function stepWith(n: number, output: number): readonly Event[] {
  const printed = "printed\n".repeat(Math.ceil(output / 8)).slice(0, output);
  return stepEvents(n).map((one) =>
    one.type === "tool.settled" ? { ...one, result: { ...one.result, output: printed } } : one,
  );
}

export function idsIn(cli: Cli): readonly string[] {
  const store = openStore(cli.home);
  try {
    return store.holdings().map(({ id }) => id);
  } finally {
    store.close();
  }
}

import type { InputPort } from "../../engine/port.ts";

/** A terminal and a launcher may each pass the same Ctrl+C on: two within this time are one. */
const ONE_KEY_MS = 300;

/** Ctrl+C once cancels cleanly, twice kills, as Ctrl+\ does at once; SIGTERM and a closed terminal cancel and leave. */
export function onSignals(port: InputPort, leave: () => void, kill: () => void): () => void {
  let first: number | null = null;
  const cancel = (source: "sigint" | "sigterm" | "sighup") => () => {
    const now = performance.now();
    if (first !== null && now - first > ONE_KEY_MS) return kill();
    first ??= now;
    port.cancel(source);
    leave();
  };
  const handlers = {
    SIGINT: cancel("sigint"),
    SIGTERM: cancel("sigterm"),
    SIGHUP: cancel("sighup"),
    SIGQUIT: kill,
  } as const;
  for (const [name, handler] of Object.entries(handlers)) process.on(name, handler);
  return () => {
    for (const [name, handler] of Object.entries(handlers)) process.off(name, handler);
  };
}

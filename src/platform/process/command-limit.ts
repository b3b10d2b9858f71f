import { type Clock, startLimit } from "../limit.ts";

/** How often a command that was stopped at its deadline gets its full time again; bounded, so that one that stops itself ends too. */
const RENEWALS = 3;
const LOOK_MS = 1_000;

/** `paused`: a signal stopped it and it never continued. */
export type Late = "timeout" | "paused";

/** A command that is stopped (SIGSTOP) is not late: we wait as long for it to continue, and then it gets its full time. */
export function limitCommand(
  ms: number,
  isPaused: () => boolean,
  late: (how: Late) => void,
  clock?: Clock,
): () => void {
  let renewals = 0;
  let limit = startLimit(ms, () => expired(), clock);
  const expired = (): void => {
    if (renewals === RENEWALS || !isPaused()) late("timeout");
    else waitFor(ms);
  };
  const waitFor = (left: number): void => {
    limit = startLimit(
      Math.min(LOOK_MS, left),
      () => {
        if (!isPaused()) {
          renewals += 1;
          limit = startLimit(ms, expired, clock);
        } else if (left > LOOK_MS) waitFor(left - LOOK_MS);
        else late("paused");
      },
      clock,
    );
  };
  return () => limit.stop();
}

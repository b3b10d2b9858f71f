import { type Clock, startLimit } from "../limit.ts";

/** How often a command gets all of its time again because it was stopped when it was over: one that stops itself ends, too. */
const RENEWALS = 3;
const LOOK_MS = 1_000;

/** `paused`: it was stopped by a signal and did not go on. */
export type Late = "timeout" | "paused";

/**
 * The time of a command does not count while this program is stopped, and a command that was stopped itself (SIGSTOP) is not
 * late: once it goes on it has its whole time, and as long as that is waited for it.
 */
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

// Time limits that count only while this process runs: time in which the user stops it (Ctrl+Z, SIGSTOP, a debugger) does not count.

export interface Clock {
  readonly now: () => number;
  readonly after: (ms: number, work: () => void) => () => void;
}

const real: Clock = {
  now: () => performance.now(),
  after: (ms, work) => {
    const timer = setTimeout(work, ms);
    return () => clearTimeout(timer);
  },
};

/** Limits are counted in pieces: a piece that ends much too late reveals a stop. Also far below the longest possible timer. */
const PIECE_MS = 500;
/** A machine that is merely busy is never this late. */
const LATE_MS = 500;
/** The minimum left after a stop, so that events from meanwhile are handled first. */
const GRACE_MS = 250;

export interface RunningLimit {
  readonly left: () => number;
  /** Resets the remaining time; needs no new timer, because it is called for each chunk of a stream. */
  readonly renew: (ms: number) => void;
  readonly stop: () => void;
}

/** Calls `expired` once, when this process has run for `ms`. */
export function startLimit(ms: number, expired: () => void, clock: Clock = real): RunningLimit {
  let left = Math.max(0, ms);
  let counted = clock.now();
  let due = counted;
  const count = (): number => {
    const now = clock.now();
    const wait = Math.max(0, due - counted);
    const gone = now - counted;
    left -= gone > wait + LATE_MS ? Math.max(1, wait - GRACE_MS) : gone;
    counted = now;
    return Math.max(0, left);
  };
  const arm = (): (() => void) => {
    const piece = Math.min(left, PIECE_MS);
    due = counted + piece;
    return clock.after(piece, () => {
      if (count() > 0) cancel = arm();
      else expired();
    });
  };
  let cancel = arm();
  return {
    left: count,
    renew: (wanted) => {
      count();
      left = wanted;
    },
    stop: () => cancel(),
  };
}

export function limitSignal(ms: number): { readonly signal: AbortSignal; readonly stop: () => void } {
  const late = new AbortController();
  const { stop } = startLimit(ms, () => late.abort(new DOMException("The operation timed out.", "TimeoutError")));
  return { signal: late.signal, stop };
}

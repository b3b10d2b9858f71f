// Limits of time that count only while this process runs: what the person stops (Ctrl+Z, SIGSTOP, a debugger) is not late.

/** The machine's, or that of a test. */
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

/** Long ones are counted in pieces: by a piece that comes much too late a stop is known. Far below the longest timer, too. */
const PIECE_MS = 500;
/** A machine that is only busy is not so late. */
const LATE_MS = 500;
/** What is left after a stop, at least: what came meanwhile is seen first. */
const GRACE_MS = 250;

export interface RunningLimit {
  /** What is left of it. */
  readonly left: () => number;
  /** From now on so much is left; without a timer of its own, because it is called for each piece of a stream. */
  readonly renew: (ms: number) => void;
  readonly stop: () => void;
}

/** `expired` is called once, when this process has run for so long. */
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

/** The same as a signal, for what is waited for once and does not end later than this. */
export function limitSignal(ms: number): { readonly signal: AbortSignal; readonly stop: () => void } {
  const late = new AbortController();
  const { stop } = startLimit(ms, () => late.abort(new DOMException("The operation timed out.", "TimeoutError")));
  return { signal: late.signal, stop };
}

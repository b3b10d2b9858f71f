/** Work is done in slices, so that keys, streams and timers never wait long. */
const sliceMs = 8;

export interface Pace {
  /** Whether the slice is over. */
  readonly isDue: () => boolean;
  /** Lets everything else that waits run; throws where nobody waits for the work any more. */
  readonly rest: () => Promise<void>;
}

/** `unwanted`: for what is given up on the spot. */
export function pace(unwanted?: AbortSignal): Pace {
  let began = performance.now();
  return {
    isDue: () => performance.now() - began >= sliceMs,
    rest: async () => {
      await new Promise<void>((resume) => setImmediate(resume));
      unwanted?.throwIfAborted();
      began = performance.now();
    },
  };
}

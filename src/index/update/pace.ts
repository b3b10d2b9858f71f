/** Work is done in slices, so that keys, streams and timers never wait long. */
const sliceMs = 8;

export interface Pace {
  readonly isDue: () => boolean;
  /** Lets other work run; throws if this work was aborted. */
  readonly rest: () => Promise<void>;
}

/** `unwanted`: aborts work that may stop at any point. */
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

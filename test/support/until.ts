// Waiting for a condition. Nothing here has a time limit of its own: the limit of the test runner ends a test that hangs, and what the test
// was waiting for is then reported.
import { onTestFinished } from "bun:test";

/** Between two looks; the first ones follow each other quickly. */
const longestPauseMs = 20;
/** Outside a test nobody else gives up. */
const programMs = 60_000;

/** Polls until the condition holds. */
export async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  using wait = new Wait(() => what);
  for (let pauseMs = 1; !(await holds()); pauseMs = Math.min(pauseMs * 1.2, longestPauseMs)) {
    await Promise.race([wait.late, Bun.sleep(pauseMs)]);
  }
}

/** The promise, rejected when the test ends first. */
export async function settled<T>(promise: Promise<T>, what: () => string): Promise<T> {
  using wait = new Wait(what);
  return await Promise.race([promise, wait.late]);
}

class Wait implements Disposable {
  /** Rejects when the test ends. */
  readonly late: Promise<never>;
  private isOver = false;

  constructor(what: () => string) {
    const { promise, reject } = Promise.withResolvers<never>();
    this.late = promise;
    const end = (): void => {
      if (this.isOver) return;
      const problem = `still waiting for this when the test ended: ${what()}`;
      // The runner shows no rejection that comes after the last test.
      console.error(problem);
      reject(new Error(problem));
    };
    try {
      onTestFinished(end);
    } catch {
      // Not within a test: a script, or a hook of the runner.
      setTimeout(end, programMs).unref();
    }
  }

  [Symbol.dispose](): void {
    this.isOver = true;
  }
}

/** What comes of a time limit under test; it is doubled until what it limits has come far enough within it. */
export async function longEnough<T>(
  ms: number,
  attempt: (ms: number) => Promise<T>,
  isFar: (outcome: T) => boolean,
): Promise<T> {
  for (let limit = ms; ; limit *= 2) {
    const outcome = await attempt(limit);
    // A limit that is not at fault is not made any longer.
    if (isFar(outcome) || limit > 30 * ms) return outcome;
  }
}

// What work costs, in time of the processor: what else the machine does at the same time is not counted.

/** Milliseconds that this process spends on it, the fewest of a few times. */
export async function cpuMs(work: () => unknown, times = 1): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let n = 0; n < times; n++) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1_000);
  }
  return least;
}

const factor = 8;
/** Work that takes less is not told from the noise of the clock. */
const noiseMs = 2;

/**
 * Whether work on an input that is 8 times as large costs about 8 times as much, and not 64 times. `work` is called with 1 and with 8.
 */
export async function growsEvenly(work: (scale: number) => unknown): Promise<boolean> {
  const small = await cpuMs(() => work(1), 3);
  const large = await cpuMs(() => work(factor), 3);
  return large < 3 * factor * (small + noiseMs);
}

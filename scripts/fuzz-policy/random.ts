/** A generator of numbers that gives the same ones for the same seed. */
export class Random {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  /** From 0 up to, and without, `limit`. */
  below(limit: number): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = this.state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  }

  chance(percent: number): boolean {
    return this.below(100) < percent;
  }

  pick<One>(all: readonly One[]): One {
    return all[this.below(all.length)]!;
  }

  some<One>(make: () => One, atLeast: number, atMost: number): readonly One[] {
    return Array.from({ length: atLeast + this.below(atMost - atLeast + 1) }, make);
  }
}

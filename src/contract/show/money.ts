/** Sums are kept in whole micro-dollars. */
export function inDollars(micro: number): number {
  return micro / 1_000_000;
}

/** Two digits behind the point, more only where they say something. */
export function dollars(amount: number): string {
  return `$${amount.toFixed(6).replace(/0{1,4}$/, "")}`;
}

export function inDollars(micro: number): number {
  return micro / 1_000_000;
}

/** Two decimals, more only if they are not zero. */
export function dollars(amount: number): string {
  return `$${amount.toFixed(6).replace(/0{1,4}$/, "")}`;
}

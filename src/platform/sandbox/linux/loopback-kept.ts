// Keeps the shared loopback networks. Every task ends with `endLoopback`, though most have none.
import { closeSync } from "node:fs";

export interface Shared {
  /** `null`: sharing does not work here; each command gets its own. */
  readonly held: Promise<HeldNamespaces | null>;
  inside: number;
  isKept: boolean;
}

/** A network namespace belongs to a user namespace, so entering it requires both. No command runs in this user namespace. */
export interface HeldNamespaces {
  readonly user: number;
  readonly net: number;
}

export const shared = new Map<string, Shared>();

/** No further commands will enter; it closes with the last one inside. */
export function endLoopback(name: string): void {
  const one = shared.get(name);
  if (one === undefined) return;
  one.isKept = false;
  letGo(name, one);
}

export function letGo(name: string, one: Shared): void {
  if (one.isKept || one.inside > 0 || shared.get(name) !== one) return;
  shared.delete(name);
  void one.held.then((held) => held && close(held));
}

export function close({ user, net }: HeldNamespaces): void {
  closeSync(user);
  closeSync(net);
}

// Which loopbacks are held, and for how long. Every task ends with this; most have made none.
import { closeSync } from "node:fs";

export interface Shared {
  /** `null`: it cannot be shared here; each command has one of its own. */
  readonly held: Promise<HeldNamespaces | null>;
  /** Commands that were started in it and are not gone. */
  inside: number;
  /** More of them may come. */
  isKept: boolean;
}

/** A network belongs to a user namespace, and who goes into the one has to be in the other. No command lives in this one. */
export interface HeldNamespaces {
  readonly user: number;
  readonly net: number;
}

export const shared = new Map<string, Shared>();

/** No more commands come. It ends with the last that lives in it. */
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

import type { Network } from "../settings.ts";
import { type AddressKind, addressKind } from "./address.ts";

/** Who is dialled: a name in its plain form (small letters, punycode, no final dot), or an address without brackets. */
export interface Host {
  readonly name: string;
  readonly port: number;
}

/** What a tool that dials is told beside what it was judged for. */
export interface NetworkPort extends Network {
  /** A rule of the person's names this very host: it may lie where not everybody's servers do. */
  readonly isNamed: (host: Host) => boolean;
}

/** Of an http or https URL. Its parser has already made one form of every way to write an address (`0x7f.1`, `２`). */
export function hostOf({ hostname, port, protocol }: URL): Host {
  const name = hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  return { name, port: port === "" ? (protocol === "https:" ? 443 : 80) : Number(port) };
}

/** As it stands in a URL and in a rule: without the ports that go without saying. */
export function hostText({ name, port }: Host): string {
  const plain = name.includes(":") ? `[${name}]` : name;
  return port === 80 || port === 443 ? plain : `${plain}:${port}`;
}

/** Names that mean this machine or the network it is in, whatever a resolver says. */
const localNames = /(?:^|\.)(?:localhost|local|internal|intranet|lan|home|corp|private|home\.arpa)$/;

/** As far as the name says it; where it leads is known when it has been resolved. */
export function hostKind({ name }: Host): AddressKind {
  const kind = addressKind(name);
  if (kind !== null) return kind;
  return localNames.test(name) || !name.includes(".") ? "private" : "public";
}

/** A host in a rule: `docs.python.org`, `*.python.org` for all below it, `localhost:3000` for one port. */
export interface HostPattern {
  readonly name: string;
  readonly isBelow: boolean;
  /** `null` = any. */
  readonly port: number | null;
}

/** `null` = it is none. */
export function parseHost(text: string): HostPattern | null {
  const given = text.trim();
  const isBelow = given.startsWith("*.");
  const bare = isBelow ? given.slice(2) : given;
  // What a URL has besides a host would be dropped in silence.
  if (bare === "" || /[\s/\\?#@*%]/.test(bare) || !URL.canParse(`http://${bare}/`)) return null;
  const url = new URL(`http://${bare}/`);
  const { name } = hostOf(url);
  const port = /:\d+$/.test(bare.replace(/\[[^\]]*\]/, "")) ? Number(url.port || 80) : null;
  if (name === "" || (isBelow && addressKind(name) !== null)) return null;
  return { name, isBelow, port };
}

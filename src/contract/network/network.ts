import type { Network } from "../settings.ts";
import { type AddressKind, addressKind } from "./address.ts";

/** A normalised name (lower case, punycode, no final dot), or an address without brackets. */
export interface Host {
  readonly name: string;
  readonly port: number;
}

export interface NetworkPort extends Network {
  /** A rule of the user's names this host, so it may be private. */
  readonly isNamed: (host: Host) => boolean;
}

/** For an http or https URL, whose parser normalises all forms of an address (`0x7f.1`, `２`). */
export function hostOf({ hostname, port, protocol }: URL): Host {
  const name = hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  return { name, port: port === "" ? (protocol === "https:" ? 443 : 80) : Number(port) };
}

export function hostText({ name, port }: Host): string {
  const plain = name.includes(":") ? `[${name}]` : name;
  return port === 80 || port === 443 ? plain : `${plain}:${port}`;
}

/** Names of this machine or its network, whatever a resolver says. */
const localNames = /(?:^|\.)(?:localhost|local|internal|intranet|lan|home|corp|private|home\.arpa)$/;

/** Judged by the name alone; only resolving shows where it leads. */
export function hostKind({ name }: Host): AddressKind {
  const kind = addressKind(name);
  if (kind !== null) return kind;
  return localNames.test(name) || !name.includes(".") ? "private" : "public";
}

/** A host in a rule: `docs.python.org`, `*.python.org` for all subdomains, `localhost:3000` for one port. */
export interface HostPattern {
  readonly name: string;
  readonly isBelow: boolean;
  readonly port: number | null;
}

/** `null` = invalid. */
export function parseHost(text: string): HostPattern | null {
  const given = text.trim();
  const isBelow = given.startsWith("*.");
  const bare = isBelow ? given.slice(2) : given;
  // The URL parser would silently drop anything but the host.
  if (bare === "" || /[\s/\\?#@*%]/.test(bare) || !URL.canParse(`http://${bare}/`)) return null;
  const url = new URL(`http://${bare}/`);
  const { name } = hostOf(url);
  const port = /:\d+$/.test(bare.replace(/\[[^\]]*\]/, "")) ? Number(url.port || 80) : null;
  if (name === "" || (isBelow && addressKind(name) !== null)) return null;
  return { name, isBelow, port };
}

import { type Host, type HostPattern, hostKind } from "../../contract/network/network.ts";
import type { PermissionRule } from "../../contract/permission.ts";

/** Whether a host may be one that a rule forbids: a name includes all its subdomains. */
export function mayBeHost({ name, port }: HostPattern, host: Host): boolean {
  return (port === null || port === host.port) && (host.name === name || host.name.endsWith(`.${name}`));
}

/** Whether a host is exactly one that a rule allows. */
export function isHost({ name, isBelow, port }: HostPattern, host: Host): boolean {
  if (port !== null && port !== host.port) return false;
  return isBelow ? host.name.endsWith(`.${name}`) : host.name === name;
}

/** Whether the user names this very host in an allow rule: then they know what it leads to. */
export function namesHost(rules: readonly PermissionRule[], host: Host): boolean {
  return rules.some(
    ({ decision, by, host: named }) =>
      decision === "allow" && by === "person" && named !== undefined && !named.isBelow && isHost(named, host),
  );
}

/** Exactly this host, for this tool. Web ports are omitted, unless they may lead to services of this machine. */
export function hostRule(tool: string, { name, port }: Host): PermissionRule {
  const isWeb = (port === 80 || port === 443) && (tool === "fetch" || hostKind({ name, port }) === "public");
  const host: HostPattern = { name, isBelow: false, port: isWeb ? null : port };
  return { decision: "allow", tool, host, source: "always", by: "person" };
}

export function hostPatternText({ name, isBelow, port }: HostPattern): string {
  const plain = name.includes(":") ? `[${name}]` : name;
  return `${isBelow ? "*." : ""}${plain}${port === null ? "" : `:${port}`}`;
}

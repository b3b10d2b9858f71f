// `network(example.org)`: network access for sandboxed commands whose words name every host they dial.
import { type Host, type HostPattern, hostKind, hostText } from "../../contract/network/network.ts";
import type { PermissionRule } from "../../contract/permission.ts";
import { baseName } from "../shell/verdict/destructive.ts";
import type { CommandJudgement, ShellFacts, SimpleCommand, Word } from "../shell/verdict/judgement.ts";
import { isGit, readClient } from "../shell/wrapper/client.ts";
import { hostRule, isHost } from "./host.ts";

export const NETWORK = "network";

/** All hosts that a line dials; `null` if unknown, or if a command in it acts and is not a plain client. */
export function dialledBy(
  { commands, isWhole, always }: CommandJudgement,
  facts: Pick<ShellFacts, "gitProblem" | "isShim">,
): readonly Host[] | null {
  const acting = commands.filter(({ isReadOnly }) => !isReadOnly);
  // A redirection may be a connection (`/dev/tcp`); after `cd` another repository's config may apply.
  if (!isWhole || always.length > 0 || acting.length === 0 || commands.some(isMove)) return null;
  const hosts = acting.map((command) => hostsOf(command, facts));
  const known = hosts.flatMap((one) => one ?? []);
  return hosts.includes(null) ? null : [...new Map(known.map((host) => [hostText(host), host])).values()];
}

function hostsOf(
  { words, input, through }: SimpleCommand,
  facts: Pick<ShellFacts, "gitProblem" | "isShim">,
): readonly Host[] | null {
  const client = input === undefined && through.every((one) => plainWrappers.has(one)) ? readClient(words) : null;
  // The repository's config can replace addresses, proxies and programs.
  if (client === null || (isGit(words) && facts.gitProblem !== null)) return null;
  const [name] = words;
  return name?.kind === "literal" && facts.isShim?.(name.value) ? null : client.hosts;
}

/** These start their command here, exactly as written. */
const plainWrappers = new Set(["timeout", "time", "nice", "command"]);

/** These change the directory, which may change the meaning of the same words. */
const moves = new Set(["cd", "pushd", "popd"]);

export function isMove({ words: [name] }: SimpleCommand): boolean {
  return name?.kind !== "literal" || moves.has(baseName(name.value));
}

/** Whether the user lets commands dial this host. A non-public host must be named itself. */
export function reaches({ decision, tool, by, host: named }: PermissionRule, host: Host): boolean {
  if (decision !== "allow" || tool !== NETWORK || by !== "person" || named === undefined) return false;
  return isHost(named, host) && (!named.isBelow || hostKind(host) === "public");
}

/** The rules that let a command dial the hosts named in its words; `null` if the hosts are unknown. */
export function networkRules(hosts: readonly Host[] | undefined): readonly PermissionRule[] | null {
  if (hosts === undefined || hosts.length === 0) return null;
  const rules = hosts.map((host) => hostRule(NETWORK, host));
  return [...new Map(rules.map((rule) => [JSON.stringify(rule), rule])).values()];
}

/** The hosts of a command that only prints what it receives from hosts named in its words; otherwise empty. */
export function printsFrom({ words, input }: SimpleCommand): readonly Host[] {
  const client = input === undefined ? readClient(words) : null;
  return client?.onlyPrints ? client.hosts : [];
}

/** The first part of a line that may name a host forbidden by a rule, as written. */
export function mentionOf({ name, port }: HostPattern, { commands }: CommandJudgement): string | null {
  const texts = commands.flatMap(({ words }) => words.map(textOf));
  for (const text of texts) {
    for (const [part, found = "", given] of text.matchAll(hostForm)) {
      const host = found.toLowerCase().replace(/^\[|\]$|\.$/g, "");
      const isPort = port === null || given === undefined || Number(given) === port;
      if (isPort && (host === name || host.endsWith(`.${name}`))) return part;
    }
  }
  return null;
}

const hostForm = /(\[[0-9a-f:.]+\]|[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)*\.?)(?::([0-9]{1,5})(?![0-9]))?/giu;

function textOf(word: Word): string {
  return word.kind === "literal" ? word.value : word.kind === "any" ? word.text : `${word.start} ${word.text}`;
}

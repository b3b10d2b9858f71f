// `network(example.org)`: the network for confined commands of which all that they dial stands in their words.
import { type Host, type HostPattern, hostKind, hostText } from "../../contract/network/network.ts";
import type { PermissionRule } from "../../contract/permission.ts";
import type { CommandJudgement, ShellFacts, SimpleCommand, Word } from "../shell/verdict/judgement.ts";
import { isGit, readClient } from "../shell/wrapper/client.ts";
import { hostRule, isHost } from "./host.ts";

export const NETWORK = "network";

/** All that a line dials; `null` = not known, or something in it acts that is no plain client. */
export function dialledBy(
  { commands, isWhole, always }: CommandJudgement,
  facts: Pick<ShellFacts, "gitProblem" | "isShim">,
): readonly Host[] | null {
  const acting = commands.filter(({ isReadOnly }) => !isReadOnly);
  // A redirection may be a connection (`/dev/tcp`); a folder that is gone to, a repository with its own config.
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
  // The config of a repository can put other addresses, proxies and programs in the place of what is written.
  if (client === null || (isGit(words) && facts.gitProblem !== null)) return null;
  const [name] = words;
  return name?.kind === "literal" && facts.isShim?.(name.value) ? null : client.hosts;
}

/** What they start is started here, as it is written. */
const plainWrappers = new Set(["timeout", "time", "nice", "command"]);
const moves = new Set(["cd", "pushd", "popd"]);

function isMove({ words: [name] }: SimpleCommand): boolean {
  return name?.kind !== "literal" || moves.has(name.value.slice(name.value.lastIndexOf("/") + 1));
}

/** Whether the person lets commands dial this host. One that is not everybody's has to be named itself. */
export function reaches({ decision, tool, by, host: named }: PermissionRule, host: Host): boolean {
  if (decision !== "allow" || tool !== NETWORK || by !== "person" || named === undefined) return false;
  return isHost(named, host) && (!named.isBelow || hostKind(host) === "public");
}

/** The rules that let a command dial what stands in its words; `null` = it is not known whom. */
export function networkRules(hosts: readonly Host[] | undefined): readonly PermissionRule[] | null {
  if (hosts === undefined || hosts.length === 0) return null;
  const rules = hosts.map((host) => hostRule(NETWORK, host));
  return [...new Map(rules.map((rule) => [JSON.stringify(rule), rule])).values()];
}

/** It prints what it gets from hosts that stand in its words, and does nothing else. */
export function printsFrom({ words, input }: SimpleCommand): readonly Host[] {
  const client = input === undefined ? readClient(words) : null;
  return client?.onlyPrints ? client.hosts : [];
}

/** The first word of a line that may name a host that a rule forbids, as it is written. */
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

import { type Host, hostKind, hostText } from "../contract/network/network.ts";
import { isSecretOutside, isSecretPath } from "../contract/path/secret-path.ts";
import { isSystemPlace } from "../contract/path/system-places.ts";
import { visible } from "../contract/show/visible.ts";
import { type Phrase, phrase, type TextKey } from "../contract/text/catalogue.ts";
import type { PathFact } from "../contract/tool.ts";
import type { PolicyQuestion } from "./decide.ts";
import { type Deed, lookUp } from "./mode-table.ts";
import { isOwnPath, isProtectedPath, namesOf } from "./paths.ts";
import { reaches } from "./rule/network.ts";
import { unknownPath } from "./rule/path.ts";
import { graveCommands, showingGit } from "./shell/verdict/grave.ts";
import type { CommandJudgement, SimpleCommand } from "./shell/verdict/judgement.ts";
import { cut } from "./shell/verdict/tally.ts";

/** One thing that is true of the call: the row of the table that answers it, and how to say it. */
export interface Finding {
  readonly deed: Deed;
  readonly about?: Phrase;
  /** As given, where it is about a path. */
  readonly path?: string;
  readonly host?: Host;
}

/** Never empty: the first finding is what the call is at all. */
export function findings(question: PolicyQuestion): readonly Finding[] {
  const { access, ownFolder, paths } = question;
  switch (access) {
    case "session":
      return [{ deed: "session" }];
    case "read":
      return [{ deed: "read" }, ...paths.flatMap((fact) => readFindings(fact, ownFolder))];
    case "network":
      return [
        { deed: "network" },
        ...(question.hosts ?? []).flatMap(hostFindings),
        ...paths.flatMap((fact) => readFindings(fact, ownFolder)),
      ];
    case "write":
      return [{ deed: "write" }, ...paths.flatMap((fact) => writeFindings(fact, ownFolder))];
    case "exec":
      return [
        ...execFindings(question),
        ...[...paths, ...unknownReads(question)].flatMap((fact) => readFindings(fact, ownFolder)),
        ...folderFindings(question),
        ...(question.writes ?? []).flatMap((fact) => writeFindings(fact, ownFolder)),
        ...(question.reach?.network ? [{ deed: "network" as const }] : []),
      ];
  }
}

function hostFindings(host: Host): readonly Finding[] {
  if (hostKind(host) === "public") return [];
  return [{ deed: "private_host", about: phrase("policy.host.private", { host: hostText(host) }), host }];
}

function unknownReads({ judgement, paths }: PolicyQuestion): readonly PathFact[] {
  const reads = (judgement?.reads ?? []).filter(({ isGlob, anywhere }) => !isGlob && !anywhere).map(({ path }) => path);
  return reads.filter((path) => !paths.some(({ given }) => given === path)).map(unknownPath);
}

function execFindings(question: PolicyQuestion): readonly Finding[] {
  const { judgement, sandbox, paths } = question;
  if (judgement === undefined) return [{ deed: "exec" }];
  if (isLetRun(question)) {
    const held: Finding = { deed: "exec_held", about: phrase("policy.why.exec_held") };
    return [held, ...heldFindings(question, judgement)];
  }
  if (!judgement.isReadOnly) {
    const deed: Deed = isHeld(question) ? "exec_held" : "exec";
    return [{ deed }, ...judgement.reasons.map((about) => ({ deed, about }))];
  }
  const open = judgement.reads.find(({ path, anywhere }) => anywhere && !paths.some(({ given }) => given === path));
  if (open) return [{ deed: "exec", about: open.anywhere! }];
  // Whatever it reads, only a sandbox knows.
  const { unsettled } = judgement;
  if (unsettled.length > 0 && sandbox !== "ready") {
    return [{ deed: "exec" }, ...unsettled.map((about) => ({ deed: "exec", about }) as const)];
  }
  // Proved on what lies on the disk now; without a sandbox nothing holds it to that.
  const isOfMoment = judgement.usesGit || judgement.reads.some(({ isGlob }) => isGlob);
  if (isOfMoment && sandbox !== "ready") return [{ deed: "exec", about: phrase("policy.sandbox.missing") }];
  return [{ deed: "exec_read" }];
}

/**
 * It stays in the sandbox, without the network, and it is known what would run: a line that could not be read, and a program whose
 * name is not known yet, could be any of those that are asked about all the same.
 */
function isHeld(question: PolicyQuestion): boolean {
  const { judgement, sandbox, reach } = question;
  if (judgement === undefined || sandbox !== "ready" || reach?.free) return false;
  if (reach?.network && !isBound(question)) return false;
  const isNamed = judgement.commands.every(({ words: [name] }) => name?.kind === "literal");
  return isNamed && !judgement.always.some(({ isUnread }) => isUnread);
}

/** It is confined, and rules of the person's name every host that it dials. */
export function isBound({ access, sandbox, reach, hosts = [], rules }: PolicyQuestion): boolean {
  if (access !== "exec" || sandbox !== "ready" || reach?.free || !reach?.network || hosts.length === 0) return false;
  return hosts.every((host) => rules.some((rule) => reaches(rule, host)));
}

/** It has effects, and the sandbox is enough to let it run unasked (PO-1). */
export function isLetRun(question: PolicyQuestion): boolean {
  const { judgement, mode, preset } = question;
  if (judgement === undefined || judgement.isReadOnly || !isHeld(question)) return false;
  return lookUp("exec_held", mode, preset).decision === "allow";
}

/** What the sandbox does not make good. */
function heldFindings(question: PolicyQuestion, judgement: CommandJudgement): readonly Finding[] {
  const { mentions = [], losses = [], ownFolder } = question;
  const written = mentions.filter(({ isChanged, isGlob }) => isChanged && !isGlob).map(({ fact }) => fact);
  const grave = graveCommands(judgement).map(
    ({ grave: deed, command }): Finding => ({ deed, about: phrase(`policy.why.${deed}`, { part: cut(command.text) }) }),
  );
  // What is asked about for another reason is asked about once.
  const isGrave = (one: SimpleCommand): boolean => graveCommands(judgement).some(({ command }) => command === one);
  // What comes from a server is not what git keeps here.
  const showing = (isBound(question) ? [] : showingGit(judgement))
    .filter((one) => !isGrave(one))
    .map(({ text }): Finding => ({ deed: "exec", about: phrase("policy.why.git_shows", { part: cut(text) }) }));
  const opening: readonly Finding[] = judgement.namesGitFolder
    ? [{ deed: "exec", about: phrase("policy.why.git_folder") }]
    : [];
  const losing = (about: Phrase): Finding => ({ deed: "loss", about });
  const lost = losses.map((path) => losing(phrase("policy.why.loss", { path: visible(path) })));
  const open = judgement.removes.includes(null) ? [losing(phrase("policy.why.loss_unknown"))] : [];
  return [
    ...grave,
    ...showing,
    ...opening,
    ...lost,
    ...open,
    ...written.flatMap((fact) => writeFindings(fact, ownFolder)),
  ];
}

/** What compares two folders opens every link in them. */
function folderFindings({ judgement, paths }: PolicyQuestion): readonly Finding[] {
  const files = (judgement?.reads ?? []).filter(({ isFile }) => isFile).map(({ path }) => path);
  const folders = paths.filter(({ given, kind }) => kind === "folder" && files.includes(given));
  return folders.map((fact) => about("outside_read", "policy.path.folder", fact));
}

function readFindings(fact: PathFact, ownFolder: string): readonly Finding[] {
  // The person's skills are there to be read; nothing else of our own folder is.
  const isSkill = fact.real !== null && fact.kind !== "other" && isOwnPath(fact.real, `${ownFolder}/skills`);
  if (isSkill) return namesOf(fact).some(isSecretPath) ? [about("secret", "policy.path.secret", fact)] : [];
  const isOpen = fact.isListing === true || (fact.real !== null && fact.kind !== "other" && isSystemPlace(fact.real));
  const place = isOpen && !fact.inside ? [] : outside(fact, "outside_read");
  const isSeen = !fact.isHarmless && !(fact.isNamed && fact.inside);
  return [...place, ...(isSeen ? secret(fact, ownFolder) : [])];
}

function writeFindings(fact: PathFact, ownFolder: string): readonly Finding[] {
  const isProtected = fact.isObeyed === true || namesOf(fact).some(isProtectedPath);
  const isOwn = fact.real !== null && isOwnPath(fact.real, ownFolder);
  return [
    ...outside(fact, "outside_write"),
    ...secret(fact, ownFolder),
    ...(isProtected ? [about("protected_write", "policy.path.protected", fact)] : []),
    ...(isOwn ? [about("own_write", "policy.path.own", fact)] : []),
  ];
}

function outside(fact: PathFact, deed: Deed): readonly Finding[] {
  // These lead elsewhere for every process: what was found here is ours.
  const isOfProcess = /(?:^|\/)proc\/+(?:self|thread-self|[0-9]+)(?:\/|$)/.test(fact.given);
  if (fact.real === null || (isOfProcess && fact.inside)) return [about(deed, "policy.path.unresolved", fact)];
  if (!fact.inside) return [about(deed, "policy.path.outside", fact)];
  // Opening a pipe or a device takes what another process was to get.
  return fact.kind === "other" ? [about(deed, "policy.path.special", fact)] : [];
}

function secret(fact: PathFact, ownFolder: string): readonly Finding[] {
  const isOwn = fact.real !== null && isOwnPath(fact.real, ownFolder);
  // A workspace may lie in a place that is full of secrets otherwise: the person chose it.
  const isSecret = fact.inside ? isSecretPath : isSecretOutside;
  return isOwn || namesOf(fact).some(isSecret) ? [about("secret", "policy.path.secret", fact)] : [];
}

function about(deed: Deed, key: TextKey, fact: PathFact): Finding {
  const path = fact.real === null || fact.inside ? fact.given : fact.real;
  return { deed, about: phrase(key, { path: visible(path) }), path: fact.given };
}

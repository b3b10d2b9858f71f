// Whether the sandbox made a command fail that would have succeeded outside of it.
import { protectedNames } from "../../../contract/path/protected.ts";
import type { Confinement } from "../../../contract/sandbox.ts";
import { visible } from "../../../contract/show/visible.ts";
import { type Phrase, phrase } from "../../../contract/text/catalogue.ts";
import type { Planted, ShellOutcome } from "../../process/shell.ts";
import { missedPlace, missedSecrets, missedService } from "./hidden.ts";

export type CommandFailure = Pick<ShellOutcome, "exitCode" | "stdout" | "stderr" | "timedOut" | "cancelled" | "hidden">;

export interface Blame {
  readonly text: Phrase;
  /** Secret files that the command seems to need: relative to the workspace, or absolute. */
  readonly missed: readonly string[];
}

/** Names protected files that a command created or changed, confined or not; `null`: none. */
export function plantedPhrase({ planted, restored, unkept }: Omit<Planted, "unlooked">): Phrase | null {
  if (planted.length + restored.length + unkept.length === 0) return null;
  const what = [
    ...(planted.length > 0 ? [phrase("sandbox.planted.aside", { paths: named(planted) })] : []),
    ...(restored.length > 0 ? [phrase("sandbox.planted.restored", { paths: named(restored) })] : []),
    ...(unkept.length > 0 ? [phrase("sandbox.planted.left", { paths: named(unkept) })] : []),
  ];
  return phrase("sandbox.blame_planted", { what });
}

const maxNames = 20;

function named(paths: readonly string[]): string {
  const shown = paths.slice(0, maxNames).map(visible).join(", ");
  return paths.length > maxNames ? `${shown}, … (${paths.length})` : shown;
}

/** The wording of libc, and the error codes of Node and others. */
const readOnly = /Read-only file system|\bEROFS\b|os error 30\b/i;
const noNetwork =
  /Could not resolve (?:host|proxy)|Temporary failure in name resolution|Name or service not known|Network is unreachable|\bEAI_AGAIN\b|\bENETUNREACH\b|getaddrinfo (?:ENOTFOUND|EAI_AGAIN)|dial (?:tcp|udp).*(?:network is unreachable|no such host|connection refused|server misbehaving)|nodename nor servname|failed to lookup address information|UnknownHostException|NameResolutionError|Failed to establish a new connection|ERR_INTERNET_DISCONNECTED|GOPROXY=off|module lookup disabled by GOPROXY|--offline was specified|offline mode/i;
const denied =
  /^.*(?:Permission denied|Operation not permitted|Device or resource busy|\bEBUSY\b|\bEACCES\b|\bEPERM\b|os error 1[3]?\b).*$/gim;
/** Refusals of the seccomp filter, as printed by programs that do little else. */
const noRights =
  /^.*(?:\b(?:ptrace|PTRACE_\w+|unshare|setns|perf_event_open)\b.*(?:Operation not permitted|EPERM)|"no new privileges" flag is set|No permissions to create (?:a )?new namespace|(?:[Cc]reating new|cannot create) (?:user )?namespace.*not permitted).*$/m;
const tooMany =
  /fork: (?:retry: )?Resource temporarily unavailable|\bEAGAIN\b.*(?:fork|spawn|thread)|(?:fork|spawn|thread).*\bEAGAIN\b/i;
const tooBig = /File too large|\bEFBIG\b|File size limit exceeded|os error 27\b/i;
const BAD_CALL = 159;
const BIG_FILE = 153;

/** `null`: the sandbox was not the cause, or the output does not say. */
export function sandboxBlamed(outcome: CommandFailure, confine: Confinement): Blame | null {
  if (confine.narrow && confine.deep) return leftOut(outcome, confine);
  const { exitCode, timedOut, cancelled, hidden } = outcome;
  const isFailure = !cancelled && !timedOut && exitCode !== 0;
  const missed = isFailure ? missedSecrets(endOf(outcome, 20_000), hidden) : [];
  if (missed.length > 0) {
    const names = missed.map((path) => nameOf(path, confine));
    const isHistory = missed.every((path) => path.endsWith("/objects"));
    const text = phrase(isHistory ? "sandbox.blame_history" : "sandbox.blame_secret", {
      files: names.map(visible).join(", "),
    });
    return { text, missed: names };
  }
  const text = otherCause(outcome, confine);
  return text === null ? null : { text, missed: [] };
}

/** A search that skips hidden files did its work: report them, but as nothing missing that a permission would add. */
function leftOut(outcome: CommandFailure, confine: Confinement): Blame | null {
  if (outcome.cancelled || outcome.timedOut || outcome.exitCode === 0) return null;
  const output = outcome.stderr.split("\n").filter((line) => /Permission denied/i.test(line));
  const files = missedSecrets(output.join("\n"), outcome.hidden).map((path) => visible(nameOf(path, confine)));
  return files.length === 0 ? null : { text: phrase("sandbox.left_out", { files: files.join(", ") }), missed: [] };
}

function otherCause(outcome: CommandFailure, confine: Confinement): Phrase | null {
  const { exitCode, timedOut, cancelled } = outcome;
  if (cancelled || timedOut || exitCode === 0) return null;
  if (exitCode === BAD_CALL) return phrase("sandbox.blame_call");
  const output = endOf(outcome, 4_000);
  if (exitCode === BIG_FILE || tooBig.test(output))
    return phrase("sandbox.blame_file_size", { n: `${Number(((confine.fileSize ?? 0) / 2 ** 30).toFixed(1))}` });
  if (readOnly.test(output)) return phrase("sandbox.blame_read_only", { line: lineWith(output, readOnly) });
  if (!confine.network && noNetwork.test(output))
    return phrase("sandbox.blame_network", { line: lineWith(output, noNetwork) });
  const kept = output.match(denied)?.find(namesProtected);
  if (kept !== undefined) return phrase("sandbox.blame_protected", { line: short(kept) });
  const line = output.match(denied)?.find((one) => confine.hide.some((path) => one.includes(path)));
  if (line !== undefined) return phrase("sandbox.blame_hidden", { line: short(line) });
  const { veils, shown, around, allowed, caches } = confine;
  const place = missedPlace(output, veils, [...shown, ...around, ...allowed, ...(caches === null ? [] : [caches])]);
  if (place !== null) return phrase("sandbox.blame_veiled", { path: short(place) });
  if (noRights.test(output)) return phrase("sandbox.blame_rights", { line: lineWith(output, noRights) });
  const service = missedService(output);
  if (service !== null) return phrase("sandbox.blame_service", { line: short(service) });
  return tooMany.test(output) ? phrase("sandbox.blame_processes", { n: confine.processes ?? 0 }) : null;
}

/** Only the end of the output: an error that the program survived did not end it. */
function endOf({ stderr, stdout }: CommandFailure, most: number): string {
  return [stderr, stdout].map((text) => text.slice(-most)).join("\n");
}

function nameOf(path: string, { shown: [workspace = "/"] }: Confinement): string {
  return path.startsWith(`${workspace}/`) ? path.slice(workspace.length + 1) : path;
}

/** The protected name must end there: `.gitignore` is not `.git`. */
function namesProtected(line: string): boolean {
  const names = [".git", ...protectedNames.map(({ path }) => path)];
  const output = line.toLowerCase();
  return names.some((name) => {
    const after = output.indexOf(name) === -1 ? "x" : output.charAt(output.indexOf(name) + name.length);
    return !/[\w.-]/.test(after);
  });
}

function lineWith(text: string, form: RegExp): string {
  return short(text.split("\n").find((line) => form.test(line)) ?? "");
}

function short(line: string): string {
  const plain = line.trim();
  return plain.length > 160 ? `${plain.slice(0, 159)}…` : plain;
}

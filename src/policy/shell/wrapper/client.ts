// Programs that download from servers named in their words, and do nothing else on the network.
import { type Host, hostOf } from "../../../contract/network/network.ts";
import { type OptionForm, takeOptions } from "../options.ts";
import { baseName } from "../verdict/destructive.ts";
import type { Word } from "../verdict/judgement.ts";

export interface Client {
  /** All hosts that it dials; never empty. */
  readonly hosts: readonly Host[];
  readonly saves: readonly Word[];
  readonly onlyPrints: boolean;
}

/** The required form of an option's value. */
type Values = Readonly<Record<string, RegExp>>;

interface ClientRow extends OptionForm {
  readonly values: Values;
}

const count = /^[0-9]+(?:\.[0-9]+)?$/;
const plain = /^[^@\r\n][^\r\n]*$/;
/** One line, and only headers about the response. `Host` would select another server at the same address. */
const header = /^(?:accept(?:-[a-z]+)?|cache-control|if-[a-z-]+|pragma|range|user-agent):[^\r\n]*$/i;

/**
 * Unlisted options may name another host, a proxy, a file to send or options to read (`-L`, `-x`, `-K`, `-d`, `--resolve`). With `-L` a
 * server may redirect the client, with everything in the address, to any other host.
 */
const curl: ClientRow = {
  flags: "sSfIiv46N#O",
  valued: "oHAmwrX",
  long:
    "silent show-error fail fail-with-body fail-early head include verbose ipv4 ipv6 no-buffer no-progress-meter progress-bar " +
    "remote-name compressed http1.0 http1.1 http2 tlsv1.2 tlsv1.3 globoff",
  longValued:
    "output header user-agent max-time connect-timeout retry retry-delay retry-max-time max-filesize write-out range request url",
  values: {
    ...{ H: header, header, A: plain, "user-agent": plain, X: /^(?:GET|HEAD)$/, request: /^(?:GET|HEAD)$/ },
    ...{ m: count, "max-time": count, "connect-timeout": count, retry: count, "retry-delay": count },
    ...{ "retry-max-time": count, "max-filesize": count, r: /^[0-9,-]+$/, range: /^[0-9,-]+$/ },
    // `%output{x}` writes a file.
    ...{ w: /^(?!@)(?:[^%]|%\{[a-z0-9_.]+\})*$/s, "write-out": /^(?!@)(?:[^%]|%\{[a-z0-9_.]+\})*$/s },
    ...{ o: /./s, output: /./s, url: /./s },
  },
};

const wget: ClientRow = {
  flags: "qSv46",
  valued: "OTtU",
  long: "quiet verbose no-verbose server-response spider no-config inet4-only inet6-only",
  longValued: "output-document timeout tries user-agent header max-redirect connect-timeout read-timeout",
  values: {
    ...{ T: count, timeout: count, t: count, tries: count, "connect-timeout": count, "read-timeout": count },
    ...{ U: plain, "user-agent": plain, header, "max-redirect": /^0$/, O: /./s, "output-document": /./s },
  },
};

const git: Readonly<Record<string, ClientRow>> = {
  "ls-remote": { flags: "htq", long: "heads tags branches refs quiet exit-code symref", values: {} },
  clone: {
    flags: "qnv",
    valued: "b",
    long: "quiet verbose progress no-checkout single-branch no-single-branch no-tags no-recurse-submodules",
    longValued: "branch depth",
    values: { b: /^[\w./@+-]+$/, branch: /^[\w./@+-]+$/, depth: /^[0-9]+$/ },
  },
  // Without `--depth`, which would truncate the repository's own history.
  fetch: { flags: "qv", long: "quiet verbose progress no-tags no-recurse-submodules", values: {} },
};

/** `null` = another program, or some of its actions are unknown. */
export function readClient([name, ...args]: readonly Word[]): Client | null {
  const program = name?.kind === "literal" ? name.value.replace(/^\/(?:usr\/)?bin\/(?=[^/]+$)/, "") : "";
  switch (program) {
    case "curl":
      return readCurl(args);
    case "wget":
      return readWget(args);
    case "git":
      return readGit(args);
    default:
      return null;
  }
}

export function isGit([name]: readonly Word[]): boolean {
  return name?.kind === "literal" && baseName(name.value) === "git";
}

function readCurl(args: readonly Word[]): Client | null {
  const read = parseArguments(args, curl);
  if (!read) return null;
  const { given, operands } = read;
  const urls = [...operands, ...valuesOf(given, "url")];
  const named = given.some(([option]) => option === "O" || option === "remote-name");
  const remote = named ? urls.map(lastName) : [];
  return clientOf(urls, [...savedIn(given, "o", "output"), ...remote]);
}

/** Without an output name, wget saves under a name that the server influences; without a limit, it follows redirects anywhere. */
function readWget(args: readonly Word[]): Client | null {
  const read = parseArguments(args, wget);
  if (!read) return null;
  const { given, operands } = read;
  const has = (...names: readonly string[]): boolean => given.some(([option]) => names.includes(option));
  if (!has("max-redirect") || !has("O", "output-document", "spider")) return null;
  return clientOf(operands, savedIn(given, "O", "output-document"));
}

/** `boundGit` disables redirects where this git is allowed to run. */
function readGit([subcommand, ...args]: readonly Word[]): Client | null {
  const name = subcommand?.kind === "literal" ? subcommand.value : "";
  const row = Object.hasOwn(git, name) ? git[name] : undefined;
  const read = row && parseArguments(args, row);
  const [url, ...more] = read?.operands ?? [];
  if (!url) return null;
  if (name === "clone") {
    if (more.length > 1) return null;
    return clientOf([url], more.length === 1 ? more : [clonedTo(url)]);
  }
  // `:` in a refspec would update branches, `+` would discard their commits.
  if (!more.every((word) => word.kind === "literal" && /^[\w./*-]+$/.test(word.value))) return null;
  const client = clientOf([url], []);
  return client && { ...client, onlyPrints: name === "ls-remote" };
}

function clientOf(urls: readonly Word[], saves: readonly (Word | null)[]): Client | null {
  const hosts = urls.map(hostIn);
  const known = hosts.filter((host) => host !== null);
  const files = saves.filter((word) => word !== null);
  if (known.length === 0 || known.length < hosts.length || files.length < saves.length) return null;
  return { hosts: known, saves: files, onlyPrints: files.length === 0 };
}

interface ParsedArguments {
  readonly given: readonly (readonly [name: string, value: Word | null])[];
  readonly operands: readonly Word[];
}

/** Options may follow operands. `null` = an option is unknown, or its value has another form. */
function parseArguments(args: readonly Word[], row: ClientRow): ParsedArguments | null {
  if (args.some((word) => word.kind === "literal" && (word.value === "--" || word.isHome))) return null;
  const given: (readonly [string, Word | null])[] = [];
  const operands: Word[] = [];
  for (let rest = args; rest.length > 0; ) {
    const taken = takeOptions(rest, row);
    if (taken === null) return null;
    given.push(...taken.given);
    const [operand, ...more] = taken.rest;
    if (operand) operands.push(operand);
    rest = more;
  }
  const isFine = ([name, value]: readonly [string, Word | null]): boolean =>
    value === null || (value.kind === "literal" && row.values[name]?.test(value.value) === true);
  return given.every(isFine) ? { given, operands } : null;
}

function valuesOf(given: ParsedArguments["given"], ...names: readonly string[]): readonly Word[] {
  return given.flatMap(([name, value]) => (value !== null && names.includes(name) ? [value] : []));
}

function savedIn(given: ParsedArguments["given"], ...names: readonly string[]): readonly Word[] {
  return valuesOf(given, ...names).filter((word) => word.kind === "literal" && !/^(?:-|\/dev\/null)$/.test(word.value));
}

/**
 * Parsed alike by every program: ASCII letters, no user, and a slash or nothing after the host. Brackets and braces would expand to several
 * addresses (curl), a backslash may count as a slash.
 */
const address = /^https?:\/\/[a-z0-9_.-]+(?::[0-9]{1,5})?(?:\/[!-Z^_`a-z|~]*)?$/i;

function hostIn(word: Word): Host | null {
  const text = addressIn(word);
  return text !== null && address.test(text) && URL.canParse(text) ? hostOf(new URL(text)) : null;
}

/** An unquoted `?` matches one character of a file named like the address: such a name leads to the same host. */
function addressIn(word: Word): string | null {
  if (word.kind === "literal") return word.value;
  const isPlain = word.kind === "glob" && !word.found && /^[^*'"\\$~?]+\/[^*'"\\$~]*$/.test(word.text);
  return isPlain ? word.text : null;
}

/** The file name taken from an address; `null` if programs may derive another one. */
function lastName(url: Word): Word | null {
  const name = /^https?:\/\/[^/]+\/(?:[^?#%]*\/)?([A-Za-z0-9_][\w.+-]*)$/i.exec(addressIn(url) ?? "")?.[1];
  return name === undefined ? null : { kind: "literal", value: name, text: name };
}

function clonedTo(url: Word): Word | null {
  const last = lastName(url);
  const name = last?.kind === "literal" ? last.value.replace(/\.git$/, "") : "";
  return /^[A-Za-z0-9][\w.-]*$/.test(name) ? { kind: "literal", value: name, text: name } : null;
}

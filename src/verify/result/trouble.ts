import type { TextKey } from "../../contract/text/catalogue.ts";
import { endsOf, linesOf } from "../parse/lines.ts";
import { isOwn, missingIn, type Project } from "../relate/own-code.ts";

export interface RunTrouble {
  readonly line: string;
  readonly what: string;
  readonly advice: TextKey;
}

type Rule = readonly [pattern: RegExp, advice: TextKey];

/** In order of weight: the first rule that fits any line wins. Its first group is the missing thing. */
const rules: readonly Rule[] = [
  [/^(?:\S+: )?(?:line \d+: |\d+: )?(?:exec: )?([\w./@+-]+): (?:command )?not found$/, "verify.advice.install_runner"],
  [/^(?:zsh|bash|fish): (?:Unknown command|command not found): ([\w./@+-]+)$/, "verify.advice.install_runner"],
  [/^(?:\S+: )?(?:line \d+: |\d+: )?(\S+): No such file or directory$/, "verify.advice.install_runner"],
  [/^\S*python[\d.]*(?:\.exe)?: No module named (pytest)/, "verify.advice.install_runner"],
  [/^Error: spawn (\S+) ENOENT/, "verify.advice.install_runner"],
  [/^npm (?:ERR!|error) could not determine executable to run/, "verify.advice.install_runner"],
  [/^(?:npm (?:ERR!|error)|ERR_PNPM_NO_SCRIPT)\s+Missing script:/, "verify.advice.script"],
  [/^error Command "[^"]+" not found\.|Couldn't find a script named |^error: Script not found/, "verify.advice.script"],
  [/Error: no test specified/, "verify.advice.script"],
  [/Could not read package\.json|ERR_PNPM_NO_IMPORTER_MANIFEST_FOUND/, "verify.advice.folder"],
  [/Couldn't find a package\.json|could not find `Cargo\.toml`|go\.mod file not found/, "verify.advice.folder"],
  [/cannot find main module|does not contain main module|no Go files in /, "verify.advice.folder"],
  [/there is no POM in this directory|does not contain a Gradle build/, "verify.advice.folder"],
  [/^ERROR: file or directory not found:|No files matching the pattern/, "verify.advice.folder"],
  [/The specified path does not exist/, "verify.advice.folder"],
  [/unrecognized arguments?:|[Uu]nknown option|[Uu]nrecognized option|bad option:/, "verify.advice.option"],
  [/unexpected argument '|^Invalid option '|Unknown compiler option|Unknown argument:/, "verify.advice.option"],
  [/flag provided but not defined|Unknown command-line option|Unknown lifecycle phase/, "verify.advice.option"],
  [/^Task '[^']+' not found in /, "verify.advice.option"],
  [/Cannot find (?:module|package) ['"]([^'"]+)['"]/, "verify.advice.install"],
  [/^E? *(?:\S+: )?(?:ModuleNotFoundError: )?No module named '?([\w.]+)'?$/, "verify.advice.install"],
  [/no required module provides package ([^\s;]+)/, "verify.advice.install"],
  [/missing go\.sum entry for module providing package (\S+)/, "verify.advice.install"],
  [/no matching package named `([^`]+)` found/, "verify.advice.install"],
  [/^error: failed to (?:get|load source for dependency|download) `([^`\s]+)/, "verify.advice.install"],
  [/the artifact (\S+) has not been downloaded|Could not find artifact (\S+)/, "verify.advice.install"],
  [/Could not resolve dependencies for project|Non-resolvable parent POM/, "verify.advice.install"],
  [/^> Could not (?:find|resolve) (\S+)|Plugin \[id: '([^']+)'.*was not found/, "verify.advice.install"],
  [/Could not resolve all (?:files|dependencies|artifacts) for configuration/, "verify.advice.install"],
  [/Plugin (\S+) or one of its dependencies could not be resolved/, "verify.advice.install"],
  [/node_modules missing/, "verify.advice.install"],
  [/ENOTFOUND|EAI_AGAIN|ENETUNREACH|Temporary failure in name resolution/, "verify.advice.network"],
  [/Network is unreachable|Could not resolve host|dial tcp|[Uu]nknown host|getaddrinfo/, "verify.advice.network"],
  [/in offline mode|UnknownHostException/, "verify.advice.network"],
  [/Read-only file system|EROFS|Operation not permitted|\bEPERM\b/, "verify.advice.denied"],
  [/Permission denied|\bEACCES\b/, "verify.advice.denied"],
  [/No space left on device|ENOSPC|heap out of memory|OutOfMemoryError/, "verify.advice.resources"],
  [/Cannot allocate memory|^Killed$/, "verify.advice.resources"],
  [/JAVA_HOME is (?:not set|set to an invalid)|Unsupported class file major version/, "verify.advice.toolchain"],
  [/invalid (?:target|source) release|release version \d+ not supported/, "verify.advice.toolchain"],
  [/requires rustc \d|go\.mod requires go|Unsupported engine|The engine "node" is/, "verify.advice.toolchain"],
  // npm, when its own project files contradict one another.
  [/^Exit prior to config file resolving$/, "verify.advice.config"],
  [/ESLint couldn't find|● Validation Error|INTERNALERROR>|[Ff]ailed to load config/, "verify.advice.config"],
  [/^error TS(?:5\d{3}|6\d{3}|18003):|^Oops! Something went wrong!/, "verify.advice.config"],
];

const edge = 500;

/** Searches both ends of the output: the reason why a runner did not run stands at one of them. */
export function troubleIn(output: string, exitCode: number | null, project: Project): RunTrouble | null {
  const trimmed = [...linesOf(endsOf(output, edge * 200))].map((line) => line.trim());
  // A line of source code that happens to contain the words is not a message.
  const all = trimmed.filter((line) => line !== "" && line.length <= 2000 && !line.startsWith("throw "));
  const lines = all.length <= 2 * edge ? all : [...all.slice(0, edge), ...all.slice(-edge)];
  for (const [pattern, advice] of rules) {
    for (const line of lines) {
      const match = pattern.exec(line);
      if (match === null) continue;
      const what = match.slice(1).find((group) => group !== undefined) ?? "";
      const missing = advice === "verify.advice.install" ? missingIn(line) : null;
      if (missing !== null && isOwn(missing, project)) continue;
      return { line: plain(line), what, advice };
    }
  }
  if (exitCode === 127) return { line: "exit code 127", what: "", advice: "verify.advice.install_runner" };
  if (exitCode === 126) return { line: "exit code 126", what: "", advice: "verify.advice.denied" };
  return null;
}

function plain(line: string): string {
  return line
    .replace(/^\[ERROR\] /, "")
    .replace(/ -> \[Help 1\]$/, "")
    .slice(0, 300);
}

const denied =
  /EROFS|Read-only file system|\bEPERM\b|Operation not permitted|\bEACCES\b|Permission denied|EAI_AGAIN|ENOTFOUND|ENETUNREACH|Network is unreachable|Temporary failure in name resolution/;

/** The sandbox caused the failure. */
export function isDenied(error: string): boolean {
  return denied.test(error);
}

import { phrase } from "../../../contract/text/catalogue.ts";
import { anyOf, isQuestion, mayBeOption, pathOf } from "../arguments.ts";
import { takeOptions } from "../options.ts";
import { isKnownText } from "../verdict/found.ts";
import type { Word } from "../verdict/judgement.ts";
import { cut } from "../verdict/tally.ts";
import { type Handled, refused } from "../wrapper/handled.ts";
import { awkProblem } from "./awk-program.ts";

const assignment = /^[A-Za-z_][A-Za-z0-9_]*=/;
// gawk takes these names for network connections.
const connection = /^\/inet[46]?\//;

/** Without -f, -i, -l, -e, -E: they add programs. After the program there are only files and assignments, whatever they begin with. */
export function judgeAwk(name: string, args: readonly Word[]): Handled {
  if (isQuestion(args)) return { problems: [] };
  const options = takeOptions(args, { valued: "Fv" });
  const program = options?.rest[0];
  if (!options || program === undefined) return refused(phrase("shell.option", { program: name, part: firstOf(args) }));
  for (const [option, value] of options.given) {
    const isFine = option === "F" ? value?.kind === "literal" || value?.kind === "one" : isAssignment(value);
    if (!isFine) return refused(phrase("shell.value", { program: name, part: cut(`-${option} ${value?.text ?? ""}`) }));
  }
  if (!isKnownText(program)) return refused(phrase("shell.awk.program", { part: cut(program.text) }));
  const problem = awkProblem(program.value);
  if (problem !== null) return refused(phrase("shell.awk.program", { part: cut(problem) }));
  const files = options.rest.slice(1).filter((word) => !isAssignment(word));
  const reads = files.map((word) => pathOf(word) ?? anyOf(word));
  const open = files.find((word) => pathOf(word) === null && !isFile(word));
  if (open) return refused(phrase("shell.unknown_path", { part: cut(open.text) }));
  const socket = reads.find(({ path }) => connection.test(path));
  if (socket) return refused(phrase("shell.network", { part: cut(socket.path) }));
  return { problems: [], reads };
}

/** Certainly a file, neither an assignment nor a connection. */
function isFile(word: Word): boolean {
  return word.kind === "one" && /^(?:\.{1,2}\/|\/dev\/fd\/|\.?[A-Za-z0-9_-]+\/)/.test(word.start);
}

/** Assigning ARGC or ARGV would name other files to read. */
function isAssignment(word: Word | null): boolean {
  const text = word?.kind === "literal" ? word.value : word?.kind === "one" ? word.start : "";
  return assignment.test(text) && !/^ARG[CV]=/.test(text);
}

function firstOf(args: readonly Word[]): string {
  return cut(args.find(mayBeOption)?.text ?? "");
}

// Rules about paths, as a person writes them: what one keeps must not be opened, and what one opens to writing is all that is written.
import { parseRule } from "../../src/config/permission/permission-text.ts";
import type { PermissionRule } from "../../src/contract/permission.ts";
import type { Traced } from "../../test/support/strace.ts";
import { readers } from "./pieces.ts";
import type { Random } from "./random.ts";
import type { RuleCase } from "./rule-lines.ts";
import { mutated } from "./shell-lines.ts";

/** Below the workspace: the file that rules are about. */
export const keptFile = "sub/c.txt";

export function written(decision: PermissionRule["decision"], text: string): PermissionRule {
  const parsed = parseRule(text, `--${decision}`);
  if ("problem" in parsed) throw new Error(JSON.stringify(parsed.problem));
  return { decision, source: `--${decision}`, by: "person", ...parsed.value };
}

const keeping = ["sub/**", "sub/", "sub/c.txt", "**/c.txt", "sub/*.txt", "s*/c.txt", "s?b/**", "**/*c*", "./sub/c.txt"];

/** Other spellings of the same place, and of places that hold it. */
const places = [
  ...["sub/c.txt", "./sub/c.txt", "sub//c.txt", "sub/./c.txt", "sub/../sub/c.txt", "src/../sub/c.txt", "sub/c.t*"],
  ...["*/c.txt", "s*/*", "s??/c.txt", "[s]ub/c.txt", "{sub,src}/c.txt", "su'b'/c.txt", "sub/c.\\txt", "sub", ".", "s*"],
  ...['"sub/c.txt"', "'sub'/c.txt", "$'sub/c.txt'", "sub/[!x].txt", "{.,sub}/{c,a}.txt", "sub/{c..d}.txt", "**/c.txt"],
  ...[
    "~+/sub/c.txt",
    "./s*",
    "./[s]ub",
    "a.txt",
    "b.txt",
    "src",
    "link/../ws/sub/c.txt",
    "/proc/self/cwd/sub/c.txt",
    "a.json",
  ],
];
const programs = [
  ...["cat", "head -n 1", "tail -c 5", "grep -r .", "grep -n a", "sort", "wc", "diff a.txt", "sed -n p", "awk 1", "nl"],
  ...["od -c", "md5sum", "file", "cut -c1", "tac", "cmp a.txt", "rev", "base64", "uniq", "find", "ls", "git diff --"],
  ...["cp -t src", "tar cf /dev/null", "install -t src", "dd if=a.txt of=/dev/null", "paste", "join a.txt", "zcat -f"],
];
const frames: readonly ((line: string, place: string) => string)[] = [
  (line) => line,
  (line) => `cd sub && ${line}`,
  (line) => `cd src && ${line.replace("sub", "../sub")}`,
  (_, place) => `cat < ${place}`,
  (_, place) => `while read x; do echo; done < ${place}`,
  (_, place) => `for f in ${place}; do cat "$f"; done`,
  (_, place) => `find ${place} -type f -exec cat {} +`,
  (_, place) => `find ${place} -type f -print0 | xargs -0 cat`,
  (line) => `bash -c "${line.replace(/["$\\]/g, "")}"`,
  (line) => `${line} | head -n 1`,
  (line) => `{ ${line}; } 2>/dev/null`,
  () => "cat c.txt || cd sub && cat c.txt",
];

export function keptCase(random: Random): RuleCase {
  const place = random.pick(places);
  const line = random.pick(frames)(`${random.pick(programs)} ${place}`, place);
  const rules = [written("deny", `read(${random.pick(keeping)})`)];
  return { line: random.chance(30) ? mutated(random, [line, ...readers]) : line, rules };
}

export function isKeptOpened(_: RuleCase, { effects }: Traced): boolean {
  return effects.some((one) => one.endsWith(`/${keptFile}>`));
}

const opening = ["sub/**", "sub/", "sub/*", "sub/*.txt", "sub/?.txt", "**/sub/*"];
const targets = [
  ...["sub/new.txt", "sub/../PWN.txt", "sub/x/../../PWN.txt", "PWN.txt", "sub/PWN/x.txt", "sub.txt", "./sub/n.txt"],
  ...[
    "sub/*.txt",
    "sub/{a,../b}.txt",
    "link/PWN.txt",
    "sub/$x",
    "'sub/a b.txt'",
    "sub/.env",
    "SUB/a.txt",
    "sub\\/a.txt",
  ],
  ...["sub/link/x.txt", "/tmp/PWN.txt", "sub//b.txt", "sub/.git", "src/a.txt", "-", "&2", "sub/a.txt/../../PWN.txt"],
];

export function openedCase(random: Random): RuleCase {
  const operator = random.pick([">", ">>", ">|", "&>", ">&", "1>", "2>", "<>", "&>>"]);
  const line = `${random.pick(readers)} ${operator}${random.pick(["", " "])}${random.pick(targets)}`;
  const rules = [written("allow", `write(${random.pick(opening)})`), ...readersAllowed];
  return { line: random.chance(30) ? mutated(random, [line]) : line, rules };
}

/** What else the lines need is allowed, to the letter of their programs: of those that write nowhere by themselves, as `sort -o` does. */
const readersAllowed = ["cat", "echo", "ls", "grep", "wc"].map((one) => written("allow", `bash(${one} *)`));

export function isWrittenElsewhere(_: RuleCase, { effects }: Traced): boolean {
  return effects.some((one) => {
    const opened = /= \d+<(.*)>$/.exec(one)?.[1];
    return opened === undefined ? !/= -1 /.test(one) && !/= \?/.test(one) : !/\/ws\/sub\/[^/]/.test(opened);
  });
}

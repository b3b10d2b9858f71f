import { expect, test } from "bun:test";
import fc from "fast-check";
import { judgeCommand } from "../../../src/policy/command.ts";
import type { SimpleCommand } from "../../../src/policy/shell/verdict/judgement.ts";
import { cpuMs } from "../../support/cpu.ts";
import { cases } from "./cases.ts";
import { facts } from "./facts.ts";

const safeLeaf = fc.constantFrom(
  ...["ls -la", "cat a", "echo hi 'there; rm a'", "head -n 5 a", "wc -l a b", "find . -name '*.ts'", "grep -n x a"],
  ...["sed -n 1,5p a", "awk '{print $1}' a", "true", "find . -type f -exec cat {} +", "echo a *", "[ -f a ]"],
  ...["find . -type f -print0 | xargs -0 grep x", "test -d src", "ls {a,b} 2>/dev/null", "sort a | uniq -c", "pwd"],
);

/** Each is unsafe however it is put in. */
const unsafeLeaf = fc.constantFrom(
  ...["rm a", "touch b", "find . -delete", "sed -i p a", "awk 'BEGIN{system(\"x\")}'", "curl x", "tee f", "npm test"],
  ...[
    "./run",
    "sort -o a a",
    "git push",
    "ls > b",
    "PATH=b ls",
    "python3 -c 1",
    "kill 1",
    "echo $(rm a)",
    "echo `rm a`",
  ],
  ...["find . -exec rm {} +", "ls | xargs rm", "cat <(rm a)", "ls &", "f() { ls; }", "eval ls", "sudo ls", "$x a"],
  ...[
    "export PATH=b",
    "source a",
    "cat < /dev/tcp/h/1",
    "[[ x -eq y ]]",
    `echo $\u007bx@P}`,
    "nohup ls",
    "sh -c ls",
    "ls >& b",
  ],
);

const quoted = (script: string) => `'${script.replaceAll("'", "'\\''")}'`;

/** Ways to put a command into a larger one without changing what it is. */
const frames: readonly ((inner: string, other: string) => string)[] = [
  (inner, other) => `${other}; ${inner}`,
  (inner, other) => `${inner}\n${other}`,
  (inner, other) => `${other} && ${inner}`,
  (inner, other) => `${other} || ${inner}`,
  (inner, other) => `${other} | { ${inner}\n}`,
  (inner, other) => `{ ${inner}\n} | ${other}`,
  (inner) => `(${inner}\n)`,
  (inner) => `{ ${inner}\n}`,
  (inner) => `! { ${inner}\n}`,
  (inner) => `time { ${inner}\n}`,
  (inner, other) => `if ${other}; then ${inner}\nfi`,
  (inner, other) => `if ${inner}\nthen ${other}; fi`,
  (inner, other) => `if ${other}; then ${other}; else ${inner}\nfi`,
  (inner) => `for f in a "b c" d; do ${inner}\ndone`,
  (inner, other) => `while ${other}; do ${inner}\nbreak; done`,
  (inner, other) => `until ${inner}\ndo ${other}; break; done`,
  (inner) => `case a in a | b) ${inner}\n;; esac`,
  (inner, other) => `case a in b) ${other};; *) ${inner}\nesac`,
  (inner) => `bash -c ${quoted(inner)}`,
  (inner) => `timeout 5 bash -c ${quoted(inner)}`,
  // Within the text find would put names into the script.
  (inner) => (inner.includes("{}") ? inner : `find . -exec bash -c ${quoted(inner)} \\;`),
  (inner) => `{ ${inner}\n} 2>&1 >/dev/null`,
  (inner) => `cat <<'E'\n$(x)\nE\n${inner}`,
  (inner) => `  ${inner} # ls`,
  (inner, other) => `${other} \\\n && { \\\n ${inner}\n}`,
];
const frame = fc.tuple(fc.constantFrom(...frames), safeLeaf);

function framed(leaf: string, around: readonly (readonly [(typeof frames)[number], string])[]): string {
  return around.reduce((inner, [put, other]) => put(inner, other), leaf);
}

const around = fc.array(frame, { maxLength: 4 });

test("[PO-4] [SA-any-position] one unsafe part anywhere makes the whole not read-only", () => {
  fc.assert(
    fc.property(unsafeLeaf, around, (leaf, frames) => {
      const command = framed(leaf, frames);
      const judged = judgeCommand(command, facts);
      expect([command, judged.isReadOnly, judged.reasons.length > 0]).toEqual([command, false, true]);
    }),
    cases(),
  );
});

test("[PO-4] safe parts in any of these positions stay read-only", () => {
  fc.assert(
    fc.property(safeLeaf, around, (leaf, frames) => {
      const command = framed(leaf, frames);
      const judged = judgeCommand(command, facts);
      expect([command, judged.isReadOnly, judged.reasons]).toEqual([command, true, []]);
    }),
    cases(),
  );
});

/** Other spellings of the same word. */
const spellings: readonly ((word: string) => string)[] = [
  (word) => word,
  (word) => `"${word}"`,
  (word) => `'${word}'`,
  (word) => `$'${word}'`,
  (word) => `\\${word}`,
  (word) => `${word[0]}""${word.slice(1)}`,
  (word) => `${word[0]}\\\n${word.slice(1)}`,
  (word) => `$'\\x${word.charCodeAt(0).toString(16)}'${word.slice(1)}`,
  (word) => `{${word},}`,
];
const wrappers: readonly ((command: string) => string)[] = [
  (command) => `sudo -u me ${command}`,
  (command) => `env A=b ${command}`,
  (command) => `nohup ${command}`,
  (command) => `nice -n 5 ${command}`,
  (command) => `timeout -s KILL 5 ${command}`,
  (command) => `xargs -0 -n 1 ${command}`,
  (command) => `command -p ${command}`,
  (command) => `exec ${command}`,
  (command) => `find . -name x -exec ${command} \\;`,
  (command) => `bash -lc ${quoted(command)}`,
  (command) => `sh -c ${quoted(command)}`,
  (command) => `eval ${quoted(command)}`,
  (command) => `busybox ${command}`,
  (command) => `setsid -w ${command}`,
  (command) => `watch -n 5 ${quoted(command)}`,
  (command) => `su me -c ${quoted(command)}`,
];
const holders: readonly ((command: string) => string)[] = [
  (command) => command,
  (command) => `$(${command})`,
  (command) => `echo "\${x:-$(${command})}"`,
  (command) => `f() { ${command}; }`,
  (command) => `echo $((a[$(${command})]))`,
  (command) => `cat <<E\n$(${command})\nE`,
  (command) => `[[ $(${command}) ]]`,
  (command) => `echo [$(${command})]`,
  (command) => `echo $"$(${command})"`,
  (command) => `a[$(${command})]=b`,
  (command) => `select x in $(${command}); do ls; done`,
  (command) => `echo {a,$(${command})}`,
  (command) => `for ((i=$(${command});;)); do ls; done`,
  (command) => `bash <<'E'\n${command}\nE`,
  (command) => `cat <(${command})`,
  (command) => `ls >$(${command})`,
  (command) => `A=$(${command}) ls`,
];

test("[PO-4, PO-5] [SA-deny-first-word] a destructive command is among the commands however it is spelled and wrapped", () => {
  const spelled = fc.constantFrom(...spellings).map((spell) => `${spell("rm")} -rf 'a b'`);
  const wrapped = fc.array(fc.constantFrom(...wrappers), { maxLength: 3 });
  fc.assert(
    fc.property(spelled, wrapped, fc.constantFrom(...holders), around, (leaf, wrap, hold, frames) => {
      const command = framed(hold(wrap.reduce((inner, put) => put(inner), leaf)), frames);
      const { commands, always, isReadOnly } = judgeCommand(command, facts);
      const isRm = ({ words }: SimpleCommand) =>
        ["rm", "-rf"].every((value, at) => words[at]?.kind === "literal" && words[at].value === value);
      const asked = always.some((one) => one.command !== null && isRm(one.command));
      expect([command, isReadOnly, commands.some(isRm), asked]).toEqual([command, false, true, true]);
    }),
    cases(),
  );
});

const noise = fc.oneof(
  fc.string({ maxLength: 60 }),
  fc.string({ unit: "binary", maxLength: 40 }),
  fc
    .array(
      fc.constantFrom(
        ..."(){}[]<>|&;$`'\"\\\n #*?~!=+-,.aE/0@^%:".split(""),
        "<<E",
        "$((",
        "[[",
        "${",
        "for ",
        " do ",
        "find ",
      ),
      {
        maxLength: 60,
      },
    )
    .map((parts) => parts.join("")),
);

test("[PO-4] any text is judged without failing, and soon", async () => {
  await fc.assert(
    fc.asyncProperty(noise, async (command) => {
      const judge = (): void =>
        expect(judgeCommand(command, facts).reasons.filter(({ key }) => key === "shell.failed")).toEqual([]);
      expect(await cpuMs(judge)).toBeLessThan(2_000);
    }),
    cases(),
  );
});

const fill = (part: string, length = 30_000) => part.repeat(Math.floor(length / part.length));
const huge = [
  ...[fill("("), fill("$("), `echo ${fill("$(echo ", 25_000)}${fill(")", 3_500)}`, `echo ${fill("{a,b}")}`, fill("`")],
  ...[
    fill("for f in a b c d; do ", 5000) + fill("; done", 1500),
    fill("ls;"),
    fill("ls|"),
    fill("cd a&&"),
    fill("cat <<E\n"),
  ],
  ...[`echo $((${fill("(")}`, `echo ${fill("${x:-")}`, `[[ ${fill("! ")}a ]]`, `[[ ${fill("( ")}`, `ls ${fill("a ")}`],
  ...[
    `sed '${fill("{")}'`,
    `awk '${fill("(")}'`,
    `awk '/${fill("[a")}'`,
    `find . ${fill("\\( ")}`,
    `find . ${fill("! ")}`,
  ],
  ...[
    `find . ${fill("-exec ls ")}`,
    `${fill("command ")}ls`,
    `${fill("sudo ")}ls`,
    fill("bash -c "),
    `find . -name ${fill("*a")}`,
  ],
  ...[
    fill("case a in a) "),
    fill("f() {"),
    `echo ${fill("\\")}`,
    fill("a="),
    `ls${fill(" >a")}`,
    fill("while read x; do "),
  ],
  "for a in {1..60}; do for b in {1..60}; do for c in {1..60}; do cat $a$b$c; done; done; done",
  `for a in {1..60}; do for b in {1..60}; do ls ${fill("a ")}; done; done`,
  `for a in {1..60}; do ls ${fill("{1..60} ")}; done`,
  ...[`echo ${fill("`")}`, `git show ${fill("a:")}`, `${fill("timeout --odd ")}ls`],
];

test("[PO-4] [SA-budget] huge and deep commands are judged within bounds, and hide nothing that stands behind them", async () => {
  for (const command of huge) {
    let isReadOnly = true;
    const ms = await cpuMs(() => {
      ({ isReadOnly } = judgeCommand(`${command}\nrm a`, facts));
    });
    expect([command.slice(0, 30), isReadOnly, ms < 5_000]).toEqual([command.slice(0, 30), false, true]);
  }
}, 120_000);

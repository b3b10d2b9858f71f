import { expect, test } from "bun:test";
import { say } from "../../../../src/contract/text/catalogue.ts";
import { judgeCommand } from "../../../../src/policy/command.ts";
import { facts } from "../facts.ts";

const judge = (command: string) => judgeCommand(command, facts);
const pathsOf = (command: string) =>
  judge(command).reads.map(({ path, isGlob, isDeep, isFile, tracked, isChangedOnly }) => {
    const kept = tracked ? ` (${isChangedOnly ? "changed" : "kept"} ${tracked.join(" ")})` : "";
    return `${path}${isGlob ? " (glob)" : ""}${isDeep ? " (deep)" : ""}${isFile ? " (file)" : ""}${kept}`;
  });

const reads: readonly (readonly [command: string, ...paths: readonly string[]])[] = [
  ["cat a 'b c' d\\ e", "a", "b c", "d e"],
  ["cat < a", "a"],
  ["ls *.ts src/[ab]*", "*.ts (glob)", "src/[ab]* (glob)"],
  ["cat ~/x '~/x'", "~/x", "./~/x"],
  ["echo /etc/* *", "/etc/* (glob)"],
  ['for f in /etc/*; do echo "$f"; done', "/etc/* (glob)"],
  ["[[ -f a && b -nt c ]]", "a", "b", "c"],
  ["for f in a b; do cat $f; done", "a", "b"],
  ['for f in *.ts; do wc -l "$f" "./$f"; done', "*.ts (glob)", "./*.ts (glob)"],
  ["cat {a,b}/c", "a/c", "b/c"],
  ["find src test -newer x", "src", "test", "x"],
  ["find", "."],
  ["find . -name .env -type f -exec cat {} +", ".", "./.env", ". (deep)"],
  ["find src -name '*.pem' -type f -print0 | xargs -0 cat", "src", "src/*.pem", "src (deep)"],
  ["find . -name .env -exec ls -l {} +", "."],
  ["find -type f -exec cat {} +", ".", ". (deep)"],
  ["find src/* -type f -exec cat {} +", "src/* (glob)", "src/* (glob) (deep)"],
  ["find a b/* -type f -exec cat {} +", "a", "b/* (glob)", "a (deep)", "b/* (glob) (deep)"],
  ["find a b -type f -print0 | xargs -0 cat", "a", "b", "a (deep)", "b (deep)"],
  // What reads whole folders does so however it was told, and where no folder is given, here.
  ["grep '-r' x a", "a (deep)"],
  ["grep \\-r x a", "a (deep)"],
  ["for o in -r; do grep $o x a; done", "a (deep)"],
  ["grep -r -f a", "a", ". (deep)"],
  ["grep -r --exclude-from=a x", "a", ". (deep)"],
  ["rg -f a", "a", ". (deep)"],
  ["git grep x", ". (deep)", ". (kept )"],
  ["git grep --untracked x a", "a (deep)", ". (kept a)"],
  ["git grep x HEAD:src", "HEAD:src (deep)", "src (deep)", ". (kept HEAD:src)"],
  ["git grep -e x HEAD -- a", "HEAD (deep)", "a (deep)", ". (kept a)"],
  ["git show :0:id_rsa", ":0:id_rsa", "0:id_rsa", "id_rsa", ". (kept :0:id_rsa)"],
  ["git show 'HEAD^{/a:b}:id_rsa'", ...["HEAD^{/a:b}:id_rsa", "b}:id_rsa", "id_rsa", ". (kept HEAD^{/a:b}:id_rsa)"]],
  // What git keeps of a file is shown, unless only names are.
  ["git diff", ". (changed )"],
  ["git diff -- a", "a", ". (changed a)"],
  ["git diff HEAD -- a", "HEAD", "a", ". (kept a)"],
  ["git diff HEAD --", "HEAD", ". (kept )"],
  ["git diff --cached a", "a", ". (kept a)"],
  ["git diff --stat HEAD", "HEAD"],
  ["git diff --name-only -p", ". (changed )"],
  ["git diff -S --stat", ". (changed )"],
  ["git diff '--stat'"],
  ["git show", ". (kept )"],
  ["git show -s HEAD", "HEAD"],
  ["git show HEAD:a", "HEAD:a", "a"],
  ["git show HEAD HEAD:a", "HEAD", "HEAD:a", "a", ". (kept HEAD HEAD:a)"],
  ["git log --oneline a", "a"],
  ["git log -3 '-p' a", "a", ". (kept a)"],
  ["git log -U1", ". (kept )"],
  ["git log -p --full-diff -- a", "a", ". (kept )"],
  ["git stash list -p", ". (kept )"],
  ["git stash show"],
  ["git stash show -p 1", ". (kept )"],
  ["git blame a", "a", ". (kept a)"],
  ["git status -sb"],
  ["git status -vs", ". (kept )"],
  ["git cat-file -t abc", "abc"],
  ["git cat-file -p abc", "abc", ". (kept )"],
  ["git cat-file blob HEAD:a", "blob", "HEAD:a", "a"],
  ["git log -- ':(top,icase)id_rsa'", ":(top,icase)id_rsa", "id_rsa"],
  // Names that a program tries in the place of the one it is given.
  ["gzip -dc a", "a", "a.gz", "a.z", "a-z", "a-gz", "a_z", "a.Z"],
  ["unzip -p 'a*' b", "a* (glob)", "a*.zip (glob)", "a*.ZIP (glob)"],
  ["zipinfo a", "a (glob)", "a.zip (glob)", "a.ZIP (glob)"],
  ["od -w 16", "16"],
  ["diff a b", "a (file)", "b (file)"],
  ["sed -n p a b", "a", "b"],
  ["sed -e p 'w x'", "w x"],
  ["sed --expression=p a", "a"],
  ["awk 1 FS=: a", "a"],
  ["sed --version && awk --version && jq --help"],
  ["date +%s -d yesterday"],
  ["date -Iseconds; date -uI; od -w1 a", "a"],
  // A tail option is the name of a file where options end at the first operand.
  ["ls src -la", "-la", "src"],
  ["cut -c1- a -d .env", "-d", ".env", "a"],
  ["sort a -k 2 -t, b", "-k", "2", "-t,", "a", "b"],
  ["rg x src -g '!.env'", "src (deep)"],
  ["fd x src -E .env", "src"],
  ["cd src && cat a ../b /c", "src", "src/a", "src/../b", "/c"],
  ["cd src && cat *.ts", "src", "src/*.ts (glob)"],
  ["cd 'a*' && cat *.ts", "a*", "a\\*/*.ts (glob)"],
  ["cd a && cd b && cat c", "a", "a/b", "a/b/c"],
  ["cd a/ && cd b && cat c", "a/", "a/b", "a/b/c"],
  ["cd a && cd /b && cat c", "a", "/b", "/b/c"],
  // Behind a link the shell goes back by the name, and programs by the folder.
  ["cd a && cd .. && cat ../b", "a", "a/..", "a/../../b", "../b"],
  ["cd a/.. && cat ../b", "a/..", "a/../../b", "../b"],
  ["cd /a/.. && cat b", "/a/..", "/a/../b", "/b"],
  ["cd ~/a/./.. && cat b", "~/a/./..", "~/a/./../b", "~/b"],
  ["cd .. && cat b", "..", "../b"],
  ["! cd a; cat b", "a", "b", "a/b"],
  ["cd a; cat b", "a", "b", "a/b"],
  ["cd a || cat b", "a", "b", "a/b"],
  ["cd a || cd b && cat c", "a", "b", "a/b", "c", "a/c", "b/c", "a/b/c"],
  ["true || cd a && cat b", "a", "b", "a/b"],
  ["true && cd a && cat b", "a", "a/b"],
  ["(cd a && cat b); cat c", "a", "a/b", "c"],
  ["cd a && cat b; cat c", "a", "a/b", "c", "a/c"],
  ["{ cd a; } && cat b", "a", "b", "a/b"],
  ["command cd a && cat b", "a", "b", "a/b"],
  ["cd a | cat b", "a", "b"],
  ["if cd a; then cat b; fi; cat c", "a", "b", "a/b", "c", "a/c"],
  ["bash -c 'cd a && cat b'; cat c", "a", "a/b", "c"],
];

test.each(reads)(
  "[PO-4, PO-7] [SA-cd-shift] %p hands out the paths it reads, from where it began",
  (command, ...paths) => {
    expect([judge(command).isReadOnly, pathsOf(command)]).toEqual([true, [...paths]]);
  },
);

test("[PO-4] [SA-cd-shift] a folder that is known only when the command runs is asked about", () => {
  const lines = [
    "cd",
    "cd -",
    "cd $x && ls",
    "cd a b",
    "cd *",
    "cd -P a",
    "for d in a b; do cd $d; done",
    "pushd +1",
    "popd",
  ];
  const far = ["cd a; cd b; cd c; cd d; ls", "while cd a; do ls; done", "cd ''"];
  expect([...lines, ...far].filter((line) => judge(line).isReadOnly)).toEqual([]);
});

test("[PO-5] a redirection that writes tells where, and whether the old content is lost", () => {
  const { writes, isReadOnly, isWhole, reasons } = judge("cd d && ls > a 2>> b && cat x >| c <> e &> f >& g");
  expect(writes).toEqual([
    { path: "d/a", isGlob: false, overwrites: true },
    { path: "d/b", isGlob: false, overwrites: false },
    { path: "d/c", isGlob: false, overwrites: true },
    { path: "d/e", isGlob: false, overwrites: false },
    { path: "d/f", isGlob: false, overwrites: true },
    { path: "d/g", isGlob: false, overwrites: true },
  ]);
  expect([isReadOnly, isWhole, reasons[0]]).toEqual([false, true, { key: "shell.write", args: { part: "> a" } }]);
});

const always: readonly (readonly [command: string, ...reasons: readonly (readonly [key: string, argv: unknown])[]])[] =
  [
    ["echo $(npm test)", ["shell.substitution", null]],
    ["npm test <(id)", ["shell.substitution", null]],
    ["echo $(id)", ...[]],
    ["ls )", ["shell.syntax", null]],
    ["echo 'a", ["shell.syntax", null]],
    ["ls > $x", ["shell.write_unknown", null]],
    ["cat < /dev/tcp/h/1", ["shell.network", null]],
    ["ls\r", ["shell.character", null]],
    ["rm -rf a", ["shell.destructive", ["rm", "-rf", "a"]]],
    ["/bin/RM a", ["shell.destructive", ["/bin/RM", "a"]]],
    ["sudo rm a && mkfs.ext4 b", ["shell.destructive", ["rm", "a"]], ["shell.destructive", ["mkfs.ext4", "b"]]],
    ["cat < $x", ...[]],
    ["trap 'rm a' EXIT", ["shell.destructive", ["rm", "a"]]],
    ["eval rm a", ["shell.destructive", ["rm", "a"]]],
    ['eval "rm -rf $x"', ["shell.destructive", ["rm", "-rf"]]],
    ['eval rm -rf "$x"', ["shell.destructive", ["rm", "-rf"]]],
    ["bash -o pipefail -c 'rm a'", ["shell.destructive", ["rm", "a"]]],
    ["bash --rcfile x -c 'rm a'", ["shell.destructive", ["rm", "a"]]],
    ["sudo --odd rm a", ["shell.destructive", ["rm", "a"]]],
    ["xargs --odd rm a", ["shell.destructive", ["rm", "a"]]],
    ["find . -delete", ["shell.destructive", ["find", ".", "-delete"]]],
    [
      String.raw`find . -fprint x -exec rm {} \; -delete`,
      ["shell.destructive", [..."find . -fprint x -exec rm {} ; -delete".split(" ")]],
      ["shell.destructive", null],
    ],
    [
      "mv a b; chmod 1 a; dd of=a",
      ["shell.destructive", ["mv", "a", "b"]],
      ["shell.destructive", ["chmod", "1", "a"]],
      ["shell.destructive", ["dd", "of=a"]],
    ],
    ["ls", ...[]],
    ["npm test", ...[]],
    ["ls > a", ...[]],
    ["kill -l", ...[]],
  ];

test.each(always)(
  "[PO-5] %p is asked about whatever the rules say, but for a rule that names it exactly",
  (command, ...expected) => {
    expect(judge(command).always.map(({ reason, command: one }) => [reason.key, one?.argv ?? null])).toEqual([
      ...expected,
    ] as never);
  },
);

test("[PO-4] [SA-deny-first-word] commands are handed out with what they came through, wrappers first", () => {
  const seen = (command: string) =>
    judge(command).commands.map(({ through, text, argv, isReadOnly }) => [through.join(" "), text, argv, isReadOnly]);
  expect(seen("ls -l && sudo -u me env A=b npm test")).toEqual([
    ["", "ls -l", ["ls", "-l"], true],
    ["", "sudo -u me env A=b npm test", ["sudo", "-u", "me", "env", "A=b", "npm", "test"], false],
    ["sudo", "env A=b npm test", ["env", "A=b", "npm", "test"], false],
    ["sudo env", "npm test", ["npm", "test"], false],
  ]);
  expect(seen("find . -exec rm {} + | xargs -0 sh -c 'mv \"$1\" b' x")).toEqual([
    ["", "find . -exec rm {} +", ["find", ".", "-exec", "rm", "{}", "+"], true],
    ["find", "rm {}", null, false],
    ["", "xargs -0 sh -c 'mv \"$1\" b' x", ["xargs", "-0", "sh", "-c", 'mv "$1" b', "x"], true],
    ["xargs", "sh -c 'mv \"$1\" b' x {}", null, false],
    ["xargs sh", 'mv "$1" b', null, false],
  ]);
  expect(seen("bash <<E\nmv a b\nE")).toEqual([
    ["", "bash <<E", ["bash"], false],
    ["bash", "mv a b", ["mv", "a", "b"], false],
  ]);
  expect(seen('rm "$x" ~/a')).toEqual([["", 'rm "$x" ~/a', null, false]]);
});

const notWhole = [
  ...[
    "$x a",
    "A=b npm test",
    "A=b",
    "f() { ls; }",
    "eval ls",
    "trap ls EXIT",
    "eval $x",
    "bash -c $x",
    "env -S 'ls'",
    "sudo --odd ls",
  ],
  ...[
    "echo $((x))",
    "echo $((-x))",
    "echo $((1+x))",
    "[[ x -eq y ]]",
    `echo $\u007bx:=y}`,
    "for PATH in a; do ls; done",
    "read PATH",
    "ls )",
  ],
  ...[
    "find . $x",
    "find . -exec rm",
    "xargs --odd rm",
    "cd $x && npm test",
    "coproc ls",
    "ls >&5",
    "ls {fd}>a",
    "ls @(a|b)",
  ],
  ...[
    "declare A=b",
    "for ((;;)); do ls; done",
    "select x in a; do ls; done",
    "cat <<E",
    "",
    "ls\r",
    "a".repeat(70_000),
  ],
];
const whole = [
  ...[
    "npm test",
    "npm test > log",
    "npm test &",
    "ls; rm a",
    "sudo npm test",
    "timeout 5 npm test",
    "bash -c 'npm test'",
  ],
  ...[
    "cd a && npm test",
    "find . -delete",
    "for f in a; do npm test; done",
    "echo $(id)",
    "cat $x",
    "ls {a,$x}",
    "npm test 2>&1 | tail",
  ],
];

test("[PO-3, PO-4] a command that was not understood, or changes what others mean, is not whole: no allow rule can hold", () => {
  expect(notWhole.filter((command) => judge(command).isWhole)).toEqual([]);
  expect(whole.filter((command) => !judge(command).isWhole)).toEqual([]);
});

const named: readonly (readonly [command: string, reason: string])[] = [
  ["ls && frobnicate a", "frobnicate may change things"],
  ["ls | sort -o x a", "sort may change things with the option -o"],
  ["cat *$x < a$y > b", "> b writes a file"],
  ["$x a", "the program $x is only resolved when the command runs"],
  ["echo a$(id)b >> c", "$(id) runs a command inside the command"],
  ["A=b npm test", "A=b sets a variable, which may change what the commands do"],
  ["ls >> a", ">> a writes a file"],
  ["sed -n '1p;w x' a", "the sed script does more than print, or coder cannot read it, at w x"],
  ["awk '{print > \"x\"}' a", 'the awk program does more than print, or coder cannot read it, at > "x"}'],
  ["ls @(a|b)", "coder cannot tell what @(a|b) does"],
  ["cd $x", "cannot tell in advance where cd $x leads"],
  ["cd a; cd b; cd c; cd d", "cannot tell in advance where cd d leads"],
  ["read PATH", "read may change things: read PATH"],
  ["f() { ls; }", "f() { ls; } defines a function, which may replace a command"],
  ["echo $((x))", "the arithmetic $((x)) contains more than numbers, so it may run commands"],
  ["awk -f x", "awk may change things with the option -f"],
  ["sudo ls", "sudo runs a command indirectly: sudo ls"],
  ["env -S ls", "env runs a command indirectly: env -S ls"],
  ["env -X ls", "cannot tell which command env runs: env -X ls"],
  ["rm a", "rm can destroy data or stop something: rm a"],
  ["ls )", "coder could not parse this as expected: ) (unexpected token ')')"],
  ["find . -fls x", "find may change things: -fls"],
  ["sort *", "* may become an option of sort"],
  [`frobnicate ${"a".repeat(200)} &`, `frobnicate ${"a".repeat(108)}… keeps running in the background`],
];

test.each(named)("[PO-4] the reason against %p names the part that caused it", (command, reason) => {
  expect(judge(command).reasons.map((one) => say("en", one))).toContain(reason);
});

const nested: readonly (readonly [what: string, make: (times: number) => string])[] = [
  ["subshells", (times) => `${"( ".repeat(times)}ls${")".repeat(times)}`],
  ["groups", (times) => `${"{ ".repeat(times)}ls${";}".repeat(times)}`],
  ["wrappers", (times) => `${"command ".repeat(times)}ls`],
  ["expansions", (times) => `echo ${"$\u007bx:-".repeat(times)}y${"}".repeat(times)}`],
  ["conditions", (times) => `${"if ls; then ".repeat(times)}ls${"; fi".repeat(times)}`],
  ["searches", (times) => `find . ${"\\( ".repeat(times)}-print${" \\)".repeat(times)}`],
];

test.each(nested)(
  "[PO-4] [SA-budget] %s are followed as deep as anybody writes them, and asked about below",
  (_, make) => {
    const isFollowed = (times: number) => judge(make(times)).reasons.every(({ key }) => key === "shell.unsettled");
    expect([isFollowed(20), isFollowed(60)]).toEqual([true, false]);
  },
);

test("[PO-5] programs that destroy data or stop something are asked about under every name", () => {
  const names = [
    ..."rm rmdir unlink shred mv chmod chown chgrp dd truncate mkfs mkfs.ext4 fdisk parted wipefs mount umount swapoff".split(
      " ",
    ),
    ..."shutdown reboot halt poweroff systemctl kill killall pkill zfs cryptsetup crontab iptables passwd".split(" "),
  ];
  const isAsked = (command: string) => judge(command).always.some(({ reason }) => reason.key === "shell.destructive");
  expect(
    names.filter((name) => !isAsked(`${name} --odd a`) || !isAsked(`/sbin/${name.toUpperCase()} --odd a`)),
  ).toEqual([]);
});

test("[PO-4] [SA-budget] what was not followed to its end is not whole", () => {
  expect([judge(`${"( ".repeat(60)}ls${")".repeat(60)}`).isWhole, judge("ls;".repeat(5000)).isWhole]).toEqual([
    false,
    false,
  ]);
});

test("[PO-4] groups side by side are not deep", () => {
  const group = "\\( -name a -o -name b \\)";
  expect(judge(`find . ${Array.from({ length: 60 }, () => group).join(" ")}`).isReadOnly).toBe(true);
});

test("[PO-4] a wrapper that starts nothing has no command of its own", () => {
  expect(
    ["sudo", "sudo --odd", "env -i", "bash", "eval", "xargs --odd"].map((line) => judge(line).commands.length),
  ).toEqual([...[1, 1, 1, 1, 1, 1]]);
});

test("[PO-4] a reason is given once, however often a loop comes by", () => {
  const { reasons, commands, reads } = judge("for i in 1 2 3; do while read x; do frob; cat a; done; done");
  expect([reasons.length, commands.map(({ text }) => text), reads.length]).toEqual([1, ["read x", "frob", "cat a"], 1]);
});

test.each([
  ["find . -exec cat {} +", "cat may follow a link out of the workspace at {}; -type f leaves links out"],
  ["ls | xargs cat", "{} is only resolved when the command runs"],
  ["cat < $x", "$x is only resolved when the command runs"],
  ["ls | xargs -I{} wc sub/{}", "sub/{} is only resolved when the command runs"],
])("[PO-4] what %p reads is told to be open", (command, reason) => {
  const { isReadOnly, reads } = judge(command);
  expect([isReadOnly, reads.flatMap(({ anywhere }) => (anywhere ? [say("en", anywhere)] : []))]).toEqual([
    true,
    [reason],
  ]);
});

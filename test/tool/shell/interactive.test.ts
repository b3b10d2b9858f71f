import { expect, test } from "bun:test";
import { refuseFullScreen, wantedTerminal } from "../../../src/tool/shell/interactive.ts";

for (const command of [
  "vim x",
  "cd a && nano b",
  "EDITOR=x sudo vi /etc/hosts",
  "/usr/bin/top",
  "git log | tig",
  "(htop)",
  "tmux",
  "tmux new -s x",
  "tmux attach -t x",
  "mc",
]) {
  test(`${command} is not started: it would wait for keys until its time-out`, () => {
    expect(refuseFullScreen(command)).toMatchObject({
      ok: false,
      error: { code: "E_INVALID_ARGS", text: { key: "bash.full_screen" }, sideEffect: "none" },
    });
  });
}

const started = [
  "vim --version",
  "vim -es -c q x",
  "top -b -n 1",
  "nvim --headless +q",
  "echo 'run; vim x'",
  "tmux ls",
  "tmux has-session -t x || tmux new-session -d -s x",
  "tmux -L other capture-pane -p -t x",
  "tmux new-window -t x",
  "tmux -V",
  "mc ls store/bucket",
];
const more = [
  'echo "a && top"',
  "cat <<E\nvim x\nE",
  "grep vim x",
  "emacs --batch -l x",
  "man ls",
  "less x",
  "watchman -v",
];
for (const command of [...started, ...more]) {
  test(`${JSON.stringify(command)} is started`, () => {
    expect(refuseFullScreen(command)).toBeNull();
  });
}

test("a command of a hundred thousand blanks is judged at once", () => {
  expect(refuseFullScreen(`tmux new${" ".repeat(100_000)}`)).toMatchObject({ ok: false });
});

test("what programs say when they miss a terminal is recognised", () => {
  const said = [
    "the input device is not a TTY",
    "top: failed tty get",
    "gpg: cannot open '/dev/tty': No such device or address",
    "sudo: a terminal is required to read the password",
    "Error opening terminal: dumb.",
    "open terminal failed: not a terminal",
    "stty: 'standard input': Inappropriate ioctl for device",
  ];
  expect(said.filter((text) => !wantedTerminal(["", text], false))).toEqual([]);
  expect(wantedTerminal(["a terminal emulator", "tty is fine"], false)).toBe(false);
});

test("what programs say when they go on without a terminal is not why they failed", () => {
  const said = [
    "Pseudo-terminal will not be allocated because stdin is not a terminal.\r\nssh: Could not resolve hostname x",
    "bash: cannot set terminal process group (-1): Inappropriate ioctl for device\nbash: no job control in this shell",
    "mesg: ttyname failed: Inappropriate ioctl for device\nmake: *** [all] Error 1",
  ];
  expect(said.filter((text) => wantedTerminal(["", text], false))).toEqual([]);
});

test("a screen that was drawn until the time-out counts, one that was drawn before an ordinary failure does not", () => {
  expect(wantedTerminal(["\u001b[24;1H~"], true)).toBe(true);
  expect(wantedTerminal(["\u001b[24;1H~"], false)).toBe(false);
  expect(wantedTerminal(["\u001b[31mred\u001b[0m"], true)).toBe(false);
});

// Detects programs that need a person at a terminal: before they start if that is certain, else from their output.
import { fail, type Result } from "../../contract/error.ts";
import { phrase } from "../../contract/text/catalogue.ts";

/** All subcommands but `attach` and a `new` that is not detached. */
const withinTmux = /tmux\s+(-\w+\s+)*(-V|(?!a(t|tt|ttach)?\b|new(-session)?(\s|$))[a-z]|new.*\s-d)/;

/** Full-screen programs, each with the options that keep it from taking over the terminal. */
const fullScreen: Readonly<Record<string, RegExp | null>> = {
  ...{ vi: null, vim: /\s-(e|es|s|Es)\b/, nvim: /\s(--headless|-es?|-l)\b/, view: null, vimdiff: null, nano: null },
  ...{ pico: null, emacs: /\s(-+batch|--script|-Q -+batch)\b/, joe: null, micro: null, hx: null, helix: null },
  ...{ top: /\s-\w*b/, htop: null, btop: null, atop: /\s-[wr]/, watch: null, mc: /\s\w/, ranger: null, nnn: null },
  ...{ lazygit: null, tig: null, gitui: null, k9s: null, tmux: withinTmux },
  ...{ screen: /\s-d?m?[dD]m|\s-ls/, fzf: /\s(-f|--filter)/, dialog: null, whiptail: null, nmtui: null },
};

/** The program of each part of a command line. Quoted strings are ignored: a text that names an editor starts none. */
function programs(command: string): readonly { readonly name: string; readonly part: string }[] {
  if (command.includes("<<")) return [];
  const bare = command.replace(/\\./g, "_").replace(/'[^']*'|"[^"]*"/g, "''");
  return bare.split(/[;&|\n(){}]+/).flatMap((part) => {
    const words = part.trim().split(/\s+/);
    const name = words.find((word) => !/^(\w+=.*|sudo|env|exec|command|nohup|time|then|do|else)$/.test(word));
    return name === undefined ? [] : [{ name: name.slice(name.lastIndexOf("/") + 1), part }];
  });
}

/** Refuses a program that would hang until its time-out. */
export function refuseFullScreen(command: string): Result<never> | null {
  for (const { name, part } of programs(command)) {
    const quiet = Object.hasOwn(fullScreen, name) ? fullScreen[name] : undefined;
    if (quiet === undefined || quiet?.test(part) === true || /\s(--version|--help)\b/.test(part)) continue;
    return fail("E_INVALID_ARGS", phrase("bash.full_screen", { program: name }), {
      advice: phrase("bash.wants_terminal.advice"),
      sideEffect: "none",
    });
  }
  return null;
}

const complaints: readonly RegExp[] = [
  /(not|isn't) (to |from |connected to )?a (tty|terminal)\b/i, // nano, tmux, gpg, node
  /(in|out)put (device )?is not (a|to a|from a) (tty|terminal)/i, // docker, vim
  /a terminal is required|no tty present|must be run from a terminal|requires? (a|an interactive) (tty|terminal)/i, // sudo, su
  /failed tty get|error opening terminal|open terminal failed|terminal is dumb/i, // top, ncurses, tmux, git
  /\/dev\/tty: (no such device|device not configured)|cannot open .?\/dev\/tty/i, // ssh, gpg, mysql
  /could not read (username|password) for .*terminal prompts disabled/i, // git
  /inappropriate ioctl for device/i, // gpg, stty
];

/** Warnings of ssh, interactive bash and login scripts, which continue anyway. */
const harmless = /^(Pseudo-terminal will not be allocated|\S*bash: cannot set terminal process group|mesg: ).*$/gm;

/** Moves the cursor to a position or switches to the alternate screen. */
const drawing = /\u001b\[(\d+;\d+[Hf]|\?1049h)/;

export function wantedTerminal(streams: readonly string[], isTimeout: boolean): boolean {
  return streams.some((text) => {
    const end = text.slice(-8_192).replace(harmless, "");
    return complaints.some((words) => words.test(end)) || (isTimeout && drawing.test(end));
  });
}

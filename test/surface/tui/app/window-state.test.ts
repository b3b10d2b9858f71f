import { expect, test } from "bun:test";
import { type Going, WindowState } from "../../../../src/surface/tui/app/window-state.ts";

function written(env: Record<string, string>, takesStatus: boolean, ...states: readonly Going[]): readonly string[] {
  const all: string[] = [];
  const state = new WindowState({ env, takesStatus: () => takesStatus, write: (text) => all.push(text) });
  for (const one of states) state.show(one);
  state.clear();
  return all;
}

const progress = ["\x1b]9;4;3;0\x07", "\x1b]9;4;4;0\x07", "\x1b]9;4;0;0\x07"];

test.each([
  [{ WT_SESSION: "1" }, true],
  [{ ConEmuANSI: "ON" }, true],
  [{ TERM_PROGRAM: "ghostty", TERM_PROGRAM_VERSION: "1.2.0" }, true],
  [{ TERM_PROGRAM: "ghostty", TERM_PROGRAM_VERSION: "1.1.3" }, false],
  [{ TERM_PROGRAM: "iTerm.app", TERM_PROGRAM_VERSION: "3.6.10" }, true],
  [{ TERM_PROGRAM: "iTerm.app", TERM_PROGRAM_VERSION: "3.5.14" }, false],
  [{ TERM_PROGRAM: "ghostty", TERM_PROGRAM_VERSION: "1.2.0", TMUX: "/tmp/x" }, false],
  [{ TERM_PROGRAM: "Apple_Terminal" }, false],
  [{}, false],
] as const)("[SU-3] with %j a progress bar is shown: %s", (env, isShown) => {
  expect(written(env, false, "idle", "working", "working", "permission", "done")).toEqual(isShown ? progress : []);
});

test("[SU-3] a terminal that takes program status is told every change once, and nothing stays behind", () => {
  const states = ["idle", "working", "working", "question", "permission", "working", "error"] as const;
  expect(written({}, true, ...states).map((one) => one.replace(/^\x1b\]7501;(.*)\x1b\\$/, "$1"))).toEqual([
    "state=idle:app=coder",
    "state=working:app=coder",
    "state=blocked:kind=question:app=coder",
    "state=blocked:kind=permission:app=coder",
    "state=working:app=coder",
    "state=error:app=coder",
    "state=clear",
  ]);
});

import { expect, test } from "bun:test";
import { dispatch, shellInput } from "../../../src/engine/input/dispatch.ts";

const names = ["help", "model", "mode", "new", "resume"];

test("[IN-1] input is trimmed and empty input does nothing", () => {
  expect(dispatch("  \n\t ", names)).toEqual({ kind: "nothing" });
  expect(dispatch("  hello \n", names)).toEqual({ kind: "task", text: "hello", notice: null });
});

test("[IN-2] a slash is a command with its arguments, a bang a shell command, anything else a task", () => {
  expect(dispatch("/mode  plan", names)).toEqual({ kind: "command", name: "mode", args: ["plan"] });
  expect(dispatch("! ls -la ", names)).toEqual({ kind: "shell", command: "ls -la" });
  expect(dispatch("fix it!", names)).toEqual({ kind: "task", text: "fix it!", notice: null });
});

test.each([
  ["npm start &", "npm start"],
  ["npm start&", "npm start"],
  ["sleep 1 & sleep 2 &", "sleep 1 & sleep 2"],
  ["(cd web && npm start) &", "(cd web && npm start)"],
  ['echo "a b" &', 'echo "a b"'],
])("[IN-3] %j runs in the background", (text, command) => {
  expect(shellInput(text)).toEqual({ command, background: true });
});

test.each([
  ...[
    "npm start",
    "a && b",
    "a &&",
    "echo \\&",
    'echo "a &"',
    "ls # a &",
    "cat <<E &\nx\nE",
    "a >&",
    "a |&",
    "&",
    " &",
  ],
])("[IN-3] %j runs in the foreground, as it stands there", (command) => {
  expect(shellInput(command)).toEqual({ command });
});

test("[IN-2] a slash alone and a bang alone are readable errors", () => {
  expect(dispatch("/", names)).toEqual({
    kind: "error",
    error: { code: "E_INVALID_ARGS", text: { key: "input.slash_alone" }, advice: { key: "input.slash_alone.advice" } },
  });
  expect(dispatch(" ! ", names)).toEqual({
    kind: "error",
    error: { code: "E_INVALID_ARGS", text: { key: "input.bang_alone" }, advice: { key: "input.bang_alone.advice" } },
  });
});

test("[IN-2] text that starts like a path and names no command is a task with a notice", () => {
  const given = dispatch("/etc/hosts is wrong", names);
  expect(given).toEqual({
    kind: "task",
    text: "/etc/hosts is wrong",
    notice: { key: "input.looks_like_path", args: { word: "/etc/hosts" } },
  });
});

test("[IN-6] an unknown command names the nearest ones and is never sent to the model", () => {
  const given = dispatch("/hepl", names);
  expect(given).toMatchObject({
    kind: "error",
    error: { text: { args: { word: "/hepl" } }, advice: { args: { nearest: expect.stringMatching(/^\/help/) } } },
  });
});

// A folder as the player sees it through its tools. What a test wants to happen there is said in plain functions.
import type { ModelMessage } from "../../src/contract/message.ts";
import type { Ask } from "../../src/mechanic/play.ts";
import { nextMove } from "../../src/mechanic/text/move.ts";

export interface World {
  readonly files: Map<string, string>;
  /** What `diagnostics` says of the files as they are. */
  readonly check: (files: ReadonlyMap<string, string>) => string;
  /** Refuses a call, or answers it in place of the tool. */
  readonly instead?: (ask: Ask, n: number) => string | null;
  /** What the person writes behind the answers of this step. */
  readonly after?: (step: number) => string | null;
  readonly isTimeUp?: (step: number) => boolean;
  readonly tools?: readonly string[];
}

export interface Played {
  readonly text: string;
  readonly asks: readonly Ask[];
  readonly messages: readonly ModelMessage[];
}

const everything = ["list", "read", "glob", "grep", "edit", "diagnostics", "bash"];

/** From the request to the last word, one step after the other, each from the record alone. */
export function playIn(world: World, request: string, most = 200): Played {
  const messages: ModelMessage[] = [{ role: "user", text: request }];
  const asks: Ask[] = [];
  const tools = new Set(world.tools ?? everything);
  for (let step = 1; step <= most; step++) {
    const isTimeUp = world.isTimeUp?.(step) ?? false;
    const turn = nextMove({ messages, tools, workspace: "/ws", isTimeUp });
    const calls = turn.asks.map(({ tool, input }, at) => ({ id: `c${step}.${at}`, tool, input }));
    messages.push({ role: "assistant", text: turn.text, calls });
    if (calls.length === 0) return { text: turn.text, asks, messages };
    for (const { id, tool, input } of calls) {
      const one = { tool, input };
      asks.push(one);
      messages.push({ role: "tool", id, tool, text: answered(world, one, asks.length) });
    }
    const more = world.after?.(step);
    if (more) messages.push({ role: "user", text: more });
  }
  throw new Error(`no end after ${most} steps: ${asks.at(-1)?.tool}`);
}

function answered(world: World, ask: Ask, n: number): string {
  return world.instead?.(ask, n) ?? done(world, ask);
}

function done({ files, check }: World, { tool, input }: Ask): string {
  const path = String(input.path ?? "");
  if (tool === "list") return [...files.keys()].join("\n");
  if (tool === "glob") return globbed(files, String(input.pattern)) || "(no files)";
  if (tool === "diagnostics") return check(files);
  if (tool === "grep") return grepped(files, new RegExp(String(input.pattern), "u"));
  const text = files.get(path);
  if (text === undefined) return `E_IO: ${path} does not exist`;
  if (tool === "read") return numbered(text);
  if (tool !== "edit") return `E_INVALID_ARGS: ${tool}`;
  const [old, fresh] = [String(input.old_string), String(input.new_string)];
  if (text.split(old).length !== 2) return `E_INVALID_ARGS: occurs ${text.split(old).length - 1} times`;
  files.set(
    path,
    text.replace(old, () => fresh),
  );
  return `edited ${path}`;
}

/** One pair of braces at most. */
function globbed(files: ReadonlyMap<string, string>, pattern: string): string {
  const [, head = "", choices = "", tail = ""] = /^(.*)\{([^}]*)\}(.*)$/.exec(pattern) ?? [];
  const globs = (choices === "" ? [pattern] : choices.split(",").map((one) => head + one + tail)).map(
    (one) => new Bun.Glob(one),
  );
  return [...files.keys()].filter((path) => globs.some((glob) => glob.match(path))).join("\n");
}

function numbered(text: string): string {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines.map((line, at) => `${at + 1}\t${line}`).join("\n");
}

function grepped(files: ReadonlyMap<string, string>, pattern: RegExp): string {
  return [...files]
    .flatMap(([path, text]) =>
      text.split("\n").flatMap((line, at) => (pattern.test(line) ? [`${path}:${at + 1}:${line}`] : [])),
    )
    .join("\n");
}

export const pythonFiles = (body: string): Map<string, string> =>
  new Map([
    ["pytest.ini", "[pytest]\n"],
    ["m.py", body],
    ["test_m.py", "from m import add\n\ndef test_add():\n    assert add(2, 3) == 5\n"],
  ]);

export const failed = (got: string): string =>
  `test_failure: pytest: 0 passed, 1 failed\n- test_m.py:4: test_m.py::test_add\n  AssertionError: assert ${got} == 5\n\ntest_m.py:4: AssertionError`;
export const passed = "passed: pytest: 1 passed";

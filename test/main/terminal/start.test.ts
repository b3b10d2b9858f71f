import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CoderError } from "../../../src/contract/error.ts";
import type { Flags } from "../../../src/main/cli/flags.ts";
import { startTerminal, type TerminalOrder } from "../../../src/main/terminal/start.ts";
import { trustState } from "../../../src/main/trust/trust-state.ts";
import { MARKER } from "../../../src/platform/process/proc.ts";
import type { Questions, Started } from "../../../src/surface/tui/app/deps.ts";
import { keep } from "../stored.ts";

let base = "";
let workspace = "";
let home = "";
const variables = ["CODER_HOME", "CODER_MODEL", "CODER_BASE_URL", "CODER_API_KEY", MARKER] as const;
let before: (string | undefined)[] = [];
const opened: Started[] = [];

/** Nobody is at home where the usual servers would be. */
const nowhere = { base_url: "http://127.0.0.1:9/v1" };
const providers = { ollama: nowhere, lmstudio: nowhere, llamacpp: nowhere, vllm: nowhere };

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "coder-start-")));
  [workspace, home] = [join(base, "ws"), join(base, "home")];
  for (const folder of [workspace, home]) mkdirSync(folder);
  before = variables.map((name) => process.env[name]);
  for (const name of variables) delete process.env[name];
  process.env.CODER_HOME = home;
  config({ providers, model: "builtin/mechanic" });
});

afterEach(async () => {
  for (const { port } of opened.splice(0)) await port.close();
  for (const [at, name] of variables.entries()) {
    const value = before[at];
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
  rmSync(base, { recursive: true, force: true });
});

function config(values: unknown): void {
  writeFileSync(join(home, "config.json"), JSON.stringify(values));
}
const configNow = () => JSON.parse(readFileSync(join(home, "config.json"), "utf8")) as Record<string, unknown>;
const put = (path: string, text: string): void => {
  mkdirSync(join(workspace, path, ".."), { recursive: true });
  writeFileSync(join(workspace, path), text);
};
const trustNow = () => trustState(workspace, home).kind;

type Reply = string | number | null | (() => string | number | null);

/** Somebody who answers what they are asked, one after the other, and then leaves. */
class Person implements Questions {
  readonly asked: string[] = [];
  readonly told: string[] = [];
  options: readonly string[] = [];
  private readonly replies: Reply[];

  constructor(...replies: Reply[]) {
    this.replies = replies;
  }

  tell(text: string): void {
    this.told.push(text);
  }

  async line(question: string): Promise<string | null> {
    return this.next(question) as string | null;
  }

  secret(question: string): Promise<string | null> {
    return this.line(question);
  }

  async choose(question: string, options: readonly string[]): Promise<number | null> {
    this.options = options;
    return this.next(question) as number | null;
  }

  private next(question: string): string | number | null {
    this.asked.push(question);
    const reply = this.replies.shift() ?? null;
    return typeof reply === "function" ? reply() : reply;
  }
}

async function start(person: Person, flags: Flags = {}, more: Partial<TerminalOrder> = {}): Promise<Started | null> {
  const order = { prompt: "", how: "itself", lang: "en", ...more, flags: { cwd: workspace, ...flags } } as const;
  const started = await startTerminal(order, person);
  if (started) opened.push(started);
  return started;
}

const [LOOK, YES, NO] = [0, 1, 2];

describe("trust", () => {
  test("[PO-9] in a folder that brings nothing along nothing is asked or told", async () => {
    put("src/main.ts", "code");
    const person = new Person();
    const started = await start(person, {}, { prompt: "fix it" });
    expect([person.asked, person.told, started?.notices]).toEqual([[], [], []]);
    expect([started?.first, started?.resume, started?.port.settings.model?.ref]).toEqual([
      "fix it",
      null,
      "builtin/mechanic",
    ]);
  });

  test("[PO-9] what would take effect is said in plain words, and a yes lets it, until it changes", async () => {
    put("AGENTS.md", "be nice");
    const corp = { protocol: "openai-chat", base_url: "http://127.0.0.1:9/v1" };
    const rules = [{ decision: "deny", command: "git push *" }];
    put(".coder/config.json", JSON.stringify({ max_steps: 7, providers: { corp }, permissions: { rules } }));
    const first = new Person(YES);
    const started = await start(first);
    expect([first.asked, first.options]).toEqual([
      [
        [
          `This folder contains settings or instructions for coder: ${workspace}`,
          "  .coder/config.json: configuration (settings: 3, permission rules: 1)",
          "  AGENTS.md: instructions for the model",
          "  Prompts, including your code, will be sent to http://127.0.0.1:9/v1",
          "None of this takes effect unless you trust this folder. Trust it?",
        ].join("\n"),
      ],
      ["Look at it first", "Trust this version", "Continue without it (this session)"],
    ]);
    expect([started?.port.settings.trust, started?.port.settings.maxSteps, started?.notices]).toEqual([
      { state: "trusted", ignored: [] },
      7,
      [],
    ]);
    const second = new Person();
    await start(second);
    expect(second.asked).toEqual([]);
    put("AGENTS.md", "be rude");
    const third = new Person(YES);
    await start(third);
    expect(third.asked.length).toBe(1);
    expect(third.asked[0]).toStartWith(
      `Settings or instructions for coder have changed since you trusted ${workspace}:\n`,
    );
    expect(trustNow()).toBe("trusted");
  });

  test("[PO-9] who looks first sees files, settings and rules, is asked the same again, and has trusted nothing", async () => {
    put("AGENTS.md", `be nice\n${"x".repeat(2000)}\n${"more\n".repeat(60)}`);
    put(".coder/config.json", '{"max_steps": 7, "ui": {"lang": "zh"}}');
    const person = new Person(LOOK, LOOK, NO);
    const started = await start(person);
    expect(person.asked.length).toBe(3);
    expect(new Set(person.asked).size).toBe(1);
    const [shown = ""] = person.told;
    for (const part of ["max_steps = 7", ".coder/config.json:1: ui is ignored", "\n\nAGENTS.md:\n  | be nice\n  | xxx"])
      expect([part, shown.includes(part)]).toEqual([part, true]);
    expect(shown).toContain(`\n  | ${"x".repeat(300)} … (+1700)\n`);
    expect(shown).toEndWith("\n  | more\n  … 22 more lines");
    expect(Math.max(...shown.split("\n").map(({ length }) => length))).toBeLessThan(400);
    expect([trustNow(), started?.port.settings.maxSteps, started?.notices]).toEqual(["untrusted", 128, []]);
  });

  test("[PO-9] a no is for this time: the next start asks again", async () => {
    put("AGENTS.md", "be nice");
    const started = await start(new Person(NO));
    expect(started?.port.settings.trust.state).toBe("untrusted");
    const again = new Person(NO);
    await start(again);
    expect(again.asked.length).toBe(1);
  });

  test("[PO-9] who leaves at the question has trusted nothing, and nothing was opened", async () => {
    put("AGENTS.md", "be nice");
    expect(await start(new Person(null))).toBeNull();
    expect([trustNow(), existsSync(join(home, "coder.db"))]).toEqual(["untrusted", false]);
  });

  test("[PO-9] a yes is about what was shown: what changed meanwhile has no effect, and that is told", async () => {
    put("AGENTS.md", "be nice");
    const change = () => {
      put("AGENTS.md", "be rude");
      return YES;
    };
    const started = await start(new Person(change));
    expect(started?.port.settings.trust.state).toBe("changed");
    expect(started?.notices).toEqual([expect.stringContaining("it changed since you trusted this folder")]);
  });

  test("[PO-9] where a file makes trust impossible nothing is asked, and the reason is told", async () => {
    put("AGENTS.md", "x".repeat(1_048_577));
    const person = new Person();
    const started = await start(person);
    expect([person.asked, started?.notices]).toEqual([[], [expect.stringContaining("cannot be trusted")]]);
  });

  test("[PO-9] --trust is the answer", async () => {
    put("AGENTS.md", "be nice");
    const person = new Person();
    const started = await start(person, { trust: true });
    expect([person.asked, started?.port.settings.trust.state, trustNow()]).toEqual([[], "trusted", "trusted"]);
  });

  test("[PO-9] [SA-self-approval] a program that coder itself started is asked nothing, and trusts nothing", async () => {
    put("AGENTS.md", "be nice");
    config({ providers });
    process.env[MARKER] = "s.c";
    const person = new Person(YES, 1);
    const started = await start(person);
    expect([person.asked, started?.port.settings.trust.state, configNow()]).toEqual([[], "untrusted", { providers }]);
  });

  test("[PO-9] [SA-hidden-text] names and texts of a hostile repository cannot draw on the screen or hide among each other", async () => {
    put("AGENTS.md", "nice\u001b[2J\u202etxet\u0007\n");
    for (let n = 0; n < 20; n++) put(`.coder/commands/a${n}\u001b]0;x\u0007\nTrusted.md`, "x");
    const person = new Person(LOOK, NO);
    await start(person);
    const all = [...person.asked, ...person.told].join("\n");
    expect(all.match(/[\u0000-\u0009\u000b-\u001f\u202e]/gu)).toBeNull();
    expect(all).not.toMatch(/^Trusted/m);
    expect(person.asked[0]?.split("\n").length).toBe(11);
    expect(person.asked[0]).toContain("\n  and 13 more\n");
  });

  test("[SU-4] it speaks Chinese", async () => {
    put("AGENTS.md", "be nice");
    const person = new Person(NO);
    await start(person, { lang: "zh" }, { lang: "zh" });
    expect(person.asked[0]).toContain("AGENTS.md: 给模型的说明\n除非你信任此目录，否则这些内容均不生效。是否信任？");
    expect(person.options).toEqual(["先查看", "信任此版本", "不使用它并继续（本次会话）"]);
  });
});

describe("the model", () => {
  const [KEY, BUILTIN, LATER] = [0, 2, 3];

  test("[CLI-1] without one the person chooses, by the questions of the application, and stdin is left alone", async () => {
    config({ providers });
    const listeners = process.stdin.listenerCount("data");
    const person = new Person(BUILTIN);
    const started = await start(person);
    expect([person.asked, started?.port.settings.model?.ref]).toEqual([["What should coder use?"], "builtin/mechanic"]);
    expect(person.told.slice(0, 2)).toEqual([
      "No model is configured.",
      "Looking for a model server on this machine …",
    ]);
    expect(configNow()).toEqual({ providers, model: "builtin/mechanic" });
    expect(process.stdin.listenerCount("data")).toBe(listeners);
  });

  test("[CLI-1] not now is remembered: it opens without a model, a task says what to do, and nobody is asked again", async () => {
    config({ providers });
    const started = await start(new Person(LATER));
    expect(await started?.port.runInput("go")).toMatchObject({ kind: "refused", error: { code: "E_CONFIG" } });
    expect(configNow()).toEqual({ providers, ui: { first_run: false } });
    const again = new Person();
    expect([(await start(again))?.port.settings.model, again.asked]).toEqual([null, []]);
  });

  test("[CLI-1] who stops in the middle is asked again from the beginning, and who leaves there leaves", async () => {
    config({ providers });
    const person = new Person(KEY, null, null);
    expect(await start(person)).toBeNull();
    expect(person.asked.map((one) => one.slice(0, 6))).toEqual(["What s", "Whose ", "What s"]);
    expect(configNow()).toEqual({ providers });
  });

  test("[CLI-1] what cannot be kept is told, and the person is asked again", async () => {
    config({ providers });
    const file = join(home, "config.json");
    const link = () => {
      rmSync(file);
      writeFileSync(join(base, "elsewhere.json"), JSON.stringify({ providers }));
      symlinkSync(join(base, "elsewhere.json"), file);
      return BUILTIN;
    };
    const person = new Person(link, null);
    expect(await start(person)).toBeNull();
    expect(person.asked.length).toBe(2);
    expect(person.told.some((one) => one.includes("is a link or not a regular file"))).toBe(true);
  });

  test("[PO-9] trust comes first: a model that a trusted project names is not asked for", async () => {
    config({ providers });
    put(".coder/config.json", '{"model": "builtin/mechanic"}');
    const person = new Person(YES);
    const started = await start(person);
    expect([person.asked.length, started?.port.settings.model?.ref]).toEqual([1, "builtin/mechanic"]);
  });

  test("[CF-2] one that cannot be used is an error that names it, as everywhere else", async () => {
    config({ providers, model: "nosuch/x" });
    const failed = await start(new Person()).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(CoderError);
    expect(failed).toMatchObject({ info: { code: "E_CONFIG" } });
  });
});

describe("the session", () => {
  test("[CLI-2] --continue opens the newest of this workspace, --resume the one that is named, and how is passed on", async () => {
    keep({ home, workspace }, { id: "old", age: 2 }, { id: "new" });
    const opens = async (flags: Flags, how: TerminalOrder["how"]) =>
      (await start(new Person(), flags, { how }))?.resume;
    expect([await opens({ continue: true }, "itself"), await opens({ resume: "old" }, "copy")]).toEqual([
      { id: "new", how: "itself" },
      { id: "old", how: "copy" },
    ]);
  });

  test("[CLI-2] --continue where there is none is an error", async () => {
    const failed = await start(new Person(), { continue: true }).catch((error: unknown) => error);
    expect(failed).toMatchObject({ info: { code: "E_INVALID_ARGS", text: { key: "cli.no_session" } } });
  });

  test("[CLI-1] the very first start is told from the others", async () => {
    expect((await start(new Person()))?.isFirst).toBe(true);
    mkdirSync(join(home, "history"));
    expect((await start(new Person()))?.isFirst).toBe(false);
  });
});

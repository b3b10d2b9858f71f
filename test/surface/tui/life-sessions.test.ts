// Sessions in the application: opened, switched, held by somebody else; each conversation stands there once.
import { describe, expect, test } from "bun:test";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Cli } from "../../support/cli.ts";
import { type Person, sitDown } from "../../support/pty.ts";
import { pressUntil } from "./life.ts";

const times = (person: Person, text: string): number => person.scrollback().filter((row) => row === text).length;

function say(person: Person, line: string): void {
  person.type(line);
  person.press("enter");
}

const answers = [
  { when: "alpha", steps: [{ text: "answer to alpha" }] },
  { when: "beta", steps: [{ text: "answer to beta" }] },
  { when: "gamma", steps: [{ text: "answer to gamma" }] },
];

/** The ids of two sessions, the first with alpha in it, the second with beta. */
async function twoSessions(cli: Cli): Promise<readonly [string, string]> {
  const ids: string[] = [];
  for (const text of ["say alpha", "say beta"]) {
    const { out } = await cli.run(["run", ...cli.model, "--output", "json", text]);
    ids.push((JSON.parse(out) as { session_id: string }).session_id);
  }
  return [ids[0] ?? "", ids[1] ?? ""];
}

async function settled(person: Person): Promise<void> {
  await person.waitFor("> Ask anything");
  await person.waitFor(() => !person.screen().includes("Esc to interrupt"));
}

describe("what is opened at the start", () => {
  test("[PS-3] [CX-5] a long session has its title and its meter again, and says how much of it is not shown", async () => {
    using cli = new Cli([{ text: "yes" }]);
    await cli.run(["run", ...cli.model, "repair the login"]);
    for (const n of [2, 3, 4, 5, 6, 7]) await cli.run(["run", ...cli.model, "--continue", `part ${n}`]);
    await using person = sitDown(cli, [...cli.model, "--continue"], { columns: 80, rows: 40 });
    await person.waitFor("> part 7");
    await settled(person);
    await person.waitFor(/context [1-9]\d*%/);
    const rows = person.scrollback();
    const head = rows.findIndex((row) => /^Session \S+ · 7 tasks · repair the login$/.test(row));
    expect(rows.slice(head + 1, head + 4)).toEqual(["◦ 2 earlier tasks are not shown here (Ctrl+O)", "", "> part 3"]);
  });

  test("[CLI-1] [PS-3] --resume, --continue, --fork and a prompt show the right conversation, once", async () => {
    using cli = new Cli(answers);
    const [alpha] = await twoSessions(cli);
    const cases: readonly (readonly [args: readonly string[], shown: string, not: string])[] = [
      [["--continue"], "answer to beta", "answer to alpha"],
      [["--resume", alpha], "answer to alpha", "answer to beta"],
      [["--resume", alpha, "--fork"], "answer to alpha", "answer to beta"],
    ];
    for (const [args, shown, not] of cases) {
      await using person = sitDown(cli, [...cli.model, ...args]);
      await person.waitFor(shown);
      await settled(person);
      expect([args, times(person, shown), times(person, not)]).toEqual([args, 1, 0]);
      person.press("ctrl+d");
      expect(await person.exited).toBe(0);
    }
    await using person = sitDown(cli, [...cli.model, "--resume", alpha, "--mode", "plan", "--lang", "zh", "say gamma"]);
    await person.waitFor("answer to gamma");
    expect([times(person, "answer to alpha"), times(person, "> say gamma")]).toEqual([1, 1]);
    await person.waitFor(/^● plan/);
    const rows = person.scrollback();
    expect(rows.indexOf("answer to alpha")).toBeLessThan(rows.indexOf("> say gamma"));
    // Without --fork the session itself went on.
    expect(cli.server.requests.at(-1)?.body.messages.some(({ content }) => content === "answer to alpha")).toBe(true);
    person.press("escape", "escape");
    await person.waitFor("say gamma");
    await person.waitFor(/^┗/);
  });

  test("[PS-2] a session that is lost can be gone on with from its snapshot, by choice or by flag", async () => {
    using cli = new Cli(answers);
    const [alpha, beta] = await twoSessions(cli);
    for (const name of readdirSync(cli.home)) if (name.includes(".db")) rmSync(join(cli.home, name));
    await using person = sitDown(cli, [...cli.model, "--resume", alpha]);
    await person.waitFor("this folder has a snapshot of it");
    await pressUntil(person, "1", () => !person.screen().includes("1–2"));
    await settled(person);
    expect(person.screen().split("restored from a snapshot").length).toBe(2);
    person.press("ctrl+d");
    expect(await person.exited).toBe(0);
    await person.waitFor(`Resume with: coder --resume ${alpha}`);
    await using other = sitDown(cli, [...cli.model, "--resume", beta, "--from-snapshot"]);
    await other.waitFor("restored from a snapshot");
    say(other, "say gamma");
    await other.waitFor("answer to gamma");
    const asked = cli.server.requests.at(-1)?.body.messages.map(({ content }) => String(content)) ?? [];
    expect(asked.some((text) => text.includes("answer to beta"))).toBe(true);
  });

  test("[PS-3] an id that is not there is told, with those that are, and one can go on", async () => {
    using cli = new Cli(answers);
    await twoSessions(cli);
    await using person = sitDown(cli, [...cli.model, "--resume", "nowhere"]);
    await person.waitFor("No session nowhere");
    await person.waitFor(/say beta/);
    say(person, "say gamma");
    await person.waitFor("answer to gamma");
  });
});

describe("inside the application", () => {
  test("[PS-3] /new, /resume and /fork switch; what is typed next goes there", async () => {
    using cli = new Cli(answers);
    const [alpha] = await twoSessions(cli);
    await using person = sitDown(cli, [...cli.model, "--continue"]);
    await person.waitFor("answer to beta");
    await settled(person);
    say(person, `/resume ${alpha}`);
    await person.waitFor("answer to alpha");
    await settled(person);
    say(person, "/fork");
    await person.waitFor(/^Session \S+ is open/);
    await settled(person);
    say(person, "/new");
    await person.waitFor(/^> \/new/);
    await settled(person);
    say(person, "say gamma");
    await person.waitFor("answer to gamma");
    const asked = cli.server.requests.at(-1)?.body.messages.map(({ content }) => String(content)) ?? [];
    expect(asked.filter((text) => text.includes("alpha") || text.includes("beta"))).toEqual([]);
    expect([times(person, "answer to beta"), times(person, "answer to gamma")]).toEqual([1, 1]);
    // Shown when it was opened, and again as that of its copy.
    expect(times(person, "answer to alpha")).toBe(2);
  });

  test("[IN-5] what is typed behind a command that opens a session goes to that session, however fast", async () => {
    using cli = new Cli(answers);
    const [alpha] = await twoSessions(cli);
    await using person = sitDown(cli, [...cli.model, "--continue"]);
    await person.waitFor("answer to beta");
    await settled(person);
    person.type(`/resume ${alpha}\rsay gamma\r`);
    await person.waitFor("answer to gamma");
    const asked = cli.server.requests.at(-1)?.body.messages.map(({ content }) => String(content)) ?? [];
    expect(asked.filter((text) => text.startsWith("answer"))).toEqual(["answer to alpha"]);
  });

  test("[PS-3] bare /resume offers what there is, and choosing opens it", async () => {
    using cli = new Cli(answers);
    await twoSessions(cli);
    await using person = sitDown(cli, [...cli.model]);
    await settled(person);
    say(person, "/resume");
    await person.waitFor("Resume a session");
    person.type("alpha");
    await person.waitFor(/❯.*say alpha/);
    person.press("enter");
    await person.waitFor("answer to alpha");
    expect(times(person, "answer to alpha")).toBe(1);
  });

  test("[SU-4] /theme and /lang change it at once", async () => {
    using cli = new Cli(answers);
    await using person = sitDown(cli, [...cli.model]);
    await settled(person);
    say(person, "/theme dark");
    await person.waitFor("theme: dark");
    say(person, "/lang zh");
    await person.waitFor("语言：zh");
    person.press("ctrl+c");
    await person.waitFor("再按一次 Ctrl+C 退出");
    expect(person.styleOf("再按").colour).toBe(221);
  });
});

describe("two terminals on one session", () => {
  test("[PS-3] the second is told who holds it and goes on with a copy; the first is not disturbed", async () => {
    using cli = new Cli(answers);
    await using first = sitDown(cli, [...cli.model, "say alpha"]);
    await first.waitFor("answer to alpha");
    await settled(first);
    const [{ id = "" } = {}] = JSON.parse((await cli.run(["sessions", "--json"])).out) as { id?: string }[];
    for (const how of ["start", "command"] as const) {
      await using second = sitDown(cli, how === "start" ? [...cli.model, "--continue"] : [...cli.model]);
      if (how === "command") {
        await settled(second);
        say(second, `/resume ${id}`);
      }
      await second.waitFor(`is open in another process (pid ${first.pid})`);
      await pressUntil(second, "1", () => !second.screen().includes("1–2"));
      await second.waitFor("answer to alpha");
      await settled(second);
      say(second, "say beta");
      await second.waitFor("answer to beta");
      expect(times(second, "answer to alpha")).toBe(1);
      second.press("ctrl+d");
      expect(await second.exited).toBe(0);
    }
    say(first, "say gamma");
    await first.waitFor("answer to gamma");
    const asked = cli.server.requests.at(-1)?.body.messages.map(({ content }) => String(content)) ?? [];
    expect(asked.filter((text) => text.includes("beta"))).toEqual([]);
  });

  test("[PS-3] the second may begin something new instead", async () => {
    using cli = new Cli(answers);
    await using first = sitDown(cli, [...cli.model, "say alpha"]);
    await first.waitFor("answer to alpha");
    await using second = sitDown(cli, [...cli.model, "--continue", "say beta"]);
    await second.waitFor("is open in another process");
    // What was to be said first waits for the choice.
    expect(cli.server.requests.length).toBe(1);
    await pressUntil(second, "2", () => !second.screen().includes("1–2"));
    await second.waitFor("answer to beta");
    expect(times(second, "answer to alpha")).toBe(0);
  });
});

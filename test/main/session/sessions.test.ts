import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Holding } from "../../../src/contract/store.ts";
import { chooseOld } from "../../../src/main/session/retention.ts";
import { openStore } from "../../../src/store/open.ts";
import { startWriter } from "../../store/writer.ts";
import { Cli } from "../../support/cli.ts";
import { idsIn, keep } from "../stored.ts";

const json = (text: string): unknown => JSON.parse(text);
const limit = 120_000;

describe("coder sessions", () => {
  test(
    "[CLI-3] lists this workspace's newest first, all with --all, at most --limit",
    async () => {
      using cli = new Cli();
      keep(
        cli,
        { id: "aaaa-0001" },
        { id: "aaaa-0002", workspace: "/elsewhere" },
        { id: "aaaa-0003", title: "the \u001bthird" },
      );
      const listed = await cli.run(["sessions"]);
      expect([listed.code, listed.out.split("\n").map((line) => line.slice(0, 9))]).toEqual([
        0,
        ["aaaa-0003", "aaaa-0001", ""],
      ]);
      expect(listed.out).not.toContain("\u001b");
      const all = await cli.run(["sessions", "list", "--all"]);
      expect(all.out).toMatch(/^aaaa-0003 .*\naaaa-0002 .* {2}\(\/elsewhere\)\naaaa-0001 .*\n$/);
      const one = json((await cli.run(["sessions", "--all", "--limit", "1", "--json"])).out) as { id: string }[];
      expect(one.map(({ id }) => id)).toEqual(["aaaa-0003"]);
      expect(Object.keys(one[0] ?? {})).toEqual("id title workspace model created_at updated_at events".split(" "));
    },
    limit,
  );

  test(
    "[SU-2] what it cannot mean is a usage error that names it",
    async () => {
      using cli = new Cli();
      keep(cli, { id: "aaaa-0001" });
      const bad: readonly (readonly [readonly string[], string])[] = [
        [["frob"], "unknown command coder sessions frob"],
        [["rm"], "name the sessions to remove"],
        [["prune"], "--older-than, --keep or --max-size"],
        [["prune", "--older-than", "30"], "--older-than must be a number with h, d or w, not 30"],
        [["prune", "--max-size", "1TB"], "--max-size must be a number with KB, MB or GB, not 1TB"],
        [["prune", "--keep", "-1"], "--keep needs a value"],
        [["list", "--yes"], "coder sessions list takes no --yes"],
        [["rm", "aaaa-0001", "--older-than", "1d"], "coder sessions rm takes no --older-than"],
        [["--limit", "x"], "--limit must be a whole number, not x"],
        [["list", "aaaa-0001"], "unexpected argument: aaaa-0001"],
      ];
      for (const [words, text] of bad) {
        const ran = await cli.run(["sessions", ...words]);
        expect([words, ran.code, ran.out]).toEqual([words, 2, ""]);
        expect(ran.err).toContain(text);
      }
      expect(idsIn(cli)).toEqual(["aaaa-0001"]);
    },
    limit,
  );
});

describe("coder sessions rm", () => {
  test(
    "[CLI-3] removes what is named, by a unique beginning too, with its files, and the store shrinks",
    async () => {
      using cli = new Cli();
      keep(cli, { id: "aaaa-0001", steps: 300 }, { id: "bbbb-0002" }, { id: "cccc-0003" });
      const snapshot = join(cli.workspace, ".coder", "sessions", "aaaa-0001.json");
      mkdirSync(join(snapshot, ".."), { recursive: true });
      writeFileSync(snapshot, "{}");
      const ran = await cli.run(["sessions", "rm", "aaaa", "bbbb-0002", "aaaa-0001"]);
      expect(ran.out).toMatch(
        /^removed aaaa-0001 {2}aaaa-0001\nremoved bbbb-0002 {2}bbbb-0002\nSessions removed: 2\. The store now takes [\d.]+ KB \(before: [\d.]+ [KM]B\)\.\n$/,
      );
      expect([ran.code, idsIn(cli), existsSync(snapshot)]).toEqual([0, ["cccc-0003"], false]);
      expect(statSync(join(cli.home, "coder.db")).size).toBeLessThan(150_000);
    },
    limit,
  );

  test(
    "[CLI-3] an unknown id is answered with the nearest and nothing is removed, not even what was named before it",
    async () => {
      using cli = new Cli();
      keep(cli, { id: "aaaa-0001" }, { id: "bbbb-0002" }, { id: "bbbb-0003" });
      const ran = await cli.run(["sessions", "rm", "aaaa-0001", "aaab-0001"]);
      expect(ran).toMatchObject({ code: 2, out: "" });
      expect(ran.err).toContain("No session aaab-0001");
      expect(ran.err).toContain("The closest matches are aaaa-0001");
      const many = await cli.run(["sessions", "rm", "bbbb"]);
      expect(many.err).toContain("bbbb-0003, bbbb-0002");
      expect(idsIn(cli).length).toBe(3);
    },
    limit,
  );

  test(
    "[PS-5] refuses a session that another process has open, by its pid, and then removes none",
    async () => {
      using cli = new Cli();
      keep(cli, { id: "aaaa-0001" }, { id: "bbbb-0002" });
      const holder = startWriter("hold", cli.home, "bbbb-0002");
      await holder.next();
      const ran = await cli.run(["sessions", "rm", "aaaa-0001", "bbbb-0002"]);
      expect(ran).toMatchObject({ code: 8, out: "" });
      expect(ran.err).toContain(`session bbbb-0002 was not removed: another process has it open (pid ${holder.pid})`);
      await holder.kill();
      const again = json((await cli.run(["sessions", "rm", "aaaa-0001", "bbbb-0002", "--json"])).out);
      expect(again).toMatchObject({ removed: ["aaaa-0001", "bbbb-0002"], held: 0 });
    },
    limit,
  );
});

describe("coder sessions prune", () => {
  test(
    "[CLI-3] shows what would go and removes it only with --yes",
    async () => {
      using cli = new Cli();
      keep(cli, { id: "aaaa-0001", age: 40 }, { id: "bbbb-0002", age: 20 }, { id: "cccc-0003" });
      const shown = await cli.run(["sessions", "prune", "--older-than", "30d"]);
      expect(shown.out).toMatch(
        /^would remove aaaa-0001 {2}\S+ \S+ \S+ {2}\S+ KB {2}aaaa-0001\nWould remove 1 of 3 sessions, \S+ KB\. Nothing was removed; to remove them, add --yes\.\n$/,
      );
      expect(json((await cli.run(["sessions", "prune", "--older-than", "30d", "--json"])).out)).toMatchObject({
        would_remove: [{ id: "aaaa-0001" }],
        sessions: 3,
      });
      expect(idsIn(cli).length).toBe(3);
      const ran = await cli.run(["sessions", "prune", "--older-than", "30d", "--yes"]);
      expect([ran.code, idsIn(cli)]).toEqual([0, ["cccc-0003", "bbbb-0002"]]);
      const none = await cli.run(["sessions", "prune", "--older-than", "30d", "--yes"]);
      expect([none.code, none.out]).toEqual([0, "No session matches; nothing was removed.\n"]);
    },
    limit,
  );

  test(
    "[CLI-3] leaves other workspaces alone unless --all is given, and open sessions always",
    async () => {
      using cli = new Cli();
      keep(cli, { id: "aaaa-0001" }, { id: "bbbb-0002", workspace: "/elsewhere" }, { id: "cccc-0003" });
      await cli.run(["sessions", "prune", "--keep", "0", "--yes"]);
      expect(idsIn(cli)).toEqual(["bbbb-0002"]);
      const holder = startWriter("hold", cli.home, "bbbb-0002");
      await holder.next();
      const ran = await cli.run(["sessions", "prune", "--keep", "0", "--all", "--yes", "--lang", "zh"]);
      expect(ran.out).toBe("没有符合条件的会话；未删除任何内容。\n");
      await holder.kill();
      expect(idsIn(cli)).toEqual(["bbbb-0002"]);
    },
    limit,
  );
});

const held = { pid: 1, startTime: "", bootId: "", since: 0, elsewhere: null };
const day = 86_400_000;

/** Newest first, as the store tells them; each takes 100 bytes and is a day older than the one before. */
function holdings(count: number, open: readonly number[] = []): readonly Holding[] {
  return Array.from({ length: count }, (_, n) => ({
    ...{ id: `s${n}`, title: "", workspace: "/w", model: "", createdAt: 0, events: 1, bytes: 100 },
    updatedAt: -n * day,
    holder: open.includes(n) ? held : null,
  }));
}

describe("which sessions retention takes", () => {
  const none = { olderThan: null, keep: null, maxBytes: null };
  const cases: readonly (readonly [
    string,
    Partial<typeof none | Record<string, number>>,
    readonly number[],
    readonly string[],
  ])[] = [
    ["older than two days", { olderThan: 2 * day }, [], ["s4", "s3"]],
    ["older than two days, but never the newest four", { olderThan: 2 * day, keep: 4 }, [], ["s4"]],
    ["all but the newest two", { keep: 2 }, [], ["s4", "s3", "s2"]],
    ["the oldest until 250 bytes are left", { maxBytes: 250 }, [], ["s4", "s3", "s2"]],
    ["by size, never the newest four, though that is too much", { maxBytes: 250, keep: 4 }, [], ["s4"]],
    ["by size, what age took already counts", { maxBytes: 350, olderThan: 2 * day }, [], ["s4", "s3"]],
    ["never an open one", { keep: 0 }, [1, 4], ["s3", "s2", "s0"]],
    ["nothing when no rule is given", {}, [], []],
  ];
  for (const [name, rule, open, expected] of cases) {
    test(name, () => {
      expect(chooseOld(holdings(5, open), { ...none, ...rule }, 0).map(({ id }) => id)).toEqual([...expected]);
    });
  }
});

describe("retention by itself", () => {
  const config = (cli: Cli, value: unknown): void =>
    writeFileSync(join(cli.home, "config.json"), JSON.stringify(value));

  test(
    "[CF-3] never removes anything unless the user's config asks for it",
    async () => {
      using cli = new Cli([{ text: "ok" }]);
      keep(cli, { id: "aaaa-0001", age: 4_000 });
      expect((await cli.run(["run", ...cli.model, "go"])).code).toBe(0);
      expect(idsIn(cli)).toContain("aaaa-0001");
    },
    limit,
  );

  test(
    "[CF-1] at the end of a run it removes what is too old, tells so, and does so once a day",
    async () => {
      using cli = new Cli([{ text: "ok" }]);
      keep(cli, { id: "aaaa-0001", age: 40 }, { id: "bbbb-0002", age: 20, workspace: "/elsewhere" });
      config(cli, { sessions: { max_age_days: 30 } });
      const ran = await cli.run(["run", ...cli.model, "go"]);
      expect([ran.code, ran.out]).toEqual([0, "ok\n"]);
      expect(ran.err).toContain("Old sessions removed: 1 (config: sessions.max_age_days");
      expect(idsIn(cli)).not.toContain("aaaa-0001");
      expect(idsIn(cli)).toContain("bbbb-0002");
      keep(cli, { id: "cccc-0003", age: 40 });
      expect((await cli.run(["run", ...cli.model, "go"])).err).toBe("");
      expect(idsIn(cli)).toContain("cccc-0003");
    },
    limit,
  );

  test(
    "[CF-1] by size it takes the oldest, never an open session nor the one that just ran",
    async () => {
      using cli = new Cli([{ text: "ok" }]);
      keep(cli, { id: "aaaa-0001", steps: 400 }, { id: "bbbb-0002", steps: 400 }, { id: "cccc-0003", steps: 400 });
      const holder = startWriter("hold", cli.home, "aaaa-0001");
      await holder.next();
      config(cli, { sessions: { max_size_mb: 1 } });
      const ran = JSON.parse((await cli.run(["run", ...cli.model, "--output", "json", "go"])).out) as {
        session_id: string;
      };
      await holder.kill();
      const left = idsIn(cli);
      expect(left).toContain(ran.session_id);
      expect(left).toContain("aaaa-0001");
      expect(left).not.toContain("bbbb-0002");
    },
    limit,
  );
});

describe("coder fork", () => {
  test(
    "[PS-5] copies a session, also one that another process holds, and the copy goes on by itself",
    async () => {
      using cli = new Cli([[{ text: "one" }], [{ text: "two" }]]);
      const first = JSON.parse((await cli.run(["run", ...cli.model, "--output", "json", "first"])).out) as {
        session_id: string;
      };
      const holder = startWriter("hold", cli.home, first.session_id);
      await holder.next();
      const forked = await cli.run(["fork", first.session_id]);
      const id = forked.out.trim();
      expect([forked.code, forked.err]).toEqual([0, `Session ${id} is a copy of ${first.session_id}.\n`]);
      const asJson = json((await cli.run(["fork", first.session_id, "--json"])).out);
      expect(asJson).toMatchObject({ forked_from: first.session_id, workspace: cli.workspace });
      await holder.kill();
      const on = await cli.run(["run", ...cli.model, "--resume", id, "second"]);
      expect([on.code, on.out]).toEqual([0, "two\n"]);
      const store = openStore(cli.home);
      const events = (of: string): number => [...(store.peek(of) ?? [])].length;
      expect(events(id)).toBeGreaterThan(events(first.session_id));
      store.close();
      expect((await cli.run(["replay", id])).code).toBe(0);
    },
    limit,
  );

  test(
    "[CLI-3] of an unknown id is a usage error that copies nothing",
    async () => {
      using cli = new Cli();
      keep(cli, { id: "aaaa-0001" });
      const ran = await cli.run(["fork", "aaaa-0002", "--lang", "zh"]);
      expect([ran.code, ran.out, idsIn(cli)]).toEqual([2, "", ["aaaa-0001"]]);
      expect(ran.err).toContain("最接近的有 aaaa-0001");
    },
    limit,
  );
});

test(
  "[PS-1] kill -9 in the middle of prune --yes leaves each session whole or gone, and the next one finishes",
  async () => {
    using cli = new Cli();
    const ids = Array.from({ length: 30 }, (_, n) => `aaaa-${String(n).padStart(4, "0")}`);
    keep(cli, ...ids.map((id) => ({ id, steps: 30 })));
    const whole = 2 + 30 * 4;
    let kills = 0;
    for (let round = 0; round < 5 && idsIn(cli).length > 0; round += 1) {
      const child = cli.start(["sessions", "prune", "--keep", "0", "--yes"]);
      const reader = child.stdout.getReader();
      // In the middle: some lines are out, the end is not.
      const { done } = await reader.read();
      if (!done) kills += 1;
      child.kill("SIGKILL");
      await child.exited;
      const store = openStore(cli.home);
      for (const { id, holder } of store.holdings()) {
        expect([id, holder, [...(store.peek(id) ?? [])].length]).toEqual([id, null, whole]);
      }
      store.close();
    }
    expect(kills).toBeGreaterThan(0);
    expect((await cli.run(["sessions", "prune", "--keep", "0", "--yes"])).code).toBe(0);
    expect(idsIn(cli)).toEqual([]);
    expect(readFileSync(join(cli.home, "coder.db")).length).toBeLessThan(200_000);
  },
  limit,
);

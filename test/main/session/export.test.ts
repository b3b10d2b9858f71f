import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { openStore } from "../../../src/store/open.ts";
import { startWriter } from "../../store/writer.ts";
import { Cli } from "../../support/cli.ts";
import { until } from "../../support/until.ts";
import { keep } from "../stored.ts";

const limit = 120_000;
const id = "aaaa-0001";

describe("coder export", () => {
  test(
    "[TP-6] [SA-secrets] no title, and no value that the environment calls a secret, leaves the store as it is",
    async () => {
      using cli = new Cli();
      const token = ["ghp_", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"].join("");
      const value = "Zebra9quiltXy77pp";
      // The title is cut within the second token.
      keep(cli, { id, title: `use ${token} ${value} ${"and ".repeat(2)}${token}` });
      const commands: readonly (readonly string[])[] = [
        ...["md", "html", "json"].map((form) => ["export", id, "--format", form]),
        ...[
          ["trace", id],
          ["trace", id, "--json"],
          ["sessions"],
          ["sessions", "--json"],
          ["sessions", "prune", "--keep", "0"],
        ],
      ];
      for (const command of commands) {
        const { code, out } = await cli.run(command, { env: { MY_SECRET: value } });
        const found = [token, value, token.slice(0, 12)].filter((secret) =>
          out.replaceAll("\\_", "_").includes(secret),
        );
        expect([command, code, found]).toEqual([command, 0, []]);
      }
    },
    limit,
  );

  test(
    "[CLI-3] [PS-5] writes Markdown to stdout, other forms by --format, --json or the file's name",
    async () => {
      using cli = new Cli();
      keep(cli, { id, title: "the title", steps: 2 });
      const md = await cli.run(["export", "aaaa"]);
      expect([md.code, md.err, md.out.split("\n")[0]]).toEqual([0, "", "# the title"]);
      const html = await cli.run(["export", id, "--format", "html"]);
      expect([html.code, html.out.startsWith("<!doctype html>"), html.out.endsWith("</html>\n")]).toEqual([
        0,
        true,
        true,
      ]);
      const json = JSON.parse((await cli.run(["export", id, "--json"])).out) as { events: unknown[] };
      const store = openStore(cli.home);
      expect(json.events).toEqual([...(store.peek(id) ?? [])]);
      store.close();
      const file = join(cli.root, "out.html");
      const named = await cli.run(["export", id, "-o", file]);
      expect([named.code, named.out, readFileSync(file, "utf8")]).toEqual([0, "", html.out]);
      expect(named.err).toBe(`Exported to ${file} (${statSync(file).size} bytes).\n`);
      expect(statSync(file).mode & 0o777).toBe(0o600);
      const loud = join(cli.root, "OUT.HTML");
      await cli.run(["export", id, "-o", loud]);
      expect(readFileSync(loud, "utf8")).toBe(html.out);
    },
    limit,
  );

  test(
    "[SU-2] an unknown form, two forms at once, an unknown id: usage errors, nothing on stdout",
    async () => {
      using cli = new Cli();
      keep(cli, { id });
      const bad: readonly (readonly [readonly string[], string])[] = [
        [["export", id, "--format", "pdf"], "pdf is not an export format; choose md, html, json"],
        [["export", id, "--format", "md", "--json"], "--json means --format json"],
        [["export", "aaaa-0009"], "The closest matches are aaaa-0001"],
        [["export"], "missing argument"],
        [["trace", id, "--json", "--html"], "--json and --html cannot be combined"],
        [["trace", ""], "No session"],
      ];
      for (const [words, text] of bad) {
        const ran = await cli.run(words);
        expect([words, ran.code, ran.out]).toEqual([words, 2, ""]);
        expect(ran.err).toContain(text);
      }
    },
    limit,
  );

  test(
    "[TL-1] never replaces a file that is there, whatever it is, and leaves no temporary one",
    async () => {
      using cli = new Cli();
      keep(cli, { id });
      const folder = join(cli.root, "out");
      mkdirSync(join(folder, "folder.md"), { recursive: true });
      writeFileSync(join(folder, "mine.md"), "mine");
      symlinkSync(join(folder, "nowhere"), join(folder, "link.md"));
      for (const name of ["mine.md", "folder.md", "link.md"]) {
        const ran = await cli.run(["export", id, "-o", join(folder, name)]);
        expect([ran.code, ran.out]).toEqual([1, ""]);
        expect(ran.err).toContain("already exists; it was left as it is");
      }
      const nowhere = await cli.run(["export", id, "-o", join(folder, "no", "such.md")]);
      expect([nowhere.code, nowhere.err.includes("could not be written (ENOENT)")]).toEqual([1, true]);
      expect(readFileSync(join(folder, "mine.md"), "utf8")).toBe("mine");
      expect(readdirSync(folder).sort()).toEqual(["folder.md", "link.md", "mine.md"]);
    },
    limit,
  );

  test(
    "[PS-5] while another process writes the session, gives a whole number of its events",
    async () => {
      using cli = new Cli();
      keep(cli, { id, steps: 50 });
      const writer = startWriter("pour", cli.home, id);
      await writer.next();
      const value = JSON.parse((await cli.run(["export", id, "--json"])).out) as {
        session: { events: number };
        events: { seq: number }[];
      };
      await writer.next();
      await writer.kill();
      expect(value.events.map(({ seq }) => seq)).toEqual(value.events.map((_, at) => at + 1));
      expect(value.events.length).toBe(value.session.events);
      expect(value.events.length).toBeGreaterThan(202);
    },
    limit,
  );
});

/** Starts an export and does something in its middle; again where it was too quick for that. */
async function midway(cli: Cli, folder: string, then: (child: ReturnType<Cli["start"]>) => void): Promise<number> {
  for (let n = 0; n < 10; n += 1) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
    const child = cli.start(["export", id, "-o", join(folder, "s.json")]);
    await until("the export has begun", () => readdirSync(folder).length > 0);
    if (!existsSync(join(folder, "s.json"))) then(child);
    const code = await child.exited;
    if (code !== 0) return code;
  }
  throw new Error("every export was over before anything could be done");
}

describe("an export that is cut off", () => {
  test(
    "[TL-1] by kill -9 leaves no half file, and the next one clears up after it",
    async () => {
      using cli = new Cli();
      keep(cli, { id, steps: 300, output: 30_000 });
      const folder = join(cli.root, "out");
      await midway(cli, folder, (child) => child.kill("SIGKILL"));
      expect(readdirSync(folder).map((name) => /^\.s\.json\..*\.tmp$/.test(name))).toEqual([true]);
      const file = join(folder, "s.json");
      expect((await cli.run(["export", id, "-o", file])).code).toBe(0);
      expect(readdirSync(folder)).toEqual(["s.json"]);
      expect((JSON.parse(readFileSync(file, "utf8")) as { events: unknown[] }).events.length).toBe(1_202);
    },
    limit,
  );

  test(
    "[TL-1] by somebody who makes that file meanwhile leaves theirs as it is",
    async () => {
      using cli = new Cli();
      keep(cli, { id, steps: 300, output: 30_000 });
      const folder = join(cli.root, "out");
      const theirs = join(folder, "s.json");
      expect(await midway(cli, folder, () => writeFileSync(theirs, "theirs"))).toBe(1);
      expect(readFileSync(theirs, "utf8")).toBe("theirs");
      expect(readdirSync(folder)).toEqual(["s.json"]);
    },
    limit,
  );

  test(
    "[CAN-1] by Ctrl+C leaves nothing behind and ends with 130",
    async () => {
      using cli = new Cli();
      keep(cli, { id, steps: 300, output: 30_000 });
      const folder = join(cli.root, "out");
      expect(await midway(cli, folder, (child) => child.kill("SIGINT"))).toBe(130);
      expect(readdirSync(folder)).toEqual([]);
    },
    limit,
  );

  test(
    "[SU-1] by a reader that has seen enough ends quietly and soon",
    async () => {
      using cli = new Cli();
      keep(cli, { id, steps: 300, output: 30_000 });
      for (const args of [
        ["export", id],
        ["export", id, "--json"],
        ["trace", id],
      ]) {
        const shell = `"$@" | head -c 10 >/dev/null; echo "\${PIPESTATUS[0]}"`;
        const { command, env } = cli.line(args);
        const child = Bun.spawn(["bash", "-c", shell, "bash", ...command], {
          env,
          cwd: cli.workspace,
          stdout: "pipe",
          stderr: "pipe",
        });
        const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text()]);
        expect([args, out, err]).toEqual([args, "130\n", ""]);
      }
    },
    limit,
  );

  test(
    "[SU-2] by a full disk is told and ends with 1",
    async () => {
      using cli = new Cli();
      keep(cli, { id, steps: 20 });
      const { command, env } = cli.line(["export", id]);
      const child = Bun.spawn(["bash", "-c", '"$@" > /dev/full', "bash", ...command], { env, stderr: "pipe" });
      expect([await child.exited, (await child.stderr.text()).includes("ENOSPC")]).toEqual([1, true]);
    },
    limit,
  );
});

test(
  "[CLI-3] coder trace of a real run shows its states, steps and calls as text, JSON and HTML",
  async () => {
    using cli = new Cli([
      { calls: [{ tool: "read", input: { path: "a.txt" } }], usage: { input: 50, output: 5, cached: 20 } },
      { text: "read it", usage: { input: 60, output: 6 } },
    ]);
    cli.file("a.txt", "hello\n");
    const ran = JSON.parse((await cli.run(["run", ...cli.model, "--output", "json", "look"])).out) as {
      session_id: string;
    };
    const text = await cli.run(["trace", ran.session_id]);
    expect([text.code, text.err]).toEqual([0, ""]);
    const lines = text.out.split("\n").map((line) => line.slice(11));
    for (const wanted of [
      "IDLE → INTAKE",
      /^step 1 {2}.* ms {2}50 in \(20 cached\) 5 out$/,
      /^read a\.txt {2}done .*allow .* {2}r1\/1\/1$/,
    ])
      expect(lines.filter((line) => (typeof wanted === "string" ? line === wanted : wanted.test(line))).length).toBe(1);
    const value = JSON.parse((await cli.run(["trace", ran.session_id, "--json"])).out) as { totals: object };
    expect(value.totals).toMatchObject({
      steps: 2,
      calls: 1,
      retries: 0,
      tokens: { input: 110, cached: 20, output: 11 },
    });
    const html = await cli.run(["trace", ran.session_id, "--html", "--lang", "zh"]);
    expect([html.code, html.out.includes('<rect class="model"'), html.out.includes("任务 t1")]).toEqual([
      0,
      true,
      true,
    ]);
  },
  limit,
);

test(
  "[ER-2] [PS-5] a damaged event is told where it stands, in every form, and the rest is shown; replay names it",
  async () => {
    using cli = new Cli([{ text: "first words", calls: [{ tool: "list", input: {} }] }, { text: "last words" }]);
    const ran = JSON.parse((await cli.run(["run", "--output", "json", ...cli.model, "go"])).out) as {
      session_id: string;
    };
    const session = ran.session_id;
    const db = new Database(join(cli.home, "coder.db"));
    const seqOf = (type: string) =>
      Number(db.prepare("select min(seq) from events where type = ?").values(type)[0]?.[0]);
    for (const type of ["model.replied", "tool.settled"]) {
      const seq = seqOf(type);
      const [good] = db.prepare("select body from events where seq = ?").values(seq)[0] ?? [];
      for (const body of [
        `{"type":"${type}","v":1,"at":5,"callId":"r1/1/1"}`,
        "5",
        `{"type":"${type}","v":1,"at":5,"callId":"r1/1/1","reply":{},"result":{}}`,
      ]) {
        db.run("update events set body = ? where seq = ?", [body, seq]);
        const told = `event ${seq} of this session cannot be read`;
        for (const form of ["md", "html"]) {
          const { code, out, err } = await cli.run(["export", session, "--format", form]);
          const isTold = out.includes(told);
          expect([body, form, code, err, isTold, out.includes("last words")]).toEqual([body, form, 0, "", true, true]);
        }
        const json = await cli.run(["export", session, "--json"]);
        expect((JSON.parse(json.out) as { events: { event: unknown }[] }).events[seq - 1]?.event).toEqual(
          JSON.parse(body),
        );
        expect([body, (await cli.run(["trace", session])).code]).toEqual([body, 0]);
        const replayed = await cli.run(["replay", session]);
        expect([body, replayed.code, replayed.err.includes(`event ${seq}`)]).toEqual([body, 8, true]);
      }
      db.run("update events set body = ? where seq = ?", [String(good), seq]);
    }
    db.close(true);
  },
  limit,
);

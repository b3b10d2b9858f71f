// Whose folder it is that says what coder may do.
import { afterAll, describe, expect, test } from "bun:test";
import {
  chmodSync,
  chownSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ownHome } from "../../src/config/home.ts";
import { say } from "../../src/contract/text/catalogue.ts";
import { Cli } from "../support/cli.ts";

const isRoot = process.getuid?.() === 0;
const folder = realpathSync(mkdtempSync(join(tmpdir(), "coder-home-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const [stranger, strangers] = [54_321, 54_322];

let made = 0;
function newFolder(mode = 0o700): string {
  const path = join(folder, `home ${++made}`);
  mkdirSync(path);
  chmodSync(path, mode);
  return path;
}

/** What is wrong and where; `null` = nothing. */
function judged(home: string, config?: string): { readonly text: string; readonly advice: string } | null {
  const own = ownHome({ flags: config === undefined ? {} : { config }, env: { CODER_HOME: home }, cwd: "/" });
  if (own.ok) return null;
  const { text, advice } = own.error;
  return { text: say("en", text), advice: advice ? say("en", advice) : "" };
}

const files = ["config.json", "keys.json", "coder.db", "coder.db-wal", "coder.db-shm", "AGENTS.md"];

describe("a folder that others can change is refused", () => {
  const rows: Readonly<Record<string, () => readonly [home: string, place: string]>> = {
    "writable by all": () => [newFolder(0o777), ""],
    "writable by all, with the sticky bit: others could put files in it": () => [newFolder(0o1777), ""],
    "write only": () => [newFolder(0o702), ""],
    ...Object.fromEntries(
      files.map((name) => [
        `${name} writable by all`,
        () => {
          const home = newFolder();
          writeFileSync(join(home, name), "");
          chmodSync(join(home, name), 0o666);
          return [home, `/${name}`] as const;
        },
      ]),
    ),
    "skills writable by all": () => {
      const home = newFolder();
      mkdirSync(join(home, "skills"));
      chmodSync(join(home, "skills"), 0o777);
      return [home, "/skills"];
    },
    "behind a link": () => {
      const home = newFolder(0o777);
      symlinkSync(home, `${home} link`);
      return [`${home} link`, home];
    },
    "a config behind a link": () => {
      const [home, elsewhere] = [newFolder(), newFolder()];
      writeFileSync(join(elsewhere, "c.json"), "{}");
      chmodSync(join(elsewhere, "c.json"), 0o666);
      symlinkSync(join(elsewhere, "c.json"), join(home, "config.json"));
      return [home, `${elsewhere}/c.json`];
    },
    "in a folder that all can write to": () => {
      const around = newFolder(0o777);
      mkdirSync(join(around, "mine"), { mode: 0o700 });
      return [join(around, "mine"), around];
    },
    "to be made in a folder that all can write to": () => {
      const around = newFolder(0o777);
      return [join(around, "a", "b"), around];
    },
    "through a link that lies in a folder that all can write to": () => {
      const [home, around] = [newFolder(), newFolder(0o777)];
      symlinkSync(home, join(around, "link"));
      return [join(around, "link"), around];
    },
  };
  for (const [name, make] of Object.entries(rows)) {
    test(`[PO-9] ${name}`, () => {
      const [home, place] = make();
      const where = place.startsWith(folder) ? place : `${home}${place}`;
      expect(judged(home)).toMatchObject({ text: expect.stringContaining(`can change ${where} (mode`) });
      expect(judged(home)?.advice).toContain(`chmod go-w '${where}'`);
    });
  }

  test.skipIf(!isRoot)(
    "[PO-9] belonging to somebody else, as a folder, as one of its files, or as a link to it",
    () => {
      const home = newFolder();
      chownSync(home, stranger, stranger);
      expect(judged(home)?.text).toBe(
        `${home} belongs to another user (uid ${stranger}), who could change what coder may do`,
      );
      for (const name of files) {
        const mine = newFolder();
        writeFileSync(join(mine, name), "");
        chownSync(join(mine, name), stranger, 0);
        expect([name, judged(mine)?.text.split(" belongs")[0]]).toEqual([name, join(mine, name)]);
      }
      const around = newFolder(0o1777);
      symlinkSync(newFolder(), join(around, "link"));
      lchownSync(join(around, "link"), stranger, stranger);
      expect(judged(join(around, "link"))?.text).toContain(`${around}/link belongs to another user`);
      const theirs = newFolder();
      mkdirSync(join(theirs, "mine"));
      chownSync(theirs, stranger, stranger);
      expect(judged(join(theirs, "mine"))?.advice).toContain("is not inside");
    },
  );

  test.skipIf(!isRoot)("[PO-9] writable by a group that others are in", () => {
    const home = newFolder(0o770);
    chownSync(home, 0, strangers);
    expect(judged(home)?.text).toContain(`other users of its group can change ${home} (mode 770)`);
  });

  test("[PO-9] a file named by --config counts as well", () => {
    const elsewhere = newFolder();
    writeFileSync(join(elsewhere, "c.json"), "{}");
    chmodSync(join(elsewhere, "c.json"), 0o622);
    expect(judged(newFolder(), join(elsewhere, "c.json"))?.text).toContain(`can change ${elsewhere}/c.json`);
  });
});

test("[PO-9] a folder that only its owner can change is used, readable to others or not, made or not, also in a sticky folder", () => {
  const around = newFolder(0o1777);
  mkdirSync(join(around, "mine"), { mode: 0o700 });
  const linked = newFolder();
  symlinkSync(linked, `${linked} link`);
  const homes = [
    newFolder(0o755),
    newFolder(0o700),
    join(newFolder(), "a", "b"),
    join(around, "mine"),
    join(around, "new"),
  ];
  for (const home of [...homes, `${linked} link`]) expect([home, judged(home)]).toEqual([home, null]);
  // Of root's own group nobody else is a member.
  if (isRoot) expect(judged(newFolder(0o770))).toBeNull();
});

test("[PO-9] the program refuses it with the command that closes it, runs nothing before, and goes on after", async () => {
  using cli = new Cli([{ text: "hello" }]);
  mkdirSync(cli.home);
  writeFileSync(join(cli.home, "config.json"), '{ "permissions": { "allow": ["bash"] } }');
  chmodSync(cli.home, 0o777);
  for (const args of [
    ["run", ...cli.model, "hi"],
    ["sessions"],
    ["config", "get", "mode"],
    ["policy", "check", "ls"],
    ["tool", "list", "{}"],
  ]) {
    const refused = await cli.run(args);
    expect([args[0], refused.code, refused.out]).toEqual([args[0], 2, ""]);
    expect(refused.err).toContain(`anyone on this machine can change ${cli.home} (mode 777)`);
  }
  expect(cli.server.requests.length).toBe(0);
  const doctor = await cli.run(["doctor", "--json"]);
  expect(doctor.out).toContain(`chmod go-w ${cli.home}`);
  expect(Bun.spawnSync(["sh", "-c", /chmod go-w \S+/.exec(doctor.out)?.[0] ?? "false"]).exitCode).toBe(0);
  writeFileSync(join(cli.home, "config.json"), "{}");
  expect(await cli.run(["run", ...cli.model, "hi"])).toMatchObject({ code: 0, out: "hello\n" });
});

import { describe, expect, test } from "bun:test";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { type PhraseArgs, phrase, type TextKey } from "../../src/contract/text/catalogue.ts";
import { writerName } from "../../src/platform/identity.ts";
import { readSnapshot, writeConfigFile, writeInCoderFolder, writeSnapshot } from "../../src/store/snapshot.ts";
import { sid, useFolder } from "./sample.ts";
import { startWriter } from "./writer.ts";

const workspace = useFolder();
const coder = (): string => join(workspace(), ".coder");
const sessions = (): string => join(coder(), "sessions");
const file = (): string => join(sessions(), `${sid}.json`);

function refused(text: TextKey, args: PhraseArgs, advice?: TextKey) {
  const told = advice === undefined ? {} : { advice: phrase(advice, args) };
  return { ok: false, error: { code: "E_STORE", text: phrase(text, args), ...told } };
}

describe("writing", () => {
  test("[PS-2] leaves one private file that is read back, in a folder that git ignores", () => {
    expect(writeSnapshot(workspace(), sid, '{"a":1}')).toEqual({ ok: true, value: undefined });
    expect(writeSnapshot(workspace(), sid, '{"a":2}')).toEqual({ ok: true, value: undefined });
    expect(readSnapshot(workspace(), sid)).toEqual({ ok: true, value: { a: 2 } });
    expect(readdirSync(sessions()).sort()).toEqual([".gitignore", `${sid}.json`]);
    const mode = (path: string): string => (statSync(path).mode & 0o777).toString(8);
    expect([mode(coder()), mode(sessions()), mode(file())]).toEqual(["700", "700", "600"]);
    expect(readFileSync(join(sessions(), ".gitignore"), "utf8")).toBe("*\n");
  });

  test("[PS-2] keeps the person's own .gitignore and the folder's mode", () => {
    mkdirSync(coder(), { mode: 0o755 });
    writeFileSync(join(coder(), ".gitignore"), "mine\n");
    expect(writeSnapshot(workspace(), sid, "{}").ok).toBe(true);
    expect(readFileSync(join(coder(), ".gitignore"), "utf8")).toBe("mine\n");
    expect((statSync(coder()).mode & 0o777).toString(8)).toBe("755");
  });

  test.each([".coder", ".coder/sessions"])(
    "[PS-2] refuses when %s is a link, and nothing appears behind it",
    (name) => {
      const outside = join(workspace(), "outside");
      mkdirSync(outside);
      if (name !== ".coder") mkdirSync(coder());
      symlinkSync(outside, join(workspace(), name));
      const args = { path: join(workspace(), name) };
      const expected = refused("snapshot.not_a_folder", args, "snapshot.not_a_folder.advice");
      expect(writeSnapshot(workspace(), sid, "{}")).toEqual(expected as never);
      expect(readSnapshot(workspace(), sid)).toEqual(expected as never);
      expect(readdirSync(outside)).toEqual([]);
    },
  );

  test("[PS-2] replaces a link under the snapshot's own name instead of writing through it", () => {
    mkdirSync(sessions(), { recursive: true });
    const target = join(workspace(), "precious");
    writeFileSync(target, "precious");
    symlinkSync(target, file());
    expect(writeSnapshot(workspace(), sid, "{}").ok).toBe(true);
    expect(readFileSync(target, "utf8")).toBe("precious");
    expect(lstatSync(file()).isFile()).toBe(true);
  });

  test("an id that could name another file is refused", () => {
    for (const id of ["../../x", "", "a/b-cccc", "aaaa-0001.json"]) {
      expect(writeSnapshot(workspace(), id, "{}")).toEqual(refused("snapshot.bad_id", { id }) as never);
      expect(readSnapshot(workspace(), id)).toEqual(refused("snapshot.bad_id", { id }) as never);
    }
    expect(existsSync(coder())).toBe(false);
  });

  test("[PS-2] a failure is an answer, not a crash, and leaves the old snapshot and no temporary file", () => {
    const gone = join(workspace(), "gone");
    const args = { path: join(gone, ".coder", "sessions", `${sid}.json`), code: "ENOENT" };
    expect(writeSnapshot(gone, sid, "{}")).toEqual(
      refused("snapshot.unwritten", args, "snapshot.unwritten.advice") as never,
    );
    mkdirSync(file(), { recursive: true });
    expect(writeSnapshot(workspace(), sid, "{}")).toMatchObject({
      ok: false,
      error: { code: "E_STORE", text: { key: "snapshot.unwritten" } },
    });
    expect(readdirSync(sessions()).sort()).toEqual([".gitignore", `${sid}.json`]);
  });

  test("[PS-2] what killed writers left behind goes at the next write; what a living one is writing stays", () => {
    mkdirSync(sessions(), { recursive: true });
    const parent = `.other.json.${process.ppid}.${startTimeOf(process.ppid)}.tmp`;
    const stale = [`.x.json.4194303.1.tmp`, `.y.json.${process.ppid}.1.tmp`, `.z.json.${writerName()}.tmp`];
    for (const name of [parent, ...stale, "notes.tmp"]) writeFileSync(join(sessions(), name), "half");
    expect(writeSnapshot(workspace(), sid, "{}").ok).toBe(true);
    expect(readdirSync(sessions()).sort()).toEqual([".gitignore", parent, `${sid}.json`, "notes.tmp"].sort());
  });

  test("[PS-2] what a writer in another PID namespace is writing stays; what it left hours ago goes", () => {
    mkdirSync(sessions(), { recursive: true });
    const [now, old] = [".x.json.4194303.1.77.tmp", ".y.json.4194303.1.77.tmp"];
    for (const name of [now, old]) writeFileSync(join(sessions(), name), "half");
    const hoursAgo = new Date(Date.now() - 3 * 3_600_000);
    utimesSync(join(sessions(), old), hoursAgo, hoursAgo);
    expect(writeSnapshot(workspace(), sid, "{}").ok).toBe(true);
    expect(readdirSync(sessions()).sort()).toEqual([".gitignore", now, `${sid}.json`].sort());
  });

  test("[PS-2] a reader never finds half a snapshot, wherever its writer is killed", async () => {
    for (let round = 0; round < 8; round += 1) {
      const writer = startWriter("snap", workspace(), sid);
      const wanted = 1 + Math.floor(Math.random() * 4);
      for (let n = 0; n < wanted; n += 1) await writer.next();
      await Bun.sleep(Math.random() * 4);
      await writer.kill();
      const read = readSnapshot(workspace(), sid);
      if (!read.ok) throw new Error(JSON.stringify(read.error));
      expect(read.value.n).toBe(read.value.end);
      expect(writeSnapshot(workspace(), sid, "{}").ok).toBe(true);
      expect(readdirSync(sessions()).sort()).toEqual([".gitignore", `${sid}.json`]);
    }
  });
});

describe("other files of .coder", () => {
  test("the config stands beside the folders, readable to all, and spilled output in a private folder of its own", () => {
    expect(writeConfigFile(workspace(), "{}\n")).toEqual({ ok: true, value: undefined });
    expect(writeInCoderFolder(workspace(), "output", "o1.txt", "long")).toEqual({ ok: true, value: undefined });
    const all = readdirSync(coder(), { recursive: true }).map(String).sort();
    expect(all).toEqual(["config.json", "output", "output/.gitignore", "output/o1.txt"]);
    const mode = (name: string): string => (statSync(join(coder(), name)).mode & 0o777).toString(8);
    expect(["config.json", "output", "output/o1.txt"].map(mode)).toEqual(["644", "700", "600"]);
  });
});

function startTimeOf(pid: number): string {
  const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
}

describe("reading", () => {
  const plant = (text: string): void => {
    mkdirSync(sessions(), { recursive: true });
    writeFileSync(file(), text);
  };

  test("one that is not there is told apart from a damaged one", () => {
    const nowhere = readSnapshot(workspace(), sid);
    expect(nowhere).toEqual(refused("snapshot.missing", { path: file() }) as never);
    mkdirSync(sessions(), { recursive: true });
    expect(readSnapshot(workspace(), sid)).toEqual(refused("snapshot.missing", { path: file() }) as never);
  });

  test.each(["", '{"a":1', "\u0000\u0001", "[1]", "null", '"text"', "7"])("%j is named as damaged", (text) => {
    plant(text);
    const read = readSnapshot(workspace(), sid);
    expect(read).toMatchObject({ ok: false, error: { code: "E_STORE", text: { key: "snapshot.damaged" } } });
    const problem = read.ok ? "" : String(read.error.text.args?.problem);
    expect(problem.length).toBeGreaterThan(5);
  });

  test("one too large to be ours is named as damaged and not loaded", () => {
    plant("{}");
    truncateSync(file(), 300 * 1024 * 1024);
    const args = { path: file(), problem: "314572800 bytes, more than 268435456" };
    const expected = refused("snapshot.damaged", args, "snapshot.damaged.advice");
    expect(readSnapshot(workspace(), sid)).toEqual(expected as never);
  });

  test("a link, a folder and a named pipe under its name are not read, and reading does not wait for ever", () => {
    mkdirSync(sessions(), { recursive: true });
    const path = file();
    writeFileSync(join(workspace(), "secret"), '{"secret":1}');
    symlinkSync(join(workspace(), "secret"), path);
    expect(readSnapshot(workspace(), sid)).toEqual(refused("snapshot.not_a_file", { path }) as never);
    const pipe = join(sessions(), "bbbb-0002.json");
    Bun.spawnSync(["mkfifo", pipe]);
    expect(readSnapshot(workspace(), "bbbb-0002")).toEqual(refused("snapshot.not_a_file", { path: pipe }) as never);
    const folder = join(sessions(), "cccc-0003.json");
    mkdirSync(folder);
    expect(readSnapshot(workspace(), "cccc-0003")).toEqual(refused("snapshot.not_a_file", { path: folder }) as never);
  });
});

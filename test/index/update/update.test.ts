import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { openIndex, type RepoIndex } from "../../../src/index/open.ts";
import { indexPathOf } from "../../../src/index/place.ts";
import { until } from "../../support/until.ts";
import { deps, inWorkspace, pathsFor, signal, type Workspace, withIndex } from "../workspace.ts";

const code = { "src/a.ts": "export function openBox() {}\n", "src/b.ts": "export const lidSize = 3;\n" };

async function updated(index: RepoIndex) {
  const result = await index.update(signal);
  return result.ok ? result.value : result.error;
}

/** All that is known, file by file, whatever the numbers of the rows. */
function contentOf({ root, home }: Workspace): readonly unknown[] {
  const db = new Database(indexPathOf(root, home), { readonly: true });
  try {
    const sql = `select path, hash, is_final, symbols, hex(defs), hex(uses), (select count(*) from words where rowid = files.id)
      from files join facts using (id) order by path`;
    return db.query(sql).values();
  } finally {
    db.close();
  }
}

test("[CX-4] new, changed and removed files are seen, and what is the same is not read again", async () => {
  await inWorkspace(code, async (workspace) => {
    await withIndex(workspace, async (index) => {
      expect(await updated(index)).toEqual({ files: 2, changed: 2, removed: 0, isPartial: false });
      expect(await updated(index)).toEqual({ files: 2, changed: 0, removed: 0, isPartial: false });
      workspace.write({ "src/a.ts": "export function closeCrate() {}\n", "src/c.ts": "export class Hinge {}\n" });
      rmSync(join(workspace.root, "src/b.ts"));
      expect(await updated(index)).toEqual({ files: 2, changed: 2, removed: 1, isPartial: false });
      expect(await pathsFor(index, "closeCrate")).toEqual(["src/a.ts"]);
      expect(await pathsFor(index, "openBox")).toEqual([]);
      expect(await pathsFor(index, "lidSize")).toEqual([]);
    });
  });
});

test("[CX-4] a file that is only touched is not new, and one changed with its old times is", async () => {
  await inWorkspace(code, async (workspace) => {
    const box = join(workspace.root, "src/a.ts");
    const then = new Date(Date.now() - 60_000);
    await withIndex(workspace, async (index) => {
      await updated(index);
      utimesSync(box, then, then);
      expect(await updated(index)).toMatchObject({ changed: 0 });
      writeFileSync(box, "export function mendBox() {}\n");
      utimesSync(box, then, then);
      expect(await updated(index)).toMatchObject({ changed: 1 });
      expect(await pathsFor(index, "mendBox")).toEqual(["src/a.ts"]);
    });
  });
});

test("[CX-4] two changes within one tick of the clock, of the same length, are both seen", async () => {
  await inWorkspace({ "a.ts": "export const first0 = 1;\n" }, async (workspace) => {
    await withIndex(workspace, async (index) => {
      for (let round = 1; round < 20; round++) {
        await updated(index);
        workspace.write({ "a.ts": `export const first${round % 10} = ${round % 10};\n` });
        expect(await updated(index)).toMatchObject({ changed: 1 });
      }
    });
  });
});

test("[CX-4] [PO-6] secrets, ignored files, links, git's own files and coder's are never indexed", async () => {
  const files = {
    ...{ ".env": "TOKEN=uniqueword1\n", "deploy/id_rsa": "uniqueword2\n", ".gitignore": "made/\n*.log\n" },
    ...{ "made/x.ts": "uniqueword3\n", "a.log": "uniqueword4\n", ".git/config": "uniqueword5\n" },
    ...{ ".coder/sessions/s.json": "uniqueword6\n", "ok.ts": "export const seen = 1;\n" },
  };
  await inWorkspace(files, async (workspace) => {
    symlinkSync("ok.ts", join(workspace.root, "link.ts"));
    symlinkSync("/etc/passwd", join(workspace.root, "passwd.ts"));
    await withIndex(workspace, async (index) => {
      expect(await updated(index)).toMatchObject({ files: 2 });
      for (let at = 1; at <= 6; at++) expect(await pathsFor(index, `where is "uniqueword${at}"?`)).toEqual([]);
    });
    const known = contentOf(workspace).map((row) => (row as string[])[0]);
    expect(known).toEqual([".gitignore", "ok.ts"]);
  });
});

test("[CX-4] [PO-6] a file that counts as a secret from now on leaves the index", async () => {
  await inWorkspace(code, async (workspace) => {
    await withIndex(workspace, updated);
    await withIndex(workspace, updated, { isSecret: (path) => path === "src/b.ts" });
    expect(contentOf(workspace).map((row) => (row as string[])[0])).toEqual(["src/a.ts"]);
  });
});

test("[CX-4] a home inside the workspace is not indexed", async () => {
  await inWorkspace(code, async (workspace) => {
    const inside = { ...workspace, home: join(workspace.root, "state") };
    await withIndex(inside, updated);
    expect(await withIndex(inside, updated)).toMatchObject({ files: 2, changed: 0 });
  });
});

test("[CX-4] binary, huge, endless-line and empty files are known by their path only, and cost nothing more", async () => {
  const files = {
    ...{ "a.ts": new Uint8Array(5000), "big.ts": `export function hidden1() {}\n`.repeat(40_000), "empty.ts": "" },
    ...{
      "packed.js": `function hidden2(){};${"x=1;".repeat(100_000)}`,
      "line.py": `hidden3 = "${"a".repeat(300_000)}"`,
    },
    ...{ "data.json": `{"hidden4": [${"1,".repeat(60_000)}1]}` },
  };
  await inWorkspace(files, async (workspace) => {
    await withIndex(workspace, async (index) => {
      expect(await updated(index)).toMatchObject({ files: 6, changed: 6 });
      await index.refine(signal);
      expect(await updated(index)).toMatchObject({ files: 6, changed: 0 });
      expect(await pathsFor(index, "where is the packed one?")).toEqual(["packed.js"]);
    });
    expect(contentOf(workspace).map((row) => (row as unknown[])[3])).toEqual(Array.from({ length: 6 }, () => "[]"));
  });
});

test("[CX-4] text that is not UTF-8 is indexed as what it is", async () => {
  const gbk = Buffer.from([0x2f, 0x2f, 0x20, 0xc5, 0xe4, 0xd6, 0xc3, 0xce, 0xc4, 0xbc, 0xfe, 0x0a]);
  const files = { "gbk.c": gbk, "wide.ts": Buffer.from("\ufeffexport const wideName = 1;\n", "utf16le") };
  await inWorkspace(
    { ...files, "odd.ts": Buffer.from("export const oddName = '\xe9\xff';\n", "latin1") },
    async (workspace) => {
      await withIndex(workspace, async (index) => {
        await updated(index);
        expect(await pathsFor(index, "配置")).toEqual(["gbk.c"]);
        expect((await pathsFor(index, "wide name"))[0]).toBe("wide.ts");
        expect((await pathsFor(index, "odd name"))[0]).toBe("odd.ts");
      });
    },
  );
});

test("[CX-4] the file and its folder are closed to everybody else", async () => {
  await inWorkspace(code, async (workspace) => {
    await withIndex(workspace, async (index) => {
      await updated(index);
      const folder = join(workspace.home, "index");
      expect(statSync(folder).mode & 0o777).toBe(0o700);
      for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    });
  });
});

const damages: readonly (readonly [name: string, damage: (path: string) => void])[] = [
  ["no database", (path) => writeFileSync(path, "not a database, just text\n".repeat(500))],
  [
    "a folder",
    (path) => {
      rmSync(path);
      mkdirSync(join(path, "x"), { recursive: true });
    },
  ],
  ["empty", (path) => writeFileSync(path, "")],
  [
    "cut in the middle",
    (path) => {
      const size = statSync(path).size;
      Bun.spawnSync(["truncate", "-s", String(Math.floor(size / 2)), path]);
    },
  ],
  [
    "of another version",
    (path) => {
      const db = new Database(path);
      db.run("pragma user_version = 999");
      db.close();
    },
  ],
  [
    "another program's",
    (path) => {
      rmSync(path);
      const db = new Database(path);
      db.run("create table words (a)");
      db.close();
    },
  ],
  [
    "garbled behind its first page",
    (path) => {
      const bytes = readFileSync(path);
      writeFileSync(path, bytes.fill(0xaa, 4096));
    },
  ],
  ["gone", (path) => rmSync(path)],
];

for (const [name, damage] of damages) {
  test(`[CX-4] an index file that is ${name} is made anew, and nobody is told`, async () => {
    await inWorkspace(code, async (workspace) => {
      await withIndex(workspace, async (index) => updated(index));
      const whole = contentOf(workspace);
      damage(indexPathOf(workspace.root, workspace.home));
      await withIndex(workspace, async (index) => {
        expect(await pathsFor(index, "openBox")).toEqual(["src/a.ts"]);
        expect(await updated(index)).toMatchObject({ files: 2 });
        expect(await updated(index)).toMatchObject({ files: 2, changed: 0 });
      });
      expect(contentOf(workspace)).toEqual(whole);
    });
  });
}

test("[CX-4] whatever a damaged index says, nothing is thrown, and the files are found again", async () => {
  const text = (at: number): string => `export function part${at}() {}\n// word${at} and other words\n`.repeat(5);
  const files = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`f${at}.ts`, text(at)]));
  await inWorkspace(files, async (workspace) => {
    await withIndex(workspace, updated);
    const path = indexPathOf(workspace.root, workspace.home);
    const whole = readFileSync(path);
    await fc.assert(
      fc.asyncProperty(
        fc.nat(whole.length - 1),
        fc.integer({ min: 1, max: 5000 }),
        fc.nat(255),
        async (at, length, byte) => {
          writeFileSync(path, Buffer.from(whole).fill(byte, at, Math.min(whole.length, at + length)));
          for (const ending of ["-wal", "-shm"]) rmSync(`${path}${ending}`, { force: true });
          await withIndex(workspace, async (index) => {
            await index.search("where is part7?", { budget: 100, signal });
            await index.map(200);
            expect((await index.update(signal)).ok).toBe(true);
            await index.refine(signal);
          });
        },
      ),
      { numRuns: process.env.CODER_TEST_LONG ? 400 : 40 },
    );
  });
});

test("[CX-4] an index that is damaged, replaced or deleted while it is open is made anew as well", async () => {
  await inWorkspace(code, async (workspace) => {
    const path = indexPathOf(workspace.root, workspace.home);
    await withIndex(workspace, async (index) => {
      await updated(index);
      for (const damage of [
        () => rmSync(path),
        () => renameSync(path, `${path}.old`),
        () => writeFileSync(path, Buffer.alloc(65_536, 7)),
      ]) {
        damage();
        expect(await pathsFor(index, "openBox")).toEqual(["src/a.ts"]);
        expect(await updated(index)).toMatchObject({ files: 2 });
        expect(await pathsFor(index, "openBox")).toEqual(["src/a.ts"]);
      }
    });
  });
});

test("[CX-4] where no index can be kept, an update says so and the search goes on without", async () => {
  await inWorkspace(code, async (workspace) => {
    writeFileSync(workspace.home, "a file where the folder should be\n");
    await withIndex(workspace, async (index) => {
      const result = await index.update(signal);
      expect(result.ok ? "" : `${result.error.code} ${result.error.text.key}`).toBe("E_IO index.unusable");
      expect(await index.map(500)).toBe("");
      const found = await index.search("openBox", { budget: 100, signal });
      expect(found.files.map(({ path }) => path)).toEqual(["src/a.ts"]);
      expect(found.failed).toEqual(["symbols", "paths", "text"]);
    });
  });
});

test.skipIf(!canMount())(
  "[CX-4] [PS-1] on a disk that is nearly full it gives back what it has, and the search goes on without",
  async () => {
    await inWorkspace(code, async (workspace) => {
      mkdirSync(workspace.home);
      expect(mountSmall(workspace.home)).toBe(true);
      try {
        await withIndex(workspace, async (index) => {
          expect(await updated(index)).toMatchObject({ files: 2 });
          writeFileSync(join(workspace.home, "filler"), Buffer.alloc(20 * 2 ** 20));
          workspace.write({ "src/c.ts": "export const hinge = 1;\n" });
          const refused = await index.update(signal);
          expect(refused.ok ? null : refused.error.text.args).toMatchObject({ code: "ENOSPC" });
          expect(readdirSync(join(workspace.home, "index"))).toEqual([]);
          expect((await index.update(signal)).ok).toBe(false);
          expect(await pathsFor(index, "openBox")).toEqual(["src/a.ts"]);
          rmSync(join(workspace.home, "filler"));
          expect(await updated(index)).toMatchObject({ files: 3, changed: 3 });
        });
      } finally {
        Bun.spawnSync(["umount", workspace.home]);
      }
    });
  },
);

/** Little more than an index leaves free. */
function mountSmall(path: string): boolean {
  return Bun.spawnSync(["mount", "-t", "tmpfs", "-o", "size=270m", "tmpfs", path]).exitCode === 0;
}

function canMount(): boolean {
  const probe = mkdtempSync(join(tmpdir(), "coder-mount-"));
  const isMounted = Bun.which("mount") !== null && mountSmall(probe);
  if (isMounted) Bun.spawnSync(["umount", probe]);
  rmdirSync(probe);
  return isMounted;
}

test("[CX-4] [CAN-1] an update that is cancelled says so, and the next one goes on", async () => {
  await inWorkspace(code, async (workspace) => {
    await withIndex(workspace, async (index) => {
      const stopped = await index.update(AbortSignal.abort());
      expect(stopped.ok ? "" : stopped.error.code).toBe("E_CANCELLED");
      expect(await updated(index)).toMatchObject({ files: 2, changed: 2 });
    });
  });
});

function many(count: number): Record<string, string> {
  const text = (at: number): string =>
    `export function made${at}() {}\n${"// the words of a made-up file\n".repeat(30)}`;
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [`d${at % 20}/f${at}.ts`, text(at)]));
}

const builder = (workspace: Workspace) =>
  Bun.spawn([process.execPath, join(import.meta.dir, "..", "builder.ts"), workspace.root, workspace.home], {
    stdout: "pipe",
    stderr: "inherit",
  });

test("[CX-4] killed with -9 while it indexes, the next process goes on and ends with the same index", async () => {
  await inWorkspace(many(800), async (workspace) => {
    const path = indexPathOf(workspace.root, workspace.home);
    for (let round = 0; round < 3; round++) {
      const child = builder(workspace);
      await until(
        "something is written",
        () => (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 50_000 * round,
      );
      child.kill("SIGKILL");
      await child.exited;
    }
    await withIndex(workspace, async (index) => {
      expect(await updated(index)).toMatchObject({ files: 800 });
      await index.refine(signal);
    });
    const known = contentOf(workspace);
    rmSync(workspace.home, { recursive: true });
    await withIndex(workspace, async (index) => {
      await updated(index);
      await index.refine(signal);
    });
    expect(known).toEqual(contentOf(workspace));
  });
});

test("[CX-4] several processes that index at once, while files change, end with one sound index", async () => {
  await inWorkspace(many(400), async (workspace) => {
    const children = [builder(workspace), builder(workspace), builder(workspace)];
    await until("it has begun", () => existsSync(indexPathOf(workspace.root, workspace.home)));
    workspace.write({ "d0/f0.ts": "export function other() {}\n" });
    expect(await Promise.all(children.map((child) => child.exited))).toEqual([0, 0, 0]);
    await withIndex(workspace, async (index) => {
      expect(await updated(index)).toMatchObject({ files: 400 });
      expect((await pathsFor(index, "made7"))[0]).toBe("d7/f7.ts");
    });
    const db = new Database(indexPathOf(workspace.root, workspace.home));
    expect(db.query("pragma integrity_check").values()).toEqual([["ok"]]);
    db.close();
  });
});

test("[CX-4] what can no longer be read is no longer known", async () => {
  await inWorkspace(code, async (workspace) => {
    await withIndex(workspace, async (index) => {
      await updated(index);
      rmSync(join(workspace.root, "src/b.ts"));
      symlinkSync("a.ts", join(workspace.root, "src/b.ts"));
      chmodSync(workspace.root, 0o755);
      expect(await updated(index)).toMatchObject({ files: 1, removed: 1 });
    });
  });
});

test("[CX-4] the index of a workspace that nobody opened for two months is removed, no other file is", async () => {
  await inWorkspace(code, async (workspace) => {
    const folder = join(workspace.home, "index");
    mkdirSync(folder, { recursive: true });
    const old = new Date(Date.now() - 70 * 86_400_000);
    const names = [`${"a".repeat(24)}.db`, `${"b".repeat(24)}.db`, "notes.db"];
    for (const name of names) writeFileSync(join(folder, name), "");
    for (const name of [names[0]!, names[2]!]) utimesSync(join(folder, name), old, old);
    await withIndex(workspace, updated);
    const own = indexPathOf(workspace.root, workspace.home).slice(folder.length + 1);
    expect(readdirSync(folder).toSorted()).toEqual([own, names[1]!, names[2]!].toSorted());
  });
});

test("[CX-4] a loop of links, a pipe nobody writes to, and names of any form stop nothing, and their names stay in one line", async () => {
  const odd = ["new\nline.ts", "esc\u001b[2Jape.ts", "blank .ts", "-dash.ts", "引用.ts"];
  const files = Object.fromEntries(odd.map((name, at) => [name, `export function odd${at}Thing() {}\n`]));
  await inWorkspace({ ...code, ...files }, async (workspace) => {
    symlinkSync("..", join(workspace.root, "src/loop"));
    symlinkSync("round", join(workspace.root, "round"));
    expect(Bun.spawnSync(["mkfifo", join(workspace.root, "pipe.ts")]).exitCode).toBe(0);
    writeFileSync(
      Buffer.concat([Buffer.from(`${workspace.root}/`), Buffer.from([0xff, 0xfe]), Buffer.from(".ts")]),
      "x",
    );
    await withIndex(workspace, async (index) => {
      expect(await updated(index)).toMatchObject({ files: 2 + odd.length });
      const map = await index.map(2000);
      expect(
        map
          .split("\n")
          .filter((line) => line !== "" && !line.startsWith(" "))
          .toSorted(),
      ).toEqual(
        ["new\\nline.ts", "esc\\u001b[2Jape.ts", "blank .ts", "-dash.ts", "引用.ts", "src/a.ts", "src/b.ts"].toSorted(),
      );
    });
  });
});

test("[CX-4] a workspace that is deleted meanwhile, or before, leaves an empty index or a refusal, never a fault", async () => {
  await inWorkspace(many(300), async (workspace) => {
    await withIndex(workspace, async (index) => {
      const first = index.update(signal);
      rmSync(workspace.root, { recursive: true });
      await first;
      const second = await index.update(signal);
      expect(second.ok ? second.value.files : second.error.code).toBeOneOf([0, "E_IO"]);
      await index.refine(signal);
      expect((await index.search("made7", { budget: 100, signal })).files).toEqual([]);
    });
  });
});

test("[CX-4] [CAN-1] one that is closed while another process holds its file waits for nobody", async () => {
  await inWorkspace(code, async (workspace) => {
    await withIndex(workspace, updated);
    const holder = new Database(indexPathOf(workspace.root, workspace.home));
    holder.run("begin immediate");
    workspace.write({ "src/c.ts": "export function third() {}\n" });
    const index = await openIndex(workspace.root, workspace.home, deps);
    const waiting = index.update(signal);
    // Reading goes on meanwhile.
    expect(await pathsFor(index, "openBox")).toEqual(["src/a.ts"]);
    await index.close();
    expect((await waiting).ok).toBe(false);
    expect(holder.inTransaction).toBe(true);
    holder.run("rollback");
    holder.close();
  });
});

test("[CX-4] what a new index leaves in parts is put together in spare time, stopped or not, and finds the same", async () => {
  await inWorkspace(many(900), async (workspace) => {
    await withIndex(workspace, async (index) => {
      await updated(index);
      const before = await pathsFor(index, "made7 words");
      await index.refine(AbortSignal.abort());
      expect(await index.refine(signal)).toEqual({ ok: true, value: 900 });
      expect(await pathsFor(index, "made7 words")).toEqual(before);
    });
    const db = new Database(indexPathOf(workspace.root, workspace.home), { readonly: true });
    expect(db.query("select key from notes").values()).toEqual([["unranked"]]);
    expect(db.query("select k, v from words_config where k like '%merge' order by k").values()).toEqual([
      ["automerge", 8],
      ["crisismerge", 16],
    ]);
    db.close();
  });
});

import { afterAll, beforeAll, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hardening } from "../../../../src/policy/shell/programs/hardening.ts";
import { straceProblem, trace } from "../../../support/strace.ts";
import { linesOf, ownLines, rows, scriptLines, startedBy } from "./lines.ts";

const home = mkdtempSync(join(tmpdir(), "coder-effects-"));
const cwd = join(home, "ws");
const path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
// Not in every Linux; where one is missing, its row is not run.
const optional = new Set(
  "cargo rustc curl wget ssh sqlite3 docker podman psql ruff uv ninja protoc vmstat dpkg objdump md5 deno bun clang clang++ python node cmake tree rg fd fdfind jq xxd ncal cal hd hexdump column col unzip zipinfo nm size readelf strings file lsblk lscpu pstree free w uptime ps pgrep shasum bc gcc g++ cc c++ make python3 perl xz xzcat bzip2 bzcat gofmt".split(
    " ",
  ),
);

beforeAll(() => {
  const script = `
    mkdir -p ws/sub && cd ws && printf 'b 2\\na 1\\n' > a.txt && cp a.txt b.txt && cp a.txt sub/c.txt && printf '{"a":[1]}' > a.json
    cp "$(command -v true)" object; gzip -k a.txt && mv a.txt.gz a.gz
    command -v xz >/dev/null && xz -k a.txt && mv a.txt.xz a.xz
    command -v bzip2 >/dev/null && bzip2 -k a.txt && mv a.txt.bz2 a.bz2
    tar cf a.tar a.txt && gzip -k a.tar && mv a.tar.gz a.tgz
    echo UEsFBgAAAAAAAAAAAAAAAAAAAAAAAA== | base64 -d > a.zip
    git init -q -b main . && git add a.txt && git -c user.name=a -c user.email=a@example.com commit -qm one
    git remote add origin /nowhere && echo c >> a.txt && git -c user.name=a -c user.email=a@example.com stash -q && echo d >> a.txt`;
  const done = spawnSync("bash", ["-c", script], { cwd: home, env: { PATH: path, HOME: home }, encoding: "utf8" });
  if (!lstatSync(join(cwd, ".git"))) throw new Error(done.stderr);
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** All names with what they hold and when they were changed. */
function snapshot(folder: string): string {
  const hash = createHash("sha256");
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" }).sort()) {
    const at = join(folder, name);
    const found = lstatSync(at);
    hash.update(`${name} ${found.mode} ${found.mtimeMs} ${found.ctimeMs} `);
    if (found.isFile()) hash.update(readFileSync(at));
  }
  return hash.digest("hex");
}

const isThere = (name: string) => spawnSync("bash", ["-c", `type -- "${name}"`], { env: { PATH: path } }).status === 0;

test("[PO-4] no option of any listed program changes a file, opens a connection or starts a program that was not named", async () => {
  expect(straceProblem()).toBeNull();
  const all = { ...rows, expr: ownRow, jq: ownRow, env: {} };
  const missing = Object.keys(all).filter((name) => !isThere(name));
  expect(missing.filter((name) => !optional.has(name))).toEqual([]);
  const isLong = process.env.CODER_TEST_LONG === "1";
  const seen = new Set<object>();
  const wish = (name: string) => ({ joined: name === "git" && !isLong ? 8 : 1, seen });
  const lines = Object.entries(all).flatMap(([name, row]) =>
    missing.includes(name) ? [] : linesOf(name, row, wish(name)),
  );
  lines.push(...scriptLines);
  const before = snapshot(home);
  const programs = (line: string): ReadonlySet<string> =>
    new Set(line.split(/[^A-Za-z0-9_.+[-]+/).flatMap((word) => [word, ...(startedBy[word] ?? [])]));
  const found = await trace(lines, {
    cwd,
    programs,
    env: { PATH: path, HOME: home, LC_ALL: "C", ...hardening },
    seconds: null,
  });
  const wrong = found.filter(({ effects, isEndless }) => effects.length > 0 || isEndless);
  expect(wrong.map(({ line, effects }) => `${line}: ${effects[0] ?? "does not end"}`)).toEqual([]);
  expect(snapshot(home)).toBe(before);
  expect(found.length).toBe(lines.length);
}, 120_000);

const ownRow = { judge: () => ({ reads: [] }) };

test("[PO-4] every row with a language of its own has lines that are run", () => {
  const judged = Object.entries(rows).flatMap(([name, row]) => (row.judge ? [name] : []));
  expect(judged.filter((name) => ownLines[name] === undefined)).toEqual([]);
});

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { chmodSync, linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { readProject, withConfig } from "../../../src/config/project/trust.ts";
import { say } from "../../../src/contract/text/catalogue.ts";

let base = "";
let ws = "";
let home = "";

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "coder-trust-")));
  ws = join(base, "ws");
  home = join(base, "home");
  mkdirSync(ws);
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

function put(path: string, text: string): void {
  mkdirSync(dirname(join(ws, path)), { recursive: true });
  writeFileSync(join(ws, path), text);
}

const read = () => readProject(ws, home);
const used = () => read().items.flatMap(({ path, isUsed }) => (isUsed ? [path] : []));
const unused = () => read().items.flatMap(({ path, hash, isUsed }) => (isUsed ? [] : [`${path}: ${hash}`]));

test("[PO-9] what would take effect are the rules and everything in .coder that coder did not write itself", () => {
  expect(read()).toMatchObject({ items: [], config: null, problem: null });
  for (const path of [
    "sessions/a.json",
    "output/a.txt",
    "exports/a.md",
    "pasted/1.png",
    ".gitignore",
    ".config.json.12.34.tmp",
  ])
    put(`.coder/${path}`, "ours");
  for (const path of ["README.md", "claude.md", "sub/AGENTS.md", ".env", "bunfig.toml", ".mcp.json"]) put(path, "x");
  expect(read().items).toEqual([]);
  put("AGENTS.md", "rules");
  for (const path of ["config.json", "mcp.json", "hooks/a.sh", "skills/x/SKILL.md", "commands/y.md", "later/z"])
    put(`.coder/${path}`, path);
  expect(read().items.map(({ path, kind }) => `${path} ${kind}`)).toEqual([
    ...[
      ".coder/commands/y.md commands",
      ".coder/config.json config",
      ".coder/hooks/a.sh hooks",
      ".coder/later/z other",
    ],
    ...[".coder/mcp.json servers", ".coder/skills/x/SKILL.md skills", "AGENTS.md rules"],
  ]);
  expect(read().config?.bytes.toString()).toBe("config.json");
});

test("[PO-9] the hash is another when content, name or kind of anything changes, and the same when nothing does", () => {
  put("AGENTS.md", "rules");
  put(".coder/skills/x/SKILL.md", "skill");
  const seen = [read().hash];
  const next = (change: () => void) => {
    change();
    expect(read().hash).toBe(read().hash);
    seen.push(read().hash);
  };
  next(() => put("AGENTS.md", "Rules"));
  next(() => put(".coder/config.json", "{}"));
  next(() => put(".coder/skills/x/more.md", ""));
  next(() => put(".coder/skills/y/SKILL.md", "skill"));
  next(() => rmSync(join(ws, ".coder/skills/x"), { recursive: true }));
  next(() => symlinkSync("config.json", join(ws, ".coder/link")));
  expect(new Set(seen).size).toBe(seen.length);
  put(".coder/sessions/s.json", "ours");
  chmodSync(join(ws, "AGENTS.md"), 0o600);
  expect(read().hash).toBe(seen.at(-1) ?? "");
});

test("[PO-9] the hash with another config file is the one that is found once it is written", () => {
  put("AGENTS.md", "rules");
  const empty = read();
  put(".coder/config.json", '{"model": "a/b"}');
  expect(withConfig(empty, Buffer.from('{"model": "a/b"}')).hash).toBe(read().hash);
  const before = read();
  put(".coder/config.json", "{}");
  expect(withConfig(before, Buffer.from("{}")).hash).toBe(read().hash);
});

describe("rules files", () => {
  const rules = () => read().rules.map(({ file, bytes }) => `${relative(ws, file)} ${bytes}`);

  test("[CX-1] in a folder AGENTS.md counts, else CLAUDE.md, else GEMINI.md, and never two of them", () => {
    put("GEMINI.md", "g");
    expect([rules(), used()]).toEqual([["GEMINI.md g"], ["GEMINI.md"]]);
    put("CLAUDE.md", "c");
    expect([rules(), used()]).toEqual([["CLAUDE.md c"], ["CLAUDE.md"]]);
    put("AGENTS.md", "a");
    expect([rules(), used()]).toEqual([["AGENTS.md a"], ["AGENTS.md"]]);
    // One that cannot be used is there all the same.
    rmSync(join(ws, "AGENTS.md"));
    symlinkSync("/etc/passwd", join(ws, "AGENTS.md"));
    expect([rules(), used()]).toEqual([[], []]);
  });

  test("[CX-1] [PO-9] those of folders above count from the root of the repository down, and trust covers each of them", () => {
    ws = join(base, "ws/packages/a");
    mkdirSync(ws, { recursive: true });
    for (const path of ["../../../AGENTS.md", "../../AGENTS.md", "../CLAUDE.md", "AGENTS.md"]) put(path, path);
    expect(rules()).toEqual(["AGENTS.md AGENTS.md"]);
    mkdirSync(join(base, "ws/.git"));
    const chain = ["../../AGENTS.md", "../CLAUDE.md", "AGENTS.md"];
    expect(rules()).toEqual(chain.map((path) => `${path} ${path}`));
    expect(used()).toEqual(chain);
    const before = read().hash;
    put("../CLAUDE.md", "other");
    expect(read().hash).not.toBe(before);
  });

  test("[CX-1] [PO-9] its config may name more, inside the workspace only; they come first, and trust covers them", () => {
    writeFileSync(join(base, "outside.md"), "outside");
    put("AGENTS.md", "a");
    put("docs/style.md", "s");
    put(".coder/more.md", "m");
    put("secrets.env", "k=v");
    symlinkSync("../../outside.md", join(ws, "docs/link.md"));
    const named = ["docs/style.md", ".coder/more.md", "docs/link.md", "gone.md", "AGENTS.md"];
    const refused = [
      "../outside.md",
      "/etc/x.md",
      "~/x.md",
      "docs/../AGENTS.md",
      "secrets.env",
      "a\\b.md",
      "./x.md",
      "",
    ];
    put(".coder/config.json", JSON.stringify({ context: { rules_files: [...named, ...refused] } }));
    expect(rules()).toEqual(["docs/style.md s", ".coder/more.md m", "AGENTS.md a"]);
    expect(used()).toEqual([".coder/config.json", ".coder/more.md", "AGENTS.md", "docs/style.md"]);
    const before = read().hash;
    put("docs/style.md", "S");
    expect(read().hash).not.toBe(before);
    put(".coder/config.json", JSON.stringify({ context: { rules_files: ["docs/style.md", 7] } }));
    expect(rules()).toEqual(["AGENTS.md a"]);
  });
});

describe("[PO-9] [SA-self-approval] a hostile workspace", () => {
  test("links are not followed, except from rules to other rules inside", () => {
    writeFileSync(join(base, "outside.md"), "outside");
    mkdirSync(join(base, "elsewhere"));
    writeFileSync(join(base, "elsewhere/config.json"), "{}");
    put(".env", "SECRET=1");
    put("docs/rules.md", "rules");
    for (const [target, isTaken] of [
      ["docs/rules.md", true],
      ["../outside.md", false],
      [".env", false],
    ] as const) {
      symlinkSync(target, join(ws, "AGENTS.md"));
      expect([target, used().includes("AGENTS.md")]).toEqual([target, isTaken]);
      rmSync(join(ws, "AGENTS.md"));
    }
    mkdirSync(join(ws, ".coder"));
    symlinkSync("../../elsewhere/config.json", join(ws, ".coder/config.json"));
    symlinkSync("../docs", join(ws, ".coder/skills"));
    expect([used(), unused().length, read().config]).toEqual([[], 2, null]);
    rmSync(join(ws, ".coder"), { recursive: true });
    symlinkSync("../elsewhere", join(ws, ".coder"));
    expect([used(), unused()]).toEqual([[], [".coder: link"]]);
  });

  test("pipes, devices and folders in the place of files are passed over without waiting", () => {
    mkdirSync(join(ws, ".coder"));
    Bun.spawnSync(["mkfifo", join(ws, ".coder/config.json"), join(ws, "AGENTS.md")]);
    symlinkSync("/dev/zero", join(ws, ".coder/mcp.json"));
    mkdirSync(join(ws, ".coder/hooks.json"));
    expect([used(), unused().map((one) => one.split(":")[0])]).toEqual([
      [],
      [".coder/config.json", ".coder/mcp.json", "AGENTS.md"],
    ]);
    rmSync(join(ws, ".coder"), { recursive: true });
    writeFileSync(join(ws, ".coder"), "a file");
    expect(unused()).toContain(".coder: no folder");
  });

  test("one that is too big, too many or too deep cannot be trusted, and says why", () => {
    const why = () => {
      const { problem } = read();
      return problem && say("en", problem);
    };
    put("AGENTS.md", "x".repeat(1_048_577));
    expect(why()).toBe("AGENTS.md makes it too large to inspect (limit 1048576 bytes)");
    rmSync(join(ws, "AGENTS.md"));
    for (let index = 0; index < 17; index++) put(`.coder/skills/${index}`, "x".repeat(1_000_000));
    expect(why()).toMatch(/^\.coder\/skills\/\d+ makes it too large to inspect \(limit 16777216 bytes\)$/);
    rmSync(join(ws, ".coder"), { recursive: true });
    for (let index = 0; index < 1001; index++) mkdirSync(join(ws, ".coder/empty", String(index)), { recursive: true });
    expect(why()).toBe(".coder contains more than 1000 files");
    rmSync(join(ws, ".coder"), { recursive: true });
    put(`.coder/${"d/".repeat(10)}f`, "x");
    expect(why()).toMatch(/^\.coder(?:\/d){9} is nested more than 8 folders deep$/);
    rmSync(join(ws, ".coder"), { recursive: true });
    Bun.spawnSync(["truncate", "-s", "100G", join(ws, "AGENTS.md")]);
    expect(why()).toContain("too large");
  });

  test("with our home inside it, it cannot be trusted: it could have written its own trust", () => {
    const inside = [join(ws, "home"), join(ws, ".coder/home"), ws];
    expect(inside.map((one) => readProject(ws, one).problem?.key)).toEqual(Array(3).fill("trust.home_inside"));
    symlinkSync(join(ws, "hidden"), home);
    expect(read().problem?.key).toBe("trust.home_inside");
    rmSync(home);
    symlinkSync(ws, join(base, "alias"));
    expect(readProject(ws, join(base, "alias", "h")).problem?.key).toBe("trust.home_inside");
  });

  test("where its .coder is the person's own home, nothing in it is the project's", () => {
    put(".coder/config.json", '{"mode": "yolo"}');
    expect(readProject(ws, join(ws, ".coder"))).toMatchObject({ items: [], config: null });
  });

  test("a hard link counts as the file that it is", () => {
    writeFileSync(join(base, "shared.json"), "{}");
    mkdirSync(join(ws, ".coder"));
    linkSync(join(base, "shared.json"), join(ws, ".coder/config.json"));
    const before = read().hash;
    writeFileSync(join(base, "shared.json"), '{"mode": "plan"}');
    expect([used(), read().hash === before]).toEqual([[".coder/config.json"], false]);
  });
});

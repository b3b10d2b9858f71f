// `python3 -m py_compile`: where it only reads, and that nothing in the folder is run instead of it.
import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { judgeCommand } from "../../../../src/policy/command.ts";
import { builtBinary } from "../../../support/binary.ts";

const names = (...entries: readonly string[]) => ({
  ...{
    gitProblem: null,
    isRealProgram: () => true,
    isShim: () => false,
    isHarmless: (_: string, isHere: boolean) => isHere,
  },
  holds: (form: RegExp) => entries.some((entry) => form.test(entry)),
});

const reading = [
  "python3 -m py_compile a.py",
  "python -m py_compile src/a.py src/b.py",
  "python3 -m py_compile a.py && echo ok",
  "python3 -m py_compile -q a.py",
];

const acting = [
  "python3 -m py_compile",
  "python3 -m py_compile -",
  "python3 -m json.tool a.json",
  "cat a.json | python3 -m json.tool",
  "python3 -m py_compile.a x",
  "python3 -m compileall .",
  "python3 -m http.server",
  "python3 -m 'py_compile' -m x",
  "python3 -i -m py_compile a.py",
  "python3 -mpy_compile a.py",
  "cd src && python3 -m py_compile a.py",
  "python3 -X importtime -m py_compile a.py",
  "PYTHONPATH=. python3 -m py_compile a.py",
  "PYTHONSAFEPATH= python3 -m py_compile a.py",
  "env PYTHONHOME=. python3 -m py_compile a.py",
  "./python3 -m py_compile a.py",
  "python3.9 -m py_compile a.py",
  "ls *.py | xargs python3 -m py_compile",
  'python3 -m "$m" a.py',
];

describe("[PO-4] a module of Python that only reads", () => {
  for (const line of reading)
    test(`${line}: no question`, () => {
      const usual = names(
        "src",
        "a.py",
        "tests",
        "click",
        "__init__.py",
        "__pycache__",
        "_config.yml",
        "setup.py",
        "retry.py",
      );
      expect(judgeCommand(line, usual).isReadOnly).toBe(true);
    });

  for (const line of acting)
    test(`${line}: asked about`, () => expect(judgeCommand(line, names("src")).isReadOnly).toBe(false));

  test("what it would load from the folder is asked about, and so is a folder that is not known", () => {
    const shadows = [
      "enum.py",
      "re",
      "json",
      "argparse.pyc",
      "_json.cpython-311-x86_64-linux-gnu.so",
      "sre_parse.py",
      "ast.so",
    ];
    for (const name of [...shadows, "py_compile.py", "__future__.py", "sitecustomize.py", "_colorize.py", "tokenize"])
      for (const line of reading)
        expect([name, line, judgeCommand(line, names("src", name)).isReadOnly]).toEqual([name, line, false]);
    const { holds: _, ...blind } = names();
    for (const line of reading) expect(judgeCommand(line, blind).isReadOnly).toBe(false);
  });

  test("outside of the sandbox it is asked about: it would write beside the file", () => {
    for (const line of reading)
      expect(judgeCommand(line, { ...names(), isHarmless: () => false }).isReadOnly).toBe(false);
  });
});

const all = realpathSync(mkdtempSync(join(tmpdir(), "coder-python-")));
afterAll(() => rmSync(all, { recursive: true, force: true }));
let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(all, "w-"));
});

/** All modules that Python loads here for the one and for the other, by what it says itself. */
function loadedBy(args: readonly string[]): readonly string[] {
  const ran = Bun.spawnSync(["python3", "-S", "-E", "-X", "importtime", ...args], { cwd: "/", stdin: "ignore" });
  return [...String(ran.stderr).matchAll(/\|\s+([\w.]+)$/gm)].map(([, name = ""]) => name.split(".")[0] ?? "");
}

describe.skipIf(Bun.which("python3") === null || Bun.which("bwrap") === null)("[PO-4] with the real Python", () => {
  const run = async (command: string, env: Readonly<Record<string, string>> = {}) => {
    const argv = [...builtBinary(), "tool", "bash", JSON.stringify({ command }), "--mode", "default", "--sandbox"];
    const own = { ...process.env, CODER_HOME: join(all, "home"), ...env };
    const child = Bun.spawn(argv, { cwd: folder, env: own, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
    const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text()]);
    return `${out}${err}`;
  };
  const put = (name: string, text: string): void => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  };

  test("it compiles, says what is wrong, and leaves nothing behind", async () => {
    put("src/good.py", "x = 1\n");
    put("src/bad.py", "def (\n");
    expect(await run("python3 -m py_compile src/good.py && echo compiled")).toContain("compiled");
    expect(await run("python3 -m py_compile src/bad.py")).toContain("SyntaxError");
    expect(readdirSync(join(folder, "src")).sort()).toEqual(["bad.py", "good.py"]);
  });

  test("no variable of the person's leads it to code of the workspace", async () => {
    put("p/sitecustomize.py", 'open("/tmp/x", "w"); print("RAN")\n');
    put("p/enum.py", 'print("RAN")\n');
    put("a.py", "x = 1\n");
    const env = { PYTHONPATH: join(folder, "p"), PYTHONHOME: join(folder, "p"), PYTHONUSERBASE: join(folder, "p") };
    const said = await run("python3 -m py_compile a.py && echo compiled", { ...env, PYTHONWARNINGS: "error::p.X" });
    expect(said).toContain("compiled");
    expect(said).not.toContain("RAN");
  });

  test("every module that it loads is one that is looked for", () => {
    writeFileSync(join(folder, "bad.py"), "def (\n");
    const loaded = [
      ...loadedBy(["-m", "py_compile", join(folder, "bad.py")]),
      ...loadedBy(["-m", "py_compile", "--help"]),
    ];
    expect(loaded.length).toBeGreaterThan(50);
    const isLookedFor = (name: string): boolean =>
      !judgeCommand("python3 -m py_compile a.py", names(`${name}.py`)).isReadOnly;
    expect([...new Set(loaded)].filter((name) => !isLookedFor(name) && name !== "imported")).toEqual([]);
    expect(existsSync(join(folder, "__pycache__", "bad.pyc"))).toBe(false);
  });
});

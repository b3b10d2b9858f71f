// bin/coder.cjs in the layouts that package managers make. The program is a shell script that says where it is.
import { afterAll, expect, test } from "bun:test";
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const launcher = join(import.meta.dir, "..", "..", "bin", "coder.cjs");
const folder = realpathSync(mkdtempSync(join(tmpdir(), "coder launcher's ")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const here = `${process.platform}-${process.arch}`;
const elsewhere = process.arch === "x64" ? `${process.platform}-arm64` : `${process.platform}-x64`;

let made = 0;
const newFolder = (): string => join(folder, `layout ${++made}`);

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  chmodSync(path, 0o755);
}

/** `program.sh`-like stand-in for the compiled program. */
const script = '#!/bin/sh\n[ "$1" = say ] && { shift; printf "%s|" "$@"; exit 0; }\nexec sh -c "$1"\n';

function putPlatform(modules: string, name = here, text = script): void {
  put(join(modules, "@coder-cli", name, "bin", "coder"), text);
  put(join(modules, "@coder-cli", name, "package.json"), JSON.stringify({ name: `@coder-cli/${name}` }));
}

const hashOf = (text: string): string => new Bun.CryptoHasher("sha256").update(text).digest("hex");

/** With the hash of the program that belongs to it; `null`: without any, as in a package with the program inside. */
function putLauncher(modules: string, hash: unknown = hashOf(script)): string {
  const file = join(modules, "coder", "bin", "coder.cjs");
  mkdirSync(dirname(file), { recursive: true });
  cpSync(launcher, file);
  if (hash !== null) writeFileSync(join(dirname(file), "programs.json"), JSON.stringify({ [here]: hash }));
  return file;
}

function link(target: string, path: string): string {
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(target, path);
  return path;
}

/** What to start in each layout. */
const layouts: Readonly<Record<string, (root: string) => string>> = {
  "npm -g, nested": (root) => {
    putLauncher(join(root, "lib/node_modules"));
    putPlatform(join(root, "lib/node_modules/coder/node_modules"));
    return link("../lib/node_modules/coder/bin/coder.cjs", join(root, "bin/coder"));
  },
  "npm, hoisted": (root) => {
    putLauncher(join(root, "node_modules"));
    putPlatform(join(root, "node_modules"));
    return link("../coder/bin/coder.cjs", join(root, "node_modules/.bin/coder"));
  },
  "a link to a link, absolute": (root) => {
    const file = putLauncher(join(root, "node_modules"));
    putPlatform(join(root, "node_modules"));
    link(file, join(root, "a/coder"));
    return link("../a/coder", join(root, "b/coder"));
  },
  "pnpm, with its own store and shim": (root) => {
    const store = join(root, "node_modules/.pnpm");
    putLauncher(join(store, "coder@1/node_modules"));
    putPlatform(join(store, "program@1/node_modules"));
    const program = `../../../program@1/node_modules/@coder-cli/${here}`;
    link(program, join(store, "coder@1/node_modules/@coder-cli", here));
    link(".pnpm/coder@1/node_modules/coder", join(root, "node_modules/coder"));
    const shim = join(root, "node_modules/.bin/coder");
    put(shim, '#!/bin/sh\nbasedir=$(dirname "$0")\nexec /bin/sh "$basedir/../coder/bin/coder.cjs" "$@"\n');
    return shim;
  },
  "packed into the package": (root) => {
    const file = putLauncher(join(root, "lib/node_modules"), null);
    putPlatform(join(root, "lib/node_modules/coder/dist/npm"));
    return file;
  },
  "hoisted far above, as in a workspace": (root) => {
    const file = putLauncher(join(root, "packages/a/node_modules"));
    putPlatform(join(root, "node_modules"));
    return file;
  },
  "with another machine's package beside it": (root) => {
    const file = putLauncher(join(root, "node_modules"));
    putPlatform(join(root, "node_modules"), elsewhere, "#!/bin/sh\necho wrong machine\n");
    putPlatform(join(root, "node_modules"));
    return file;
  },
};

async function run(argv: readonly string[]) {
  const child = Bun.spawn([...argv], { cwd: folder, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  await child.exited;
  return { out, err, code: child.exitCode, signal: child.signalCode };
}

const words = ["a b", "", "--flag='$HOME'", "*", "嗨"];

for (const [name, make] of Object.entries(layouts)) {
  test(`the program is found and gets its arguments unchanged: ${name}`, async () => {
    const root = newFolder();
    const said = { out: `${words.join("|")}|`, err: "", code: 0, signal: null };
    const file = make(root);
    // The second time it is found inside the package.
    for (const _ of [1, 2]) expect(await run([file, "say", ...words])).toEqual(said);
    // As Yarn starts it. A shim is no file for Node.
    const fresh = make(newFolder());
    if (!name.includes("shim")) expect(await run(["node", fresh, "say", ...words])).toEqual(said);
  });
}

test("a link is followed that sh was given by its bare name", async () => {
  const root = newFolder();
  const file = layouts["npm -g, nested"]?.(root) ?? "";
  const child = Bun.spawn(["sh", "coder", "say", "yes"], { cwd: dirname(file), stdout: "pipe", stderr: "pipe" });
  const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  expect([out, err]).toEqual(["yes|", ""]);
});

/** Both ways of starting: sh becomes the program, Node waits for it. */
function bothWays(): readonly (readonly string[])[] {
  const file = layouts["packed into the package"]?.(newFolder()) ?? "";
  return [[file], ["node", file]];
}

test("the exit code is the program's, and a program killed by a signal looks so from outside", async () => {
  for (const start of bothWays()) {
    expect(await run([...start, "exit 7"])).toMatchObject({ code: 7, signal: null });
    for (const signal of ["TERM", "KILL", "INT"] as const) {
      const died = await run([...start, `kill -${signal} $$`]);
      expect(died).toEqual({ out: "", err: "", code: null, signal: `SIG${signal}` });
    }
  }
});

test("the runtime is told how to use memory and when to optimise, unless the person has told it", async () => {
  const told = {
    BUN_JSC_forceRAMSize: "150000000",
    BUN_JSC_thresholdForOptimizeAfterWarmUp: "10000",
    BUN_JSC_thresholdForOptimizeAfterLongWarmUp: "10000",
    BUN_JSC_thresholdForOptimizeSoon: "10000",
  };
  for (const start of bothWays())
    for (const [name, value] of Object.entries(told)) {
      const ask = `echo "$${name}"`;
      expect(await run([...start, ask])).toMatchObject({ out: `${value}\n`, err: "" });
      expect(await run(["env", `${name}=7`, ...start, ask])).toMatchObject({ out: "7\n", err: "" });
    }
});

test("signals reach the program, and the launcher stays until it has ended", async () => {
  for (const start of bothWays()) {
    for (const signal of ["SIGTERM", "SIGHUP", "SIGINT"] as const) {
      const wait = `trap 'echo heard; exit 5' ${signal.slice(3)}; echo ready; for n in {1..5000}; do sleep 0.02; done`;
      const plainSignals = ["env", "--default-signal=INT"];
      const child = Bun.spawn([...plainSignals, ...start, wait], { stdin: "ignore", stdout: "pipe", detached: true });
      let out = "";
      for await (const chunk of child.stdout) {
        if (out === "") child.kill(signal);
        out += new TextDecoder().decode(chunk);
      }
      expect([out, await child.exited]).toEqual(["ready\nheard\n", 5]);
    }
  }
});

test.skipIf(process.platform !== "linux")(
  "[ER-2] with too few addresses it says so, with the limit, before anything starts",
  () => {
    const file = layouts["npm, hoisted"]?.(newFolder()) ?? "";
    const start = (limit: string) =>
      Bun.spawnSync(["sh", "-c", `ulimit -v ${limit}; exec "$0" say hello`, file], { stdout: "pipe", stderr: "pipe" });
    for (const limit of ["65000", "300000", "499999"]) {
      const { exitCode, stdout, stderr } = start(limit);
      expect([exitCode, String(stdout), String(stderr)]).toEqual([
        ...[1, ""],
        `coder: too little memory: this shell allows ${limit} KB of addresses (ulimit -v), and coder needs 500000.\n` +
          "Raise the limit (ulimit -v 500000, or unlimited) and run it again. Nothing that was stored is lost.\n",
      ]);
    }
    expect(String(start("unlimited").stdout)).toBe("hello|");
  },
);

test("sh leaves no process of its own behind: the program has the launcher's pid", async () => {
  const file = layouts["packed into the package"]?.(newFolder()) ?? "";
  const child = Bun.spawn([file, "echo $$"], { stdout: "pipe" });
  expect((await child.stdout.text()).trim()).toBe(String(child.pid));
});

test("without the platform's package the error names it, the C library and what to do", async () => {
  const root = newFolder();
  const file = putLauncher(join(root, "node_modules"));
  putPlatform(join(root, "node_modules"), elsewhere);
  const libc = process.platform === "linux" ? " with glibc" : "";
  const missing = {
    out: "",
    err: `coder: this package holds no program for ${here}${libc}, and @coder-cli/${here} is not installed.
Install a coder package that was made for this machine (docs/install.md). For Windows there is none: use coder inside WSL.\n`,
    code: 1,
    signal: null,
  };
  expect(await run([file, "exit 0"])).toEqual(missing);
  expect(await run(["node", file, "exit 0"])).toEqual(missing);
});

test("without the platform's package and without Node there is a readable error, too", async () => {
  const file = putLauncher(join(newFolder(), "node_modules"));
  const tools = newFolder();
  link(Bun.which("sh") ?? "sh", join(tools, "sh"));
  const child = Bun.spawnSync([file], { env: { PATH: tools } });
  expect([child.exitCode, child.stderr.toString()]).toEqual([
    1,
    expect.stringMatching(
      /^coder: no program for \w+ \w+ inside the package of .*, and no Node to look further\.\nInstall a coder package/,
    ),
  ]);
});

test("a program that cannot be started is an error that names it", async () => {
  const root = newFolder();
  const file = putLauncher(join(root, "node_modules"));
  putPlatform(join(root, "node_modules"));
  chmodSync(join(root, "node_modules/@coder-cli", here, "bin/coder"), 0o644);
  const ran = await run([file, "exit 0"]);
  expect(ran).toMatchObject({ out: "", code: 1, err: expect.stringMatching(/bin\/coder cannot be started: .*EACCES/) });
});

const hostile = "#!/bin/sh\necho HOSTILE\n";
const refusals: Readonly<Record<string, (modules: string) => string>> = {
  "no list of hashes": (modules) => putLauncher(modules, null),
  "a list without this platform": (modules) => putLauncher(modules, undefined),
  "an empty hash": (modules) => putLauncher(modules, ""),
  "a hash that is no text": (modules) => putLauncher(modules, [hashOf(hostile)]),
  "the hash of another program": (modules) => putLauncher(modules, hashOf(script)),
};

for (const [name, make] of Object.entries(refusals)) {
  test(`a program in a package of its own is refused and not kept: ${name}`, async () => {
    const modules = join(newFolder(), "node_modules");
    const file = make(modules);
    if (name.startsWith("a list")) writeFileSync(join(dirname(file), "programs.json"), "{}");
    putPlatform(modules, here, hostile);
    for (const start of [[file], ["node", file], [file]]) {
      const ran = await run([...start, "exit 0"]);
      expect(ran).toMatchObject({ out: "", code: 1, err: expect.stringContaining("It was not started.") });
    }
    const kept = join(modules, "coder/dist/npm/@coder-cli", here, "bin");
    expect(existsSync(kept) ? readdirSync(kept) : []).toEqual([]);
  });
}

test("a program that was right at the first start and is replaced later is not the one that starts", async () => {
  const modules = join(newFolder(), "node_modules");
  const file = putLauncher(modules);
  putPlatform(modules);
  expect(await run([file, "say", "ours"])).toMatchObject({ out: "ours|" });
  rmSync(join(modules, "@coder-cli"), { recursive: true });
  putPlatform(modules, here, hostile);
  expect(await run([file, "say", "ours"])).toMatchObject({ out: "ours|" });
  expect(await run(["node", file, "say", "ours"])).toMatchObject({ out: "ours|" });
});

test("where the package cannot be written to, the hash is compared at every start", async () => {
  const modules = join(newFolder(), "node_modules");
  const file = putLauncher(modules);
  putPlatform(modules);
  // A file where the folder would be: that stops root as well.
  writeFileSync(join(modules, "coder", "dist"), "");
  expect(await run([file, "say", "ours"])).toMatchObject({ out: "ours|" });
  appendFileSync(join(modules, "@coder-cli", here, "bin/coder"), "\n# changed\n");
  expect(await run([file, "say", "ours"])).toMatchObject({ out: "", code: 1 });
});

test("a link in place of the program is followed before the hash is compared, not after", async () => {
  const root = newFolder();
  const modules = join(root, "node_modules");
  const file = putLauncher(modules);
  putPlatform(modules);
  const program = join(modules, "@coder-cli", here, "bin/coder");
  rmSync(program);
  put(join(root, "elsewhere"), script);
  link(join(root, "elsewhere"), program);
  expect(await run([file, "say", "ours"])).toMatchObject({ out: "ours|" });
  rmSync(join(root, "elsewhere"));
  put(join(root, "elsewhere"), hostile);
  expect(await run([file, "say", "ours"])).toMatchObject({ out: "ours|" });
});

test("programs that other packages bring, first on PATH under npx, do not find the program for it", async () => {
  const root = newFolder();
  const file = layouts["packed into the package"]?.(root) ?? "";
  const command = link(file, join(root, "lib/node_modules/.bin/coder"));
  for (const tool of ["uname", "readlink", "sha256sum", "dirname"])
    put(join(root, "lib/node_modules/.bin", tool), hostile);
  const env = { ...process.env, PATH: `${dirname(command)}:${process.env.PATH}` };
  expect(Bun.spawnSync([command, "say", "ours"], { env }).stdout.toString()).toBe("ours|");
});

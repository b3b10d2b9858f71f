import { expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { confinementFor } from "../../../src/platform/sandbox/confine.ts";
import { besideTmp } from "../../support/places.ts";
import { people, startPerson } from "../../support/sandbox-person.ts";
import { inTempFolder, isGone, shell, untilFile } from "../../support/shell.ts";
import { until } from "../../support/until.ts";

const facts = (folder: string) => ({
  workspace: join(folder, "ws"),
  addDirs: [],
  home: join(folder, "home"),
  coderHome: join(folder, "home", ".coder"),
  network: false,
  readOnly: false,
});

/** What a program of its own says about a sandbox that it finds in this PATH. */
async function withBubblewrap(script: string | null): Promise<{ state: unknown; ran: boolean; told: string }> {
  let found = { state: {}, ran: true, told: "" };
  await inTempFolder(async (folder) => {
    for (const name of ["ws", "bin", "home"]) mkdirSync(join(folder, name));
    if (script !== null) writeFileSync(join(folder, "bin", "bwrap"), script, { mode: 0o755 });
    // Only bash is needed besides, and no other bwrap may be found.
    writeFileSync(join(folder, "bin", "bash"), '#!/bin/sh\nexec /bin/bash "$@"\n', { mode: 0o755 });
    const program = `
      import { sandboxState } from ${JSON.stringify(join(import.meta.dir, "..", "..", "..", "src", "platform", "sandbox", "state.ts"))};
      import { confinementFor } from ${JSON.stringify(join(import.meta.dir, "..", "..", "..", "src", "platform", "sandbox", "confine.ts"))};
      import { shellRequest } from ${JSON.stringify(join(import.meta.dir, "..", "..", "support", "shell.ts"))};
      import { runShell } from ${JSON.stringify(join(import.meta.dir, "..", "..", "..", "src", "platform", "process", "shell.ts"))};
      const facts = ${JSON.stringify(facts(folder))};
      const state = await sandboxState();
      const result = await runShell(shellRequest("touch ran", { cwd: facts.workspace, confine: confinementFor(facts) }));
      console.log(JSON.stringify({ state, told: result.ok ? "it ran" : result.error.text.key }));`;
    const child = Bun.spawn([process.execPath, "-e", program], {
      cwd: "/",
      env: { PATH: join(folder, "bin"), HOME: join(folder, "home") },
      stdout: "pipe",
      stderr: "inherit",
    });
    const said = JSON.parse(await new Response(child.stdout).text()) as { state: object; told: string };
    found = { ...said, ran: existsSync(join(folder, "ws", "ran")) };
  });
  return found;
}

test("[PO-8] [SA-sandbox-silent] without a backend the state says so, and a confined command does not run", async () => {
  const reason = { key: "sandbox.no_bubblewrap" };
  expect(await withBubblewrap(null)).toEqual({ state: { kind: "missing", reason }, told: reason.key, ran: false });
});

const failures: readonly (readonly [said: string, why: string])[] = [
  ["bwrap: No permissions to create new namespace, likely because the kernel does not allow it", "why_namespace"],
  ["bwrap: setting up uid map: Permission denied", "why_namespace"],
  ["bwrap: Can't mount proc on /newroot/proc: Operation not permitted", "why_proc"],
  ["bwrap: Unknown option --perms", "why_old"],
  ["bwrap: something else", "why_other"],
];

test("[PO-8] [SA-sandbox-silent] a backend that fails is broken, with the reason, and a confined command does not run", async () => {
  for (const [what, why] of failures) {
    const found = await withBubblewrap(`#!/bin/sh\necho ${JSON.stringify(what)} >&2; exit 1\n`);
    const reason = {
      key: "sandbox.broken",
      args: { path: expect.stringContaining("/bin/bwrap"), why: { key: `sandbox.${why}`, args: { what } } },
    };
    expect(found).toEqual({ state: { kind: "broken", reason }, told: "sandbox.broken", ran: false });
  }
});

test("[PO-8] [SA-sandbox-silent] a backend that fails only for the command starts nothing of it", async () => {
  // Good enough for the question, which ends in `true`, and for nothing else.
  const found = await withBubblewrap(
    '#!/bin/sh\ncase "$*" in *"-- true") exit 0;; esac\necho "bwrap: no" >&2; exit 1\n',
  );
  expect(found).toMatchObject({ state: { kind: "ready" }, told: "sandbox.not_built", ran: false });
});

test("[PO-8] a folder that is gone, or a home that cannot be written, is told before anything runs", async () => {
  await inTempFolder(async (folder) => {
    const made = facts(folder);
    mkdirSync(made.workspace);
    writeFileSync(made.home, "a file");
    const confine = confinementFor(made);
    await expect(shell("touch ran", { cwd: made.workspace, confine })).rejects.toThrow("sandbox.not_built");
    expect(readdirSync(made.workspace)).toEqual([]);
    const elsewhere = {
      cwd: join(folder, "nowhere"),
      confine: confinementFor({ ...made, home: folder, coderHome: join(folder, "c") }),
    };
    await expect(shell("true", elsewhere)).rejects.toThrow("E_IO");
  });
});

test("[TP-3] [PO-8] a confined command starts only after its pid was written down, and that pid's end is the end of it", async () => {
  await inTempFolder(async (folder) => {
    const made = facts(folder);
    for (const path of [made.workspace, made.home]) mkdirSync(path);
    const confine = confinementFor(made);
    const ran = join(made.workspace, "ran");
    const onSpawn = async (): Promise<void> => {
      // Another one comes to its end meanwhile.
      await shell("true", { cwd: made.workspace, confine });
      expect(existsSync(ran)).toBe(false);
    };
    expect(await shell("touch ran", { cwd: made.workspace, confine, onSpawn })).toMatchObject({ exitCode: 0 });
    expect(existsSync(ran)).toBe(true);
    let pid = 0;
    const killed = shell("touch again; sleep 60", {
      cwd: made.workspace,
      confine,
      onSpawn: async (spawned) => {
        pid = spawned;
      },
    });
    await until("it runs", () => existsSync(join(made.workspace, "again")));
    process.kill(pid, "SIGKILL");
    expect(await killed).toMatchObject({ signal: "SIGKILL", unstopped: [] });
    await until("it is gone", () => isGone(pid));
  });
});

const sameAsFree: readonly string[] = [
  "exit 7",
  "echo out; echo err >&2; false",
  "cat <<X\n$((1 + 1)) `echo sub`\nX",
  'echo "$0|$#|$-|$LINENO|$BASH_SUBSHELL"',
  "read line; echo $?",
  "umask; pwd; ulimit -n",
  "printf '%s\\\n' 中文 😀",
  "echo (",
  "trap 'echo bye' EXIT; exit 3",
  `: ${"x".repeat(150_000)}; echo long`,
  "diff <(echo a) <(echo b)",
  "ls /proc/self/fd | tr '\\\n' ' '",
];

for (const kind of people) {
  test(`[PO-8] a command says and does the same inside as outside, as ${kind}`, async () => {
    await using person = await startPerson(kind);
    for (const command of sameAsFree) {
      const [inside, outside] = [await person.run(command), await person.run({ command, free: true })];
      const seen = ({ exitCode, stdout, stderr }: typeof inside) => ({ exitCode, stdout, stderr });
      expect([command.slice(0, 40), seen(inside)]).toEqual([command.slice(0, 40), seen(outside)]);
    }
  });
}

test("[PO-8] in a home folder as workspace secrets stay hidden, and start-up files as they are", async () => {
  const home = mkdtempSync(join(besideTmp, "coder-test-"));
  try {
    for (const name of [".ssh", ".claude"]) mkdirSync(join(home, name));
    for (const name of [".ssh/id", ".claude/login", ".netrc", ".bashrc", "notes"])
      writeFileSync(join(home, name), name);
    writeFileSync(join(home, ".npmrc"), "//host.example/:_authToken=x\nfund=false\n");
    mkdirSync(join(home, "other"));
    writeFileSync(join(home, "other", ".env"), "A=other");
    // A link, as people have it whose disk is small.
    mkdirSync(join(home, "data"));
    symlinkSync("data", join(home, ".coder"));
    const made = { ...facts(home), workspace: home, home, coderHome: join(home, ".coder") };
    const look =
      "cat .ssh/id .claude/login .netrc .npmrc other/.env; echo evil > .bashrc; cat .bashrc; touch $GOCACHE && echo cached; ls data";
    const { stdout } = await shell(`${look}; echo x > notes`, { cwd: home, confine: confinementFor(made) });
    expect(stdout).toBe("fund=false\n.bashrccached\ncache\n");
    expect(readFileSync(join(home, "notes"), "utf8")).toBe("x\n");
  } finally {
    rmSync(home, { recursive: true });
  }
});

test("[PO-8] two commands at a time do not take each other's places away", async () => {
  await inTempFolder(async (folder) => {
    const made = facts(folder);
    for (const path of [made.workspace, made.home]) mkdirSync(path);
    const confine = confinementFor(made);
    const run = (command: string) => shell(command, { cwd: made.workspace, confine });
    const long = run(`touch first; ${untilFile("second")}; mkdir -p .git/hooks && echo evil > .git/hooks/x`);
    await until("the first runs", () => existsSync(join(made.workspace, "first")));
    await run("true");
    expect(readdirSync(made.workspace).sort()).toEqual([".coder", ".git", "first"]);
    await run("touch second");
    await long;
    expect(readdirSync(made.workspace).sort()).toEqual(["first", "second"]);
  });
});

import { afterAll, describe, expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import type { Settings } from "../../../src/contract/settings.ts";
import { statusOutput } from "../../../src/main/terminal/status-output.ts";
import { sandboxState } from "../../../src/platform/sandbox/state.ts";
import { until } from "../../support/until.ts";

const base = realpathSync(mkdtempSync(join(tmpdir(), "coder-status-")));
afterAll(() => rmSync(base, { recursive: true, force: true }));
const [workspace, home] = [join(base, "ws"), join(base, "home")];
for (const folder of [workspace, home]) mkdirSync(folder);

const input = JSON.stringify({ model: { id: "a/b" }, note: "it's $(not) run" });

function run(command: string, sandbox: Settings["sandbox"] = "off", signal = new AbortController().signal) {
  const settings = { workspace, home, sandbox, addDirs: [], lang: "en" } as unknown as Settings;
  return statusOutput(settings)(command, input, signal);
}

describe("the command of the status line", () => {
  test("[SU-3] gets the JSON on stdin, and its output is the text", async () => {
    expect(await run("cat; echo; pwd")).toEqual({ text: `${input}\n\n${workspace}\n` });
    // It need not read it.
    expect(await run("echo hi # as a comment")).toEqual({ text: "hi\n" });
  });

  test("[SU-3] that fails or floods is told in a word, and is bounded", async () => {
    expect(await run("echo no; exit 3")).toEqual({ problem: "exit code 3" });
    const flood = await run("yes | head -c 10000000");
    expect("text" in flood && flood.text.length).toBeLessThan(9_000);
  });

  test("[SU-3] that does not end is ended, with all that it started", async () => {
    const pid = join(workspace, "pid");
    expect(await run(`sleep 1000 & echo $! > ${pid}; wait`)).toEqual({ problem: "no end after 2 s" });
    const child = (await Bun.file(pid).text()).trim();
    await until("its child is gone", () => !existsSync(`/proc/${child}`));
  });

  test("[PO-9] sees no key, and no program of the workspace, and git runs nothing for it", async () => {
    const before = { ...process.env };
    Object.assign(process.env, { CODER_API_KEY: "k", MY_SERVICE_TOKEN: "t", PATH: `${workspace}:${process.env.PATH}` });
    const fake = join(workspace, "jq");
    writeFileSync(fake, "#!/bin/sh\necho planted\n");
    chmodSync(fake, 0o755);
    const planted = join(workspace, "ran");
    Bun.spawnSync(["git", "init", "-q"], { cwd: workspace });
    Bun.spawnSync(["git", "config", "core.fsmonitor", `touch ${planted}`], { cwd: workspace });
    try {
      expect(await run("env | grep -c -e CODER_API_KEY -e MY_SERVICE_TOKEN; true")).toEqual({ text: "0\n" });
      expect(await run("jq --version 2>/dev/null || true")).not.toEqual({ text: "planted\n" });
      await run("git status --short");
      expect(existsSync(planted)).toBe(false);
    } finally {
      Object.assign(process.env, before);
      for (const name of ["CODER_API_KEY", "MY_SERVICE_TOKEN"])
        if (before[name] === undefined) delete process.env[name];
    }
  });

  test("[PO-8] only reads where there is a sandbox, and sees its own script in the home", async () => {
    if ((await sandboxState()).kind !== "ready") return;
    const folder = mkdtempSync(join(homedir(), ".coder-status-"));
    try {
      writeFileSync(join(folder, "status.sh"), "cat > /dev/null; echo mine\n");
      expect(await run(`sh ${folder}/status.sh`, "auto")).toEqual({ text: "mine\n" });
      expect(await run("touch made", "auto")).toEqual({ problem: "exit code 1" });
      expect(existsSync(join(workspace, "made"))).toBe(false);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

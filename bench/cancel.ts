// How long an interrupt takes from the signal to the end of the program, with a command that has left its process group.
import { existsSync, mkdtempSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { launcherEnv } from "./pairs.ts";

/** Milliseconds of each cancel. Throws when a process of the command is left. */
export async function timeCancels(
  program: string,
  url: string,
  scratch: string,
  times: number,
): Promise<readonly number[]> {
  const took: number[] = [];
  for (let n = 0; n < times; n++) {
    const [home, cwd] = [mkdtempSync(join(scratch, "home-")), mkdtempSync(join(scratch, "ws-"))];
    const flags = ["--base-url", `${url}/bash/1/v1`, "--model", "openai-chat/mock", "--mode", "yolo"];
    const child = Bun.spawn([program, "run", ...flags, "wait"], {
      cwd,
      env: { ...process.env, ...launcherEnv(program), CODER_HOME: home },
      stdio: ["ignore", "ignore", "ignore"],
    });
    const note = join(cwd, "pid");
    while (!(existsSync(note) && readFileSync(note, "utf8").endsWith("\n"))) await Bun.sleep(5);
    const pid = Number(readFileSync(note, "utf8"));
    const started = performance.now();
    child.kill("SIGINT");
    await child.exited;
    took.push(performance.now() - started);
    if (existsSync(`/proc/${pid}`)) throw new Error(`process ${pid} was left after a cancel`);
  }
  return took;
}

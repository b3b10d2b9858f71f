// A second program that runs a command and is killed by the test, as coder might be.
import { shell } from "./shell.ts";

export interface Victim extends AsyncDisposable {
  readonly pid: number;
  readonly startTime: string;
  /** kill -9, and wait until it is gone. */
  readonly kill: () => Promise<void>;
}

/** Resolves once the shell exists and `onSpawn` was called; `gate: "stay"` never lets the command start. */
export async function startVictim(command: string, gate: "stay" | "open", marker: string): Promise<Victim> {
  const child = Bun.spawn([process.execPath, import.meta.path, gate, marker], {
    stdin: new Blob([command]),
    stdout: "pipe",
    stderr: "inherit",
  });
  const reader = child.stdout.getReader();
  const first = new TextDecoder().decode((await reader.read()).value);
  const { pid, startTime, bystander } = JSON.parse(first) as { pid: number; startTime: string; bystander: number };
  const kill = async (): Promise<void> => {
    if (child.killed) return;
    child.kill("SIGKILL");
    await child.exited;
    process.kill(bystander, "SIGKILL");
  };
  return { pid, startTime, kill, [Symbol.asyncDispose]: kill };
}

async function beVictim(command: string, gate: string, marker: string): Promise<void> {
  await shell(command, {
    marker,
    timeoutMs: 600_000,
    onSpawn: async (pid, startTime) => {
      // Started while the shell waits at the gate: must not inherit our end of it.
      const bystander = Bun.spawn(["sleep", "60"], { stdin: "ignore", stdout: "ignore", stderr: "ignore" });
      process.stdout.write(`${JSON.stringify({ pid, startTime, bystander: bystander.pid })}\n`);
      if (gate === "stay") await new Promise(() => {});
    },
  });
}

if (import.meta.main) {
  const [gate = "", marker = ""] = process.argv.slice(2);
  await beVictim(await Bun.stdin.text(), gate, marker);
}

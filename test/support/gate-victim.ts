// Started by a test to be killed: runs the command on stdin, and stays at the gate when told to.
import { shell } from "./shell.ts";

const [gate = "", marker = ""] = process.argv.slice(2);
// Started while the shell waits at the gate: must not inherit our end of it.
let bystander: Bun.Subprocess | undefined;

await shell(await Bun.stdin.text(), {
  marker,
  timeoutMs: 600_000,
  onSpawn: async (pid, startTime) => {
    bystander = Bun.spawn(["sleep", "60"], { stdin: "ignore", stdout: "ignore", stderr: "ignore" });
    process.stdout.write(`${JSON.stringify({ pid, startTime, bystander: bystander.pid })}\n`);
    if (gate === "stay") await new Promise(() => {});
  },
});
bystander?.kill();

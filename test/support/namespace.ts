// Another PID namespace on the same kernel, as a container is one: its processes have numbers of their own.
import { spawnSync } from "node:child_process";

type Form = "own /proc" | "the /proc outside";

const flags = (form: Form): readonly string[] => ["--pid", "--fork", ...(form === "own /proc" ? ["--mount-proc"] : [])];

/** What stands before a command to run it there; `null` where this machine lets nobody make one. */
export function inNamespace(form: Form = "own /proc"): readonly string[] | null {
  const users = process.getuid?.() === 0 ? [[]] : [["--user", "--map-root-user"]];
  const ways = users.map((more) => ["unshare", ...more, ...flags(form), "--kill-child"]);
  return ways.find(([program = "", ...args]) => spawnSync(program, [...args, "true"]).status === 0) ?? null;
}

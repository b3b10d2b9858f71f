import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { bootId, isAlive, processIdentity } from "../../src/platform/identity.ts";
import { until } from "../support/until.ts";

const isLinux = process.platform === "linux";

test("a process knows itself and is alive", () => {
  const own = processIdentity();
  expect(own.pid).toBe(process.pid);
  expect(isAlive(own.pid, own.startTime)).toBe(true);
});

test.skipIf(!isLinux)("the boot id is the kernel's, and the start time is field 22 of the process's stat", () => {
  expect(bootId()).toBe(readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim());
  expect(processIdentity().startTime).toMatch(/^\d+$/);
  expect(processIdentity().bootId).toBe(bootId());
});

test.skipIf(!isLinux)("the same pid with another start time is another process", () => {
  const own = processIdentity();
  expect(isAlive(own.pid, `${Number(own.startTime) - 1}`)).toBe(false);
});

test("[PS-5] a killed process is not alive", async () => {
  const child = Bun.spawn(["sleep", "60"]);
  const startTime = isLinux ? startTimeOf(child.pid) : "";
  expect(isAlive(child.pid, startTime)).toBe(true);
  child.kill("SIGKILL");
  await child.exited;
  expect(isAlive(child.pid, startTime)).toBe(false);
});

test.skipIf(!isLinux)("[PS-5] a killed process that nobody has collected yet is not alive", async () => {
  // The shell starts a child, then becomes `sleep`, which never collects it.
  const parent = Bun.spawn(["sh", "-c", "sleep 60 & echo $!; exec sleep 60"], { stdout: "pipe" });
  const pid = Number(new TextDecoder().decode((await parent.stdout.getReader().read()).value));
  await until("it sleeps", () => readFileSync(`/proc/${parent.pid}/comm`, "utf8") === "sleep\n");
  process.kill(pid, "SIGKILL");
  await until("nobody has collected it", () => stateOf(pid) === "Z");
  expect(isAlive(pid, startTimeOf(pid))).toBe(false);
  parent.kill("SIGKILL");
  await parent.exited;
});

test.skipIf(!isLinux)("a process whose name holds blanks and brackets is read rightly", async () => {
  const script = "echo ready; read line; printf 'a) Z 1 (b' > /proc/self/comm; echo named; read line";
  const child = Bun.spawn(["sh", "-c", script], { stdin: "pipe", stdout: "pipe" });
  const reader = child.stdout.getReader();
  await reader.read();
  const startTime = startTimeOf(child.pid);
  child.stdin.write("go\n");
  child.stdin.flush();
  await reader.read();
  expect(readFileSync(`/proc/${child.pid}/comm`, "utf8")).toBe("a) Z 1 (b\n");
  expect(isAlive(child.pid, startTime)).toBe(true);
  child.kill("SIGKILL");
  await child.exited;
});

function fieldsOf(pid: number): readonly string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

function stateOf(pid: number): string {
  return fieldsOf(pid)[0] ?? "";
}

function startTimeOf(pid: number): string {
  return fieldsOf(pid)[19] ?? "";
}

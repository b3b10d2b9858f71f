// One reading tool in a process of its own, which says how much memory it took at most, and what it still did after a cancel.
import { readFileSync } from "node:fs";
import { loadTools, parseInput } from "../../src/tool/registry.ts";
import { makeContext, told } from "./workspace.ts";

export interface Peak {
  readonly text: string;
  readonly megabytes: number;
  /** Of the processor: from the cancel to the answer, where there was one. */
  readonly cancelMs: number | null;
}

/** `cancelAfterMs`: the call is cancelled so much later. */
export function callWithPeak(root: string, tool: string, input: object, cancelAfterMs?: number): Peak {
  const argv = [process.execPath, import.meta.path, root, tool, JSON.stringify(input), String(cancelAfterMs ?? "")];
  // The runtime would put its cache into the home folder, and so into what is searched.
  const env = { PATH: process.env.PATH ?? "", HOME: root, BUN_RUNTIME_TRANSPILER_CACHE_PATH: "0" };
  const child = Bun.spawnSync(argv, { env });
  if (child.exitCode !== 0) throw new Error(child.stderr.toString());
  return JSON.parse(child.stdout.toString()) as Peak;
}

async function main([root = "", name = "", input = "", cancelAfter = ""]: readonly string[]): Promise<Peak> {
  const tool = loadTools([]).get(name);
  if (tool === undefined || !("run" in tool)) throw new Error(`no tool ${name} that reads`);
  const parsed = parseInput(tool, JSON.parse(input));
  if (!parsed.ok) throw new Error(told(parsed));
  const cancel = new AbortController();
  let cancelledAt = null as NodeJS.CpuUsage | null;
  const stop = (): void => {
    cancelledAt = process.cpuUsage();
    cancel.abort();
  };
  if (cancelAfter !== "") setTimeout(stop, Number(cancelAfter));
  const ctx = { ...makeContext(root, new Map()), signal: cancel.signal, defaultTimeoutMs: 300_000 };
  const text = told(await tool.run(parsed.value as never, ctx));
  const spent = cancelledAt && process.cpuUsage(cancelledAt);
  const status = readFileSync("/proc/self/status", "utf8");
  const megabytes = Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024;
  return { text, megabytes, cancelMs: spent && (spent.user + spent.system) / 1_000 };
}

if (import.meta.main) process.stdout.write(JSON.stringify(await main(process.argv.slice(2))));

// One run of the whole program over a fresh copy of a scenario's project, with a scripted model behind it.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Event, EventOf } from "../../src/contract/event.ts";
import type { TaskSummary } from "../../src/contract/task.ts";
import { startScriptedServer } from "../../test/support/scripted-server.ts";
import type { Run, Scenario } from "./scenario.ts";
import { layTools } from "./tools.ts";

export interface Carried {
  readonly exitCode: number;
  readonly stderr: string;
  readonly summary: TaskSummary | null;
  readonly events: readonly Event[];
  /** What stands in the home folder afterwards. */
  readonly home: readonly string[];
  /** Of a path in the project, afterwards; `null` = no such file. */
  readonly read: (path: string) => string | null;
  readonly project: string;
}

/** More than all of them take; a run that hangs must not hang the rest. */
const longestMs = 300_000;
const homeAtFirst = ".coder";

/** Programs that the machine has, not those that the person has put before them. */
export const PATH = [...new Set([dirname(Bun.which("node") ?? "/usr/bin/node"), "/usr/local/bin", "/usr/bin", "/bin"])];

/** `look` sees the project before it is removed. */
export async function carry<T>(
  argv: readonly string[],
  scenario: Scenario,
  run: Run,
  look: (carried: Carried) => T,
): Promise<T> {
  // Not in /tmp: a confined command has its own, in which the tools of the scenario would not be.
  const root = realpathSync(mkdtempSync(join(temporary(), "coder-scenario-")));
  const project = join(root, "project");
  const home = join(root, "home");
  const server = startScriptedServer([{ when: request, steps: run.steps }]);
  try {
    lay(scenario, project, root);
    mkdirSync(join(home, homeAtFirst), { recursive: true });
    if (run.config !== undefined) writeFileSync(join(home, homeAtFirst, "config.json"), JSON.stringify(run.config));
    const model = ["--base-url", server.url, "--model", "openai-chat/mock"];
    const child = Bun.spawn([...argv, "run", ...model, "--mode", "auto-edit", "--output", "stream-json", request], {
      cwd: project,
      env: environment(root, home, scenario),
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
      timeout: longestMs,
    });
    const [exitCode, out, stderr] = await Promise.all([
      child.exited,
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ]);
    const lines = linesOf(out);
    const result = lines.find(({ type }) => type === "result");
    return look({
      exitCode,
      stderr,
      summary: (result?.summary as TaskSummary | null | undefined) ?? null,
      events: lines.flatMap((line) => (line.type === "event" ? [line.event as Event] : [])),
      home: readdirSync(home).filter((name) => name !== homeAtFirst),
      read: (path) => textOf(join(project, path)),
      project,
    });
  } finally {
    server.stop();
    rmSync(root, { recursive: true, force: true });
  }
}

const request = "Fix the fault that was reported.";

function temporary(): string {
  return process.platform === "linux" ? "/var/tmp" : tmpdir();
}

function lay({ files, packages, tools }: Scenario, project: string, root: string): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), text);
  }
  if (packages) layTools(packages, project);
  if (tools) layTools(tools, join(root, "tools"));
}

function environment(root: string, home: string, { tools }: Scenario): Record<string, string> {
  const own = tools ? [join(root, "tools", "node_modules", ".bin")] : [];
  return {
    PATH: [...own, ...PATH].join(":"),
    HOME: home,
    CODER_HOME: join(home, homeAtFirst),
    LANG: "C.UTF-8",
    // From source Bun would keep compiled files in the home folder, where nothing must be left.
    BUN_RUNTIME_TRANSPILER_CACHE_PATH: "0",
  };
}

function linesOf(out: string): readonly Readonly<Record<string, unknown>>[] {
  const lines = out.split("\n").filter((line) => line !== "");
  return lines.map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null; // No such file, as a task may leave it.
  }
}

export function eventsOf<T extends Event["type"]>(events: readonly Event[], type: T): readonly EventOf<T>[] {
  return events.filter((event): event is EventOf<T> => event.type === type);
}

// What the runners really printed, kept as rows for the tests of the parsers.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CallResult } from "../../src/contract/message.ts";
import { type Carried, eventsOf } from "./carry.ts";
import type { Run, Said, Scenario } from "./scenario.ts";

const file = join(import.meta.dir, "..", "..", "test", "verify", "fixtures", "live-output.jsonl");

export interface LiveRow {
  readonly id: string;
  readonly command: string;
  readonly exit_code: number | null;
  readonly output: string;
  readonly reports: readonly string[];
  /** Where it ran. */
  readonly cwd: string;
  /** The files of the project below it, by which bare names become whole. */
  readonly files: readonly string[];
  readonly expected: Pick<Said, "type" | "counts" | "details">;
}

export class Recorder {
  private readonly rows: LiveRow[] = [];

  /** The last check of a run, whose reports still lie in the project. */
  take({ name, files }: Scenario, run: Run, carried: Carried): void {
    const said = run.ends.checks.at(-1);
    const check = eventsOf(carried.events, "tool.settled").findLast(({ result }) => textIn(result, "stdout") !== null);
    if (said === undefined || check === undefined) return;
    const { type, details, counts, cwd = "" } = said;
    const below = cwd === "" ? "" : `${cwd}/`;
    const clean = (text: string): string => text.replaceAll(carried.project, "/project");
    const { result } = check;
    this.rows.push({
      id: `${name}: ${run.name}`,
      command: said.command,
      exit_code: (result.data as { exit_code: number | null }).exit_code,
      output: clean(`${textIn(result, "stdout")}\n${textIn(result, "stderr")}`),
      reports: reportsIn(carried).map(clean),
      cwd: join("/project", cwd),
      files: Object.keys(files).flatMap((path) => (path.startsWith(below) ? [path.slice(below.length)] : [])),
      expected: { type, details, ...(counts ? { counts } : {}) },
    });
  }

  write(): void {
    writeFileSync(file, this.rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  }
}

function textIn({ data }: CallResult, key: "stdout" | "stderr"): string | null {
  const value = (data as Readonly<Record<string, unknown>> | undefined)?.[key];
  return typeof value === "string" ? value : null;
}

/** Without the machine's own properties, which say nothing about tests. */
function reportsIn({ project }: Carried): readonly string[] {
  return ["target/surefire-reports", "build/test-results/test"].flatMap((folder) => {
    const names = namesIn(join(project, folder)).filter((name) => name.endsWith(".xml"));
    return names.map((name) => {
      const text = readFileSync(join(project, folder, name), "utf8");
      return text.replace(/<properties>[\s\S]*?<\/properties>/, "<properties/>").replace(/hostname="[^"]*"/, "");
    });
  });
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // Not a project of this kind.
  }
}

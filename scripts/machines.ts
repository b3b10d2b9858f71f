// `npm run machines`: writes docs/reference/machines.md and its two pictures from the machines and the table of errors, and the picture of the
// rooms from the table that test/rooms.test.ts enforces.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { errorTable } from "../src/contract/error.ts";
import { phrase, say } from "../src/contract/text/catalogue.ts";
import { mayImport } from "../test/support/rooms.ts";
import { type Edge, edgesOf } from "./machines/edges.ts";
import { roomsSvg } from "./machines/rooms-svg.ts";
import { machineSvg } from "./machines/svg.ts";

const order = {
  task: "IDLE INTAKE CLARIFYING CONTEXT_BUILDING PLANNING AWAITING_CONFIRMATION EXECUTING VERIFYING RECOVERING SUMMARIZING DONE",
  run: "idle preparing model_running tool_running awaiting_human completed failed aborted",
} as const;

const rows = (edges: readonly Edge[]): string =>
  [
    "| from | to | on |",
    "|---|---|---|",
    ...edges.map(({ from, to, on }) => `| ${from} | ${to} | ${on.map((one) => `\`${one}\``).join(", ")} |`),
  ].join("\n");

/** Every file by its path below the project. */
export function machineFiles(): Readonly<Record<string, string>> {
  const [task, run] = [edgesOf("task"), edgesOf("run")];
  const errors = Object.entries(errorTable).map(
    ([code, { class: kind, retry, sideEffect, exit, advice }]) =>
      `| ${code} | ${kind} | ${retry} | ${sideEffect} | ${exit} | ${say("en", phrase(advice))} |`,
  );
  const page = [
    "# The two machines, and the errors",
    "Written by `npm run machines` from `src/machine` and `src/contract/error.ts`; a test fails when it is stale. Green arrows lead down, red ones up.",
    "## The task machine",
    "![The states of a task and the ways between them](../images/machine-task.svg)",
    rows(task),
    "## The run machine",
    "![The states of a run and the ways between them](../images/machine-run.svg)",
    rows(run),
    "## Errors",
    [
      "| code | class | tried again by | side effect | exit code | advice |",
      "|---|---|---|---|---|---|",
      ...errors,
    ].join("\n"),
  ];
  return {
    "docs/reference/machines.md": `${page.join("\n\n")}\n`,
    "docs/images/machine-task.svg": machineSvg(order.task.split(" "), task),
    "docs/images/machine-run.svg": machineSvg(order.run.split(" "), run),
    "docs/images/rooms.svg": roomsSvg(mayImport, ownedBy),
  };
}

function ownedBy(room: string): string {
  const readme = readFileSync(join(import.meta.dir, "..", "src", room, "README.md"), "utf8");
  return readme.split("\n")[1] ?? "";
}

if (import.meta.main) {
  for (const [path, text] of Object.entries(machineFiles())) {
    const file = join(import.meta.dir, "..", path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

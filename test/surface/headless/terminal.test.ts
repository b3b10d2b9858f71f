import { expect, test } from "bun:test";
import { builtBinary } from "../../support/binary.ts";
import { Cli } from "../../support/cli.ts";
import { aliveWith, newToken } from "../../support/shell.ts";
import { until } from "../../support/until.ts";

function inTerminal(cli: Cli, args: readonly string[], onData: (text: string) => void) {
  return Bun.spawn([...builtBinary(), ...args], {
    cwd: cli.workspace,
    env: { ...process.env, LANG: "C", CODER_HOME: cli.home },
    terminal: { cols: 100, rows: 30, data: (_, chunk) => onData(new TextDecoder().decode(chunk)) },
  });
}

test("[CAN-1] [CAN-4] a closed terminal ends the run and everything it started", async () => {
  const token = newToken();
  const command = `setsid sleep 300.${token} & sleep 301.${token}`;
  using cli = new Cli([{ calls: [{ tool: "bash", input: { command } }] }, { text: "no" }]);
  const child = inTerminal(cli, ["run", ...cli.model, "--mode", "yolo", "go"], () => {});
  await until("both sleep", () => aliveWith(`.${token}`).length >= 2);
  child.terminal?.close();
  expect(await child.exited).toBe(130);
  expect(aliveWith(`.${token}`)).toEqual([]);
});

test("a terminal shows what is going on in one line that is wiped before the answer, hostile names made harmless", async () => {
  using cli = new Cli([
    { calls: [{ tool: "read", input: { path: "a\u001b[2Jb" } }], delayMs: 50 },
    { text: "the answer" },
  ]);
  let screen = "";
  const child = inTerminal(cli, ["run", ...cli.model, "go"], (text) => {
    screen += text;
  });
  expect(await child.exited).toBe(0);
  await until("the answer is shown", () => screen.includes("the answer"));
  expect(screen).toContain("step 1: model");
  expect(screen).toContain("step 1: read");
  expect(screen).not.toContain("\u001b[2J");
  expect(screen.slice(0, screen.indexOf("the answer"))).toEndWith("\r\u001b[K");
});

test("[CAN-3] Ctrl+C typed at the terminal cancels once and ends with 130", async () => {
  using cli = new Cli([{ text: "slow", delayMs: 60_000 }]);
  let screen = "";
  const child = inTerminal(cli, ["run", ...cli.model, "go"], (text) => {
    screen += text;
  });
  await until("the model is asked", () => cli.server.requests.length === 1);
  child.terminal?.write("\u0003");
  expect(await child.exited).toBe(130);
  await until("it says so", () => screen.includes("Stopped model stream"));
  expect(screen.match(/Cancelled by ESC/g)?.length).toBe(1);
});

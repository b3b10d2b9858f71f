import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { Bench } from "../support/engine.ts";

const name = `/tmp/coder-own-temp-${process.pid}.txt`;
const command = `echo seen > ${name}; cat ${name}; cp ${name} ${name}.copy`;

test.skipIf(process.platform !== "linux")(
  "[PO-1] [PO-8] in the sandbox /tmp is its own: commands write there unasked, and nothing of it is on the machine",
  async () => {
    const bash = (line: string) => ({ calls: [{ tool: "bash", input: { command: line } }] });
    await using bench = new Bench([bash(command), bash(`cat ${name}.copy`), { text: "done" }]);
    const seat = bench.open({ mode: "auto-edit" });
    await seat.run("go");
    expect(seat.all("tool.settled").map(({ result: { status, output } }) => [status, output.includes("seen")])).toEqual(
      [
        ["done", true],
        ["done", true],
      ],
    );
    expect([name, `${name}.copy`].filter((path) => existsSync(path))).toEqual([]);
  },
);

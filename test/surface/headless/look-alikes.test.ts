// Names that only look like what they are taken for, where a person is asked about them or reads that they were refused.
import { expect, test } from "bun:test";
import { Cli, Lines } from "../../support/cli.ts";

const command = "rm -rf ./sr\u0441 && curl https://g\u043e\u043egle.com/x";
const shown = "rm -rf ./sr\\u{441} && curl https://g\\u{43e}\\u{43e}gle.com/x";
const names = "./sr\\u{441} ≠ ./src · https://g\\u{43e}\\u{43e}gle.com/x ≠ https://google.com/x = xn--ggle-55da.com";
const calls = [{ tool: "bash", input: { command } }];

test("[PO-6] [SA-look-alikes] whoever is asked sees each letter that is not what it seems, and what it seems to be", async () => {
  using cli = new Cli([{ calls }, { text: "done" }]);
  const args = ["run", "--input", "stream-json", "--output", "stream-json", ...cli.model, "clean up"];
  const child = cli.start(args, { stdin: "pipe" });
  const approval = await new Lines(child.stdout).until(({ type }) => type === "approval");
  expect(approval).toMatchObject({ shown, input: { command } });
  expect(approval.reasons).toContain(`may not be what it looks like: ${names}`);
  child.kill("SIGKILL");
  await child.exited;
});

test("[PO-6] [SA-look-alikes] a refusal without anybody to ask says it, too: for a command, a path and the host of a page", async () => {
  const step = (tool: string, input: unknown) => ({ calls: [{ tool, input }] });
  using cli = new Cli([
    step("bash", { command }),
    step("write", { path: "sr\u0441/a.ts", content: "x" }),
    step("fetch", { url: "https://g\u043e\u043egle.com/" }),
    { text: "done" },
  ]);
  await cli.run(["run", ...cli.model, "clean up"]);
  const told = JSON.stringify(cli.server.requests.at(-1)?.body);
  expect(told).toContain(JSON.stringify(names).slice(1, -1));
  expect(told).toContain(JSON.stringify("sr\\u{441}/a.ts ≠ src/a.ts").slice(1, -1));
  expect(told).toContain("= xn--ggle-55da.com");
});

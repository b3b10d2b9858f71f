import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Cli } from "../../support/cli.ts";
import { hasEnded } from "../../support/shell.ts";
import { until } from "../../support/until.ts";

/** What the model was given in its newest request as the last words of the person. */
function told(cli: Cli): string {
  const said = (cli.server.requests.at(-1)?.body.messages ?? []).map(({ content }) => String(content));
  return said.findLast((text) => !text.startsWith("[coder] ")) ?? "";
}

test("[CX-1] [SU-1] `coder run` attaches what is mentioned and says so on stderr alone, in the person's language", async () => {
  using cli = new Cli([{ text: "seen" }]);
  cli.file("a.ts", "one\n");
  cli.file(".env", "A=1\n");
  const ran = await cli.run(["run", ...cli.model, "see @a.ts and @.env"], { env: { LANG: "zh_CN.UTF-8" } });
  expect(ran).toMatchObject({ code: 0, out: "seen\n" });
  expect(ran.err).toContain("已附上：a.ts\n");
  expect(ran.err).toContain("@.env 未被读取，仍为普通文字：\n");
  expect(told(cli)).toContain("1\tone\n[end ");
});

test("[CLI-1] piped stdin that is long becomes a file that the model can page; a task of a client may mention files too", async () => {
  using cli = new Cli([{ text: "seen" }]);
  cli.file("a.ts", "one\n");
  const piped = "a line of the log with @a.ts in it\n".repeat(3_000);
  const ran = await cli.run(["run", ...cli.model, "why?"], { stdin: piped });
  expect(ran).toMatchObject({ code: 0, out: "seen\n" });
  const path = /\.coder\/output\/\S+\.txt/.exec(ran.err)?.[0] ?? "";
  expect(readFileSync(join(cli.workspace, path), "utf8")).toBe(`why?\n\n${piped}`.trim());
  expect(told(cli)).toStartWith("why?\n\na line of the log");
  expect(told(cli)).not.toContain("[attached");
  const line = `${JSON.stringify({ type: "input", text: "see @a.ts:1" })}\n`;
  const stream = ["--input", "stream-json", "--output", "stream-json"];
  const client = await cli.run(["run", ...cli.model, ...stream], { stdin: line });
  expect(client.code).toBe(0);
  expect(told(cli)).toContain("[attached a.ts:1, ");
});

test("[CAN-1] Ctrl+C while a mentioned document is read ends its reader and coder, and nothing was sent", async () => {
  using cli = new Cli([{ text: "never" }]);
  cli.file("d.pdf", "%PDF-1.4\n");
  const folder = join(cli.root, "bin");
  const started = join(cli.root, "started");
  mkdirSync(folder);
  const script = `#!/bin/sh\necho $$ > ${started}.tmp; mv ${started}.tmp ${started}; sleep 300\n`;
  writeFileSync(join(folder, "pdftotext"), script, { mode: 0o755 });
  const child = cli.start(["run", ...cli.model, "see @d.pdf"], { env: { PATH: `${folder}:${process.env.PATH}` } });
  await until("the reader runs", () => existsSync(started));
  child.kill("SIGINT");
  expect(await child.exited).toBe(130);
  expect(hasEnded(Number(readFileSync(started, "utf8")))).toBe(true);
  expect(cli.server.requests.length).toBe(0);
});

import { expect, test } from "bun:test";
import { withIndex } from "../../index/workspace.ts";
import { type Asked, startAnsweringServer } from "../../support/answering-server.ts";
import { Cli } from "../../support/cli.ts";
import { until } from "../../support/until.ts";

const { signal } = new AbortController();
const hasMap = (asked: Asked | undefined): boolean => asked?.bytes.includes("[map ") ?? false;

test("[CX-1] [CX-4] [PS-4] after kill -9 the same call is made with the same bytes, whatever the index says by then", async () => {
  const gate = Promise.withResolvers<void>();
  using server = startAnsweringServer(() => gate.promise.then(() => ({ text: "ok" })));
  using cli = new Cli();
  const model = ["--base-url", server.url, "--model", "openai-chat/mock"];
  const place = { root: cli.workspace, home: cli.home, write: () => {} };
  const index = () => withIndex(place, async (one) => void (await one.update(signal)));
  cli.file("discount.ts", "export function loyalDiscount(years: number): number {\n  return years;\n}\n");
  await index();
  // On a busy machine a request may go without it.
  for (let round = 0; round < 20 && !hasMap(server.asked.at(-1)); round++) {
    const child = cli.start(["run", ...model, "where does the loyal discount grow with the years?"]);
    await until("it was asked", () => server.asked.length === round + 1);
    child.kill("SIGKILL");
    await child.exited;
  }
  const before = server.asked.at(-1);
  expect(hasMap(before)).toBe(true);
  cli.file("discount.ts", "export function anotherThing() {}\nexport function andMore() {}\n");
  await index();
  gate.resolve();
  const { out } = await cli.run(["sessions", "--json"]);
  const [, id = ""] = /"id": ?"([^"]+)"/.exec(out) ?? [];
  expect((await cli.run(["resume", id, ...model])).code).toBe(0);
  expect(server.asked.at(-1)?.bytes).toBe(before?.bytes ?? "");
  expect((await cli.run(["replay", id])).code).toBe(0);
}, 120_000);

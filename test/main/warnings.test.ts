// What the runtime thinks of timers, variables and bytes is nothing to tell a person.
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { Cli } from "../support/cli.ts";

const limit = 120_000;

describe("nothing of the runtime reaches stderr", () => {
  test(
    "[ER-2] with numbers that no timer can hold, a variable that it warns of, and waits that are over already",
    async () => {
      using cli = new Cli([{ text: "done", delayMs: 50 }]);
      cli.file("far.json", '{"model_idle_s":604800,"command_timeout_s":604800,"max_time_s":604800}');
      const config = ["--config", join(cli.workspace, "far.json")];
      const env = { NODE_TLS_REJECT_UNAUTHORIZED: "0" };
      const ran = await cli.run(["run", ...cli.model, ...config, "--max-time", "604800", "go"], { env });
      expect(ran).toEqual({ code: 0, out: "done\n", err: "" });
    },
    limit,
  );

  const broken: readonly (readonly [string, string])[] = [
    ["gzip", "not packed at all"],
    ["deflate", "not packed at all"],
    ["br", "not packed at all"],
    ["zstd", "not packed at all"],
  ];
  for (const [coding, body] of broken) {
    test(
      `[ER-2] [MD-7] when a provider says ${coding} and sends something else: the message is ours`,
      async () => {
        using cli = new Cli([{ headers: { "content-encoding": coding }, body }]);
        cli.file("once.json", '{"model_attempts":1}');
        const ran = await cli.run(["run", ...cli.model, "--config", join(cli.workspace, "once.json"), "go"]);
        expect([ran.code, ran.out]).toEqual([7, ""]);
        expect(ran.err).toContain("sent an unreadable reply");
        expect(ran.err).not.toMatch(/Decompression error|ZlibError|warn/i);
      },
      limit,
    );
  }

  test(
    "[MD-7] a reply that really is packed is read",
    async () => {
      const sse = `data: ${JSON.stringify({ choices: [{ delta: { content: "packed" }, finish_reason: "stop" }] })}\n\ndata: [DONE]\n\n`;
      using server = Bun.serve({
        port: 0,
        fetch: () =>
          new Response(gzipSync(sse), { headers: { "content-type": "text/event-stream", "content-encoding": "gzip" } }),
      });
      using cli = new Cli();
      const model = ["--base-url", `${server.url.href}v1`, "--model", "openai-chat/mock"];
      expect(await cli.run(["run", ...model, "go"])).toEqual({ code: 0, out: "packed\n", err: "" });
    },
    limit,
  );
});

import { expect, test } from "bun:test";
import type { Socket } from "node:net";
import { say } from "../../../src/contract/text/catalogue.ts";
import { openModel } from "../../../src/model/open.ts";
import { choiceAt, deltasOf, replyOf } from "../../support/model-calls.ts";
import { eventStreamHead, httpChunk, startRawServer } from "../../support/raw-server.ts";

/** What kind of failure it is, and what is said about it. */
async function failureAt(url: string, proxy: string | null = null): Promise<readonly [kind: string, says: string]> {
  const port = await openModel(choiceAt(url), { idleMs: 200 }, { proxy, caFile: null });
  const { failure } = replyOf(await deltasOf(port));
  return [failure?.fault.kind ?? "none", failure ? say("en", failure.error.text) : ""];
}

const half = httpChunk('data: {"choices":[{"delta":{"content":"half a re"}}]}\n\n');
const gone: readonly (readonly [what: string, kind: string, answer: (socket: Socket) => void])[] = [
  ["takes the request and never answers", "idle", () => {}],
  [
    "answers with comments and nothing else",
    "idle",
    (socket) => void socket.write(`${eventStreamHead}${httpChunk(": hm\n\n")}`),
  ],
  ["resets the connection", "connection", (socket) => void socket.resetAndDestroy()],
  ["hangs up without a word", "connection", (socket) => void socket.end()],
  ["hangs up in its first line", "connection", (socket) => void socket.end("HTTP/1.1 200 O")],
  ["hangs up in the middle of a reply", "connection", (socket) => void socket.end(`${eventStreamHead}${half}`)],
];

for (const [what, kind, answer] of gone) {
  test(`[MD-4] a server that ${what} is one to be tried again`, async () => {
    await using server = await startRawServer(answer);
    expect((await failureAt(server.url))[0]).toBe(kind);
  });
}

test("[MD-4] a name that cannot be looked up, and a proxy that is down, are outages", async () => {
  const kinds = [
    await failureAt("http://models.invalid/v1"),
    await failureAt("https://models.invalid/v1"),
    await failureAt("http://models.invalid/v1", "http://127.0.0.1:9"),
    await failureAt("https://models.invalid/v1", "http://127.0.0.1:9"),
  ].map(([kind]) => kind);
  expect(kinds).toEqual(["connection", "connection", "connection", "connection"]);
});

test("[MD-4] a proxy that has no way to the server is an outage; one that refuses to look for it is not waited for", async () => {
  const behind = async (status: string): Promise<readonly string[]> => {
    await using proxy = await startRawServer(
      (socket) => void socket.end(`HTTP/1.1 ${status}\r\ncontent-length: 0\r\n\r\n`),
    );
    const by = new URL(proxy.url).origin;
    return await Promise.all(
      ["http", "https"].map(async (scheme) => (await failureAt(`${scheme}://models.invalid/v1`, by))[0]),
    );
  };
  expect(await behind("502 Bad Gateway")).toEqual(["busy", "connection"]);
  expect(await behind("503 Service Unavailable")).toEqual(["busy", "connection"]);
  expect(await behind("429 Too Many Requests")).toEqual(["busy", "connection"]);
  expect(await behind("407 Proxy Authentication Required")).toEqual(["bad_request", "bad_request"]);
  expect((await behind("403 Forbidden"))[1]).toBe("bad_request");
});

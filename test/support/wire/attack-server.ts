// A server that answers a model request with whatever bytes the test wants, over a real connection.
import { createServer, type Socket } from "node:net";
import { clientHasRead } from "../client-read.ts";
import { eventStreamHead } from "../raw-server.ts";

export interface Answer {
  /** Status line and headers; those of a chunked event stream when absent. */
  readonly head?: string;
  /** Each is one write, a moment after the one before; as one HTTP chunk unless `isRaw`. May be endless. */
  readonly writes: Iterable<string | Uint8Array>;
  readonly isRaw?: true;
  /**
   * What follows the last write: the end of the body ("end", the default), silence on an open connection, an end of the
   * connection in the middle of the body ("hang_up"), or a reset ("reset").
   */
  readonly after?: "end" | "silence" | "hang_up" | "reset";
  /** Between two writes; 0 = only a turn of the event loop. */
  readonly pauseMs?: number;
}

export interface WireRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

export interface AttackServer extends AsyncDisposable {
  readonly url: string;
  /** Connections not closed yet. */
  readonly open: number;
  readonly requests: WireRequest[];
  /** Bytes written to all connections. */
  readonly written: number;
  answer: (request: WireRequest) => Answer;
}

export async function startAttackServer(answer: (request: WireRequest) => Answer): Promise<AttackServer> {
  const sockets = new Set<Socket>();
  const state = { written: 0, answer };
  const requests: WireRequest[] = [];
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on("close", () => sockets.delete(socket));
    // A client that hangs up is what is tested.
    socket.on("error", () => sockets.delete(socket));
    onRequest(socket, (request) => {
      requests.push(request);
      const given = state.answer(request);
      void play(socket, given, state).catch((error) => socket.destroy(error instanceof Error ? error : undefined));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    url: `http://127.0.0.1:${address.port}/v1`,
    requests,
    get open() {
      return sockets.size;
    },
    get written() {
      return state.written;
    },
    get answer() {
      return state.answer;
    },
    set answer(next) {
      state.answer = next;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Calls `use` once, with the whole request: an answer in the middle of it would be an attack of another kind. */
function onRequest(socket: Socket, use: (request: WireRequest) => void): void {
  let bytes = Buffer.alloc(0);
  const read = (more: Buffer): void => {
    bytes = Buffer.concat([bytes, more]);
    const end = bytes.indexOf("\r\n\r\n");
    if (end === -1) return;
    const [start = "", ...lines] = bytes.toString("latin1", 0, end).split("\r\n");
    const headers = Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]),
    );
    const body = bytes.subarray(end + 4);
    if (body.length < Number(headers["content-length"] ?? 0)) return;
    socket.off("data", read);
    socket.resume();
    use({ path: start.split(" ")[1] ?? "", headers, body: JSON.parse(body.toString() || "null") });
  };
  socket.on("data", read);
}

async function play(socket: Socket, answer: Answer, state: { written: number }): Promise<void> {
  const { head = eventStreamHead, writes, isRaw, after = "end", pauseMs = 0 } = answer;
  const isChunked = isRaw !== true;
  await write(socket, head, state);
  for (const piece of writes) {
    if (socket.destroyed) return;
    await (pauseMs > 0 ? Bun.sleep(pauseMs) : new Promise((resolve) => setImmediate(resolve)));
    await write(socket, isChunked ? httpChunk(piece) : piece, state);
  }
  // What is still on its way when a connection breaks may never be read.
  if (after === "hang_up" || after === "reset") {
    await Bun.sleep(30);
    await clientHasRead(socket.remotePort ?? 0);
  }
  if (after === "end") socket.end(isChunked ? "0\r\n\r\n" : "");
  else if (after === "hang_up") socket.end();
  else if (after === "reset") socket.resetAndDestroy();
}

function httpChunk(piece: string | Uint8Array): Buffer {
  const bytes = Buffer.from(piece as string);
  return Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from("\r\n")]);
}

/** Resolves when the connection takes more, or is gone. */
async function write(socket: Socket, piece: string | Uint8Array, state: { written: number }): Promise<void> {
  if (socket.destroyed) return;
  state.written += piece.length;
  if (socket.write(piece)) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  socket.once("drain", resolve);
  socket.once("close", resolve);
  await promise;
  socket.off("drain", resolve);
  socket.off("close", resolve);
}

// A TCP server that plays a broken HTTP server: the test writes every byte of the answer itself.
import { createServer, type Socket } from "node:net";

export interface RawServer extends AsyncDisposable {
  readonly url: string;
  /** Connections still open. */
  readonly open: number;
}

export const eventStreamHead =
  "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";

/** `text` as one chunk of a chunked body. */
export function httpChunk(text: string): string {
  return `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
}

/** `answer` is called once per connection, as soon as the request's header has arrived. */
export async function startRawServer(answer: (socket: Socket) => void): Promise<RawServer> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    // A client that hangs up is what these tests are about.
    socket.on("error", () => sockets.delete(socket));
    let head = "";
    const read = (bytes: Buffer): void => {
      head += bytes.toString("latin1");
      if (!head.includes("\r\n\r\n")) return;
      socket.off("data", read);
      socket.resume();
      answer(socket);
    };
    socket.on("data", read);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    url: `http://127.0.0.1:${address.port}/v1`,
    get open() {
      return sockets.size;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

// The thread that answers the kernel while a command runs. It does nothing else, so the command never waits for us.
import { openLibc } from "./libc.ts";
import { Listener, type ListenRequest } from "./listener.ts";

declare const self: Worker;

const libc = openLibc();
if (libc === null) throw new Error("no C library to listen with");
self.onmessage = ({ data }: MessageEvent<ListenRequest>): void => {
  const listener = new Listener(libc, data);
  listener.run((ledger) => self.postMessage(ledger));
  listener.close();
  self.postMessage("ready");
};
self.postMessage("ready");

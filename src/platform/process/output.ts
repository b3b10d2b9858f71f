// Reads both streams of a running command.
import { type KeptOutput, keepBounded, type Live, showLive } from "./capture.ts";

type Streams = { readonly stdout: ReadableStream<Uint8Array>; readonly stderr: ReadableStream<Uint8Array> };

export interface Output {
  /** Resolves when both streams have ended; rejects when `onOutput` throws. */
  readonly ended: Promise<unknown>;
  readonly kept: () => {
    readonly stdout: string;
    readonly stderr: string;
    readonly truncated: { readonly stdout: boolean; readonly stderr: boolean };
  };
  /** Stops reading a stream that another process still holds open. */
  readonly close: () => Promise<void>;
}

export function readOutput(
  streams: Streams,
  maxBytes: number,
  onOutput: (stream: keyof Streams, text: string) => void,
): Output {
  const open = (name: keyof Streams) => {
    const kept = keepBounded(maxBytes);
    const reader = streams[name].getReader();
    const live = showLive(maxBytes, (text) => onOutput(name, text));
    return { kept, reader, ended: pump(reader, kept, live) };
  };
  const stdout = open("stdout");
  const stderr = open("stderr");
  return {
    ended: Promise.all([stdout.ended, stderr.ended]),
    kept: () => {
      const [out, err] = [stdout.kept.text(), stderr.kept.text()];
      return { stdout: out.text, stderr: err.text, truncated: { stdout: out.isCut, stderr: err.isCut } };
    },
    close: async () => {
      await Promise.all([stdout.reader.cancel(), stderr.reader.cancel()]);
    },
  };
}

async function pump(
  reader: { read: () => Promise<{ value?: Uint8Array | undefined }> },
  kept: KeptOutput,
  live: Live,
): Promise<void> {
  try {
    for (;;) {
      const { value } = await reader.read();
      if (value === undefined) return;
      kept.add(value);
      live.show(value);
    }
  } finally {
    live.end();
  }
}

import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ImageRef } from "../../contract/message.ts";
import type { Environment } from "../../platform/environment.ts";
import { imageSize } from "../../platform/files/document/image.ts";
import { errnoOf } from "../../platform/files/failure.ts";
import { imageType } from "../../platform/files/text/sniff.ts";
import { findProgram, foreignPath } from "../../platform/find-program.ts";
import { makeCoderFolder } from "../../store/snapshot.ts";

const maxBytes = 20 * 2 ** 20;
const maxMs = 2_000;

interface ImageDeps {
  readonly workspace: string;
  readonly env: Environment;
  readonly platform?: NodeJS.Platform;
}

/** Saves the clipboard image in the workspace and returns its path; `null` = no image, or no program to read it. */
export function imagePaste({ workspace, env, platform = process.platform }: ImageDeps): () => Promise<string | null> {
  return async () => {
    const path = foreignPath(env.PATH ?? "", [workspace]);
    for (const { program, args, isHex } of readers(platform, env)) {
      const file = findProgram([program], path, [workspace]);
      const output = file === null ? null : await outputOf([file, ...args], env, isHex ? 2 * maxBytes : maxBytes);
      const bytes = output !== null && isHex ? fromHex(output) : output;
      const type = bytes === null ? null : imageType(bytes);
      if (bytes === null || type === null || bytes.length > maxBytes || imageSize(bytes, type) === null) continue;
      return keep(workspace, bytes, type);
    }
    return null;
  };
}

interface Reader {
  readonly program: string;
  readonly args: readonly string[];
  /** The output is hexadecimal: `«data PNGf89504E…»`. */
  readonly isHex?: true;
}

function readers(platform: NodeJS.Platform, { WAYLAND_DISPLAY, DISPLAY }: Environment): readonly Reader[] {
  if (platform === "darwin")
    return [
      { program: "pngpaste", args: ["-"] },
      { program: "osascript", args: ["-e", "get the clipboard as «class PNGf»"], isHex: true },
    ];
  return [
    ...(WAYLAND_DISPLAY ? [{ program: "wl-paste", args: ["--no-newline", "--type", "image/png"] }] : []),
    ...(DISPLAY ? [{ program: "xclip", args: ["-selection", "clipboard", "-t", "image/png", "-o"] }] : []),
  ];
}

async function outputOf(argv: string[], env: Environment, most: number): Promise<Buffer | null> {
  const child = Bun.spawn(argv, { env, stdin: "ignore", stdout: "pipe", stderr: "ignore" });
  const reader = child.stdout.getReader();
  const parts: Uint8Array[] = [];
  let left = most;
  let isLate = false;
  const stop = (): void => {
    child.kill("SIGKILL");
    // A child of the program may still hold the pipe open.
    void reader.cancel();
  };
  const timer = setTimeout(() => {
    isLate = true;
    stop();
  }, maxMs);
  try {
    for (let piece = await reader.read(); !piece.done && left >= 0; piece = await reader.read()) {
      parts.push(piece.value);
      left -= piece.value.length;
    }
  } finally {
    clearTimeout(timer);
  }
  if (left >= 0 && !isLate) return Buffer.concat(parts);
  stop();
  return null;
}

function fromHex(output: Buffer): Buffer | null {
  const digits = /«data PNGf([\dA-F]+)»/i.exec(output.toString("utf8"))?.[1];
  return digits === undefined ? null : Buffer.from(digits, "hex");
}

const endings: Readonly<Record<ImageRef["mediaType"], string>> = {
  ...{ "image/png": "png", "image/jpeg": "jpg", "image/gif": "gif", "image/webp": "webp" },
};

function keep(workspace: string, bytes: Buffer, type: ImageRef["mediaType"]): string | null {
  const folder = makeCoderFolder(workspace, "pasted", "");
  if (!folder.ok) return null;
  for (let attempt = 0; attempt < 5; attempt++) {
    const names = readdirSync(folder.value).map((name) => Number.parseInt(name, 10) || 0);
    const name = `${Math.max(0, ...names) + 1}.${endings[type]}`;
    try {
      writeFileSync(join(folder.value, name), bytes, { flag: "wx", mode: 0o600 });
      return join(".coder", "pasted", name);
    } catch (error) {
      // On EEXIST another session took the number: try the next one.
      if (errnoOf(error) === undefined) throw error;
      if (errnoOf(error) !== "EEXIST") return null;
    }
  }
  return null;
}

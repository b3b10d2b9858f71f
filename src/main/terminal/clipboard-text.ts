import type { Environment } from "../../platform/environment.ts";
import { errnoOf } from "../../platform/files/failure.ts";
import { findProgram, foreignPath } from "../../platform/find-program.ts";

const maxMs = 2_000;

interface ClipboardDeps {
  readonly workspace: string;
  readonly env: Environment;
  readonly platform?: NodeJS.Platform;
}

/** `true`: a program of this machine has taken the text. */
export function textCopy({ workspace, env, platform = process.platform }: ClipboardDeps) {
  return async (text: string): Promise<boolean> => {
    const path = foreignPath(env.PATH ?? "", [workspace]);
    for (const [program, ...args] of writers(platform, env)) {
      const file = findProgram([program], path, [workspace]);
      if (file !== null && (await takes([file, ...args], text, env))) return true;
    }
    return false;
  };
}

function writers(
  platform: NodeJS.Platform,
  { WAYLAND_DISPLAY, DISPLAY, WSL_DISTRO_NAME }: Environment,
): readonly (readonly [string, ...string[]])[] {
  if (platform === "darwin") return [["pbcopy"]];
  return [
    ...(WAYLAND_DISPLAY ? [["wl-copy"] as const] : []),
    ...(DISPLAY
      ? ([
          ["xclip", "-selection", "clipboard"],
          ["xsel", "--clipboard", "--input"],
        ] as const)
      : []),
    ...(WSL_DISTRO_NAME ? [["clip.exe"] as const] : []),
  ];
}

async function takes(argv: string[], text: string, env: Environment): Promise<boolean> {
  try {
    const child = Bun.spawn(argv, { env, stdin: Buffer.from(text), stdout: "ignore", stderr: "ignore" });
    const timer = setTimeout(() => child.kill("SIGKILL"), maxMs);
    const code = await child.exited;
    clearTimeout(timer);
    return code === 0;
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return false;
  }
}

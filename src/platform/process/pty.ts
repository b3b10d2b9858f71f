import { fail, ok, type Result } from "../../contract/error.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import {
  findBash,
  type GatedShell,
  gateCall,
  MAX_ARGUMENT_BYTES,
  once,
  passedFds,
  SAFE_ENVIRONMENT,
  SIGN,
  type Spawn,
  spawnFailure,
} from "./gate.ts";
import { MARKER } from "./proc.ts";

const COLUMNS = 120;
const ROWS = 40;
const TERMINAL_ENVIRONMENT = { TERM: "xterm-256color", ...SAFE_ENVIRONMENT };
// The sign marks the opened gate: everything before it is the terminal's echo.
const GATE = "IFS= read -rs line || exit 125; printf '\\036'; ";

/** We hold the terminal's master side: when we die it hangs up, and the gate never opens. */
export function spawnInTerminal(spawn: Spawn): Result<GatedShell> {
  const { command, cwd, env, marker, entrance } = spawn;
  const bash = findBash(env.PATH ?? "");
  if (!bash.ok) return bash;
  if (Buffer.byteLength(command) > MAX_ARGUMENT_BYTES) return fail("E_INVALID_ARGS", phrase("bash.long_for_terminal"));
  const screen = followScreen(entrance === null ? 1 : 2);
  try {
    const child = Bun.spawn([...gateCall(bash.value, { wait: GATE, stdin: "" }, spawn), "-c", command], {
      cwd,
      env: { ...env, [MARKER]: marker, ...TERMINAL_ENVIRONMENT },
      terminal: { cols: COLUMNS, rows: ROWS, data: (_, bytes) => screen.add(bytes), exit: () => screen.end() },
      stdio: ["ignore", "ignore", "ignore", ...passedFds(spawn)],
    });
    const open = once(async (): Promise<void> => {
      child.terminal?.write("\n");
    });
    void screen.over.then(() => child.terminal?.close());
    const stderr = new ReadableStream<Uint8Array>({ start: (controller) => controller.close() });
    const built = async (): Promise<string | null> => (entrance === null ? null : await screen.firstSign);
    return ok({ child, streams: { stdout: screen.stream, stderr }, open, built });
  } catch (error) {
    return spawnFailure(error, cwd);
  }
}

/** The screen as a stream that begins with the command's own output, after `signs` signs. */
function followScreen(signs: number) {
  const over = Promise.withResolvers<void>();
  const first = Promise.withResolvers<string | null>();
  let missing = signs;
  let before = "";
  let into: ReadableStreamDefaultController<Uint8Array> | null = null;
  const end = (): void => {
    into = null;
    over.resolve();
    first.resolve(before);
  };
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => {
      into = controller;
    },
    cancel: end,
  });
  const add = (bytes: Uint8Array): void => {
    let from = 0;
    while (missing > 0) {
      const at = bytes.indexOf(SIGN, from);
      if (at === -1) {
        before += new TextDecoder().decode(bytes.subarray(from));
        return;
      }
      missing--;
      first.resolve(null);
      from = at + 1;
    }
    // A copy, because the runtime may reuse its buffer.
    if (from < bytes.length) into?.enqueue(bytes.slice(from));
  };
  const finish = (): void => {
    into?.close();
    end();
  };
  return { stream, over: over.promise, firstSign: first.promise, add, end: finish };
}

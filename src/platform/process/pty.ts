// A shell in a terminal of its own, behind the same gate.
import { fail, ok, type Result } from "../../contract/error.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import {
  type Environment,
  findBash,
  type GatedShell,
  MAX_ARGUMENT_BYTES,
  SAFE_ENVIRONMENT,
  spawnFailure,
} from "./gate.ts";
import { MARKER } from "./proc.ts";

const COLUMNS = 120;
const ROWS = 40;
/** Says that the gate is open: what the terminal echoed before is not output. */
const OPENED = 0x1e;
const TERMINAL_ENVIRONMENT = { TERM: "xterm-256color", ...SAFE_ENVIRONMENT };
const GATE = `IFS= read -rs line || exit 125; printf '\\036'; exec -a bash "$0" "$@"`;

/** The terminal's end is ours: when we die, it hangs up, and the gate never opens. */
export function spawnInTerminal(command: string, cwd: string, env: Environment, marker: string): Result<GatedShell> {
  const bash = findBash(env.PATH ?? "");
  if (!bash.ok) return bash;
  if (Buffer.byteLength(command) > MAX_ARGUMENT_BYTES) return fail("E_INVALID_ARGS", phrase("bash.long_for_terminal"));
  const screen = followScreen();
  try {
    const child = Bun.spawn([bash.value, "--norc", "-p", "-c", GATE, bash.value, "-c", command], {
      cwd,
      env: { ...env, [MARKER]: marker, ...TERMINAL_ENVIRONMENT },
      terminal: { cols: COLUMNS, rows: ROWS, data: (_, bytes) => screen.add(bytes), exit: () => screen.end() },
    });
    const open = async (): Promise<void> => {
      child.terminal?.write("\n");
    };
    void screen.over.then(() => child.terminal?.close());
    return ok({ child, streams: { stdout: screen.stream, stderr: nothing() }, open });
  } catch (error) {
    return spawnFailure(error, cwd);
  }
}

/** The screen as a stream, from where the command's own output begins. */
function followScreen() {
  const over = Promise.withResolvers<void>();
  let isOpen = false;
  let into: ReadableStreamDefaultController<Uint8Array> | null = null;
  const end = (): void => {
    into = null;
    over.resolve();
  };
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => {
      into = controller;
    },
    cancel: end,
  });
  const add = (bytes: Uint8Array): void => {
    const from = isOpen ? 0 : bytes.indexOf(OPENED) + 1;
    isOpen ||= from > 0;
    // A copy: the runtime may use its buffer again.
    if (isOpen && from < bytes.length) into?.enqueue(bytes.slice(from));
  };
  const finish = (): void => {
    into?.close();
    end();
  };
  return { stream, over: over.promise, add, end: finish };
}

function nothing(): ReadableStream<Uint8Array> {
  return new ReadableStream({ start: (controller) => controller.close() });
}

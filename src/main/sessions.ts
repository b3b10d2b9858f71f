import { sessions as listCommand } from "../command/sessions.ts";
import { type Io, plain } from "../surface/headless/io.ts";
import type { Flags } from "./flags.ts";
import { settingsFrom, setUp } from "./setup.ts";

/** `coder sessions`: the same list as /sessions. */
export async function sessions(flags: Flags, io: Io): Promise<number> {
  const { engine } = setUp(settingsFrom(flags, false), flags, () => false);
  try {
    const result = await listCommand.run(engine, []);
    io.out(flags.json ? `${JSON.stringify(result.data ?? [])}\n` : `${plain(result.text)}\n`);
    return 0;
  } finally {
    await engine.close();
  }
}

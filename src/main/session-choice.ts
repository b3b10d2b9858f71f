import { CoderError } from "../contract/error.ts";
import type { Settings } from "../contract/settings.ts";
import type { Store } from "../contract/store.ts";
import { phrase } from "../contract/text/catalogue.ts";
import type { Flags } from "./flags.ts";

/** `--resume ID` or `--continue` (the newest session of this workspace); `null` = a new one. */
export function sessionToOpen(store: Store, settings: Settings, flags: Flags): string | null {
  if (flags.resume !== undefined) return flags.resume;
  if (!flags.continue) return null;
  const [newest] = store.sessions({ workspace: settings.workspace, limit: 1 });
  if (newest) return newest.id;
  throw new CoderError({
    code: "E_INVALID_ARGS",
    text: phrase("cli.no_session"),
    advice: phrase("cli.no_session.advice"),
  });
}

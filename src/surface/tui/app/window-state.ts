// Tells the terminal what is going on, for its tab and its task bar: as progress (OSC 9;4) and as program status (OSC 7501).

/** `permission`, `question`: the user is asked. `done`, `error`: how the last task ended. */
export type Going = "idle" | "working" | "permission" | "question" | "done" | "error";

interface WindowStateDeps {
  readonly write: (text: string) => void;
  /** The terminal has said that it understands OSC 7501. */
  readonly takesStatus: () => boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Progress without a known end, waiting for the user, and none. */
const bar = { working: "3;0", asks: "4;0", none: "0;0" } as const;

export class WindowState {
  private readonly deps: WindowStateDeps;
  private readonly hasBar: boolean;
  private bar: (typeof bar)[keyof typeof bar] = bar.none;
  private status = "";

  constructor(deps: WindowStateDeps) {
    this.deps = deps;
    this.hasBar = showsProgress(deps.env);
  }

  show(now: Going): void {
    const isAsked = now === "permission" || now === "question";
    this.progress(now === "working" ? bar.working : isAsked ? bar.asks : bar.none);
    this.report(isAsked ? `state=blocked:kind=${now}:app=coder` : `state=${now}:app=coder`);
  }

  /** The application ends, or another program gets the window. */
  clear(): void {
    this.progress(bar.none);
    if (this.status !== "") this.report("state=clear");
    this.status = "";
  }

  private progress(wanted: WindowState["bar"]): void {
    if (!this.hasBar || wanted === this.bar) return;
    this.bar = wanted;
    this.deps.write(`\x1b]9;4;${wanted}\x07`);
  }

  private report(status: string): void {
    if (status === this.status || !this.deps.takesStatus()) return;
    this.status = status;
    this.deps.write(`\x1b]7501;${status}\x1b\\`);
  }
}

/**
 * OSC 9;4 is a notification to terminals that know only OSC 9, so it goes only to those that document it: Windows Terminal, ConEmu,
 * Ghostty from 1.2, iTerm2 from 3.6.6.
 */
function showsProgress(env: WindowStateDeps["env"]): boolean {
  if (env.TMUX !== undefined || env.STY !== undefined) return false;
  if (env.WT_SESSION !== undefined || env.ConEmuANSI === "ON") return true;
  const least = { ghostty: [1, 2, 0], "iTerm.app": [3, 6, 6] }[env.TERM_PROGRAM ?? ""];
  const has = (env.TERM_PROGRAM_VERSION ?? "").split(".").map((part) => Number.parseInt(part, 10) || 0);
  if (least === undefined) return false;
  const at = least.findIndex((part, place) => part !== (has[place] ?? 0));
  return at === -1 || (has[at] ?? 0) > (least[at] ?? 0);
}

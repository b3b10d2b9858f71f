import { ok } from "../../contract/error.ts";
import { defineTool } from "../../contract/tool.ts";
import { args, flag, listOf, optional, text, whole } from "../args.ts";
import { refuseFullScreen } from "./interactive.ts";
import { runCommand } from "./run-command.ts";

export const bash = defineTool({
  name: "bash",
  description:
    "Run a command with bash in the workspace root. Every call is a new shell. Stdin is empty: use non-interactive flags. At timeout_s it is ended with exit code 124. Whatever it starts ends with it; background answers at once with an id for the job tool. Long output loses its middle.",
  input: args({
    command: text("", { min: 1 }),
    timeout_s: optional(whole("Default 120; none in the background", { min: 1, max: 3600 })),
    background: optional(flag("For servers and watchers")),
    terminal: optional(flag("Give it a terminal")),
    network: optional(flag("Asks first")),
    no_sandbox: optional(flag("If the sandbox stopped it")),
    show: optional(listOf(text("Hidden file it needs; asks first", { min: 1 }), 20)),
  }),
  access: "exec",
  afterCrash: "unknown",
  role: "runs",
  command: ({ command }) => command,
  reach: ({ network = false, no_sandbox: free = false, show }) => ({ network, free, ...(show ? { shows: show } : {}) }),
  async run({ command, timeout_s, background = false, terminal: isTerminal = false }, ctx) {
    const refused = isTerminal ? null : refuseFullScreen(command);
    if (refused) return refused;
    if (background) {
      const timeoutMs = timeout_s === undefined ? null : timeout_s * 1000;
      const job = await ctx.jobs.start({ command, timeoutMs, isTerminal, ...ctx.commands, signal: ctx.signal });
      if (!job.ok) return job;
      const text = `started as background job ${job.value}; see its output with the job tool`;
      return ok({ text, data: { command, job: job.value, exit_code: null } });
    }
    const timeoutMs = timeout_s === undefined ? ctx.defaultTimeoutMs : timeout_s * 1000;
    const movable = ctx.jobs.movable();
    const ran = await runCommand({ command, cwd: ctx.root, timeoutMs, isTerminal, leave: movable.asked }, ctx);
    movable.over();
    return ran.ok ? ok(ran.value.output) : ran;
  },
});

import type { SlashCommand } from "../engine/port.ts";
import { commit } from "./change/commit.ts";
import { diff } from "./change/diff.ts";
import { pr } from "./change/pr.ts";
import { redo } from "./change/redo.ts";
import { review } from "./change/review.ts";
import { rewind } from "./change/rewind.ts";
import { undo } from "./change/undo.ts";
import { verify } from "./change/verify.ts";
import { btw } from "./session/btw.ts";
import { clear } from "./session/clear.ts";
import { compact } from "./session/compact.ts";
import { goOn } from "./session/continue.ts";
import { copy } from "./session/copy.ts";
import { exit } from "./session/exit.ts";
import { exportSession } from "./session/export.ts";
import { fork } from "./session/fork.ts";
import { newSession } from "./session/new.ts";
import { quit } from "./session/quit.ts";
import { rename } from "./session/rename.ts";
import { resume } from "./session/resume.ts";
import { sessions } from "./session/sessions.ts";
import { lang } from "./setting/lang.ts";
import { mode } from "./setting/mode.ts";
import { model } from "./setting/model.ts";
import { permissions } from "./setting/permissions.ts";
import { setup } from "./setting/setup.ts";
import { statusline } from "./setting/statusline.ts";
import { theme } from "./setting/theme.ts";
import { vim } from "./setting/vim.ts";
import { config } from "./show/config.ts";
import { context } from "./show/context.ts";
import { cost } from "./show/cost.ts";
import { doctor } from "./show/doctor.ts";
import { help } from "./show/help.ts";
import { init } from "./show/init.ts";
import { jobs } from "./show/jobs.ts";
import { memory } from "./show/memory.ts";
import { plan } from "./show/plan.ts";
import { skills } from "./show/skills.ts";
import { status } from "./show/status.ts";
import { todos } from "./show/todos.ts";
import { tools } from "./show/tools.ts";
import { usage } from "./show/usage.ts";
import { tooMany } from "./text/answer.ts";

/** `/help` lists the commands in this order. */
const commands: readonly SlashCommand[] = [
  ...[model, permissions, mode, plan, verify, undo, redo, rewind, diff, review, commit, pr],
  ...[init, compact, btw],
  ...[goOn, newSession, clear, resume, sessions, rename, exportSession, fork, copy, todos, jobs, tools, skills, memory],
  ...[status, context, usage, cost, config, doctor],
  ...[setup, theme, lang, statusline, vim, quit, exit],
];

export const allCommands: readonly SlashCommand[] = [help(commands), ...commands].map(checked);

/** A command that documents no arguments refuses any. */
function checked(command: SlashCommand): SlashCommand {
  const { name, args: documented, run } = command;
  if (documented !== "") return command;
  return { ...command, run: (port, args) => tooMany(port.settings.lang, `/${name}`, args, 0) ?? run(port, args) };
}

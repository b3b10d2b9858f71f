import type { SlashCommand } from "../engine/port.ts";
import { commit } from "./commit.ts";
import { compact } from "./compact.ts";
import { goOn } from "./continue.ts";
import { cost } from "./cost.ts";
import { diff } from "./diff.ts";
import { exportSession } from "./export.ts";
import { fork } from "./fork.ts";
import { help } from "./help.ts";
import { init } from "./init.ts";
import { jobs } from "./jobs.ts";
import { lang } from "./lang.ts";
import { mode } from "./mode.ts";
import { model } from "./model.ts";
import { newSession } from "./new.ts";
import { permissions } from "./permissions.ts";
import { plan } from "./plan.ts";
import { pr } from "./pr.ts";
import { quit } from "./quit.ts";
import { redo } from "./redo.ts";
import { resume } from "./resume.ts";
import { review } from "./review.ts";
import { sessions } from "./sessions.ts";
import { skills } from "./skills.ts";
import { status } from "./status.ts";
import { theme } from "./theme.ts";
import { todos } from "./todos.ts";
import { tools } from "./tools.ts";
import { undo } from "./undo.ts";
import { verify } from "./verify.ts";

/** In the order in which /help shows them. */
export const commands: readonly SlashCommand[] = [
  ...[model, permissions, mode, plan, verify, undo, redo, diff, review, commit, pr],
  ...[init, compact],
  ...[goOn, newSession, resume, sessions, exportSession, fork, todos, jobs, tools, skills, status, cost],
  ...[theme, lang, quit],
];

export const allCommands: readonly SlashCommand[] = [help(commands), ...commands];

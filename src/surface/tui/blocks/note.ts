import { describe } from "../../../command/text/answer.ts";
import type { ErrorInfo } from "../../../contract/error.ts";
import type { Event } from "../../../contract/event.ts";
import { jobState } from "../../../contract/job.ts";
import { type Phrase, phrase, say } from "../../../contract/text/catalogue.ts";
import type { SessionState } from "../../../machine/state.ts";
import { clean, cut, signed } from "../terminal/fit.ts";
import { type Look, words } from "../terminal/look.ts";
import { counted, shownCount } from "../terminal/measure.ts";
import { Still } from "./block.ts";

const maxLines = 12;

export function noteBlock(look: Look, text: string, isWarning = false): Still {
  return new Still(look, "step", () => noteLines(look, text, isWarning));
}

export function faultLines(look: Look, error: ErrorInfo): readonly string[] {
  return signed(clean(describe(look.lang, error)), look.width(), `${look.theme.bad("✗")} `);
}

export function faultBlock(look: Look, error: ErrorInfo): Still {
  return new Still(look, "step", () => faultLines(look, error));
}

export function noteLines(look: Look, text: string, isWarning: boolean): readonly string[] {
  const { theme } = look;
  const style = isWarning ? theme.plain : theme.dim;
  const sign = isWarning ? theme.warn("▲") : theme.dim("◦");
  return signed(clean(text).trimEnd(), look.width(), `${sign} `, style).slice(0, maxLines);
}

/** A session that was opened again; its title may arrive later. */
export function sessionBlock(
  look: Look,
  { id, tasks }: Pick<SessionState, "id" | "tasks">,
  title: () => string,
): Still {
  return new Still(null, "said", () => {
    const text = words(look, "block.session", { id, about: counted(look, "block.tasks.n", tasks) });
    return [look.theme.bold(cut(title() === "" ? text : `${text} · ${title()}`, look.width()))];
  });
}

/** `null`: nothing to show, or another block shows it. */
export function noteOf(look: Look, event: Event): { readonly text: string; readonly isWarning: boolean } | null {
  const quiet = (what: Phrase) => ({ text: say(look.lang, what), isWarning: false });
  switch (event.type) {
    case "notice.given":
      // The message above lists its attachments.
      if (event.text.key === "attach.done") return null;
      return { text: say(look.lang, event.text), isWarning: true };
    case "history.restored":
      return quiet(phrase("export.restored"));
    case "session.moved":
      return quiet(phrase("export.moved", { from: event.from, to: event.to }));
    case "preset.changed":
      return quiet(phrase("export.preset", { preset: event.preset }));
    case "model.changed":
      return quiet(phrase("command.model.is", { model: event.model }));
    case "plan.rejected":
      return event.missing ? null : quiet(phrase("block.plan_rejected", { problems: event.problems }));
    case "recovery.decided":
      return event.rung === "stop" ? null : quiet(event.reason);
    case "context.compacted": {
      const { tokensBefore, tokensAfter } = event.compaction;
      const [before, after] = [shownCount(tokensBefore), shownCount(tokensAfter)];
      return quiet(phrase("block.compacted", { before, after }));
    }
    case "run.stopped":
      return event.unstopped.length === 0
        ? null
        : { text: words(look, "cancel.left", { processes: event.unstopped.join(", ") }), isWarning: true };
    default:
      return null;
  }
}

/** Background jobs. A log that begins in the middle may lack the command. */
export class JobNotes {
  private readonly commands = new Map<string, string>();

  noteOf(look: Look, event: Event): string | null {
    if (event.type === "job.started") {
      this.commands.set(event.jobId, event.command);
      return say(look.lang, jobState({ id: event.jobId, command: event.command, end: null }));
    }
    if (event.type !== "job.ended") return null;
    const command = this.commands.get(event.jobId) ?? "";
    this.commands.delete(event.jobId);
    return say(look.lang, jobState({ id: event.jobId, command, end: event }));
  }
}

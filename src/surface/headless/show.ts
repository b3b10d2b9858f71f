import { describe } from "../../command/text/answer.ts";
import { callText, commandText } from "../../command/text/call-text.ts";
import { OutageNotices } from "../../command/text/outage-notices.ts";
import type { ErrorInfo } from "../../contract/error.ts";
import { plain } from "../../contract/show/visible.ts";
import type { Question } from "../../contract/task.ts";
import { type Lang, type Phrase, phrase, say } from "../../contract/text/catalogue.ts";
import type { CommandResult, EnginePort, OpenQuestion, Published } from "../../engine/port.ts";
import { planLines } from "../../machine/plan/lines.ts";
import { proposedPlan } from "../../machine/plan/proposed.ts";
import { endingLines, questionLines } from "./ending.ts";
import { type Io, jsonLine } from "./io.ts";
import { errorJson } from "./result.ts";
import type { Finished } from "./watch.ts";

export type OutputForm = "text" | "json" | "stream-json";

/** One way to show what happens; stdout carries results only, everything else goes to stderr (SU-1). */
export interface Show {
  readonly published: (published: Published) => void;
  readonly finished: (finished: Finished) => void;
  readonly command: (result: CommandResult) => void;
  readonly error: (error: ErrorInfo) => void;
  readonly notice: (text: Phrase) => void;
}

export function makeShow(form: OutputForm, io: Io, port: StreamPort): Show {
  const { lang } = port.settings;
  const tell = (text: Phrase) => io.err(`${plain(say(lang, text))}\n`);
  const line = (value: unknown) => io.out(jsonLine(value));
  const outage = new OutageNotices();
  const retrying = (published: Published): void => {
    const text = outage.hear(published);
    if (text) tell(text);
  };
  const cancelLines = (finished: Finished) => {
    if (finished.result.stop_reason !== "CANCELLED") return;
    tell(phrase("cancel.line1"));
    tell(phrase("cancel.line2"));
  };
  if (form === "text") {
    return {
      published: retrying,
      finished: (finished) => {
        cancelLines(finished);
        called(finished, io, lang);
        answer(finished, io);
        proposed(finished, io, port);
        interrupted(finished, io, lang);
        const lines = endingLines(finished, lang);
        io.err(lines.map((one) => `${plain(one)}\n`).join(""));
      },
      command: (result) =>
        result.ok ? result.text && io.out(`${plain(result.text)}\n`) : io.err(`${plain(result.text)}\n`),
      error: (error) => io.err(`${plain(describe(lang, error))}\n`),
      notice: tell,
    };
  }
  const commandJson = (result: CommandResult) => ({
    type: "command",
    ok: result.ok,
    text: result.text,
    data: result.data ?? null,
    error: result.error ? errorJson(lang, result.error) : null,
  });
  const shared = {
    finished: (finished: Finished) => {
      cancelLines(finished);
      line(finished.result);
    },
    command: (result: CommandResult) => line(commandJson(result)),
    error: (error: ErrorInfo) => line({ type: "error", error: errorJson(lang, error) }),
  };
  if (form === "json") return { ...shared, published: retrying, notice: tell };
  const ask = asker(port, line);
  return { ...shared, published: (published) => streamLine(published, line, ask), notice: () => {} };
}

/** With a schema, stdout gets nothing but matching JSON: whoever parses it must not be misled. */
function answer({ result, structured }: Finished, io: Io): void {
  // Inside a JSON string, the marks for control characters are valid escapes; between tokens only a lone carriage return could be hit,
  // which is a blank there anyway.
  if (structured !== null && structured !== "unfit") io.out(`${plain(structured.text.replaceAll("\r", "\n"))}\n`);
  else if (result.text) (structured === null ? io.out : io.err)(`${plain(result.text)}\n`);
  const questions = questionLines(result.summary.questions ?? []);
  if (questions.length > 0) io.out(`${plain(questions.join("\n"))}\n`);
}

/** The plan of plan mode, unless the answer contains its steps already. */
function proposed({ result, structured }: Finished, io: Io, port: Pick<EnginePort, "settings" | "state">): void {
  const plan = proposedPlan(port.state());
  if (plan === null || plan.steps.every(({ title }) => result.text.includes(title))) return;
  (structured === null ? io.out : io.err)(`${plain(planLines(plan, port.settings.lang).join("\n"))}\n`);
}

/** A cut reply is not a result, so it goes to stderr. */
function interrupted({ result: { interrupted: cut } }: Finished, io: Io, lang: Lang): void {
  if (!cut) return;
  const begin = say(lang, phrase("export.cut_reply", { why: phrase(`export.cut_reply.${cut.why}`) }));
  io.err(`${begin}\n${plain(cut.text)}\n${say(lang, phrase("export.cut_reply.end"))}\n`);
}

function called({ result: { command }, isShell, error }: Finished, io: Io, lang: Lang): void {
  if (!command) return;
  if (!isShell && command.data !== null) io.out(`${plain(callText(lang, command))}\n`);
  // Output of a command that was stopped is worth showing; a refusal has none but its own message.
  else if (!error || (isShell && command.data !== null))
    io.out(`${plain(isShell ? commandText(lang, command) : command.output)}\n`);
}

/** Choices that a client may send about a proposed plan. Other text asks for changes; "keep" needs no message. */
const planChoices = ["/plan run default", "/plan run auto-edit", "/plan run yolo", "/plan edit FILE"];

function planReady({ recorded, state }: Extract<Published, { kind: "event" }>, line: WriteLine): void {
  const ready = recorded.event.type === "task.ended" ? proposedPlan(state) : null;
  if (ready) line({ type: "plan_ready", plan: ready, choices: planChoices });
}

type WriteLine = (value: unknown) => void;

function questionLine(open: OpenQuestion, lang: Lang) {
  const { id } = open;
  switch (open.kind) {
    case "fallback": {
      const { from, to, why } = open.offer;
      return { type: "fallback", id, from, to, why: say(lang, why) };
    }
    case "plan":
      return { type: "plan", id, plan: open.plan, covers: open.listed, scopes: ["plan", "step"] };
    case "clarification":
      return { type: "questions", id, questions: open.questions.map((one) => inWords(one, lang)) };
    default: {
      const { callId: call, tool, input, shown, always, scopes } = open.approval;
      const reasons = open.approval.reasons.map((one) => say(lang, one));
      return { type: "approval", id, kind: open.kind, call, tool, input, shown, reasons, always, scopes };
    }
  }
}

function inWords({ question, options }: Question, lang: Lang) {
  const words = (one: string | Phrase): string => (typeof one === "string" ? one : say(lang, one));
  return { question: words(question), options: options.map(words) };
}

type StreamPort = Pick<EnginePort, "settings" | "question" | "preview" | "state">;

function asker(port: StreamPort, line: WriteLine): () => void {
  const { lang } = port.settings;
  let asked = "";
  const keyOf = (open: OpenQuestion | null): string => (open ? JSON.stringify(questionLine(open, lang)) : "");
  return () => {
    const open = port.question();
    const key = keyOf(open);
    if (key === asked) return;
    asked = key;
    if (!open) return;
    if (!("approval" in open) || !open.approval.isChange) return line(questionLine(open, lang));
    void port.preview(open.approval.callId, "forLog").then((diff) => {
      // The question may have been answered or replaced meanwhile.
      const now = port.question();
      if (now && keyOf(now) === key) line({ ...questionLine(now, lang), diff });
    });
  };
}

function streamLine(published: Published, line: WriteLine, ask: () => void): void {
  const { kind } = published;
  if (kind === "event") {
    const { recorded, transitions } = published;
    line({ type: "event", seq: recorded.seq, accepted: recorded.accepted, event: recorded.event, transitions });
    planReady(published, line);
  }
  if (kind === "delta") line({ type: "delta", delta: published.delta });
  if (kind === "output")
    line({ type: "output", call: published.callId, stream: published.stream, text: published.text });
  if (kind === "context" && !published.isInner)
    line({ type: "context", tokens: published.tokens, window: published.window });
  if (kind === "session") line({ type: "session", session_id: published.state.id, phase: published.state.task.phase });
  if (kind === "event" || kind === "fallback") ask();
}

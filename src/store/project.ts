// The tables beside the log. Each row follows from accepted events alone, so they can be rebuilt from it.
import type { Event, EventOf } from "../contract/event.ts";
import type { InputId } from "../contract/ids.ts";
import type { Call, Todo } from "../contract/message.ts";
import type { Connection } from "./connection.ts";

interface Place {
  readonly db: Connection;
  readonly session: number;
  readonly seq: number;
}

export function project(place: Place, event: Event): void {
  switch (event.type) {
    case "session.started":
    case "session.resumed":
    case "model.changed":
      place.db.run("update sessions set model = ? where key = ?", event.model, place.session);
      break;
    case "session.renamed":
      place.db.run("update sessions set title = ? where key = ?", event.title, place.session);
      break;
    case "session.moved":
      place.db.run("update sessions set workspace = ? where key = ?", event.to, place.session);
      break;
    case "input.admitted":
      admit(place, event);
      break;
    case "task.started":
      deliver(place, [event.inputId]);
      break;
    case "input.delivered":
      deliver(place, event.inputIds);
      break;
    case "input.returned":
      forget(place, event.inputIds);
      break;
    case "run.started":
      announce(place, event.calls);
      break;
    case "model.replied":
      reply(place, event);
      break;
    case "tool.decided":
      decide(place, event);
      break;
    case "approval.answered":
      answer(place, event);
      break;
    case "tool.settled":
      settle(place, event);
      break;
  }
}

/** The first message is the title. A command that the user ran or typed before it says little of what the session is about. */
function admit({ db, session }: Place, { inputId, kind, text, typed }: EventOf<"input.admitted">): void {
  db.run("insert or replace into inputs (session, input, text) values (?, ?, ?)", session, inputId, text);
  const title = titleOf(typed ?? (kind === "shell" ? `!${text}` : text));
  const isMessage = kind === "task" && typed === undefined;
  const isOpen = isMessage ? "(title = '' or title glob '[!/]*')" : "title = ''";
  if (title !== "") db.run(`update sessions set title = ? where key = ? and ${isOpen}`, title, session);
}

/** An input becomes a message when it is delivered to the model, not when it was typed. */
function deliver(place: Place, inputs: readonly InputId[]): void {
  const sql = `insert into messages (session, seq, part, role, text)
     select session, ?, ?, 'user', text from inputs where session = ? and input = ?`;
  for (const [part, input] of inputs.entries()) place.db.run(sql, place.seq, part, place.session, input);
  forget(place, inputs);
}

function forget({ db, session }: Place, inputs: readonly InputId[]): void {
  for (const input of inputs) db.run("delete from inputs where session = ? and input = ?", session, input);
}

function announce({ db, session, seq }: Place, calls: readonly Call[]): void {
  const sql = "insert or replace into calls (session, call, seq, tool) values (?, ?, ?, ?)";
  for (const call of calls) db.run(sql, session, call.id, seq, call.tool);
}

function reply(place: Place, event: EventOf<"model.replied">): void {
  const sql = "insert into messages (session, seq, part, role, text) values (?, ?, 0, 'assistant', ?)";
  place.db.run(sql, place.session, place.seq, event.reply.text);
  announce(place, event.reply.calls);
}

function decide({ db, session, seq }: Place, event: EventOf<"tool.decided">): void {
  const sql = `insert into permission_log (session, seq, at, call, tool, decision, source, reasons)
     values (?1, ?2, ?3, ?4, (select tool from calls where session = ?1 and call = ?4), ?5, ?6, ?7)`;
  const { at, callId, decision, source, reasons } = event;
  db.run(sql, session, seq, at, callId, decision, source, JSON.stringify(reasons));
}

function answer(place: Place, event: EventOf<"approval.answered">): void {
  if (event.call !== null) announce(place, [event.call]);
  const sql = `insert into permission_log (session, seq, at, call, tool, answer, by, words)
     values (?1, ?2, ?3, ?4, (select tool from calls where session = ?1 and call = ?4), ?5, ?6, ?7)`;
  place.db.run(sql, place.session, place.seq, event.at, event.callId, event.answer, event.by, event.words);
}

function settle(place: Place, { callId, result }: EventOf<"tool.settled">): void {
  const sql = `insert into messages (session, seq, part, role, call, tool, status, text)
     values (?1, ?2, 0, 'tool', ?3, (select tool from calls where session = ?1 and call = ?3), ?4, ?5)`;
  place.db.run(sql, place.session, place.seq, callId, result.status, result.output);
  if (result.todos !== undefined) replaceTodos(place, result.todos);
}

function replaceTodos({ db, session }: Place, todos: readonly Todo[]): void {
  db.run("delete from todos where session = ?", session);
  const sql = "insert into todos (session, position, id, content, status, priority) values (?, ?, ?, ?, ?, ?)";
  for (const [position, { id, content, status, priority }] of todos.entries()) {
    db.run(sql, session, position, id, content, status, priority);
  }
}

const lineBreak = /[\n\r\u2028\u2029]/;
// Control characters and direction marks: titles are shown in a terminal.
const unshowable = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** The first line with visible text, at most 80 code points of it. */
export function titleOf(text: string): string {
  for (const line of text.split(lineBreak)) {
    const shown = line.toWellFormed().replaceAll("\t", " ").replace(unshowable, "").trim();
    if (shown !== "") return [...shown.slice(0, 160)].slice(0, 80).join("").trimEnd();
  }
  return "";
}

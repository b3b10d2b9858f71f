// The next step of the player. Nothing is kept between two steps: the whole task is replayed from its record.
import type { ModelMessage } from "../../contract/message.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import { summarise } from "../changes.ts";
import { candidatesFor } from "../find/candidates.ts";
import { definition, todos, usages } from "../find/find.ts";
import { firstLook } from "../first-look.ts";
import type { Ask, LastWord, Move, Play } from "../play.ts";
import { rename } from "../rename.ts";
import { fix } from "../repair.ts";
import { taskSoFar } from "../task-so-far.ts";
import { langOf, type Wish, wishOf } from "../wish.ts";
import { explainedText, type Facts, help, refused, say } from "../words.ts";
import { tidy } from "./tidy.ts";

export interface MoveScene {
  readonly messages: readonly ModelMessage[];
  readonly tools: ReadonlySet<string>;
  readonly workspace: string | null;
  /** The time limit is reached: only reverts may follow. */
  readonly isTimeUp: boolean;
}

export function nextMove({ messages, tools, workspace, isTimeUp }: MoveScene): Move {
  const { request, steps, lastWord, later } = taskSoFar(messages);
  const facts: Facts = { request, workspace, lang: langOf(request) };
  if (lastWord !== null) return { text: say(facts, phrase("mechanic.no_more", { text: lastWord })), asks: [] };
  const play = playFor(facts, wishOf(request));
  let step = play.next([]);
  let isStopped = false;
  const stop = (): void => {
    isStopped = true;
    step = play.next("stop");
  };
  for (const past of steps) {
    // If the record takes another path, the mechanic was stopped at this step.
    if (!step.done && !isSame(step.value.asks, past.asks) && !isStopped) stop();
    if (step.done || !isSame(step.value.asks, past.asks))
      return { text: say(facts, phrase("mechanic.lost")), asks: [], isRefusal: true };
    step = play.next(past.answers);
    if (past.isStopped && !step.done && !isStopped) stop();
  }
  if (isTimeUp && !step.done && !isStopped) stop();
  if (!step.done) return offered(facts, step.value, tools);
  const unheard =
    later.length === 0 ? [] : [say(facts, phrase("mechanic.later", { text: later.join(" ").slice(0, 300) }))];
  const isRefusal = typeof step.value !== "string";
  const text = [typeof step.value === "string" ? step.value : step.value.unsolved, ...unheard].join("\n\n");
  return { text, asks: [], isRefusal };
}

function offered(facts: Facts, move: Move, tools: ReadonlySet<string>): Move {
  const missing = move.asks.find(({ tool }) => !tools.has(tool));
  if (missing === undefined) return move;
  return { text: say(facts, phrase("mechanic.no_tool", { tool: missing.tool })), asks: [], isRefusal: true };
}

function playFor(facts: Facts, wish: Wish): Play {
  switch (wish.kind) {
    case "fix":
      return fix(facts);
    case "explain":
      return explain(facts);
    case "rename":
      return rename(facts, wish.from, wish.to);
    case "definition":
      return definition(facts, wish.name);
    case "usages":
      return usages(facts, wish.name);
    case "todos":
      return todos(facts);
    case "format":
    case "lint":
      return tidy(facts, wish.kind);
    case "diff":
      return summarise(facts);
    case "help":
      return saying(help(facts));
    default:
      return saying({ unsolved: refused(facts) });
  }
}

// biome-ignore lint/correctness/useYield: this play makes no call.
function* saying(said: LastWord): Play {
  return said;
}

/** The recorded input may have more fields, such as defaults. */
function isSame(wanted: readonly Ask[], made: readonly Ask[]): boolean {
  const hasFields = (input: Ask["input"], fields: Ask["input"]) =>
    Object.entries(fields).every(([key, value]) => JSON.stringify(input[key]) === JSON.stringify(value));
  return (
    wanted.length === made.length &&
    wanted.every(({ tool, input }, at) => made[at]?.tool === tool && hasFields(made[at].input, input))
  );
}

function* explain(facts: Facts): Play {
  const look = yield* firstLook(facts, "mechanic.all_pass");
  if (look.kind === "done") return look.said;
  const { scene, report } = look;
  const candidates = scene === null ? { suspects: [] } : candidatesFor(scene, report, facts.request);
  return explainedText(facts, report, candidates);
}

// Looks at the project for a check that is not simply listed. Loaded when one comes.
import { posix } from "node:path";
import type { Call } from "../../contract/message.ts";
import { visible } from "../../contract/show/visible.ts";
import { type Phrase, phrase } from "../../contract/text/catalogue.ts";
import type { SessionState } from "../../machine/state.ts";
import { chooseChecks } from "../../verify/detect/choose.ts";
import { isListed, listedCommands } from "../../verify/detect/whitelist.ts";
import { isListedNarrowed, narrowedIn } from "../../verify/relate/narrow.ts";
import { isTyped } from "../call/tool-context.ts";
import type { Moment } from "../effect/row.ts";
import { fillCheck } from "./choose-checks.ts";
import { type CheckDeps, type CheckStanding, commandsOf, plainRuns } from "./standing.ts";

type Named = ReturnType<typeof commandsOf>[number];

export async function lookAtCheck(call: Call, at: Moment, deps: CheckDeps): Promise<CheckStanding> {
  const { state } = at;
  const commands = commandsOf(call);
  if (commands.length === 0) return unfilled(call, at, deps);
  const runsPlain = await plainRuns(deps, state.mode);
  const standings = commands.map((one): CheckStanding => standingOf(one, state, deps, runsPlain));
  const kinds = ["refused", "asked", "plain"] as const;
  return kinds.map((kind) => standings.find((one) => one.kind === kind)).find(Boolean) ?? { kind: "listed" };
}

/** The fill failed before; it is repeated for its reason. */
async function unfilled(call: Call, at: Moment, deps: CheckDeps): Promise<CheckStanding> {
  const filled = await fillCheck(JSON.stringify(call.input), at, deps);
  const reasons = filled.kind === "none" ? filled.reasons : [phrase("check.no_command")];
  return { kind: "refused", reasons };
}

type RunsPlain = (command: string) => boolean;

function standingOf(one: Named, state: SessionState, deps: CheckDeps, runsPlain: RunsPlain): CheckStanding {
  const { verifyAllowed: added } = deps.settings.workflow;
  if (isListed(one.command, added) || isListedNarrowed(one.command, added)) return { kind: "listed" };
  const found = detected(one, deps);
  if (found === "listed") return { kind: "listed" };
  if (found !== null && runsPlain(found)) return { kind: "plain" };
  if (isTyped(state)) return { kind: "asked" };
  if (found === null) return { kind: "refused", reasons: whyNot(one.command, added) };
  if (!deps.isRefusedCheck(found)) return { kind: "asked" };
  return { kind: "refused", reasons: [phrase("check.refused_before", { command: visible(found) })] };
}

/** The plain test command of the project in that directory, if this command is it, or a part of it. */
function detected({ command, path }: Named, { settings }: CheckDeps): string | null {
  const { workspace, workflow } = settings;
  const cwd = posix.normalize(posix.relative(workspace, posix.resolve(workspace, path)));
  const folder = cwd === "." ? "" : cwd;
  const changed = endings.map((ending) => posix.join(folder, `_${ending}`));
  const choice = chooseChecks({
    ...{ workspace, changed, configured: [], added: workflow.verifyAllowed, plan: null },
    runsPlain: () => true,
  });
  const own = choice.kind === "run" ? choice.checks.filter((one) => one.cwd === folder) : [];
  const narrowed = narrowedIn(command);
  const head = narrowed?.other === null ? narrowed.head : null;
  const fit = own.find((one) => one.command === command || (head !== null && `${one.command} `.startsWith(`${head} `)));
  if (fit === undefined) return null;
  return fit.isPlain ? fit.command : "listed";
}

/** One per language that may have tests in a directory. */
const endings = ["", ".go", ".rs", ".py", ".js", ".java"];

function whyNot(command: string, added: readonly string[]): readonly Phrase[] {
  const advice = phrase("check.not_listed.advice");
  const narrowed = narrowedIn(command);
  if (narrowed && narrowed.other !== null) {
    const { head, other } = narrowed;
    return [phrase("check.other_word", { command: visible(command), word: visible(other), head }), advice];
  }
  const list = [...listedCommands, ...added].join(", ");
  return [phrase("check.not_listed", { command, list }), advice];
}

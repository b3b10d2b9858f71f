// Runs one case of a table against one protocol.
import type { MessageDelta } from "../../../src/contract/delta.ts";
import { openModel } from "../../../src/model/open.ts";
import type { Patience } from "../../../src/model/wire/exchange.ts";
import { choiceAt, requestOf } from "../model-calls.ts";
import { until } from "../until.ts";
import type { Answer, AttackServer } from "./attack-server.ts";
import { type Expected, problemsIn, secret } from "./outcome.ts";
import type { Wire } from "./protocols.ts";

/** One call of the model and what must come of it. */
export interface Try {
  /** Which of the tries of its case. */
  readonly at: string;
  readonly answer: Answer;
  readonly expected: Expected;
  readonly patience?: Patience;
  /** More that must hold for the deltas; what is wrong, or `null`. */
  readonly also?: (deltas: readonly MessageDelta[]) => string | null;
}

export interface Case {
  readonly name: string;
  /** Empty where the protocol has no such thing. */
  readonly tries: (wire: Wire) => readonly Try[];
}

const patient: Patience = { idleMs: 60_000 };
const longestMs = 90_000;
const tools = ["read", "edit"].map((name) => ({ name, description: name, schema: { type: "object", properties: {} } }));

/** Everything that went wrong in all tries of the case; empty = passed. */
export async function runCase(server: AttackServer, wire: Wire, { tries }: Case): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const one of tries(wire)) {
    for (const problem of await runTry(server, wire, one)) problems.push(`${one.at}: ${problem}`);
  }
  return problems;
}

/** A short idle time can be over on a busy machine before the server has answered: what goes wrong must do so with a longer one too. */
async function runTry(server: AttackServer, wire: Wire, one: Try): Promise<readonly string[]> {
  const problems = await tryOnce(server, wire, one);
  const idleMs = (one.patience?.idleMs ?? patient.idleMs) * 4;
  if (problems.length === 0 || idleMs > 20_000) return problems;
  return runTry(server, wire, { ...one, patience: { ...one.patience, idleMs } });
}

async function tryOnce(server: AttackServer, wire: Wire, one: Try): Promise<readonly string[]> {
  server.requests.length = 0;
  server.answer = () => one.answer;
  const { deltas, problems } = await deltasFrom(server.url, wire, one.patience ?? patient);
  const paths = server.requests.map(({ path }) => path);
  if (!Bun.deepEquals(paths, [wire.path])) problems.push(`asked for ${JSON.stringify(paths)}`);
  if (deltas !== null) {
    problems.push(...problemsIn(deltas, one.expected));
    const more = one.also?.(deltas) ?? null;
    if (more !== null) problems.push(more);
  }
  await until("the connection is closed", () => server.open === 0);
  return problems;
}

async function deltasFrom(
  url: string,
  wire: Wire,
  patience: Patience,
): Promise<{ deltas: readonly MessageDelta[] | null; problems: string[] }> {
  const deltas: MessageDelta[] = [];
  const stop = AbortSignal.timeout(longestMs);
  try {
    const port = await openModel(choiceAt(url, { protocol: wire.protocol, apiKey: secret }), patience);
    for await (const delta of port.stream(requestOf({ tools }), stop)) deltas.push(delta);
  } catch (error) {
    return { deltas: null, problems: [`thrown: ${error instanceof Error ? error.message : String(error)}`] };
  }
  return { deltas, problems: stop.aborted ? [`did not end within ${longestMs} ms`] : [] };
}

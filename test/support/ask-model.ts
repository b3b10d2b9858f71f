// Asks the model at the base URL given as argument and prints the reply as JSON: for tests that need an environment.
import { openModel } from "../../src/model/open.ts";
import { choiceAt, deltasOf, replyOf } from "./model-calls.ts";

const port = await openModel(choiceAt(process.argv[2] ?? ""), { idleMs: 5_000 });
const { text, failure } = replyOf(await deltasOf(port));
process.stdout.write(
  JSON.stringify({ text, failure: failure?.error.text.key ?? null, fault: failure?.fault.kind ?? null }),
);

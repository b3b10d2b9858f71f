import type { FoundModel, FoundServer } from "../../model/local/find-servers.ts";
import { type Interview, keepModel, tried } from "./first-run.ts";

/** Enough for a longer task, and small enough for the memory of most machines. */
const USUAL = 32_768;
const LEAST = 4_096;

/** Sets up a model of a local server: with an explicit context, if possible, and after one real call. */
export async function useLocal(at: Interview, server: FoundServer, model: FoundModel): Promise<true | null> {
  const given = server.server === "ollama" ? await givenContext(at, server, model) : model;
  if (given === null) return null;
  const ref = `${server.server}/${given.name}`;
  if ((await tried(at, ref)) === null) return null;
  const { contextOf } = await import("../../model/local/server-window.ts");
  const { rootOf } = await import("../../model/local/ask-server.ts");
  // Ask again: now the model is loaded, and the size it was loaded with counts.
  const context = (await contextOf(server.server, rootOf(server), given.name)) ?? given.context;
  return await keepModel(at, ref, context);
}

type Given = Pick<FoundModel, "name" | "context">;

/** Ollama takes no context size with a request, so offer to create a derived model with one. */
async function givenContext(at: Interview, server: FoundServer, model: FoundModel): Promise<Given | null> {
  if (model.context !== null && model.context >= USUAL) return model;
  const { derivedName, giveContext } = await import("../../model/local/ollama-context.ts");
  const { rootOf } = await import("../../model/local/ask-server.ts");
  const largest = model.largest ?? USUAL;
  const usual = Math.min(largest, USUAL);
  const now = model.context === null ? at.words("setup.context_default") : String(model.context);
  const about = { model: model.name, largest, now, name: derivedName(model.name, usual), usual };
  const answer = await at.ask.line(at.words("setup.context", about));
  if (answer === null) return null;
  const wanted = answer === "" ? usual : Number(answer);
  const least = Math.min(largest, LEAST);
  if (!Number.isInteger(wanted) || wanted < least || wanted > largest) {
    at.tell("config.bad_whole", { where: model.name, min: least, max: largest });
    return await givenContext(at, server, model);
  }
  const made = await giveContext(rootOf(server), model.name, wanted);
  if (made.ok) {
    at.tell("setup.context_made", { name: made.value });
    return { name: made.value, context: wanted };
  }
  at.tell(made.error.text.key, made.error.text.args);
  if (made.error.advice) at.tell(made.error.advice.key, made.error.advice.args);
  return model;
}

import { fail, ok, type Result } from "../../contract/error.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import { fieldsOf, textOf } from "../wire/json-value.ts";
import { askJson, ollamaModel } from "./ask-server.ts";

const createMs = 60_000;
const askMs = 2_000;

/** The name under which a model with that context is kept. */
export function derivedName(model: string, context: number): string {
  // A name may hold the port of a registry.
  const [, base = model, tag = "latest"] = /^(.*?)(?::([^:/]+))?$/.exec(model) ?? [];
  return `${base}:${tag}-${Math.round(context / 1024)}k`;
}

/**
 * Ollama's compatible interface has no field for the size of the context; its documentation says to make a model of one's own
 * with it. That is a few bytes beside the weights, which are shared. `value`: its name.
 */
export async function giveContext(root: string, model: string, context: number): Promise<Result<string>> {
  const name = derivedName(model, context);
  // The second form is that of servers before 0.5.5, which do not know the first; each passes over the other.
  const made = await askJson(`${root}/api/create`, createMs, {
    model: name,
    from: model,
    parameters: { num_ctx: context },
    modelfile: `FROM ${model}\nPARAMETER num_ctx ${context}\n`,
    stream: false,
  });
  const isMade = textOf(fieldsOf(made).status) === "success";
  const { set } = isMade ? await ollamaModel(root, name, askMs) : { set: null };
  if (set === context) return ok(name);
  return fail("E_MODEL", phrase("setup.context_refused", { model, context }), {
    advice: phrase("setup.context_refused.advice", { context }),
  });
}

import { fail, ok, type Result } from "../../contract/error.ts";
import { fieldsOf, textOf } from "../../contract/json.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import { askJson, ollamaModel } from "./ask-server.ts";

const createMs = 60_000;
const askMs = 2_000;

export function derivedName(model: string, context: number): string {
  // A name may contain the port of a registry.
  const [, base = model, tag = "latest"] = /^(.*?)(?::([^:/]+))?$/.exec(model) ?? [];
  return `${base}:${tag}-${Math.round(context / 1024)}k`;
}

/** Derives a model with that context, as Ollama documents: its compatible API has no field for it. `value`: the model's name. */
export async function giveContext(root: string, model: string, context: number): Promise<Result<string>> {
  const name = derivedName(model, context);
  // `modelfile` is for servers before 0.5.5, which do not know the other fields; each form is ignored by the other servers.
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

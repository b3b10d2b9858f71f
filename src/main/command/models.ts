import { loadSettings } from "../../config/load.ts";
import { builtinRef } from "../../config/model/builtin.ts";
import { type ListedModel, type ListedProvider, listProviders } from "../../config/model/catalogue.ts";
import { unknownProvider } from "../../config/model/providers.ts";
import { CoderError, unwrap } from "../../contract/error.ts";
import type { Price } from "../../contract/settings.ts";
import { dollars, inDollars } from "../../contract/show/money.ts";
import { plain } from "../../contract/show/visible.ts";
import { type Lang, phrase, say } from "../../contract/text/catalogue.ts";
import { type Io, jsonLine } from "../../surface/headless/io.ts";
import { type Flags, usage } from "../cli/flags.ts";
import { sourcesFrom } from "../trust/trust-state.ts";

const ONLINE_MS = 5_000;

/** `coder models [PROVIDER]`: lists the models, and what each provider still needs. */
export async function models(name: string | undefined, flags: Flags, io: Io, lang: Lang): Promise<number> {
  const all = unwrap(listProviders(sourcesFrom(flags, true), name));
  const chosen = name === undefined ? all : all.filter((one) => one.name === name);
  if (name !== undefined && chosen.length === 0)
    throw usage(
      unknownProvider(
        name,
        all.map((one) => one.name),
      ),
    );
  if (flags.online) return online(chosen, flags, io);
  if (flags.json) io.out(jsonLine(chosen.map(toJson)));
  else {
    const isPriced = chosen.some((one) => one.models.some(({ ref, price }) => price !== null && ref !== builtinRef));
    const note = isPriced ? `\n${say(lang, phrase("models.footnote"))}\n` : "";
    io.out(plain(chosen.map((one) => lines(one, lang)).join("") + note));
  }
  return 0;
}

async function online(chosen: readonly ListedProvider[], flags: Flags, io: Io): Promise<number> {
  const [one] = chosen;
  if (!one || chosen.length > 1) throw usage(phrase("models.online_one"));
  const { provider } = one;
  if (!provider) throw usage(phrase("config.no_base_url", { provider: one.name }), phrase("config.advice.base_url"));
  const { listModels } = await import("../../model/list-models.ts");
  const settings = loadSettings(sourcesFrom(flags, false));
  const listed = await listModels(provider, ONLINE_MS, settings.ok ? settings.value.network : undefined);
  if (!listed.ok) throw new CoderError({ ...listed.error, advice: phrase("doctor.server_unsure.advice") });
  const refs = listed.value.map((name) => `${one.name}/${name}`).sort();
  io.out(flags.json ? jsonLine(refs) : plain(refs.map((ref) => `${ref}\n`).join("")));
  return 0;
}

function toJson({ name, provider, keyFrom, models }: ListedProvider) {
  return {
    provider: name,
    protocol: provider?.protocol ?? name,
    base_url: provider?.baseUrl ?? null,
    needs_key: provider?.needsKey ?? false,
    has_key: keyFrom !== null,
    key_from: keyFrom,
    key_variables: provider?.apiKeyEnv ?? [],
    models: models.map(modelJson),
  };
}

function modelJson(model: ListedModel) {
  return {
    model: model.ref,
    context_window: model.contextWindow,
    max_output: model.maxOutput,
    images: model.takesImages,
    tools: model.takesTools,
    effort: model.takesEffort,
    price: model.price && priceJson(model.price),
    source: model.source,
  };
}

/** In US dollars per million tokens. */
function priceJson({ input, output, cachedInput, long }: Price): Record<string, unknown> {
  const rates = { input: inDollars(input), output: inDollars(output), cached_input: inDollars(cachedInput) };
  return long ? { ...rates, long: { over: long.over, ...priceJson({ ...long }) } } : rates;
}

function lines(one: ListedProvider, lang: Lang): string {
  const key = say(lang, keyText(one));
  const width = Math.max(0, ...one.models.map(({ ref }) => ref.length));
  const rows = one.models.map((model) => `  ${model.ref.padEnd(width)}  ${say(lang, aboutModel(model, lang))}\n`);
  return `${one.name.padEnd(17)} ${(one.provider?.baseUrl ?? "–").padEnd(50)}  ${key}\n${rows.join("")}`;
}

function aboutModel({ ref, contextWindow, takesImages, takesTools, takesEffort, price }: ListedModel, lang: Lang) {
  if (ref === builtinRef) return phrase("models.row_builtin");
  const can = [
    ...(takesImages ? [say(lang, phrase("models.can.images"))] : []),
    ...(takesEffort ? [say(lang, phrase("models.can.effort"))] : []),
    ...(takesTools === false ? [say(lang, phrase("models.can.no_tools"))] : []),
  ];
  return phrase("models.row_full", {
    window: contextWindow,
    price: price ? priceText(price, lang) : "",
    able: can.length === 0 ? "" : `, ${can.join(", ")}`,
  });
}

function priceText({ input, output, cachedInput, long }: Price, lang: Lang): string {
  const amount = (micro: number): string => dollars(inDollars(micro));
  const cached = cachedInput === input ? "" : say(lang, phrase("models.row_cached", { cached: amount(cachedInput) }));
  const more = long ? say(lang, phrase("models.row_long", { over: long.over })) : "";
  return `${say(lang, phrase("models.row_price", { input: amount(input), output: amount(output) }))}${cached}${more}`;
}

function keyText({ provider, keyFrom }: ListedProvider) {
  if (!provider) return phrase("models.needs_url");
  if (keyFrom !== null) return phrase("models.has_key", { from: keyFrom });
  return provider.needsKey
    ? phrase("models.lacks_key", { names: provider.apiKeyEnv.join(" / ") })
    : phrase("models.needs_none");
}

import { type ListedModel, listProviders } from "../../config/model/catalogue.ts";
import { keysFile } from "../../config/model/keys.ts";
import { unknownProvider } from "../../config/model/providers.ts";
import { storeKey } from "../../config/model/store-key.ts";
import { unwrap } from "../../contract/error.ts";
import type { Price } from "../../contract/settings.ts";
import { keychainName } from "../../platform/keychain.ts";
import { type Interview, isYes, keepModel, tried } from "./first-run.ts";

/** Reads a provider's key without echo, stores it for its owner only and tries it once. */
export async function enterKey(at: Interview): Promise<true | null> {
  const { ask, words, tell, home } = at;
  const provider = await chooseProvider(at);
  if (provider === null) return null;
  const key = await ask.secret(words("setup.key", { provider: provider.name }));
  if (key === null || key === "") return null;
  const keychain = keychainName([process.cwd()]);
  const file = keysFile(home);
  const isChain = keychain !== null && isYes(await ask.line(words("setup.where", { keychain, file })), true);
  unwrap(await storeKey(home, provider.name, key, isChain ? "keychain" : "file"));
  tell("setup.key_kept", { provider: provider.name, where: isChain ? keychain : file });
  const name = await chooseModel(at, provider);
  if (name === null || name === "") return null;
  const ref = name.startsWith(`${provider.name}/`) ? name : `${provider.name}/${name}`;
  return (await tried(at, ref)) === null ? null : await keepModel(at, ref);
}

interface Vendor {
  readonly name: string;
  readonly models: readonly ListedModel[];
}

async function chooseModel({ ask, words, tell }: Interview, { name, models }: Vendor): Promise<string | null> {
  const usual = usualModel(models);
  for (;;) {
    const answer = await ask.line(words("setup.model", { usual: usual || `${name}/…` }));
    if (answer !== "?") return answer === "" ? usual : answer;
    tell(models.length === 0 ? "setup.no_known_models" : "setup.known_models");
    for (const { ref, price } of models) ask.tell(price === null ? `  ${ref}` : `  ${ref}  ${inDollars(price)}`);
  }
}

/** The newest that costs no more than most of the vendor's: the dearest must not be what Enter alone chooses. */
function usualModel(models: readonly ListedModel[]): string {
  const prices = models.flatMap(({ price }) => price?.output ?? []).toSorted((one, other) => one - other);
  const middle = prices[Math.floor((prices.length - 1) / 2)] ?? Number.POSITIVE_INFINITY;
  const found = models.find(({ price }) => price !== null && price.output <= middle) ?? models[0];
  return found?.ref ?? "";
}

function inDollars({ input, output }: Price): string {
  return `${input / 1_000_000} / ${output / 1_000_000}`;
}

async function chooseProvider({ ask, words, tell, sources }: Interview): Promise<Vendor | null> {
  const vendors = unwrap(listProviders(sources))
    .filter(({ provider }) => provider?.needsKey)
    .map(({ name, models }): Vendor => ({ name, models }));
  const names = vendors.map(({ name }) => name);
  for (;;) {
    const answer = await ask.line(words("setup.provider", { names: names.join(", ") }));
    if (answer === null || answer === "") return null;
    const found = vendors.find(({ name }) => name === answer.toLowerCase());
    if (found) return found;
    const { key, args } = unknownProvider(answer, names);
    tell(key, args);
  }
}

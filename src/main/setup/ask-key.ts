import type { SettingsSources } from "../../config/load.ts";
import { type ListedModel, listProviders } from "../../config/model/catalogue.ts";
import { keysFile } from "../../config/model/keys.ts";
import { storeKey } from "../../config/model/store-key.ts";
import { unwrap } from "../../contract/error.ts";
import type { Price } from "../../contract/settings.ts";
import { keychainName } from "../../platform/keychain.ts";
import { type Interview, isYes, keepModel, tried } from "./first-run.ts";

/** Reads a provider's key without echo, stores it for its owner only and tries it once. */
export async function enterKey(at: Interview): Promise<true | null> {
  const provider = await chooseProvider(at);
  if (provider === null || !(await keepKey(at, provider))) return null;
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
    const answer = (await ask.line(words("setup.model", { usual: usual || `${name}/…` })))?.trim();
    if (answer === undefined) return null;
    if (answer !== "" && !/[?？\s]/.test(answer)) return answer;
    if (answer === "" && usual !== "") return usual;
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

async function chooseProvider({ ask, words, sources }: Interview): Promise<Vendor | null> {
  const vendors = vendorsIn(sources);
  const chosen = await ask.choose(
    words("setup.provider"),
    vendors.map(({ name }) => name),
  );
  return vendors[chosen ?? -1] ?? null;
}

/** Those with models that coder knows come first. */
function vendorsIn(sources: SettingsSources): readonly Vendor[] {
  return unwrap(listProviders(sources))
    .filter(({ provider }) => provider?.needsKey)
    .map(({ name, models }): Vendor => ({ name, models }))
    .toSorted((one, other) => Number(other.models.length > 0) - Number(one.models.length > 0));
}

/** Only a key, for a model that is chosen already. `false`: none was given. */
export async function enterKeyFor(at: Interview, ref: string): Promise<boolean> {
  const vendor = vendorsIn(at.sources).find(({ name }) => ref.startsWith(`${name}/`));
  return vendor !== undefined && (await keepKey(at, vendor));
}

async function keepKey({ ask, words, tell, home }: Interview, { name }: Vendor): Promise<boolean> {
  const key = await ask.secret(words("setup.key", { provider: name }));
  if (key === null || key === "") return false;
  const keychain = keychainName([process.cwd()]);
  const file = keysFile(home);
  const isChain = keychain !== null && isYes(await ask.line(words("setup.where", { keychain, file })), true);
  unwrap(await storeKey(home, name, key, isChain ? "keychain" : "file"));
  tell("setup.key_kept", { provider: name, where: isChain ? keychain : file });
  return true;
}

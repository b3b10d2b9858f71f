import { listProviders } from "../../config/model/catalogue.ts";
import { keysFile } from "../../config/model/keys.ts";
import { unknownProvider } from "../../config/model/providers.ts";
import { storeKey } from "../../config/model/store-key.ts";
import { unwrap } from "../../contract/error.ts";
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
  const usual = provider.models[0] ?? "";
  const answer = await ask.line(words("setup.model", { usual: usual || `${provider.name}/…` }));
  if (answer === null) return null;
  const name = answer === "" ? usual : answer;
  if (name === "") return null;
  const ref = name.startsWith(`${provider.name}/`) ? name : `${provider.name}/${name}`;
  return (await tried(at, ref)) === null ? null : await keepModel(at, ref);
}

interface Vendor {
  readonly name: string;
  readonly models: readonly string[];
}

async function chooseProvider({ ask, words, tell, sources }: Interview): Promise<Vendor | null> {
  const vendors = unwrap(listProviders(sources))
    .filter(({ provider }) => provider?.needsKey)
    .map(({ name, models }): Vendor => ({ name, models: models.map(({ ref }) => ref) }));
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

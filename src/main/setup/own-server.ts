import { keysFile } from "../../config/model/keys.ts";
import { storeKey } from "../../config/model/store-key.ts";
import { unwrap } from "../../contract/error.ts";
import type { Protocol } from "../../contract/settings.ts";
import { visible } from "../../contract/show/visible.ts";
import { type Interview, keep, keepModel, tried } from "./first-run.ts";

/** A server that coder knows nothing about: its address, a key if it wants one, and the name of a model. */
export async function enterServer(at: Interview): Promise<true | null> {
  const { ask, words, tell, home } = at;
  const address = await askAddress(at);
  if (address === null) return null;
  const provider = providerName(address);
  const key = await ask.secret(words("setup.server_key", { provider }));
  if (key === null) return null;
  const keyed = key === "" ? [] : [[["providers", provider, "api_key_env"], `${envName(provider)}_API_KEY`] as const];
  await keep(at, [
    [["providers", provider, "protocol"], protocolOf(address)],
    [["providers", provider, "base_url"], address.href.replace(/\/+$/, "")],
    ...keyed,
  ]);
  if (key !== "") {
    unwrap(await storeKey(home, provider, key, "file"));
    tell("setup.key_kept", { provider, where: keysFile(home) });
  }
  const name = await askModel(at, address, key);
  if (name === null) return null;
  const ref = name.startsWith(`${provider}/`) ? name : `${provider}/${name}`;
  return (await tried(at, ref)) === null ? null : await keepModel(at, ref);
}

async function askAddress({ ask, words, tell }: Interview): Promise<URL | null> {
  for (;;) {
    const answer = await ask.line(words("setup.server"));
    if (answer === null || answer.trim() === "") return null;
    const typed = answer.trim();
    const url = URL.parse(/^[a-z]+:\/\//i.test(typed) ? typed : `https://${typed}`);
    if (url && /^https?:$/.test(url.protocol) && url.username === "" && url.hostname !== "") return url;
    tell("setup.bad_server", { address: visible(typed) });
  }
}

const MOST = 30;

/** From the server's own list, where it has one. */
async function askModel({ ask, words }: Interview, address: URL, key: string): Promise<string | null> {
  const { listedModels } = await import("../../model/local/listed-models.ts");
  const listed = (await listedModels(address.href.replace(/\/+$/, ""), key)).slice(0, MOST);
  if (listed.length > 0) {
    const options = [...listed.map(visible), words("setup.model_other")];
    const chosen = await ask.choose(words("setup.server_model"), options);
    if (chosen === null) return null;
    if (chosen < listed.length) return listed[chosen] ?? null;
  }
  for (;;) {
    const name = await ask.line(words("setup.model_name"));
    if (name === null) return null;
    if (/^[^\s?？]+$/.test(name.trim())) return name.trim();
  }
}

/** After its host; the names of known vendors stay theirs. */
function providerName({ hostname, port }: URL): string {
  const host = hostname
    .replace(/^(?:api|www)\./, "")
    .replace(/[^a-z0-9]+/gi, "-")
    .replace(/^-|-$/g, "");
  return `own-${host}${port === "" ? "" : `-${port}`}`.slice(0, 60);
}

function envName(provider: string): string {
  return provider.toUpperCase().replaceAll("-", "_");
}

function protocolOf({ href }: URL): Protocol {
  if (/anthropic/.test(href)) return "anthropic";
  return /generativelanguage|googleapis/.test(href) ? "google" : "openai-chat";
}

import { fieldsOf, listOf, textOf } from "../../contract/json.ts";
import type { LocalServer } from "../../contract/settings.ts";
import { askJson, lmStudioModel, ollamaModel, rootOf, sizeIn } from "./ask-server.ts";
import { contextOf } from "./server-window.ts";

export interface FoundModel {
  readonly name: string;
  /** The context of a request now; `null` if unknown before the model is loaded. */
  readonly context: number | null;
  /** The largest possible context; `null` if unknown, or not ours to set. */
  readonly largest: number | null;
  /** `false`: the server reports no tool support; `null`: it does not tell. */
  readonly takesTools: boolean | null;
}

export interface FoundServer {
  readonly server: LocalServer;
  readonly baseUrl: string;
  readonly models: readonly FoundModel[];
}

const servers: readonly LocalServer[] = ["ollama", "lmstudio", "llamacpp", "vllm"];

/** A server on the same machine answers within a millisecond; a port that swallows everything is not worth a wait. */
const lookMs = 400;
const mostModels = 50;

export async function findServers(addresses: Partial<Record<LocalServer, string>>): Promise<readonly FoundServer[]> {
  const looked = await Promise.all(
    servers.map((server) => {
      const baseUrl = addresses[server];
      return baseUrl === undefined ? null : look(server, rootOf({ baseUrl }));
    }),
  );
  return looked.filter((found) => found !== null);
}

/** Checks that the server is of the expected kind, because other programs use these ports too. */
async function look(server: LocalServer, root: string): Promise<FoundServer | null> {
  const names = await namesAt(server, root);
  if (names === null) return null;
  const models = await Promise.all(names.slice(0, mostModels).map((name) => describe(server, root, name)));
  return { server, baseUrl: `${root}/v1`, models: models.filter((model) => model !== null) };
}

async function namesAt(server: LocalServer, root: string): Promise<readonly string[] | null> {
  if (server === "ollama") {
    const { models } = fieldsOf(await askJson(`${root}/api/tags`, lookMs));
    return Array.isArray(models) ? namesIn(models, "name") : null;
  }
  if (server === "lmstudio") {
    const { data } = fieldsOf(await askJson(`${root}/api/v0/models`, lookMs));
    const talking = listOf(data).filter((row) => textOf(fieldsOf(row).type) !== "embeddings");
    return Array.isArray(data) ? namesIn(talking, "id") : null;
  }
  const { data } = fieldsOf(await askJson(`${root}/v1/models`, lookMs));
  if (!Array.isArray(data)) return null;
  if (server === "llamacpp") {
    const props = fieldsOf(await askJson(`${root}/props`, lookMs));
    return "default_generation_settings" in props ? namesIn(data, "id") : null;
  }
  const isVllm = data.some((row) => sizeIn(fieldsOf(row).max_model_len) !== null);
  return isVllm ? namesIn(data, "id") : null;
}

function namesIn(rows: readonly unknown[], key: string): readonly string[] {
  return rows.map((row) => textOf(fieldsOf(row)[key])).filter((name) => name !== "");
}

async function describe(server: LocalServer, root: string, name: string): Promise<FoundModel | null> {
  if (server === "ollama") {
    const { set, trained, takesTools, isChat } = await ollamaModel(root, name, lookMs);
    return isChat ? { name, context: set, largest: trained, takesTools } : null;
  }
  if (server === "lmstudio") {
    const { loaded, trained } = await lmStudioModel(root, name, lookMs);
    return { name, context: loaded, largest: trained, takesTools: null };
  }
  return { name, context: await contextOf(server, root, name), largest: null, takesTools: null };
}

import { fieldsOf, listOf, textOf } from "../../contract/json.ts";
import { askJson } from "./ask-server.ts";

const patienceMs = 5_000;

/** The names that a server lists at `/models`, as most of them do; none if it does not. */
export async function listedModels(baseUrl: string, key: string): Promise<readonly string[]> {
  const headers = key === "" ? {} : { authorization: `Bearer ${key}`, "x-api-key": key };
  const { data } = fieldsOf(await askJson(`${baseUrl}/models`, patienceMs, undefined, headers));
  return listOf(data).flatMap((one) => textOf(fieldsOf(one).id) || []);
}

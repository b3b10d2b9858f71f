import { networkOf, type SettingsSources } from "../../config/load.ts";
import { keysFile, readKeys, storedKey } from "../../config/model/keys.ts";
import { loadValues } from "../../config/values.ts";
import { phrase } from "../../contract/text/catalogue.ts";
import { routeTo } from "../../platform/network.ts";
import { localServers } from "../setup/first-run.ts";
import { type Finding, fine, problem, problemOf, warning } from "./doctor.ts";
import { openToOthers, statOf } from "./files.ts";

/** With a smaller window, the server truncates silently. */
const LITTLE = 16_000;

export async function localProbe(sources: SettingsSources): Promise<readonly Finding[]> {
  const servers = await localServers(sources);
  if (servers.length === 0) return [fine(phrase("doctor.local_none"))];
  return servers.flatMap(({ server, baseUrl: url, models }): readonly Finding[] => {
    const names = models.map(({ name }) => name).join(", ") || phrase("setup.no_models");
    const small = models.filter(({ context }) => context !== null && context < LITTLE);
    return [
      fine(phrase("doctor.local", { server, url, models: names })),
      ...small.map(({ name, context }): Finding => {
        const text = phrase("doctor.local_small", { ref: `${server}/${name}`, context: context ?? 0 });
        return warning(text, phrase("doctor.local_small.advice"));
      }),
    ];
  });
}

export async function keysProbe(home: string): Promise<readonly Finding[]> {
  const file = keysFile(home);
  const keys = readKeys(home);
  if (!keys.ok) return [problem(keys.error.text, phrase("doctor.keys_bad.advice"))];
  const names = Object.keys(keys.value);
  const mode = (await statOf(file))?.mode ?? null;
  const open = mode !== null && (mode & 0o077) !== 0 ? [openToOthers(file, mode, "600")] : [];
  const lost = names.filter((name) => keys.value[name] === true && storedKey(home, name) === null);
  return [
    fine(names.length === 0 ? phrase("doctor.keys_none") : phrase("doctor.keys", { names: names.join(", ") })),
    ...lost.map((name) => problem(phrase("doctor.keys_lost", { name }), phrase("doctor.keys_lost.advice"))),
    ...open,
  ];
}

export async function routeProbe(sources: SettingsSources, home: string): Promise<readonly Finding[]> {
  const values = loadValues(sources);
  if (!values.ok) return [];
  const network = networkOf(values.value, home);
  const route = await routeTo(new URL("https://any.invalid/"), network);
  if (!route.ok) return [problemOf(route.error)];
  return [
    ...(network.proxy === null ? [] : [fine(phrase("doctor.proxy", { host: new URL(network.proxy).host }))]),
    ...(network.caFile === null ? [] : [fine(phrase("doctor.ca", { file: network.caFile }))]),
  ];
}

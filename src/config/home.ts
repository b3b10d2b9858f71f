import { join } from "node:path";
import { fail, ok, type Result } from "../contract/error.ts";
import { visible } from "../contract/show/visible.ts";
import { phrase } from "../contract/text/catalogue.ts";
import { type Outsider, outsiderAt } from "../platform/files/change/ownership.ts";
import type { SettingsSources } from "./load.ts";
import { configFile, homeOf } from "./values.ts";

const kept = [
  ...["config.json", "keys.json", "coder.db", "coder.db-wal", "coder.db-shm", "AGENTS.md"],
  ...["skills", "cache", "index", "history", "log"],
];

/** Whoever can change rules, trust or keys controls what coder may do, so nobody else may own or write them. */
export function ownHome(sources: SettingsSources): Result<void> {
  const home = homeOf(sources.env, sources.cwd);
  const found = outsiderAt([home, ...kept.map((name) => join(home, name)), configFile(sources)]);
  return found ? fail("E_CONFIG", problemOf(found), { advice: adviceOf(found, home) }) : ok(undefined);
}

function problemOf({ path, who, uid, mode }: Outsider) {
  const args = { path: visible(path), mode: mode.toString(8), uid };
  return phrase(who === "owner" ? "config.home_foreign" : `config.home_open_${who}`, args);
}

function adviceOf({ path, who }: Outsider, home: string) {
  const isOwn = path === home || path.startsWith(`${home}/`);
  if (who === "owner")
    return phrase(isOwn ? "config.home_foreign.advice" : "config.home_foreign_way.advice", { path: quoted(path) });
  return phrase("config.home_open.advice", { path: quoted(path) });
}

function quoted(path: string): string {
  return /^[\w./@%+,:=-]+$/.test(path) ? path : `'${visible(path).replaceAll("'", "'\\''")}'`;
}

import { lstatSync } from "node:fs";
import { join } from "node:path";
import type { Environment } from "../environment.ts";
import { isWithin } from "../files/path.ts";
import { readText } from "../files/probe.ts";
import { parseGitConfig } from "./config-file.ts";
import { personConfigs } from "./person-config.ts";

/**
 * Whether the user owns a repository with its git folders, or the user's own config calls it safe. Git checks the same, but our git calls
 * do not see that config.
 */
export function isOwnRepository(workspace: string, folders: readonly string[], env: Environment): boolean {
  const own = [process.getuid?.(), process.getuid?.() === 0 ? Number(env.SUDO_UID || Number.NaN) : undefined];
  const isOwn = (path: string): boolean => own.includes(lstatSync(path).uid);
  return [workspace, join(workspace, ".git"), ...folders].every(isOwn) || isCalledSafe(workspace, env);
}

function isCalledSafe(workspace: string, env: Environment): boolean {
  const settings = personConfigs(env).flatMap((file) => parseGitConfig(readText(file, "latin1")) ?? []);
  const named = settings.filter(({ section, key }) => section === "safe" && key === "directory");
  // An empty value resets the list.
  const last = named.findLastIndex(({ value }) => value === "");
  return named.slice(last + 1).some(({ value }) => covers(value ?? "", workspace));
}

function covers(value: string, workspace: string): boolean {
  if (value === "*" || value === workspace) return true;
  return value.endsWith("/*") && workspace !== value.slice(0, -2) && isWithin(workspace, value.slice(0, -2));
}

import { homedir } from "node:os";
import { join } from "node:path";
import type { Environment } from "../environment.ts";

/** The machine's and the user's git config files, existing or not. */
export function personConfigs(env: Environment = process.env): readonly string[] {
  const home = env.HOME || homedir();
  const global = env.GIT_CONFIG_GLOBAL
    ? [env.GIT_CONFIG_GLOBAL]
    : [join(env.XDG_CONFIG_HOME || join(home, ".config"), "git", "config"), join(home, ".gitconfig")];
  return ["/etc/gitconfig", ...global];
}

// Copies of the user's tool settings, without logins, to be shown in the home folder of the sandbox.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Confinement } from "../../../contract/sandbox.ts";
import { isWithin } from "../../files/path.ts";
import { smallText, withoutLogins } from "../secret/key-text.ts";
import { gitIdentity } from "./git-identity.ts";

const settings: readonly string[] = [
  ...[".npmrc", ".yarnrc", ".yarnrc.yml", ".config/pnpm/rc", ".bunfig.toml", ".cargo/config.toml", ".cargo/config"],
  ...[".config/pip/pip.conf", ".pip/pip.conf", ".config/uv/uv.toml", ".config/go/env", ".config/mise/config.toml"],
  ...[".tool-versions", ".asdfrc", ".nvmrc", ".python-version", ".node-version", ".ruby-version", ".java-version"],
];
/** Nothing that could contain a login. */
const patterns: readonly string[] = [".config/git/ignore", ".config/git/attributes", ".editorconfig", ".cargo/env"];

const MOST_BYTES = 64 * 1024;

interface Copy {
  readonly path: string;
  readonly source: string;
}

const made = new Map<string, readonly Copy[]>();

/** Made once for each workspace, in our own folder, where no confined command can change them. */
export function homeCopies({ home, temp, shown, veils }: Confinement): readonly Copy[] {
  if (!veils.some((veil) => isWithin(home, veil))) return [];
  const key = `${temp}\0${home}\0${shown[0]}`;
  const found =
    made.get(key) ?? makeCopies(home, join(dirname(temp), "settings", String(made.size)), `${shown[0]}/.git`);
  made.set(key, found);
  return found;
}

function makeCopies(home: string, folder: string, gitDir: string): readonly Copy[] {
  const identity = gitIdentity(home, gitDir);
  const named = (identity?.files ?? [])
    .filter((path) => isWithin(path, home))
    .map((path) => path.slice(home.length + 1));
  const texts = new Map([
    ...settings.flatMap((path) => textsOf(home, path, withoutLogins)),
    ...[...patterns, ...named].flatMap((path) => textsOf(home, path, (text) => text)),
  ]);
  if (identity !== null) texts.set(".gitconfig", identity.text);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return [...texts].map(([path, text], at) => {
    const source = join(folder, String(at));
    writeFileSync(source, text, { mode: 0o600 });
    return { path: `${home}/${path}`, source };
  });
}

type Cleaned = (text: string) => string;

function textsOf(home: string, path: string, cleaned: Cleaned): readonly (readonly [path: string, text: string])[] {
  const text = cleaned(smallText(join(home, path), MOST_BYTES) ?? "");
  return text.trim() === "" ? [] : [[path, text]];
}

// Selects the toolchains and caches in veiled folders that a confined command may see.
import { existsSync, realpathSync, statSync } from "node:fs";
import { basename, dirname } from "node:path";
import { isSecretAtHome, isSecretOutside } from "../../../contract/path/secret-path.ts";
import type { Confinement } from "../../../contract/sandbox.ts";
import { isWithin } from "../../files/path.ts";
import { listEntries, orNull } from "../../files/probe.ts";
import { secretFilesIn } from "../secret/secret-files.ts";
import { isKnownTool, projectMarks, toolchainMarks } from "./toolchains.ts";

export interface HomeView {
  readonly shown: readonly { readonly path: string; readonly source: string }[];
  /** Secrets in the shown folders, and targets of secret symlinks in the home folder. */
  readonly hidden: readonly string[];
}

type Facts = Pick<Confinement, "home" | "veils" | "tools" | "programs" | "hide">;

/** Commands run one after the other, and nobody installs a toolchain in between and expects it at once. */
const FRESH_MS = 10_000;
let known = { key: "", at: Number.NEGATIVE_INFINITY, view: { shown: [], hidden: [] } as HomeView };

export async function homeView({ home, veils, tools, programs, hide }: Facts): Promise<HomeView> {
  const facts: Facts = { home, veils, tools, programs, hide };
  const key = JSON.stringify(facts);
  const now = performance.now();
  if (known.key === key && now - known.at < FRESH_MS) return known.view;
  const shown = shownIn(facts);
  const within = await Promise.all(
    shown.map(({ source }) => secretFilesIn(source, { home, depth: depthOf(source, home) })),
  );
  const hidden = [...within.flat().map(({ path }) => path), ...secretsLinkedFrom(home)];
  known = { key, at: now, view: { shown, hidden } };
  return known.view;
}

/** Known toolchains hold logins at the top or not at all; shared caches and unknown folders need a deeper search. */
function depthOf(path: string, home: string): number {
  if (/\/\.(?:cache|ivy2|sbt|stack|npm|yarn)$/.test(path)) return 2;
  return isKnownTool(path, home) ? 1 : 3;
}

function shownIn(facts: Facts): HomeView["shown"] {
  const isVeiled = (path: string): boolean => facts.veils.some((veil) => isWithin(path, veil));
  const shown = new Map<string, string>();
  const isShown = (path: string): boolean => [...shown.keys()].some((one) => isWithin(path, one));
  const show = (path: string): void => {
    const real = realOf(path);
    if (real === null || isNever(path, facts) || isNever(real, facts)) return;
    // Under the name that the tools use, and under the real path that other files refer to.
    for (const place of new Set([path, real])) if (isVeiled(place) && !isShown(place)) shown.set(place, real);
  };
  for (const path of facts.tools) show(path);
  for (const folder of facts.programs) if (isVeiled(folder) && !isShown(folder)) show(rootOf(folder));
  const linked = facts.programs.filter(isVeiled).flatMap(linksIn).filter(isVeiled);
  for (const file of linked.filter((one) => !isShown(one)).slice(0, MOST_LINKS)) {
    if (!isShown(file)) show(rootOf(dirname(file), file));
  }
  const outermost = [...shown].filter(
    ([path]) => ![...shown.keys()].some((one) => one !== path && isWithin(path, one)),
  );
  return outermost.map(([path, source]) => ({ path, source }));
}

/** A symlink in the home folder is not shown, but its target may be. */
function secretsLinkedFrom(home: string): readonly string[] {
  return ["", ".config/", ".local/share/"].flatMap((below) => {
    const links = listEntries(`${home}/${below}`).filter((entry) => entry.isSymbolicLink());
    const secret = links.filter(({ name }) => isSecretAtHome(`${below}${name}`));
    return secret.flatMap(({ name }) => realOf(`${home}/${below}${name}`) ?? []);
  });
}

/** An environment variable may name anything: neither a whole home nor a secret place is a toolchain. */
function isNever(path: string, { home, veils, hide }: Facts): boolean {
  if ([home, ...veils].some((one) => isWithin(one, path)) || hide.some((one) => isWithin(path, one))) return true;
  return isSecretOutside(path) || (isWithin(path, home) && isSecretAtHome(path.slice(home.length + 1)));
}

const MOST_LINKS = 16;

/** The folder to show for programs in `folder`: `…/bin` of a toolchain needs its siblings. `file`: the one program that is needed. */
export function rootOf(folder: string, file = folder): string {
  const above = dirname(folder);
  const has = (marks: readonly string[], place: string): boolean =>
    marks.some((mark) => existsSync(`${place}/${mark}`));
  if (basename(above) === "node_modules" && basename(folder) === ".bin") return above;
  if (has(toolchainMarks, above) && !has(projectMarks, above)) return above;
  return has(projectMarks, folder) ? file : folder;
}

function linksIn(folder: string): readonly string[] {
  const links = listEntries(folder).filter((entry) => entry.isSymbolicLink());
  return links.flatMap(({ name }) => realOf(`${folder}/${name}`) ?? []);
}

function realOf(path: string): string | null {
  return orNull(() => {
    // Most of these do not exist on this machine, and exceptions are slower.
    const stat = statSync(path, { throwIfNoEntry: false });
    return stat?.isDirectory() || stat?.isFile() ? realpathSync.native(path) : null;
  });
}

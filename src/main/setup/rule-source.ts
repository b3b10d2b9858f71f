import { homedir } from "node:os";
import { join, relative, resolve } from "node:path";
import type { Project, ProjectFile } from "../../config/project/trust.ts";
import type { RulesFile, RulesNow } from "../../contract/rules.ts";
import type { Settings } from "../../contract/settings.ts";
import type { MemoryFile } from "../../contract/show/insight.ts";
import { visible } from "../../contract/show/visible.ts";
import { type Phrase, phrase } from "../../contract/text/catalogue.ts";
import { isWithin, resolvePath } from "../../platform/files/path.ts";
import { decodeText } from "../../platform/files/text/encoding.ts";
import { rulesFolders } from "../../platform/skill/rules-files.ts";
import { maxRulesFileBytes, readRulesFile } from "../../platform/skill/rules-text.ts";
import { trustState } from "../trust/trust-state.ts";

/**
 * CX-1, PO-9: returns the rules at the start of a task. The user's own need no trust; those of the workspace count only as trusted. If
 * they change later, the trusted version stays in effect until the user decides.
 */
export function rulesReader(settings: Settings): () => RulesNow {
  let trusted: readonly RulesFile[] = [];
  const reported = new Set<string>();
  const once = (key: string, text: Phrase): readonly Phrase[] => {
    if (reported.has(key)) return [];
    reported.add(key);
    return [text];
  };
  const report = (one: Unused): readonly Phrase[] => once(`${one.name} ${one.why.key}`, unreadable(one));
  return () => {
    const { kind, project } = trustState(settings.workspace, settings.home);
    const found = project.rules.map((one) => projectFile(settings.workspace, one));
    const isChanged = kind !== "trusted" && trusted.length > 0 && found.length > 0;
    if (kind === "trusted" || found.length === 0) trusted = found.flatMap((one) => (one ? [one] : []));
    const files = project.rules.map(({ file }) => shownName(settings, file)).join(", ");
    const own = personFiles(settings);
    return {
      files: [...own.flatMap((one) => ("text" in one ? [one] : [])), ...trusted],
      notices: [
        ...(isChanged ? once(project.hash, phrase("rules.untrusted", { files })) : []),
        ...unusedFiles(settings, kind === "trusted", project).flatMap(report),
        ...own.flatMap((one) => ("text" in one ? [] : report(one))),
      ],
    };
  };
}

/** `/memory`: every rules file, and whether it counts. The user's own may not exist yet. */
export function memoryFiles(settings: Settings): readonly MemoryFile[] {
  const { kind, project } = trustState(settings.workspace, settings.home);
  const { home, workspace, rulesFiles } = settings;
  const own = join(home, "AGENTS.md");
  const named = rulesFiles.map((given) =>
    given.startsWith("~/") ? join(homedir(), given.slice(2)) : resolve(home, given),
  );
  const unread = new Set(personFiles(settings).flatMap((one) => ("text" in one ? [] : [one.name])));
  const stateOf = (file: string): MemoryFile["state"] => {
    if (readRulesFile(file) === "missing") return "missing";
    return unread.has(shownName(settings, file)) || isOfProject(settings, file) ? "unused" : "counts";
  };
  const ofProject = project.rules.map((one): MemoryFile => {
    const isText = projectFile(workspace, one) !== null;
    const state = kind === "trusted" ? (isText ? "counts" : "unused") : "untrusted";
    return { file: one.file, name: shownName(settings, one.file), state };
  });
  return [
    ...[...new Set([own, ...named])].map((file) => ({ file, name: shownName(settings, file), state: stateOf(file) })),
    ...ofProject,
  ];
}

interface Unused {
  readonly name: string;
  readonly why: Phrase;
}

/** Workspace rules that are not in effect although their author believes so. Oversized ones are reported with the trust. */
function unusedFiles(settings: Settings, isTrusted: boolean, { items, rules, problem }: Project): readonly Unused[] {
  const odd = problem === null ? items.filter(({ kind, isUsed }) => kind === "rules" && !isUsed) : [];
  const noText = isTrusted ? rules.filter((one) => projectFile(settings.workspace, one) === null) : [];
  return [
    ...odd.map(({ path }) => ({ name: path, why: phrase("rules.why.unused") })),
    ...noText.map(({ file }) => ({ name: shownName(settings, file), why: phrase("rules.why.not_text") })),
  ];
}

function projectFile(workspace: string, { file, bytes }: ProjectFile): RulesFile | null {
  const text = decodeText(bytes)?.text;
  return text === undefined ? null : { name: relative(workspace, file), text };
}

/** `AGENTS.md` in CODER_HOME, then the files that the user's config names. */
function personFiles(settings: Settings): readonly (RulesFile | Unused)[] {
  const { home, rulesFiles } = settings;
  const own = readRulesFile(join(home, "AGENTS.md"));
  const first = own === "missing" ? [] : [asRead(settings, join(home, "AGENTS.md"), own)];
  const named = rulesFiles.map((given): RulesFile | Unused => {
    const path = given.startsWith("~/") ? join(homedir(), given.slice(2)) : resolve(home, given);
    if (isOfProject(settings, path)) return { name: given, why: phrase("rules.why.inside") };
    return asRead(settings, path, readRulesFile(path));
  });
  return [...first, ...named];
}

/** Files of the repository need trust, whoever names them. */
function isOfProject({ workspace, home }: Settings, path: string): boolean {
  const { real } = resolvePath(path, workspace, []);
  const [top = workspace] = rulesFolders(workspace);
  const isOwn = real !== null && isWithin(real, resolvePath(home, workspace, []).real ?? home);
  return !isOwn && (real === null || isWithin(real, top));
}

function asRead(settings: Settings, path: string, read: ReturnType<typeof readRulesFile>): RulesFile | Unused {
  const name = shownName(settings, path);
  if (typeof read === "object") return { name, text: read.text, isOwn: true };
  return { name, why: phrase(`rules.why.${read}`, { max: maxRulesFileBytes }) };
}

function shownName({ workspace }: Settings, path: string): string {
  if (isWithin(path, workspace)) return relative(workspace, path);
  const own = homedir();
  return isWithin(path, own) ? `~${path.slice(own.length)}` : path;
}

function unreadable({ name, why }: Unused): Phrase {
  return phrase("rules.unreadable", { file: visible(name), why });
}

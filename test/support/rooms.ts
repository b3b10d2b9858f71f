// The borders between the rooms of src/, as a pure function over (path, source) pairs.

export interface SourceFile {
  /** Relative to the repository, with forward slashes: `src/tool/read.ts`. */
  readonly path: string;
  readonly source: string;
}

const adapters = ["index", "config", "model", "tool", "verify", "store"];
const pure = ["contract", "words", "machine", "policy", "context", "mechanic"];
const belowEngine = [...pure, "platform", ...adapters];

/** What there is to show: the state that is published, plans in words, what the mode decides, how a rule is written, tokens. */
const shown = [
  ...["machine/state", "machine/breakers", "machine/grant", "context/tokens"],
  ...["machine/plan/lines", "machine/plan/progress", "machine/plan/proposed", "machine/plan/text"],
  ...["policy/effective-table", "policy/mode-table", "policy/rule/text"],
];

/** Room → rooms it may import. `engine/port` is that one file; no other file of the engine is visible from above. */
export const mayImport: Readonly<Record<string, readonly string[]>> = {
  contract: [],
  words: ["contract"],
  machine: ["contract", "words"],
  policy: ["contract", "words"],
  context: ["contract", "machine"],
  mechanic: ["contract", "words"],
  platform: ["contract"],
  ...Object.fromEntries(adapters.map((room) => [room, ["contract", "platform"]])),
  // The one port whose model is ours.
  model: ["contract", "platform", "mechanic"],
  engine: belowEngine,
  command: ["contract", "engine/port", ...shown],
  surface: ["contract", "command", "engine/port", ...shown],
  // The composition root: main.ts and the files it is split into.
  main: ["everything"],
};

/** What a tool is to the others, its definition says: its access, its role and its other traits. */
const toolBlind = ["engine", "machine", "context", "command", "surface", "main"];
const toolNamed = /\btool(?:Name)?\s*[!=]==\s*"|"\]\.includes\((?:call\.)?tool\)/;

/** They show and are asked; what they need of the disk, the network or a process, the engine's port or the composition root hands them. */
const untouching = ["surface", "command"];
const touching = /^(?:node:(?:fs|os|net|tls|https?|child_process|worker_threads)|bun:)/;
/** Processes of others are started by the platform, which bounds and ends them; `main` starts what has the terminal to itself. */
const startless = ["config", "engine", "index", "model", "store", "tool", "verify", "command", "surface"];
const startsProcess = /\bBun\.spawn(?:Sync)?\(|from "node:child_process"/;

const badFolder = /^(utils?|helpers?|common|misc)$/i;
const badFile = /^(types|utils?|helpers?)\.tsx?$|Manager|Service|Helper|[-_.](manager|service|helper)\b/;

/** One sentence for each broken rule; empty when the borders hold. */
export function roomViolations(files: readonly SourceFile[]): readonly string[] {
  const rooms = new Set(files.map(({ path }) => roomOf(path)).filter((room) => room !== "main.ts"));
  return [
    ...[...rooms].flatMap((room) => readmeViolations(room, files)),
    ...files.flatMap(({ path }) => nameViolations(path)),
    ...crowdViolations(files),
    ...wordViolations(files),
    ...files.filter(({ path }) => /\.tsx?$/.test(path)).flatMap(fileViolations),
  ];
}

function roomOf(path: string): string {
  return path.split("/")[1] ?? "";
}

function readmeViolations(room: string, files: readonly SourceFile[]): readonly string[] {
  if (!(room in mayImport)) return [`src/${room} is not a room of the design`];
  const readme = files.find(({ path }) => path === `src/${room}/README.md`);
  if (readme === undefined) return [`src/${room} has no README.md`];
  const lines = readme.source.trimEnd().split("\n").length;
  return lines > 5 ? [`src/${room}/README.md has ${lines} lines, at most 5 are allowed`] : [];
}

function nameViolations(path: string): readonly string[] {
  const folders = path.split("/");
  const file = folders.pop() ?? "";
  const says = (name: string): string => `${path}: the name "${name}" says nothing about what it owns`;
  return [...folders.filter((folder) => badFolder.test(folder)), ...(badFile.test(file) ? [file] : [])].map(says);
}

/** A newcomer finds a file by looking: a folder is read at a glance, and a name means one thing in a room. */
function crowdViolations(files: readonly SourceFile[]): readonly string[] {
  const sources = files.map(({ path }) => path).filter((path) => path.endsWith(".ts"));
  const full = [...Map.groupBy(sources, (path) => path.slice(0, path.lastIndexOf("/")))];
  const same = [...Map.groupBy(sources, (path) => `${roomOf(path)} ${path.slice(path.lastIndexOf("/") + 1)}`)];
  return [
    ...full.flatMap(([folder, { length }]) =>
      length > 25 ? [`${folder} holds ${length} files, at most 25 are allowed`] : [],
    ),
    ...same.flatMap(([, paths]) => (paths.length > 1 ? [`${paths.join(" and ")} have one name in one room`] : [])),
  ];
}

/** The name of a type means one thing in a room; the same short alias may stand where it is used. */
function wordViolations(files: readonly SourceFile[]): readonly string[] {
  const declared = files.flatMap(({ path, source }) =>
    [...source.matchAll(/^(?:export )?((?:interface (\w+))|type (\w+)\b[^;]*)/gm)].map(
      ([, text = "", type, alias]) => ({
        ...{ path, name: `${roomOf(path)} ${type ?? alias}` },
        meaning: type === undefined ? text.replace(/\s+/g, " ") : path,
      }),
    ),
  );
  return [...Map.groupBy(declared, ({ name }) => name).values()]
    .filter((same) => new Set(same.map(({ meaning }) => meaning)).size > 1)
    .map(
      (same) => `${same.map(({ path }) => path).join(" and ")}: ${same[0]?.name.split(" ")[1]} means several things`,
    );
}

function fileViolations(file: SourceFile): readonly string[] {
  const isBarrel = /(^|\/)index\.tsx?$/.test(file.path) && onlyReexports(file.source);
  return [
    ...(toolBlind.includes(roomOf(file.path)) && toolNamed.test(file.source)
      ? [`${file.path}: branches on a tool's name; ask for its role`]
      : []),
    ...(startless.includes(roomOf(file.path)) && startsProcess.test(file.source)
      ? [`${file.path}: starts a process; platform/process/ does`]
      : []),
    ...(isBarrel ? [`${file.path}: a barrel; import the file that owns the name`] : []),
    ...importsOf(file.source).flatMap((target) => importViolations(file.path, target)),
  ];
}

function importViolations(path: string, target: string): readonly string[] {
  const room = roomOf(path);
  const says = (why: string): readonly string[] => [`${path} imports ${target}: ${why}`];
  if (!target.startsWith(".")) {
    const isSystem = /^(node:|bun:|bun$)/.test(target) || nodeModules.has(target.split("/")[0] ?? "");
    if (isSystem && pure.includes(room)) return says(`${room} is pure`);
    return untouching.includes(room) && touching.test(target) ? says(`${room} touches no system`) : [];
  }
  const resolved = resolve(path, target);
  if (room === "main.ts" || room === "main") return [];
  if (!resolved.startsWith("src/")) return says("outside src/");
  const targetRoom = roomOf(resolved);
  if (room === "surface") return surfaceViolations(path, resolved, says);
  if (targetRoom === room) return [];
  return isAllowed(room, resolved) ? [] : says(`${room} may import only ${mayImport[room]?.join(", ") || "nothing"}`);
}

/** Each surface is a room of its own: the terminal, HTTP and ACP never see each other. */
function surfaceViolations(
  path: string,
  resolved: string,
  says: (why: string) => readonly string[],
): readonly string[] {
  if (roomOf(resolved) !== "surface") {
    return isAllowed("surface", resolved) ? [] : says(`surface may import only ${mayImport.surface?.join(", ")}`);
  }
  const surfaceOf = (file: string): string => file.split("/").slice(0, -1)[2] ?? "";
  return surfaceOf(path) === surfaceOf(resolved) ? [] : says("surfaces never import each other");
}

function isAllowed(room: string, resolved: string): boolean {
  return (mayImport[room] ?? []).some((allowed) =>
    allowed.includes("/") ? resolved === `src/${allowed}.ts` : roomOf(resolved) === allowed,
  );
}

const nodeModules = new Set(process.getBuiltinModule("node:module").builtinModules);

/** Static, re-exporting, type-only and dynamic imports. Bun's own scan leaves out the type-only ones. */
function importsOf(source: string): readonly string[] {
  const code = source.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
  const patterns = [
    /^\s*(?:import|export)\b[^;"'`]*?\bfrom\s*["']([^"']+)["']/gm,
    /^\s*import\s*["']([^"']+)["']/gm,
    /\b(?:import|require)\(\s*["'`]([^"'`]+)["'`]/g,
  ];
  return [...new Set(patterns.flatMap((pattern) => [...code.matchAll(pattern)].map((match) => match[1] ?? "")))];
}

function onlyReexports(source: string): boolean {
  const code = source.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "");
  return code.replace(/export\b[^;]*?\bfrom\s*["'][^"']+["'];?/g, "").trim() === "";
}

function resolve(from: string, target: string): string {
  const parts = from.split("/").slice(0, -1);
  for (const part of target.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== ".") parts.push(part);
  }
  return parts.join("/");
}

// Whether the code or the machine is at fault for something missing: the code, if it belongs to the workspace (VF-4).
import { fieldsOf, parsedJson } from "../../contract/json.ts";
import { isPackageName } from "../parse/place.ts";

type Language = "js" | "python" | "go" | "rust";

export interface Missing {
  readonly language: Language;
  readonly name: string;
}

/** Paths are relative to the command's folder and may lead above it, up to the workspace. */
export interface Project {
  readonly exists: (path: string) => boolean;
  readonly textOf: (path: string) => string;
  /** The paths that this session changed, moved or deleted. */
  readonly touched: readonly string[];
}

const forms: readonly (readonly [Language, RegExp])[] = [
  [
    "js",
    /(?:Cannot find (?:module|package)|Failed to resolve import|Could not resolve:?|Can't resolve) ['"]([^'"]+)['"]/,
  ],
  ["js", /TS(?:2688|7016): [^'"]*['"]([^'"]+)['"]/],
  ["python", /No module named '?([\w.]+)'?/],
  ["go", /no required module provides package ([^\s;:]+)|cannot find module providing package ([^\s;:]+)/],
  ["go", /package (\S+) is not in (?:GOROOT|std)|cannot find package "?([^\s":]+)/],
  ["go", /(?:^|\s)([^\s:@]+)(?:@v\S+?)?: (?:module lookup disabled by GOPROXY=off|Get "https?:|reading https?:)/],
  ["go", /missing go\.sum entry for module providing package ([^\s;:]+)/],
  ["rust", /no matching package named `([^`]+)`|failed to (?:get|load source for dependency|download) `([^`\s]+)/],
];

export function missingIn(text: string): Missing | null {
  const head = text.slice(0, 2000);
  for (const [language, form] of forms) {
    const name = form
      .exec(head)
      ?.slice(1)
      .find((group) => group !== undefined);
    if (name !== undefined) return { language, name };
  }
  return null;
}

/** Not a declared dependency, and part of the workspace by name or path, or removed by the session. */
export function isOwn(missing: Missing, project: Project): boolean {
  const { language, name } = missing;
  if (language === "js" && !isPackageName(name)) return !name.includes("node_modules/");
  // The package is installed but lacks this part.
  if (language === "js" && name !== topOf(missing) && isInstalled(missing, project)) return true;
  // Without a dot in its first part, a path is the standard library's or invalid: no module can be fetched from it.
  if (language === "go" && !(name.split("/", 1)[0] ?? "").includes(".")) return true;
  // Python found the package above it.
  if (language === "python" && isPartOfOwn(missing, project)) return true;
  if (language === "rust") return above.some((path) => hasCrateAt(name, project.textOf(`${path}Cargo.toml`)));
  if (hasOwnName(missing, project)) return true;
  if (language === "python" && wasMoved(missing, project)) return true;
  return !isDeclared(missing, project) && (isThere(missing, project) || isGone(missing, project));
}

/** `a.b`, where the workspace has the package `a`: whether or not its own manifest names it. */
function isPartOfOwn({ name }: Missing, { exists }: Project): boolean {
  const parent = name.split(".").slice(0, -1).join("/");
  return parent !== "" && sources.some((folder) => exists(`${folder}${parent}/__init__.py`));
}

/** `a = { path = "a" }` or `[dependencies.a]` with a path, of a package or a whole workspace. */
function hasCrateAt(name: string, manifest: string): boolean {
  const key = `["']?${escaped(name)}["']?`;
  const inline = new RegExp(`^\\s*${key}\\s*=\\s*\\{[^}]*\\bpath\\s*=`, "m");
  const table = new RegExp(`^\\[[^\\]\\n]*dependencies\\.${key}\\]\\s*\\n(?:[^[\\n].*\\n|\\n)*?\\s*path\\s*=`, "m");
  return inline.test(manifest) || table.test(manifest);
}

const above = ["", "../", "../../", "../../../"];

/** The workspace's own Go modules: those of `go.work`, and those replaced by a local folder. */
function goModules({ textOf }: Project): readonly string[] {
  const inWork = above.flatMap((path) => {
    const used = [...textOf(`${path}go.work`).matchAll(/^(?:use)?[\s(]*(\.{1,2}(?:\/[^\s)]*)?)\s*\)?$/gm)];
    return used.map(([, folder = ""]) => `${path}${folder}/go.mod`);
  });
  const files = [...above.map((path) => `${path}go.mod`), ...inWork].map(textOf);
  const replaced = [...above.map((path) => textOf(`${path}go.work`)), ...files].flatMap((text) =>
    [...text.matchAll(/^\s*(?:replace\s+)?(\S+)(?:\s+v\S+)?\s+=>\s+\.{1,2}(?:\/|\s|$)/gm)].map(([, one = ""]) => one),
  );
  const own = files.flatMap((text) => /^module\s+"?([^\s"]+)/m.exec(text)?.[1] ?? []);
  return [...own, ...replaced];
}

const dependencies = ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"];

function hasOwnName({ language, name }: Missing, project: Project): boolean {
  const { textOf } = project;
  if (language === "go") return goModules(project).some((one) => name === one || name.startsWith(`${one}/`));
  const own = (path: string): string | undefined => {
    if (language === "js") return /"name"\s*:\s*"([^"]+)"/.exec(textOf(`${path}package.json`))?.[1];
    return /^name\s*=\s*["']([^"']+)["']/m.exec(textOf(`${path}pyproject.toml`))?.[1];
  };
  const wanted = settled(topOf({ language, name }));
  return above.map(own).some((one) => one !== undefined && settled(one) === wanted);
}

/** The package to install: `@a/b` for `@a/b/c`, `a` for `a.b`. */
function topOf({ language, name }: Missing): string {
  if (language === "python") return name.split(".")[0] ?? name;
  if (language === "js") return name.split("/", name.startsWith("@") ? 2 : 1).join("/");
  return name;
}

/** `my-lib`, `my_lib` and `My.Lib` are one name in Python. */
function settled(name: string): string {
  return name.toLowerCase().replace(/[-_.]+/g, "-");
}

const pythonFiles = [
  ...["pyproject.toml", "setup.py", "setup.cfg", "Pipfile", "Pipfile.lock", "poetry.lock", "uv.lock", "tox.ini"],
  ...["requirements.txt", "requirements-dev.txt", "requirements_dev.txt", "requirements-test.txt"],
  ...["dev-requirements.txt", "test-requirements.txt", "requirements/dev.txt", "requirements/test.txt"],
  "environment.yml",
];

/** Modules whose package has another name; in the index, the module's own name is another package. */
const soldAs: Readonly<Record<string, string>> = {
  ...{ yaml: "PyYAML", bs4: "beautifulsoup4", sklearn: "scikit-learn", PIL: "Pillow", cv2: "opencv-python" },
  ...{ dateutil: "python-dateutil", dotenv: "python-dotenv", attr: "attrs", jwt: "PyJWT", Crypto: "pycryptodome" },
  ...{ serial: "pyserial", git: "GitPython", jose: "python-jose", docx: "python-docx", magic: "python-magic" },
};

function declaredIn(missing: Missing, { textOf }: Project): string | undefined {
  const { language } = missing;
  const top = topOf(missing);
  if (language === "python") {
    const names = [top, ...(Object.hasOwn(soldAs, top) ? [soldAs[top] ?? ""] : [])].map((one) =>
      settled(one).split("-").map(escaped).join("[-_.]+"),
    );
    const word = new RegExp(`(?<![\\w.-])(?:${names.join("|")})(?![\\w.-]*\\w)`, "i");
    return above.flatMap((path) => pythonFiles.map((file) => `${path}${file}`)).find((path) => word.test(textOf(path)));
  }
  if (language === "go") return above.map((path) => `${path}go.mod`).find((path) => requires(textOf(path), top));
  return above.map((path) => `${path}package.json`).find((path) => dependsOn(textOf(path), top));
}

export function isDeclared(missing: Missing, project: Project): boolean {
  return isInstalled(missing, project) || declaredIn(missing, project) !== undefined;
}

function isInstalled(missing: Missing, { exists }: Project): boolean {
  return missing.language === "js" && above.some((path) => exists(`${path}node_modules/${topOf(missing)}`));
}

function requires(goMod: string, path: string): boolean {
  const modules = [...goMod.matchAll(/^(?:require\s+|\s+)([^\s()]+)\s+v\d/gm)].map(([, module = ""]) => module);
  return modules.some((module) => path === module || path.startsWith(`${module}/`));
}

function dependsOn(manifest: string, name: string): boolean {
  const value = parsedJson(manifest || "{}");
  // A half-written manifest may at least name the package.
  if (value === undefined) return manifest.includes(`"${name}"`);
  return dependencies.some((field) => Object.hasOwn(fieldsOf(fieldsOf(value)[field]), name));
}

const sources = ["", "src/", "lib/", "tests/", "test/", "app/", "python/"];
const endings: Readonly<Record<"js" | "python", readonly string[]>> = {
  js: ["", ".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".tsx", ".jsx", ".json"],
  python: [".py", "", ".pyi"],
};

/** The workspace has such a file, but not where the code looks for it. */
function isThere({ language, name }: Missing, { exists }: Project): boolean {
  if (language !== "js" && language !== "python") return false;
  const path = language === "python" ? topOf({ language, name }) : name;
  return sources.some((folder) => endings[language].some((ending) => exists(`${folder}${path}${ending}`)));
}

function isGone({ language, name }: Missing, { touched, exists }: Project): boolean {
  const parts = name.split(language === "python" ? "." : "/");
  const wanted = (name.startsWith("@") ? parts[1] : parts[0]) ?? name;
  const withoutEnding = (path: string) => path.replace(/\.\w+$/, "");
  return touched.some((path) => !exists(path) && withoutEnding(path).split("/").includes(wanted));
}

/** The package by whose name `setup.py` or `setup.cfg` calls the project, and which the session took away. */
function wasMoved({ name }: Missing, { touched, exists, textOf }: Project): boolean {
  const named = new RegExp(`\\bname\\s*=\\s*["']?${escaped(name)}["']?\\s*(?:[,)]|$)`, "m");
  if (!["setup.py", "setup.cfg"].some((file) => named.test(textOf(file)))) return false;
  const places = sources.flatMap((folder) => [`${folder}${name}.py`, `${folder}${name}/__init__.py`]);
  return touched.some((one) => places.includes(one) && !exists(one));
}

/** The command that installs it, in the way of its project; `null` if unknown. */
export function installCommand(missing: Missing, project: Project): string | null {
  const { language } = missing;
  const file = declaredIn(missing, project);
  const has = (name: string) => above.some((path) => project.exists(`${path}${name}`));
  switch (language) {
    case "js": {
      const lockfiles = { "pnpm-lock.yaml": "pnpm", "yarn.lock": "yarn", "bun.lock": "bun", "bun.lockb": "bun" };
      const manager = Object.entries(lockfiles).find(([lock]) => has(lock))?.[1] ?? "npm";
      if (file !== undefined) return `${manager} install`;
      return manager === "npm" ? `npm install ${topOf(missing)}` : `${manager} add ${topOf(missing)}`;
    }
    case "python":
      if (file === undefined) return `pip install ${soldAs[topOf(missing)] ?? topOf(missing)}`;
      if (has("uv.lock")) return "uv sync";
      if (has("poetry.lock")) return "poetry install";
      if (has("Pipfile")) return "pipenv install --dev";
      return file.endsWith(".txt") ? `pip install -r ${file}` : "pip install -e .";
    case "go":
      return file === undefined ? `go get ${missing.name}` : "go mod download";
    case "rust":
      return "cargo fetch";
  }
}

function escaped(name: string): string {
  return name.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&");
}

// Installing what is missing, once, even when two commands start at the same moment.
import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync, readFileSync, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import { withLock } from "./lock.mjs";
import { bunPath, root } from "./process.mjs";

/** Program → Debian package. What the tests start for real. */
const programs = {
  git: "git",
  strace: "strace",
  bash: "bash",
  bwrap: "bubblewrap",
  perl: "perl-base",
  python3: "python3",
  setsid: "util-linux",
  tmux: "tmux",
  setpriv: "util-linux",
  unshare: "util-linux",
};

/** The fonts of `npm run screenshots` and `npm run frames`: both may be passed on freely (Bitstream Vera licence, Apache 2.0). */
const fonts = {
  "/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf": "fonts-dejavu-core",
  "/usr/share/fonts/truetype/droid/DroidSansFallbackFull.ttf": "fonts-droid-fallback",
};

/** What shows that it is there → Debian package. What the projects of `npm run scenarios` are built with. */
const scenarioPackages = {
  "/usr/bin/pytest": "python3-pytest",
  "/usr/bin/go": "golang-go",
  "/usr/bin/cargo": "cargo",
  "/usr/bin/rustc": "rustc",
  "/usr/bin/javac": "default-jdk-headless",
  "/usr/bin/mvn": "maven",
  "/usr/bin/gradle": "gradle",
  "/usr/share/maven-repo/junit/junit/4.x": "junit4",
  "/usr/share/maven-repo/org/apache/maven/plugins/maven-resources-plugin": "libmaven-resources-plugin-java",
  "/usr/share/maven-repo/org/apache/maven/plugins/maven-compiler-plugin": "libmaven-compiler-plugin-java",
  "/usr/share/maven-repo/org/apache/maven/plugins/maven-surefire-plugin": "libsurefire-java",
};

/** Program → Debian package. What the real tasks of `npm run work` are tested with. */
const languages = { pytest: "python3-pytest", go: "golang-go", cargo: "cargo" };

const npmAdvice = `If the network failed, check npm's registry and proxy settings (npm config list) and run the same command again.
If package-lock.json is out of step with package.json, run: npm install`;

export async function installPackages() {
  if (arePackagesCurrent()) return;
  await withLock(join(root, ".install.lock"), () => {
    // Whoever held the lock before us may have done the work.
    if (arePackagesCurrent()) return;
    console.error("Installing packages (npm ci) …");
    // Both --include: NODE_ENV=production or an omit in the person's .npmrc would leave out Bun itself.
    // --ignore-scripts=false: Bun's package puts its program in place in a postinstall script.
    const quiet = ["--no-audit", "--no-fund", "--loglevel=error"];
    mustSucceed("npm", ["ci", "--include=dev", "--include=optional", "--ignore-scripts=false", ...quiet], npmAdvice);
    if (!existsSync(bunPath)) throw failure(`npm ci succeeded, but ${bunPath} is missing. ${npmAdvice}`);
  });
}

function arePackagesCurrent() {
  try {
    // npm writes this file last, so a broken installation has none.
    const [wanted, installed] = [join(root, "package-lock.json"), join(root, "node_modules", ".package-lock.json")];
    const isNewer = statSync(installed).mtimeMs >= statSync(wanted).mtimeMs;
    return existsSync(bunPath) && (isNewer || hasSamePackages(wanted, installed));
  } catch {
    return false;
  }
}

/** A checkout gives the file a new time and the same text: npm ci would take away what works, and without a network not bring it back. */
function hasSamePackages(wanted, installed) {
  const [all, there] = [wanted, installed].map((path) => JSON.parse(readFileSync(path, "utf8")).packages);
  const isThere = ([path, { version, integrity, optional }]) =>
    path === "" ||
    (there[path] === undefined
      ? optional === true
      : there[path].version === version && there[path].integrity === integrity);
  return Object.entries(all).every(isThere) && Object.keys(there).every((path) => all[path] !== undefined);
}

export async function installPrograms() {
  // Elsewhere there is no strace; the tests that need it say that they are skipped.
  if (process.platform !== "linux") return;
  await installDebian(() => missingPackages(programs), "The tests need");
}

/** Tests that need one of these are left out where it is missing (`test-needs.ts`); without the others hardly any test runs. */
const leftOut = ["strace", "bwrap", "tmux"];

export async function installTestPrograms() {
  if (process.platform !== "linux" || canInstall()) return await installPrograms();
  const needed = Object.fromEntries(Object.entries(programs).filter(([name]) => !leftOut.includes(name)));
  await installDebian(() => missingPackages(needed), "The tests need");
  const missing = missingPackages(programs).join(" ");
  if (missing === "") return;
  console.error(`Not installed: ${missing}. Tests that need them are skipped.`);
  console.error(`To run them too: sudo apt-get install ${missing}`);
}

function canInstall() {
  return process.getuid?.() === 0 && isOnPath("apt-get");
}

export async function installLanguages() {
  await installDebian(() => missingPackages(languages), "The tasks need");
}

export async function installFonts() {
  const missing = () => Object.keys(fonts).filter((path) => !existsSync(path));
  await installDebian(() => missing().map((path) => fonts[path]), "Pictures of the terminal need");
}

/** What is still missing afterwards is named by the scenarios that are skipped for it. */
export async function installScenarioPackages() {
  if (process.platform !== "linux") return;
  const missing = () => Object.keys(scenarioPackages).filter((path) => !existsSync(path));
  const names = () => missing().map((path) => scenarioPackages[path]);
  try {
    await installDebian(names, "The scenarios need");
  } catch (error) {
    if (!error.isForPeople) throw error;
    console.error(error.message);
  }
}

async function installDebian(missing, whoNeeds) {
  if (missing().length === 0) return;
  const list = missing().join(" ");
  const advice = `${whoNeeds} these system packages: ${list}
Install them (on Debian or Ubuntu: sudo apt-get install ${list}) and run the same command again.`;
  if (!canInstall()) throw failure(advice);
  await withLock(join(root, ".install.lock"), () => {
    const names = missing();
    if (names.length === 0) return;
    console.error(`${whoNeeds} system packages that are missing. As root, this installs them: ${names.join(" ")} …`);
    const options = ["-q", "-y", "--no-install-recommends", "-o", "DPkg::Lock::Timeout=300"];
    mustSucceed("apt-get", ["update", "-q"], advice);
    mustSucceed("apt-get", ["install", ...options, ...names], advice, { DEBIAN_FRONTEND: "noninteractive" });
    if (missing().length > 0) throw failure(`Installed, but not found (${missing().join(" ")}).\n${advice}`);
  });
}

function missingPackages(wanted) {
  const missing = Object.keys(wanted).filter((name) => !isOnPath(name));
  return [...new Set(missing.map((name) => wanted[name]))];
}

function isOnPath(name) {
  return (process.env.PATH ?? "").split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** Silent on success; on failure everything the program said, then what to do. */
function mustSucceed(file, args, advice, env = {}) {
  const done = spawnSync(file, args, {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
    env: { ...process.env, ...env },
  });
  if (done.status === 0) return;
  const said = [done.stdout, done.stderr, done.error?.message].filter(Boolean).join("\n").trim();
  const how = done.signal
    ? `was ended by ${done.signal}`
    : done.error
      ? "could not be started"
      : `failed with exit code ${done.status}`;
  throw failure(`${said}\n\n\`${[file, ...args].join(" ")}\` ${how}.\n${advice}`);
}

function failure(message) {
  return Object.assign(new Error(message), { isForPeople: true });
}

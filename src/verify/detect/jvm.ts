import { posix } from "node:path";
import type { Detected } from "./detect.ts";
import { isProgram } from "./toolchain.ts";
import { below, isFile, textOf } from "./workspace.ts";

/** Runs in the parent build: alone, a module needs its siblings to be installed. `above`: the folder and its parents. */
export function findMaven(root: string, above: readonly string[]): Detected | null {
  const [folder = ""] = above;
  if (!isFile(root, below(folder, "pom.xml"))) return null;
  let cwd = folder;
  for (const outer of above) {
    if (modulesIn(textOf(root, below(outer, "pom.xml"))).some((module) => modulePath(outer, module) === cwd))
      cwd = outer;
  }
  return { kind: "run", cwd, command: "mvn -q test", runner: "surefire" };
}

function modulesIn(pom: string): readonly string[] {
  const plain = pom.replace(/<!--[\s\S]*?-->/g, "");
  return [...plain.matchAll(/<module>\s*([^<\s]+)\s*<\/module>/g)].map(([, name = ""]) => name);
}

function modulePath(folder: string, module: string): string {
  const path = posix.normalize(below(folder, module));
  return path.endsWith(".xml") ? posix.dirname(path) : path.replace(/\/$/, "");
}

const builds = ["build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts"];
const settings = ["settings.gradle", "settings.gradle.kts", "gradlew"];

/** Runs in the folder of the settings or the wrapper, which covers all projects of the build. */
export function findGradle(root: string, above: readonly string[]): Detected | null {
  const [folder = ""] = above;
  if (![...builds, "gradlew"].some((name) => isFile(root, below(folder, name)))) return null;
  const cwd = above.find((one) => settings.some((name) => isFile(root, below(one, name)))) ?? folder;
  // Without the execute bit the shell could only report "permission denied".
  const hasWrapper = isFile(root, below(cwd, "gradlew")) && isProgram(posix.join(root, cwd, "gradlew"));
  const command = hasWrapper ? "./gradlew test" : "gradle test";
  return { kind: "run", cwd, command, runner: "gradle" };
}

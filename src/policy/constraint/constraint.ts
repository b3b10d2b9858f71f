// PL-3: calls that violate a constraint of the user.

import { visible } from "../../contract/show/visible.ts";
import { type Phrase, phrase } from "../../contract/text/catalogue.ts";
import type { Rewritten } from "../../contract/tool.ts";
import { type Constraint, constraintsFrom } from "../../words/constraints.ts";
import type { PolicyQuestion } from "../decide.ts";
import { literal } from "../secret/pattern.ts";
import { dropped } from "./public-api.ts";

/** The constraints that the call violates. */
export function against(
  constraints: readonly string[],
  question: PolicyQuestion,
  rewritten: () => readonly Rewritten[],
): readonly Phrase[] {
  const rules = constraints.flatMap(constraintsFrom);
  const broken = rules.filter((one) => isAgainst(one, question, rewritten));
  return broken.map(({ text }) => phrase("policy.constraint", { text: visible(text.slice(0, 200)) }));
}

function isAgainst(
  { kind, text, paths }: Constraint,
  question: PolicyQuestion,
  rewritten: () => readonly Rewritten[],
): boolean {
  const { access, reach } = question;
  const written = writtenIn(question);
  switch (kind) {
    case "network":
      return access === "network" || reach?.network === true || runs(question, dials);
    case "packages":
      return (
        runs(question, /anything/i.test(text) ? installs : adds) ||
        (written.some((path) => manifests.test(path)) && mayAdd(question, rewritten))
      );
    case "publish":
      return publishing.some(
        ({ said, commands, tool }) => said.test(text) && (question.tool === tool || runs(question, commands)),
      );
    case "delete":
      return runs(question, deletes) || rewritten().some(({ deletes }) => deletes);
    case "commands":
      return access === "exec";
    case "tests":
      return written.some((path) =>
        /(?:^|\/)(?:tests?|specs?|__tests__)\/|(?:^|\/)(?:test_[^/]*|[^/]*[._-](?:test|spec))\.\w+$/i.test(path),
      );
    case "files":
      return access === "write" || (access === "exec" && written.length > 0);
    case "path":
      return written.some((path) => paths.some((one) => isBelow(path, one)));
    case "only":
      return written.some((path) => !paths.some((one) => isBelow(path, one)));
    case "api":
      return access === "write" && rewritten().some(({ before, after }) => dropped(before, after).length > 0);
  }
}

const manifests =
  /(?:^|\/)(?:package\.json|[\w-]*requirements[\w-]*\.txt|Cargo\.toml|go\.mod|pyproject\.toml|Gemfile|pom\.xml|build\.gradle(?:\.kts)?)$/;

/** A change of a version or a script adds no package. */
function mayAdd({ access }: PolicyQuestion, rewritten: () => readonly Rewritten[]): boolean {
  return access !== "write" || rewritten().some(({ before, after }) => addsPackage(before, after));
}

function addsPackage(before: string, after: string): boolean {
  const [old, now] = [before, after].map(packagesIn);
  return !old || !now || now.some((name) => !old.includes(name));
}

/** `null` = unknown. */
function packagesIn(text: string): readonly string[] | null {
  try {
    const manifest = JSON.parse(text) as Readonly<Record<string, unknown>>;
    return Object.entries(manifest).flatMap(([key, value]) =>
      /dependencies$/i.test(key) && typeof value === "object" && value !== null ? Object.keys(value) : [],
    );
  } catch {
    return null;
  }
}

/** Relative to the workspace. The words of a command count only if the command changes files: tests are run by name. */
function writtenIn(question: PolicyQuestion): readonly string[] {
  const { access, paths, writes = [], mentions = [], judgement, workspace } = question;
  const isChanging = runs(question, rewrites);
  const facts =
    access === "write"
      ? paths
      : access === "exec" && !judgement?.isReadOnly
        ? [...writes, ...mentions.filter(({ isChanged }) => isChanged || isChanging).map(({ fact }) => fact)]
        : [];
  return facts.map(({ given, real }) =>
    real?.startsWith(`${workspace}/`) ? real.slice(workspace.length + 1) : (real ?? given),
  );
}

function isBelow(path: string, place: string): boolean {
  if (place.includes("*")) return new RegExp(`^${place.split("*").map(literal).join(".*")}`).test(path);
  return path === place || path.startsWith(`${place}/`) || (!place.includes("/") && path.split("/").includes(place));
}

const dials =
  /^(?:curl|wget|ssh|scp|sftp|rsync|ftp|telnet|nc|ncat|netcat|dig|nslookup|host|ping|http|https|aria2c|npx|bunx|pipx|uvx)(?: |$)|^git (?:clone|fetch|pull|push|ls-remote|submodule)\b|^(?:npm|pnpm|yarn|bun) (?:i|install|add|ci|update|publish|view|outdated|audit|dlx|create|x)\b|^(?:pip|pip3) (?:install|download)\b|^python3? -m pip (?:install|download)\b|^uv (?:add|pip|sync|tool)\b|^(?:cargo) (?:install|add|update|fetch|publish)\b|^go (?:get|install)\b|^go mod (?:download|tidy)\b|^(?:apt|apt-get|brew|dnf|yum|apk|gem|composer|poetry|docker|gh)\b/;
const installs =
  /^(?:npm|pnpm|yarn|bun) (?:i|install|add|ci)\b|^(?:pip|pip3) install\b|^python3? -m pip install\b|^uv (?:add|pip)\b|^poetry add\b|^cargo (?:add|install)\b|^go get\b|^(?:apt|apt-get|brew|dnf|yum|apk|gem|bundle) (?:install|add)\b|^composer require\b/;
/** By name: packages already listed in the manifest may be installed. */
const adds =
  /^(?:npm|pnpm|yarn|bun) (?:i|install|add)(?: -\S+)* [\w@.]|^(?:pip3?|python3? -m pip|uv pip) install(?! (?:.* )?(?:-r|-e|--requirement|--editable)\b)|^(?:uv|poetry|cargo) add\b|^cargo install\b|^go get\b|^(?:apt|apt-get|brew|dnf|yum|apk|gem|bundle) (?:install|add)(?: -\S+)* \w|^composer require\b/s;
/** Each only if its own word is forbidden: "commit it, but do not push" forbids no commit. */
const publishing: readonly { readonly said: RegExp; readonly commands: RegExp; readonly tool?: string }[] = [
  { said: /commit|提交/iu, commands: /^git commit\b/, tool: "commit" },
  { said: /push|推送/iu, commands: /^git push\b/ },
  {
    said: /publish|releas|deploy|发布|部署/iu,
    commands:
      /^git (?:push|tag (?!-l|--list|-n))\b|^(?:npm|pnpm|yarn|bun|cargo) publish\b|^gh (?:pr|release)\b|^twine upload\b/,
  },
];
/** Programs that usually read their files, with options that change them. */
const rewrites =
  /^git (?:checkout|restore|rm|mv|apply|clean|reset|stash)\b|^\S+ (?:.* )?(?:--fix|--write|--in-place|-w|-i)(?: |$)/s;
const deletes = /^(?:rm|rmdir|unlink|shred)\b|^git (?:rm|clean)\b|^find .* -delete\b/s;

function runs({ judgement }: PolicyQuestion, pattern: RegExp): boolean {
  const commands = (judgement?.commands ?? []).map(({ argv, text }) => argv?.join(" ") ?? text);
  return commands.some((command) => pattern.test(normalized(command)));
}

/** The program's name without its directory, and without git's global options. */
function normalized(command: string): string {
  return command.replace(/^\S*\//, "").replace(/^git(?: (?:-[Cc] \S+|--?[\w-]+(?:=\S+)?))+ /, "git ");
}

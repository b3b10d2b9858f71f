import type { PlanVerification } from "../../contract/plan.ts";

type Check = Pick<PlanVerification, "mode"> & { readonly command: string | null };

/** Ways to name a check in words, with the command that is meant where one is. */
const named: readonly (readonly [said: RegExp, mode: PlanVerification["mode"], command: string | null])[] = [
  [/^(?:none|no|skip|skipped|n\/?a|null|false|-|not needed|无|无需|不需要|不用|没有|跳过)$/iu, "none", null],
  [/^(?:pytest|py\.?test)(?: -q)?$/iu, "test", "pytest -q"],
  [/^go(?: test)?(?: \.\/\.\.\.)?$/iu, "test", "go test ./..."],
  [/^cargo(?: test)?$/iu, "test", "cargo test"],
  [/^npm(?: run)?(?: test)?$/iu, "test", "npm test -- --watch=false"],
  [/^pnpm(?: run)?(?: test)?$/iu, "test", "pnpm test -- --watch=false"],
  [/^yarn(?: run)?(?: test)?$/iu, "test", "yarn test --watch=false"],
  [/^(?:mvn|maven)(?: -q)?(?: test)?$/iu, "test", "mvn -q test"],
  [/^gradle(?: test)?$/iu, "test", "gradle test"],
  [/^(?:\.\/)?gradlew(?: test)?$/iu, "test", "./gradlew test"],
  [/^(?:all )?(?:the )?(?:project'?s? )?(?:unit )?tests?(?: suite)?$|^(?:单元)?测试$|^项目测试$/iu, "test", null],
  [/^(?:the )?(?:lint|linter|linting|eslint)$|^(?:代码检查|静态检查)$/iu, "lint", null],
  [/^(?:the )?(?:build|compile|compilation|tsc|type ?check|typecheck)$|^(?:构建|编译|类型检查)$/iu, "build", null],
];
/** Commands by what they do, where they are given in full. */
const given: readonly (readonly [command: RegExp, mode: PlanVerification["mode"]])[] = [
  [/(?:^|[ :/_-])lint(?:[ :_-]|$)|^(?:npx )?(?:eslint|biome|ruff|flake8|golangci-lint)\b|^cargo clippy\b/iu, "lint"],
  [/(?:^|[ :/_-])(?:tests?|pytest|jest|vitest|mocha|check)(?:[ :_-]|$)/iu, "test"],
  [/(?:^|[ :/_-])(?:build|compile)(?:[ :_-]|$)|^(?:npx )?tsc\b|^make$/iu, "build"],
];

/** What a plan that says nothing about it gets: the project's own tests, as far as they are found. */
export const usualVerification: PlanVerification = { mode: "test", commands: [], required: true, stop_on_fail: true };

/** A bare string such as `run_pytest`, `none` or `npm test -- --watch=false`, or several. */
export function verificationFrom(text: string): PlanVerification {
  const whole = text.replace(/[`*"“”]/g, "").trim();
  const checks = (namesOnly(whole) ?? whole.split(/&&|[;；\n]/u)).flatMap((one) => checkFrom(one) ?? []);
  const wanted = checks.filter(({ mode }) => mode !== "none");
  const modes = new Set(wanted.map(({ mode }) => mode));
  const mode = modes.size > 1 ? "custom" : (wanted[0]?.mode ?? "none");
  const commands = [...new Set(wanted.flatMap(({ command }) => command ?? []))];
  return { mode, commands, required: mode !== "none", stop_on_fail: true };
}

/** A command of a list as it is known: `npm test` is the listed one, and what is no name stays as it was written. */
export function commandIn(command: string): string {
  const known = named.find(([said]) => said.test(bareName(command)));
  return known?.[2] ?? command;
}

/** `run_pytest, run_lint`: commas part only what is known by name, since a command may hold one. */
function namesOnly(text: string): readonly string[] | null {
  const names = text.split(/[,，、]/u);
  return names.every((name) => named.some(([said]) => said.test(bareName(name)))) ? names : null;
}

function checkFrom(text: string): Check | null {
  const command = text.trim().replace(/\s+/g, " ");
  if (command === "") return null;
  const known = named.find(([said]) => said.test(bareName(command)));
  if (known) return { mode: known[1], command: known[2] };
  return { mode: given.find(([form]) => form.test(command))?.[1] ?? "custom", command };
}

/** `run_npm_test` and "run the tests" without the running. */
function bareName(text: string): string {
  const words = text.trim().slice(0, 200).replaceAll("_", " ");
  return words
    .replace(/^(?:please )?(?:run|execute|运行|执行|跑)\s*(?:the |all )*/iu, "")
    .replace(/\s+/g, " ")
    .replace(/[.。]$/u, "")
    .trim();
}

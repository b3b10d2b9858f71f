import type { PlanVerification } from "../../contract/plan.ts";

type Check = Pick<PlanVerification, "mode"> & { readonly command: string | null };

const named: readonly (readonly [said: RegExp, mode: PlanVerification["mode"], command: string | null])[] = [
  [/^(?:none|no|skip|skipped|n\/?a|null|false|-|无|无需|不需要|不用|没有|跳过)$/iu, "none", null],
  [
    /^(?:no|skip|without|none)(?: the| any)?(?: verification| checks?| tests?| testing)?(?: (?:is|are))?(?: (?:needed|required|necessary))?$/iu,
    "none",
    null,
  ],
  [/^not (?:needed|required|necessary|applicable)$|^(?:无需|不需要|不用|跳过)(?:验证|测试|检查)$/iu, "none", null],
  [/^(?:pytest|py\.?test)(?: -q)?$/iu, "test", "pytest -q"],
  [/^go(?: test)?(?: \.\/\.\.\.)?$/iu, "test", "go test ./..."],
  [/^cargo(?: tests?)?$/iu, "test", "cargo test"],
  [/^npm(?: run)?(?: tests?)?$/iu, "test", "npm test -- --watch=false"],
  [/^pnpm(?: run)?(?: tests?)?$/iu, "test", "pnpm test -- --watch=false"],
  [/^yarn(?: run)?(?: tests?)?$/iu, "test", "yarn test --watch=false"],
  [/^(?:mvn|maven)(?: -q)?(?: tests?)?$/iu, "test", "mvn -q test"],
  [/^gradle(?: tests?)?$/iu, "test", "gradle test"],
  [/^(?:\.\/)?gradlew(?: tests?)?$/iu, "test", "./gradlew test"],
  [/^(?:all )?(?:the )?(?:project'?s? )?(?:unit )?tests?(?: suite)?$|^(?:单元)?测试$|^项目测试$/iu, "test", null],
  [/^(?:the )?(?:lint|linter|linting|eslint)$|^(?:代码检查|静态检查)$/iu, "lint", null],
  [/^(?:the )?(?:build|compile|compilation|tsc|type ?check|typecheck)$|^(?:构建|编译|类型检查)$/iu, "build", null],
];
/** A sentence of only these words means the project's own tests: "All existing tests must still pass." */
const aboutTests =
  /^(?=.*(?:\b(?:unit)?tests?\b|\bsuite\b|测试|用例|单测))(?:(?:make sure|ensure|verify|check|confirm|see|that|the|all|any|every|existing|current|project(?:'s)?|unit|integration|regression|automated|full|whole|entire|relevant|related|new|own|(?:unit)?tests?|suite|pass(?:es|ed|ing)?|still|must|should|will|be|are|is|stay|remain|keep|green|succeeds?|again|and|run|rerun|re-run|execute|running|by|after|changes?|my|our|for|of|to)\b[\s,.!]*|(?:请|确保|保证|所有|全部|现有|已有|的|项目|单元|回归|测试|用例|单测|套件|都|全|必须|能|够|仍|然|通过|跑|运行|执行|一遍|一下|全绿|成功)[\s，。！]*)+$/iu;
const withRunner = /^(.+?) (?:with|using|via) (.+)$/iu;

const commandKinds: readonly (readonly [command: RegExp, mode: PlanVerification["mode"]])[] = [
  [/(?:^|[ :/_-])lint(?:[ :_-]|$)|^(?:npx )?(?:eslint|biome|ruff|flake8|golangci-lint)\b|^cargo clippy\b/iu, "lint"],
  [/(?:^|[ :/_-])(?:tests?|pytest|jest|vitest|mocha|check)(?:[ :_-]|$)/iu, "test"],
  [/(?:^|[ :/_-])(?:build|compile)(?:[ :_-]|$)|^(?:npx )?tsc\b|^make$/iu, "build"],
];

export const usualVerification: PlanVerification = { mode: "test", commands: [], required: true, stop_on_fail: true };

/** Reads a string such as `run_pytest`, `none` or `npm test -- --watch=false`, or several of them. */
export function verificationFrom(text: string): PlanVerification {
  const whole = text.replace(/[`*"“”]/g, "").trim();
  const checks = (namesOnly(whole) ?? whole.split(/&&|[;；\n]/u)).flatMap((one) => checkFrom(one) ?? []);
  const wanted = checks.filter(({ mode }) => mode !== "none");
  const modes = new Set(wanted.map(({ mode }) => mode));
  const mode = modes.size > 1 ? "custom" : (wanted[0]?.mode ?? "none");
  const commands = [...new Set(wanted.flatMap(({ command }) => command ?? []))];
  return { mode, commands, required: mode !== "none", stop_on_fail: true };
}

/** The known form of one command: `npm test` becomes the listed one, "the tests" becomes none, and anything else stays as written. */
export function commandsIn(command: string): readonly string[] {
  const known = wordsFor(command.trim());
  return known?.mode === "test" && known.command === null ? [] : [known?.command ?? command];
}

/** `{mode: "pytest"}` */
export function runnerAsCommand(sent: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { mode, commands } = sent;
  if (typeof mode !== "string" || (commandsIn(mode)[0] ?? mode) === mode) return sent;
  return { ...sent, mode: undefined, commands: commands ?? mode };
}

function wordsFor(text: string): Check | null {
  const [, mode, command = null] = named.find(([said]) => said.test(bareName(text))) ?? [];
  if (mode !== undefined) return { mode, command };
  const [, tests = text, runner = ""] = withRunner.exec(text.slice(0, 200)) ?? [];
  if (text.length > 200 || !aboutTests.test(tests)) return null;
  const by = named.find(([said]) => said.test(bareName(runner)))?.[2] ?? null;
  return runner === "" || by !== null ? { mode: "test", command: by } : null;
}

/** `run_pytest, run_lint`: splits at commas only if every part is a known name, since a command may contain one. */
function namesOnly(text: string): readonly string[] | null {
  const names = text.split(/[,，、]/u);
  return names.every((name) => named.some(([said]) => said.test(bareName(name)))) ? names : null;
}

function checkFrom(text: string): Check | null {
  const command = text.trim().replace(/\s+/g, " ");
  if (command === "") return null;
  return wordsFor(command) ?? { mode: commandKinds.find(([form]) => form.test(command))?.[1] ?? "custom", command };
}

/** Strips "run": `run_npm_test`, "run the tests". */
function bareName(text: string): string {
  const words = text.trim().slice(0, 200).replaceAll("_", " ");
  return words
    .replace(/^(?:please )?(?:run|execute|运行|执行|跑)\s*(?:the |all )*/iu, "")
    .replace(/\s+/g, " ")
    .replace(/[.。]$/u, "")
    .trim();
}

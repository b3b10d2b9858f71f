import { expect, test } from "bun:test";
import type { PlanVerification } from "../../../src/contract/plan.ts";
import { verificationFrom } from "../../../src/machine/plan/verification.ts";

const rows: readonly (readonly [said: string, mode: PlanVerification["mode"], ...commands: string[]])[] = [
  ...(["none", "None", "no", "skip", "n/a", "", "无", "不需要", "无需"] as const).map(
    (said) => [said, "none"] as const,
  ),
  ...(["run_pytest", "pytest", "pytest -q", "`pytest`", "Run pytest."] as const).map(
    (said) => [said, "test", "pytest -q"] as const,
  ),
  ...(
    ["run_tests", "run_test", "tests", "test", "run the tests", "run all tests", "运行测试", "测试", "跑测试"] as const
  ).map((said) => [said, "test"] as const),
  ...(["no verification", "not required", "skip verification", "No tests needed", "跳过测试"] as const).map(
    (said) => [said, "none"] as const,
  ),
  ...(
    [
      ...["All tests pass", "make sure the existing tests still pass", "Run the full test suite.", "unittest"],
      ...["rerun tests after the change", "运行现有测试", "确保所有测试通过"],
    ] as const
  ).map((said) => [said, "test"] as const),
  ["Run the tests with pytest", "test", "pytest -q"],
  ["run_npm_tests", "test", "npm test -- --watch=false"],
  ["make test", "test", "make test"],
  ["check the tests by hand", "test", "check the tests by hand"],
  ["npm test -- --watch=false", "test", "npm test -- --watch=false"],
  ["npm test", "test", "npm test -- --watch=false"],
  ["run_npm_test", "test", "npm test -- --watch=false"],
  ["pnpm test", "test", "pnpm test -- --watch=false"],
  ["yarn test", "test", "yarn test --watch=false"],
  ["go test ./...", "test", "go test ./..."],
  ["run_go_test", "test", "go test ./..."],
  ["cargo test", "test", "cargo test"],
  ["mvn test", "test", "mvn -q test"],
  ["gradle test", "test", "gradle test"],
  ["./gradlew test", "test", "./gradlew test"],
  ["node --test", "test", "node --test"],
  ["npx vitest run", "test", "npx vitest run"],
  ["run_lint", "lint"],
  ["eslint", "lint"],
  ["代码检查", "lint"],
  ["npm run lint", "lint", "npm run lint"],
  ["ruff check .", "lint", "ruff check ."],
  ["build", "build"],
  ["run_build", "build"],
  ["构建", "build"],
  ["npm run build", "build", "npm run build"],
  ["npx tsc --noEmit", "build", "npx tsc --noEmit"],
  ["open the page and look", "custom", "open the page and look"],
  ["curl -s localhost:80", "custom", "curl -s localhost:80"],
  ["run_pytest, run_lint", "custom", "pytest -q"],
  ["npm test && npm run lint", "custom", "npm test -- --watch=false", "npm run lint"],
  ["pytest; pytest -q", "test", "pytest -q"],
  ["./check.sh a,b", "custom", "./check.sh a,b"],
];

for (const [said, mode, ...commands] of rows) {
  test(`[PL-3] the bare verification ${JSON.stringify(said)} means ${[mode, ...commands].join(", ")}`, () => {
    expect(verificationFrom(said)).toEqual({ mode, commands, required: mode !== "none", stop_on_fail: true });
  });
}

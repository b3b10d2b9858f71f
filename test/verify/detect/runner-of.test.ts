import { expect, test } from "bun:test";
import type { Runner } from "../../../src/contract/verification.ts";
import { runnersOf } from "../../../src/verify/detect/runner-of.ts";

const commands: readonly (readonly [command: string, runner: Runner | null])[] = [
  ["pytest -q", "pytest"],
  ["python3 -m pytest tests", "pytest"],
  ["uv run pytest", "pytest"],
  ["PYTHONPATH=. timeout 60 poetry run pytest -q", "pytest"],
  ["cd app && npx --yes jest --ci", "jest"],
  ["node node_modules/.bin/jest", "jest"],
  ["./node_modules/.bin/vitest run", "vitest"],
  ["pnpm exec mocha test.js", "mocha"],
  ["node --test --test-reporter=tap", "node:test"],
  ["node server.js", null],
  ["bun test", "bun"],
  ["bun run build", null],
  ["bunx vitest run", "vitest"],
  ["go test ./...", "go"],
  ["go vet ./...", "go"],
  ["go run .", null],
  ["cargo +nightly test --lib", "cargo"],
  ["cargo run", null],
  ["mvn -q test", "surefire"],
  ["./mvnw -B verify", "surefire"],
  ["./gradlew test", "gradle"],
  ["npx eslint .", "eslint"],
  ["npx tsc --noEmit", "tsc"],
  ["eslint . && jest", "jest"],
  ["tsc && eslint .", "eslint"],
  ["npm test", null],
  ["make check", null],
  ["echo pytest", null],
  ["", null],
];

for (const [command, runner] of commands) {
  test(`[VF-4] the runner of «${command}» is ${runner}`, () => {
    expect(runnersOf(command, "")[0] ?? null).toBe(runner);
  });
}

test("[VF-4] where a script runs several, all of them are told, tests first", () => {
  expect(runnersOf("tsc && eslint . && mocha a.js && vitest run", "")).toEqual(["vitest", "tsc", "eslint", "mocha"]);
});

const outputs: readonly (readonly [what: string, output: string, runner: Runner | null])[] = [
  ["npm's announcement", "\n> calc@1.0.0 test\n> eslint . && vitest run\n", "vitest"],
  ["yarn's announcement", "yarn run v1.22.22\n$ mocha test.js\n", "mocha"],
  ["pnpm's announcement", "Scope: 2 of 3 workspace projects\npackages/a test$ jest\n", "jest"],
  ["a summary of jest", "Test Suites: 1 passed, 1 total\nTests:       1 passed, 1 total\n", "jest"],
  ["a summary behind a prefix", "web:test: Tests:       1 passed, 1 total\n", "jest"],
  ["a summary of pytest", "4 passed, 1 skipped in 0.02s\n", "pytest"],
  ["a result of go", "ok  \texample.com/calc\t0.002s\n", "go"],
  ["the end of a very long output", `${"noise\n".repeat(100_000)}test result: ok. 1 passed; 0 failed;\n`, "cargo"],
  ["nothing known", "all is well\n", null],
];

for (const [what, output, runner] of outputs) {
  test(`[VF-4] behind «npm test», ${what} shows the runner: ${runner}`, () => {
    expect(runnersOf("npm test", output)[0] ?? null).toBe(runner);
  });
}

import { type Files, type Place, type Repair, type Scenario, wrongThenRight } from "./scenario.ts";
import type { ToolSet } from "./tools.ts";

const repair: Repair = {
  path: "calc.js",
  broken: "return a - b;",
  wrong: "return a * b;",
  worse: "return b - a;",
  right: "return a + b;",
};

function project(script: string, more: Readonly<Record<string, unknown>>, test: string, name = "calc.test.js"): Files {
  return {
    "package.json": `${JSON.stringify({ name: "calc", version: "1.0.0", ...more, scripts: { test: script } }, null, 2)}\n`,
    "calc.js": "exports.add = (a, b) => {\n  return a - b;\n};\n",
    [name]: test,
  };
}

const jestTest = `const { add } = require("./calc.js");

describe("add", () => {
  test("zero", () => {
    expect(add(0, 0)).toBe(0);
  });

  test("two and three", () => {
    expect(add(2, 3)).toBe(5);
  });
});
`;
const vitestTest = `import { describe, expect, test } from "vitest";\nimport { add } from "./calc.js";\n${jestTest.slice(jestTest.indexOf("\n") + 1)}`;
const mochaTest = `const assert = require("node:assert");
const { add } = require("../calc.js");

describe("add", () => {
  it("zero", () => {
    assert.strictEqual(add(0, 0), 0);
  });

  it("two and three", () => {
    assert.strictEqual(add(2, 3), 5);
  });
});
`;
const nodeTest = mochaTest.replace("\n", '\nconst { describe, it } = require("node:test");\n').replace("../", "./");

interface Kind {
  readonly name: string;
  readonly shows: string;
  readonly programs?: readonly string[];
  readonly packages: ToolSet;
  readonly tools?: ToolSet;
  readonly files: Files;
  readonly command: string;
  readonly file: string;
  readonly line: number;
}

const said: Readonly<Record<string, readonly [wrong: string, worse: string]>> = {
  jest: ["Expected: 5\nReceived: 6", "Expected: 5\nReceived: 1"],
  vitest: ["expected 6 to be 5", "expected 1 to be 5"],
  mocha: ["6 !== 5", "1 !== 5"],
};

function scenario({ command, file, line, ...rest }: Kind): Scenario {
  const place = { file, line, test: "two and three" };
  const [wrong = "", worse = ""] = said[rest.packages] ?? [];
  return {
    programs: ["node", "npm"],
    ...rest,
    runs: wrongThenRight({
      repair,
      command,
      wrong: [{ ...place, error: wrong }],
      worse: [{ ...place, error: worse }],
      tests: 2,
    }),
  };
}

const jest = { packages: "jest", file: "calc.test.js", line: 9 } as const;
const vitest = { packages: "vitest", file: "calc.test.js", line: 10 } as const;
const mocha = { packages: "mocha", file: "test/calc.js", line: 10 } as const;
const npm = "npm test -- --watch=false";
const pnpm = "pnpm test -- --watch=false";
const vitestFiles: Files = {
  ...project("vitest", { type: "module" }, vitestTest),
  "calc.js": "export const add = (a, b) => {\n  return a - b;\n};\n",
};
const locked = (files: Files, name: string, text: string, packageManager: string): Files => ({
  ...files,
  [name]: text,
  "package.json": (files["package.json"] ?? "").replace("{\n", `{\n  "packageManager": "${packageManager}",\n`),
});
const pnpmLock = "lockfileVersion: '9.0'\n";
const yarnLock = "# yarn lockfile v1\n";

const nodeTestFiles = project("node --test", {}, nodeTest);
const nodePlace: Omit<Place, "error"> = { file: "calc.test.js", line: 11, test: "two and three" };
const nodeRuns = wrongThenRight({
  repair,
  command: "npm test",
  wrong: [{ ...nodePlace, error: "6 !== 5" }],
  worse: [{ ...nodePlace, error: "1 !== 5" }],
  tests: 2,
});

export const nodeScenarios: readonly Scenario[] = [
  scenario({ name: "npm-jest", shows: "jest", ...jest, files: project("jest", {}, jestTest), command: npm }),
  scenario({ name: "npm-vitest", shows: "vitest", ...vitest, files: vitestFiles, command: npm }),
  scenario({
    ...mocha,
    name: "npm-mocha",
    shows: "mocha",
    files: project("mocha", {}, mochaTest, "test/calc.js"),
    command: npm,
  }),
  {
    name: "npm-node-test",
    shows: "node:test takes no --watch=false: its plain form, which is not on the list, runs in the sandbox",
    programs: ["node", "npm"],
    files: nodeTestFiles,
    runs: nodeRuns,
  },
  scenario({
    ...vitest,
    name: "pnpm10-vitest",
    shows: "pnpm 10, which passes `--` on",
    tools: "pnpm10",
    files: locked(vitestFiles, "pnpm-lock.yaml", pnpmLock, "pnpm@10.34.8"),
    command: pnpm,
  }),
  scenario({
    ...mocha,
    name: "pnpm9-mocha",
    shows: "pnpm 9",
    tools: "pnpm9",
    files: locked(project("mocha", {}, mochaTest, "test/calc.js"), "pnpm-lock.yaml", pnpmLock, "pnpm@9.15.9"),
    command: pnpm,
  }),
  scenario({
    ...jest,
    name: "yarn-jest",
    shows: "yarn 1",
    tools: "yarn",
    files: locked(project("jest", {}, jestTest), "yarn.lock", yarnLock, "yarn@1.22.22"),
    command: "yarn test --watch=false",
  }),
  monorepo(),
  typescript(),
];

/** What is not nearest must not run: its tests fail. */
function monorepo(): Scenario {
  const one = project("mocha", {}, mochaTest, "test/calc.js");
  const manifest = one["package.json"] ?? "";
  const bad = 'it("is of another package", () => {\n  throw new Error("run all the same");\n});\n';
  const below = (folder: string, files: Files): Files =>
    Object.fromEntries(Object.entries(files).map(([path, text]) => [`${folder}/${path}`, text]));
  const place = { file: "test/calc.js", line: 10, test: "two and three" };
  return {
    name: "monorepo",
    shows: "of two packages and the root only the nearest is verified, in its folder",
    programs: ["node", "npm"],
    packages: "mocha",
    files: {
      "package.json": '{"private": true, "workspaces": ["packages/*"], "scripts": {"test": "mocha packages/*/test"}}\n',
      "package-lock.json": '{"lockfileVersion": 3}\n',
      ...below("packages/sums", one),
      ...below("packages/other", { "package.json": manifest.replace("calc", "other"), "test/calc.js": bad }),
    },
    runs: wrongThenRight({
      repair: { ...repair, path: "packages/sums/calc.js" },
      command: npm,
      cwd: "packages/sums",
      wrong: [{ ...place, error: "6 !== 5" }],
      worse: [{ ...place, error: "1 !== 5" }],
      tests: 2,
    }),
  };
}

function typescript(): Scenario {
  const files = project("tsc && mocha", {}, mochaTest.replace("../calc.js", "../dist/calc.js"), "test/calc.js");
  const options = { rootDir: "src", outDir: "dist", strict: true, module: "commonjs", noEmitOnError: true, types: [] };
  const { "calc.js": _, ...rest } = files;
  return {
    name: "typescript-build",
    shows: "what tsc refuses is a build failure",
    programs: ["node", "npm"],
    packages: "typescript",
    files: {
      ...rest,
      "tsconfig.json": `${JSON.stringify({ compilerOptions: options, include: ["src"] })}\n`,
      "src/calc.ts": "export function add(a: number, b: number): number {\n  return a - b;\n}\n",
    },
    runs: wrongThenRight({
      repair: {
        path: "src/calc.ts",
        broken: "return a - b;",
        wrong: "return String(a + b);",
        worse: "return a + c;",
        right: "return a + b;",
      },
      command: npm,
      type: "build_failure",
      wrong: [{ file: "src/calc.ts", line: 2, error: "Type 'string' is not assignable to type 'number'" }],
      worse: [{ file: "src/calc.ts", line: 2, error: "Cannot find name 'c'" }],
      tests: 2,
    }),
  };
}

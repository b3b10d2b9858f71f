import { expect, test } from "bun:test";
import { type Phrase, phrase } from "../../../src/contract/text/catalogue.ts";
import { type Detected, detectChecks } from "../../../src/verify/detect/detect.ts";
import { inTree, manifest, type Tree } from "../tree.ts";

const detect = (tree: Tree, path = "a.js"): Detected | undefined =>
  inTree(tree, (root) => detectChecks(root, [path]))[0];
const command = (tree: Tree, path?: string) => {
  const found = detect(tree, path);
  return found && "command" in found ? `${found.kind} ${found.command}` : found?.kind;
};

test("[VF-3] the package manager is the one of packageManager, else of the nearest lockfile, else npm", () => {
  const pkg = { "package.json": manifest("vitest") };
  const npm = "run npm test -- --watch=false";
  const pnpm = "run pnpm test -- --watch=false";
  const yarn = "run yarn test --watch=false";
  expect(command(pkg)).toBe(npm);
  expect(command({ ...pkg, "package-lock.json": "{}" })).toBe(npm);
  expect(command({ ...pkg, "npm-shrinkwrap.json": "{}" })).toBe(npm);
  expect(command({ ...pkg, "pnpm-lock.yaml": "" })).toBe(pnpm);
  expect(command({ ...pkg, "pnpm-workspace.yaml": "" })).toBe(pnpm);
  expect(command({ ...pkg, "yarn.lock": "" })).toBe(yarn);
  expect(command({ ...pkg, "yarn.lock": "", "package-lock.json": "{}" })).toBe(yarn);
  expect(command({ ...pkg, "bun.lock": "" })).toBe(npm);
  const field = (packageManager: unknown) => ({ "package.json": manifest("vitest", { packageManager }) });
  expect(command({ ...field("yarn@4.1.0"), "package-lock.json": "{}" })).toBe(yarn);
  expect(command({ ...field("pnpm@9.1.0+sha512.x"), "yarn.lock": "" })).toBe(pnpm);
  expect(command({ ...field("evil; rm -rf /"), "yarn.lock": "" })).toBe(yarn);
  expect(command({ ...field(["pnpm@9"]), "yarn.lock": "" })).toBe(yarn);
});

test("[VF-3] a package of a workspace uses the manager of the root above it", () => {
  const inner = { "packages/a/package.json": manifest("vitest") };
  const at = "packages/a/x.ts";
  expect(command({ ...inner, "pnpm-lock.yaml": "" }, at)).toBe("run pnpm test -- --watch=false");
  expect(command({ ...inner, "package.json": '{"packageManager":"yarn@1.22.0"}' }, at)).toBe(
    "run yarn test --watch=false",
  );
  expect(command({ ...inner, "pnpm-lock.yaml": "", "packages/a/package-lock.json": "{}" }, at)).toBe(
    "run npm test -- --watch=false",
  );
});

const runs: readonly (readonly [script: string, runner: string])[] = [
  ["jest", "jest"],
  ["jest --ci --coverage", "jest"],
  ["jest --watch", "jest"],
  ["vitest", "vitest"],
  ["vitest run", "vitest"],
  ["vitest run watch", "vitest"],
  ["mocha", "mocha"],
  ["mocha --watch 'test/**/*.js'", "mocha"],
  ["ava", "auto"],
  ["tape test/*.js", "auto"],
  ["uvu", "auto"],
  ["tsc && jest", "auto"],
  ["rimraf dist && jest", "jest"],
  ["NODE_ENV=test jest", "jest"],
  ["cross-env NODE_ENV=test jest --ci", "jest"],
  ["npx jest", "jest"],
  ["npx --no-install vitest run", "vitest"],
  ["c8 mocha", "mocha"],
  ["nyc --reporter=text mocha", "mocha"],
  ["node node_modules/.bin/jest", "jest"],
  ["node --experimental-vm-modules ./node_modules/jest/bin/jest.js", "jest"],
  ["yarn jest", "jest"],
  ["pnpm exec vitest run", "vitest"],
  ["CI=true react-scripts test", "jest"],
  ["react-scripts test --watchAll=false", "jest"],
  ["node test.js", "auto"],
  ["./run-tests.sh", "auto"],
  ["jest || true", "jest"],
  ["jest > out.txt", "jest"],
  ["node --test && echo ok", "node:test"],
  ["npm run unit", "node:test"],
  ["run-s lint unit", "auto"],
  ["npm run missing", "auto"],
  ["$RUNNER x", "auto"],
];

test("[VF-3] scripts whose programs take --watch=false are run, and their runner is known", () => {
  const scripts = { unit: "node --test", lint: "eslint ." };
  for (const [script, runner] of runs) {
    const tree = { "package.json": manifest(script, { scripts: { ...scripts, test: script } }) };
    expect([script, detect(tree)]).toEqual([
      script,
      { kind: "run", cwd: "", command: "npm test -- --watch=false", runner } as never,
    ]);
  }
  const around = { "package.json": manifest("jest", { scripts: { test: "jest", pretest: "tsc" } }) };
  expect(detect(around)).toMatchObject({ kind: "run", runner: "auto" });
});

const refuses: readonly (readonly [script: string, program: string])[] = [
  ["node --test", "node --test"],
  ["node --test test/", "node --test"],
  ["node --import tsx --test src/*.ts", "node --test"],
  ["tsx --test", "node --test"],
  ["bun test", "bun test"],
  ["jasmine", "jasmine"],
  ["tap", "tap"],
  ["borp", "borp"],
  ["qunit", "qunit"],
  ["lab -v", "lab"],
  ["playwright test", "playwright"],
  ["turbo run test", "turbo"],
  ["make test", "make"],
  ["jest && eslint .", "eslint"],
  ["jest && tsc --noEmit", "tsc"],
  ["npm run unit --", "node --test"],
  ["yarn unit", "node --test"],
  ["pnpm run unit", "node --test"],
  ["yarn run unit", "node --test"],
];

test("[VF-3] a script whose program refuses --watch=false is not run: the plain command is offered", () => {
  for (const [script, program] of refuses) {
    const tree = { "package.json": manifest(script, { scripts: { test: script, unit: "node --test" } }) };
    const found = detect(tree);
    expect([script, found?.kind, found && "command" in found ? found.command : ""]).toEqual([
      script,
      "offer",
      "npm test",
    ]);
    expect(found).toMatchObject({ why: phrase("verify.flag_refused", { path: "package.json", program }) });
  }
  const offer = (tree: Tree) => command({ "package.json": manifest("node --test"), ...tree });
  expect(offer({ "pnpm-lock.yaml": "" })).toBe("offer pnpm test");
  expect(offer({ "yarn.lock": "" })).toBe("offer yarn test");
  expect(offer({ "bun.lockb": "" })).toBe("offer bun run test");
});

test("[VF-3] a script that watches whatever it is told is not run, and what ends by itself is offered", () => {
  const watching: readonly (readonly [string, string, string | undefined])[] = [
    ["vitest watch", "vitest", "npx vitest run"],
    ["vitest dev", "vitest", "npx vitest run"],
    ["vitest --watch", "vitest", "npx vitest run"],
    ["jest --watchAll", "jest", "npx jest"],
    ["react-scripts test", "react-scripts", "CI=true npm test"],
    ["npm run unit", "jest", "npx jest"],
    ["tsc --watch && jest", "tsc", undefined],
  ];
  for (const [script, program, instead] of watching) {
    const tree = { "package.json": manifest(script, { scripts: { test: script, unit: "jest --watch" } }) };
    const found = detect(tree);
    const why = phrase("verify.watches", { path: "package.json", program });
    expect([script, found]).toMatchObject([
      script,
      instead ? { kind: "offer", command: instead, why } : { kind: "none", why },
    ]);
  }
});

test("[VF-2] an offer says what the script runs, with what comes before and after it, where the script is what runs", () => {
  const script = (scripts: object) => {
    const found = detect({ "package.json": JSON.stringify({ scripts }) });
    return found?.kind === "offer" ? found.script : "no offer";
  };
  expect(script({ test: "node --test" })).toBe("node --test");
  expect(script({ test: "node --test", pretest: "a", posttest: "b\u200b" })).toBe("a && node --test && b\\u{200b}");
  expect(script({ test: "react-scripts test" })).toBe("react-scripts test");
  expect(script({ test: "jest --watchAll" })).toBeUndefined();
  expect(script({ test: "node --test", pretest: "x".repeat(3_000) })).toBe(`${"x".repeat(2_000)} [+ 1015]`);
});

test("[VF-3] pnpm 10 and newer pass the flag behind --, which most programs take for a file", () => {
  const at = (script: string, packageManager: string) =>
    command({ "package.json": manifest(script, { packageManager }) });
  expect(at("jest", "pnpm@10.1.0")).toBe("offer pnpm test");
  expect(at("jest", "pnpm@11.0.0")).toBe("offer pnpm test");
  expect(at("jest", "pnpm@9.15.9")).toBe("run pnpm test -- --watch=false");
  expect(at("vitest", "pnpm@10.1.0")).toBe("run pnpm test -- --watch=false");
  expect(at("node test.js", "pnpm@10.1.0")).toBe("run pnpm test -- --watch=false");
  const installed = (version: string, file = "node_modules/.modules.yaml") =>
    command({ "package.json": manifest("jest"), "pnpm-lock.yaml": "", [file]: `packageManager: pnpm@${version}\n` });
  expect(installed("10.34.9")).toBe("offer pnpm test");
  expect(installed("8.15.9")).toBe("run pnpm test -- --watch=false");
  expect(installed("10.0.0", "other.yaml")).toBe("run pnpm test -- --watch=false");
});

test("[VF-3] scripts that call themselves, grow without end or cannot take an argument are refused by name", () => {
  const why = (scripts: object): Phrase | null => {
    const found = detect({ "package.json": JSON.stringify({ scripts }) });
    return found && "why" in found ? found.why : null;
  };
  const loops = phrase("verify.script_loops", { path: "package.json" });
  expect(why({ test: "npm test" })).toEqual(loops);
  expect(why({ test: "npm run a", a: "yarn b", b: "pnpm run a" })).toEqual(loops);
  expect(why({ test: `run-s ${"a ".repeat(60)}`, a: "run-p b b", b: "true" })).toEqual(loops);
  const deep = Object.fromEntries([..."abcdefgh"].map((name, at, all) => [name, `npm run ${all[at + 1] ?? "x"}`]));
  expect(why({ test: "npm run a", ...deep })).toEqual(loops);
  for (const script of ["(cd x && jest)", "jest;", "jest &", "if true; then jest; fi", "{ jest; }"]) {
    expect(why({ test: script })).toEqual(phrase("verify.script_shape", { path: "package.json", script }));
  }
});

test("[VF-3] Bun's own tests are offered where there are some, and no script", () => {
  const bun = { "package.json": "{}", "bun.lock": "" };
  expect(command(bun)).toBe("none");
  expect(command({ ...bun, "src/a.test.ts": "" })).toBe("offer bun test");
  expect(command({ ...bun, "node_modules/x/a.test.ts": "" })).toBe("none");
  expect(command({ "package.json": "{}", "src/a.test.ts": "" })).toBe("none");
});

test("[VF-3] a project file that is broken, huge, marked or hostile is read with bounds and never believed blindly", () => {
  const why = (content: string) => {
    const found = detect({ "package.json": content });
    return found && "why" in found ? found.why : null;
  };
  expect(why("{ not json")).toEqual(phrase("verify.bad_json", { path: "package.json" }));
  expect(why("")).toEqual(phrase("verify.bad_json", { path: "package.json" }));
  expect(why("[".repeat(500_000))).toEqual(phrase("verify.bad_json", { path: "package.json" }));
  expect(why(`${" ".repeat(2 ** 20)}{}`)).toEqual(phrase("verify.too_big", { path: "package.json", max: "1.0 MiB" }));
  expect(why('{"scripts":{"__proto__":{"test":"jest"}}}')).toEqual(
    phrase("verify.no_test_script", { path: "package.json" }),
  );
  expect(command({ "package.json": `\ufeff${manifest("jest")}` })).toBe("run npm test -- --watch=false");
  expect(command({ "package.json": manifest("jest", { workspaces: ["..", "."] }) })).toBe(
    "run npm test -- --watch=false",
  );
  expect(command({ "package.json": manifest(`${"npm run a; ".repeat(50_000)}`) })).toBe("none");
});

test("[VF-3] a script that runs those of the workspace's packages is judged by these, and is no loop", () => {
  const tree = (script: string, member: string, more: Tree = {}): Tree => ({
    "package.json": manifest(script, { workspaces: ["packages/*"] }),
    "packages/a/package.json": manifest(member),
    ...more,
  });
  const npm = "npm test --workspaces --if-present";
  expect(command(tree(npm, "jest"))).toBe("run npm test -- --watch=false");
  expect(command(tree("npm run test -ws", "node --test"))).toBe("run npm test -- --watch=false");
  // Here the option would reach what does not take it.
  expect(command(tree(`${npm} --`, "node --test"))).toBe("offer npm test");
  const pnpm = { "pnpm-lock.yaml": "" };
  expect(command(tree("pnpm -r test", "jest", pnpm))).toBe("run pnpm test -- --watch=false");
  expect(command(tree("pnpm -r test", "node --test", pnpm))).toBe("offer pnpm test");
  expect(command(tree("pnpm --filter './packages/*' run test", "node --test", pnpm))).toBe("offer pnpm test");
  expect(command(tree("yarn workspaces run test", "node --test", { "yarn.lock": "" }))).toBe("offer yarn test");
  expect(command(tree("yarn workspaces foreach -A run test", "bun test", { "yarn.lock": "" }))).toBe("offer yarn test");
  expect(command(tree("lerna run test --", "node --test", { "lerna.json": "{}" }))).toBe("offer npm test");
  expect(command(tree("npm test", "jest"))).toBe("none");
});

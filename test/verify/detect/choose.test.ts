import { expect, test } from "bun:test";
import type { PlanVerification } from "../../../src/contract/plan.ts";
import { type Phrase, phrase, say } from "../../../src/contract/text/catalogue.ts";
import { type ChooseFrom, chooseChecks } from "../../../src/verify/detect/choose.ts";
import { listedCommands } from "../../../src/verify/detect/whitelist.ts";
import { inTree, manifest, type Tree } from "../tree.ts";

const choose = (tree: Tree, more: Partial<ChooseFrom> = {}) =>
  inTree(tree, (workspace) =>
    chooseChecks({ workspace, changed: ["a.js"], configured: [], added: [], plan: null, ...more }),
  );
const check = (command: string, cwd = "", runner = "auto", how = { required: true, stopOnFail: false }) => ({
  command,
  cwd,
  runner,
  ...how,
});
const run = (...checks: readonly object[]) => ({ kind: "run", checks, left: [] }) as never;
const notRun = (why: Phrase) => phrase("verify.not_run", { why });
const allow = (command: string) => phrase("verify.allow", { command: JSON.stringify(command) });
const list = listedCommands.join(", ");
const jest = { "package.json": manifest("jest") };
const nodeTest = { "package.json": manifest("node --test") };
const npm = "npm test -- --watch=false";

test("[VF-3] the projects of the changed files are checked, all of them, each in its own folder", () => {
  const tree = { "a/package.json": manifest("jest"), "b/go.mod": "", "b/x.go": "" };
  expect(choose(tree, { changed: ["b/x.go", "a/x.js"] })).toEqual(
    run(check(npm, "a", "jest"), check("go test ./...", "b", "go")),
  );
});

test("[VF-3] where nothing is found it says so in both languages, and why", () => {
  const none = choose({}, { changed: ["a.c"] });
  expect(none).toEqual({ kind: "none", why: notRun(phrase("verify.no_project")) });
  expect(say("en", none.kind === "none" ? none.why : phrase("verify.nothing"))).toStartWith(
    "automatic verification not run: ",
  );
  expect(say("zh", none.kind === "none" ? none.why : phrase("verify.nothing"))).toStartWith("未执行自动验证：");
  expect(choose(jest, { changed: ["/etc/passwd"] })).toEqual({ kind: "none", why: notRun(phrase("verify.outside")) });
});

test("[VF-3] a script that does not take the flag is not run: the person is told which line to add", () => {
  const offer = choose(nodeTest);
  const why = phrase("verify.flag_refused", { path: "package.json", program: "node --test" });
  const offered = { ...check("npm test", "", "node:test"), offer: { why, script: "node --test" } };
  const not = { why: notRun(why), advice: allow("npm test") };
  expect(offer).toEqual({ kind: "offer", check: offered, left: [], ...not } as never);
  expect(say("en", allow("npm test"))).toContain('"workflow": {"verify_allowed": ["npm test"]}');
  expect(say("zh", allow("npm test"))).toContain('"workflow": {"verify_allowed": ["npm test"]}');
});

test("[VF-2] of several projects that could only be offered one is; the others are named", () => {
  const tree = { "a/Makefile": "test:\n", "b/mix.exs": "", "c/package.json": "{}" };
  const offer = choose(tree, { changed: ["b/x.ex", "a/x.c", "c/x.js"] });
  expect(offer).toMatchObject({ kind: "offer", check: { command: "make test", cwd: "a" } });
  expect(offer.kind === "offer" && offer.left).toEqual([
    { cwd: "b", why: phrase("verify.not_listed", { command: "mix test" }), advice: allow("mix test") },
    { cwd: "c", why: phrase("verify.no_test_script", { path: "c/package.json" }) },
  ]);
});

test("[VF-2] a detected command is run once the person has added exactly that one", () => {
  expect(choose(nodeTest, { added: ["npm test"] })).toEqual(run(check("npm test", "", "node:test")));
  expect(choose(nodeTest, { added: ["npm test "] }).kind).toBe("offer");
  expect(choose({ Makefile: "test:\n" }, { added: ["make test"], changed: ["a.c"] })).toEqual(run(check("make test")));
});

test("[VF-3] a project that cannot be checked does not hide those that can, and is named", () => {
  const tree = {
    "a/package.json": manifest("node --test"),
    "b/package.json": manifest("jest"),
    "c/package.json": "{}",
  };
  const why = phrase("verify.flag_refused", { path: "a/package.json", program: "node --test" });
  expect(choose(tree, { changed: ["a/x.js", "b/x.js", "c/x.js"] })).toEqual({
    kind: "run",
    checks: [check(npm, "b", "jest")] as never,
    left: [
      { cwd: "a", why, advice: allow("npm test") },
      { cwd: "c", why: phrase("verify.no_test_script", { path: "c/package.json" }) },
    ],
  });
});

test("[VF-3] more projects than can be waited for are named, not silently passed by", () => {
  const names = Array.from({ length: 12 }, (_, at) => `p${String(at).padStart(2, "0")}`);
  const tree = Object.fromEntries(names.map((name) => [`${name}/go.mod`, ""]));
  const chosen = choose(tree, { changed: names.map((name) => `${name}/a.go`) });
  expect(chosen.kind === "run" && chosen.checks.length).toBe(10);
  const why = phrase("verify.more_projects", { max: 10, paths: "p10, p11" });
  expect(chosen.kind === "run" && chosen.left).toEqual([{ cwd: "", why }]);
});

test("[VF-2] the first configured command that is not empty is run in the workspace, whatever the project", () => {
  const configured = ["", "  ", "cargo test", "pytest -q"];
  expect(choose(jest, { configured })).toEqual(run(check("cargo test", "", "cargo")));
  expect(choose(jest, { configured: ["make ci"], added: ["make ci"] })).toEqual(run(check("make ci")));
});

test("[VF-2] a configured command that is not on the list is refused with the list, and nothing else is run", () => {
  for (const command of ["pytest", "cargo test ", "rm -rf /"]) {
    expect(choose(jest, { configured: [command, "cargo test"], added: ["make ci"] })).toEqual({
      kind: "none",
      why: notRun(phrase("verify.configured_refused", { command, list: `${list}, make ci` })),
      advice: allow(command),
    });
  }
});

test("[VF-3] a configured npm command is not run either where the script refuses the flag", () => {
  expect(choose(nodeTest, { configured: [npm] }).kind).toBe("offer");
  expect(choose(nodeTest, { configured: [npm], added: ["npm test"] })).toEqual(run(check("npm test", "", "node:test")));
  expect(choose({}, { configured: [npm] })).toEqual(run(check(npm)));
  const pnpm = { "package.json": manifest("jest", { packageManager: "pnpm@10.0.0" }) };
  expect(choose(pnpm, { configured: [npm] })).toEqual(run(check(npm, "", "jest")));
});

const plan = (mode: PlanVerification["mode"], commands: readonly string[], more: Partial<PlanVerification> = {}) => ({
  plan: { mode, commands, required: true, stop_on_fail: true, ...more },
});
const planned = { required: true, stopOnFail: true };

test("[VF-2] [PL-3] plan modes lint, build and custom run listed commands only, in order, else nothing", () => {
  for (const mode of ["lint", "build", "custom"] as const) {
    expect(choose(jest, plan(mode, ["cargo test", "pytest -q", "cargo test"]))).toEqual(
      run(check("cargo test", "", "cargo", planned), check("pytest -q", "", "pytest", planned)),
    );
    const why = phrase("verify.plan_refused", { mode, command: "npm run lint", list });
    expect(choose(jest, plan(mode, ["npm run lint"]))).toEqual({
      kind: "none",
      why: notRun(why),
      advice: allow("npm run lint"),
      unlisted: ["npm run lint"],
    });
    expect(choose(jest, plan(mode, []))).toEqual({ kind: "none", why: notRun(phrase("verify.plan_empty", { mode })) });
    expect(choose(jest, plan(mode, ["npm run lint", "cargo test"]))).toEqual({
      kind: "run",
      checks: [check("cargo test", "", "cargo", planned)] as never,
      left: [{ cwd: "", why, needed: "npm run lint" }],
    });
  }
});

test("[VF-2] [PL-3] a plan for tests runs what it names, and where it names nothing the project's own tests, as strictly as it says", () => {
  const more = { required: false, stop_on_fail: false };
  const how = { required: false, stopOnFail: false };
  expect(choose(jest, plan("test", ["cargo test"], more))).toEqual(run(check("cargo test", "", "cargo", how)));
  expect(choose(jest, plan("test", [], more))).toEqual(run(check(npm, "", "jest", how)));
  expect(choose(jest, { ...plan("test", ["cargo test"]), configured: ["pytest -q"] })).toEqual(
    run(check("pytest -q", "", "pytest", planned)),
  );
});

test("[VF-2] [PL-3] a command that is not listed is never swapped for the project's own tests", () => {
  for (const command of ["npx jest --ci", "make check", "npm run test:unit"])
    expect(choose(jest, plan("test", [command]))).toEqual({
      kind: "none",
      why: notRun(phrase("verify.plan_refused", { mode: "test", command, list })),
      advice: allow(command),
      unlisted: [command],
    });
});

test("[VF-2] [PL-3] a plan for tests that names the plain form which was detected runs it as if it had named nothing", () => {
  const tree = { Makefile: "test:\n\tnode a.test.js\n" };
  const runsPlain = () => true;
  expect(choose(tree, { ...plan("test", ["make test"]), runsPlain })).toEqual(
    run({ ...check("make test", "", "auto", planned), isPlain: true }),
  );
  expect(choose(tree, plan("test", ["make test"])).kind).toBe("offer");
  for (const mode of ["custom", "build"] as const)
    expect(choose(tree, { ...plan(mode, ["make test"]), runsPlain })).toMatchObject({ unlisted: ["make test"] });
  expect(choose(tree, plan("test", ["make test", "cargo test"]))).toMatchObject({
    checks: [{ command: "cargo test" }],
    left: [{ needed: "make test" }],
  });
});

test("[PL-3] a plan that wants no verification gets none, whatever the project and the configuration have", () => {
  for (const more of [{}, { configured: [npm] }, { added: ["make check"] }])
    for (const commands of [[], [npm]])
      expect(choose(jest, { ...plan("none", commands), ...more })).toEqual({
        kind: "none",
        why: notRun(phrase("verify.plan_none")),
      });
});

test("[PL-3] a planned command runs in the changed project that uses it", () => {
  const tree = { "services/api/pytest.ini": "", "pytest.ini": "" };
  const changed = ["services/api/a.py"];
  expect(choose(tree, { ...plan("test", ["pytest -q"]), changed })).toEqual(
    run(check("pytest -q", "services/api", "pytest", planned)),
  );
});

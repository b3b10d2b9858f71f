import { expect, test } from "bun:test";
import { existsSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { phrase } from "../../../src/contract/text/catalogue.ts";
import { chooseChecks } from "../../../src/verify/detect/choose.ts";
import { detectChecks } from "../../../src/verify/detect/detect.ts";
import { inTree, manifest, type Tree } from "../tree.ts";

const commands = (root: string, ...changed: readonly string[]) =>
  detectChecks(root, changed).map((one) => [one.cwd, "command" in one ? one.command : null]);

test("[VF-3] a link that leads out of the workspace is as if it were not there", () => {
  inTree({ "a/go.mod": { link: "../../outside/go.mod" }, out: { link: "../outside" } }, (root) => {
    const outside = join(dirname(root), "outside");
    mkdirSync(outside);
    for (const name of ["go.mod", "Cargo.toml", "pytest.ini", "pom.xml"]) writeFileSync(join(outside, name), "");
    writeFileSync(join(outside, "package.json"), manifest("jest"));
    expect(commands(root, "a/x.go")).toEqual([["", null]]);
    expect(commands(root, "out/x.go", "out/deep/y.js")).toEqual([]);
  });
});

test("[VF-3] project files above the workspace do not count", () => {
  inTree({ "src/a.go": "" }, (root) => {
    writeFileSync(join(dirname(root), "go.mod"), "");
    writeFileSync(join(dirname(root), "package.json"), manifest("jest"));
    expect(commands(root, "src/a.go")).toEqual([["", null]]);
  });
});

test("[VF-3] a link inside the workspace leads to the project it points to; one in a circle leads nowhere", () => {
  const tree = {
    "packages/a/go.mod": "",
    current: { link: "packages/a" },
    loop: { link: "loop" },
    "x/go.mod": { link: "go.mod" },
  };
  inTree(tree, (root) => {
    expect(commands(root, "current/main.go")).toEqual([["packages/a", "go test ./..."]]);
    expect(commands(root, "loop/a.go")).toEqual([]);
    expect(commands(root, "x/a.go")).toEqual([["", null]]);
  });
});

test("[VF-3] a project file of 100 MB, a pipe or a folder in its place is not read", () => {
  inTree({ "a/package.json": "", "c/package.json/x": "" }, (root) => {
    truncateSync(join(root, "a/package.json"), 100 * 2 ** 20);
    mkdirSync(join(root, "b"));
    Bun.spawnSync(["mkfifo", join(root, "b/package.json")]);
    expect(detectChecks(root, ["a/x.js"])).toEqual([
      {
        kind: "none",
        cwd: "a",
        why: phrase("verify.too_big", { path: "a/package.json", max: "1.0 MiB" }),
        isFinal: true,
      },
    ]);
    const nothing = [{ kind: "none" as const, cwd: "", why: phrase("verify.no_project") }];
    expect(detectChecks(root, ["b/x.js"])).toEqual(nothing);
    expect(detectChecks(root, ["c/x.js"])).toEqual(nothing);
  });
});

test("[VF-3] a deleted file in a deleted folder still finds its project", () => {
  inTree({ "pkg/go.mod": "" }, (root) => {
    expect(commands(root, "pkg/gone/deep/a.go")).toEqual([["pkg", "go test ./..."]]);
  });
});

test("[VF-3] thousands of files without a test do not keep it from answering", () => {
  inTree({ "pyproject.toml": "" }, (root) => {
    for (let at = 0; at < 60; at += 1) {
      mkdirSync(join(root, `d${at}`));
      for (let file = 0; file < 100; file += 1) writeFileSync(join(root, `d${at}`, `m${file}.py`), "");
    }
    writeFileSync(join(root, "d59", "test_late.py"), "");
    expect(commands(root, "d0/m0.py")).toEqual([["", null]]);
    writeFileSync(join(root, "d0", "test_early.py"), "");
    expect(commands(root, "d0/m0.py")).toEqual([["", "pytest -q"]]);
  });
});

const names = [
  ...["go.mod", "Cargo.toml", "pyproject.toml", "pytest.ini", "setup.cfg", "requirements.txt", "package.json"],
  ...["pnpm-lock.yaml", "yarn.lock", "pom.xml", "gradlew", "build.gradle", "settings.gradle", "Makefile", "test_a.py"],
];
const folders = ["", "a/", "a/b/", "a/node_modules/p/", "c d/", "ü/"];
const contents = fc.oneof(
  fc.constantFrom(
    "",
    "{}",
    manifest("jest"),
    manifest("npm test"),
    manifest("node --test"),
    "<module>b</module>",
    "test:\n",
    "pytest",
  ),
  fc.constantFrom(
    "\ufeff{}",
    "[[[[",
    '{"scripts":{"test":{}}}',
    '{"packageManager":"pnpm@10.0.0","scripts":{"test":"jest"}}',
  ),
  fc.json(),
  fc.string(),
);
const links = fc
  .constantFrom("..", "../..", "/", "/etc/passwd", ".", "a", "../outside/package.json")
  .map((link) => ({ link }));
const trees: fc.Arbitrary<Tree> = fc.dictionary(
  fc.tuple(fc.constantFrom(...folders), fc.constantFrom(...names)).map((parts) => parts.join("")),
  fc.oneof({ weight: 5, arbitrary: contents }, { weight: 1, arbitrary: links }),
  { maxKeys: 8 },
);
const changes = fc.array(
  fc.oneof(
    fc
      .tuple(
        fc.constantFrom(...folders, "../", "/etc/", "out/", "a/../"),
        fc.constantFrom("x.js", "y.go", "z.py", "A.java", "w", ".."),
      )
      .map((parts) => parts.join("")),
    fc.string(),
  ),
  { minLength: 1, maxLength: 4 },
);

test("[VF-3] whatever lies in a workspace, the choice is the same each time, never throws and never leaves the workspace", () => {
  const runs = process.env.CODER_TEST_LONG ? 2000 : 150;
  fc.assert(
    fc.property(trees, changes, fc.array(fc.string(), { maxLength: 2 }), (tree, changed, configured) =>
      inTree(tree, (workspace) => {
        const outside = join(dirname(workspace), "outside");
        mkdirSync(outside);
        writeFileSync(join(outside, "package.json"), manifest("mocha --from-outside"));
        symlinkSync(outside, join(workspace, "out"));
        const from = { workspace, changed, configured, added: ["npm test"], plan: null };
        const chosen = chooseChecks(from);
        expect(chooseChecks({ ...from, changed: changed.toReversed() })).toEqual(chosen);
        const cwds = chosen.kind === "run" ? chosen.checks.map(({ cwd }) => cwd) : [];
        expect(
          cwds.filter((cwd) => cwd.startsWith("out") || cwd.startsWith("/") || cwd.split("/").includes("..")),
        ).toEqual([]);
        expect(cwds.filter((cwd) => !existsSync(join(workspace, cwd)))).toEqual([]);
        expect(JSON.stringify(chosen)).not.toContain("from-outside");
      }),
    ),
    { numRuns: runs },
  );
}, 120_000);

import { expect, test } from "bun:test";
import { truncateSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { reportsOf } from "../../../src/verify/result/reports.ts";
import { inTree, type Tree } from "../tree.ts";

const now = Date.now();
/** `old`: files of an earlier run. */
const reports = (command: string, tree: Tree, old: readonly string[] = [], since = now - 1000) =>
  inTree(tree, (root) => {
    for (const path of old) utimesSync(join(root, path), (since - 5000) / 1000, (since - 5000) / 1000);
    return reportsOf(command, root, since);
  });

const maven = "target/surefire-reports";
const gradle = "build/test-results/test";

test("[VF-4] the reports of Maven and Gradle are found in the project and its modules, in the same order each time", () => {
  const tree = {
    [`${maven}/TEST-b.xml`]: "<b/>",
    [`${maven}/TEST-a.xml`]: "<a/>",
    [`${maven}/a.txt`]: "text",
    [`libs/core/${maven}/TEST-c.xml`]: "<c/>",
    "src/target/surefire-reports/x.xml": "<source/>",
    "target/other/x.xml": "<other/>",
  };
  expect(reports("mvn -q test", tree)).toEqual(["<a/>", "<b/>", "<c/>"]);
  const builds = {
    [`${gradle}/TEST-a.xml`]: "<a/>",
    "app/build/test-results/integrationTest/b.xml": "<b/>",
    "x.xml": "<x/>",
  };
  expect(reports("./gradlew test", builds)).toEqual(["<a/>", "<b/>"]);
  expect(reports("gradle test", builds)).toEqual(["<a/>", "<b/>"]);
});

test("[VF-4] commands that write no reports read none", () => {
  const tree = { [`${maven}/TEST-a.xml`]: "<a/>", [`${gradle}/TEST-a.xml`]: "<a/>" };
  for (const command of ["pytest -q", "go test ./...", "npm test -- --watch=false", "mvnx test", ""]) {
    expect(reports(command, tree)).toEqual([]);
  }
});

test("[VF-4] reports of an earlier run are not taken for those of this one", () => {
  const tree = { [`${maven}/TEST-a.xml`]: "<a/>", [`${maven}/TEST-old.xml`]: "<old/>" };
  expect(reports("mvn -q test", tree, [`${maven}/TEST-old.xml`])).toEqual(["<a/>"]);
});

test("[VF-4] a disk that knows only whole seconds does not make a new report an old one", () => {
  inTree({ [`${maven}/TEST-a.xml`]: "<a/>" }, (root) => {
    const second = Math.floor(now / 1000);
    utimesSync(join(root, maven, "TEST-a.xml"), second, second);
    expect(reportsOf("mvn -q test", root, second * 1000 + 700)).toEqual(["<a/>"]);
    expect(reportsOf("mvn -q test", root, second * 1000 + 1700)).toEqual([]);
  });
});

test("[VF-4] links are not followed, neither as files nor as folders", () => {
  const tree = {
    "real/x.xml": "<real/>",
    [`${maven}/TEST-a.xml`]: { link: "../../real/x.xml" },
    "module/target": { link: "../real" },
    [`${maven}/TEST-b.xml`]: "<b/>",
  };
  expect(reports("mvn -q test", tree)).toEqual(["<b/>"]);
});

test("[VF-4] reports that are empty, too large or too many are left to the text, all of them", () => {
  const tree = { [`${maven}/TEST-a.xml`]: "<a/>", [`${maven}/TEST-b.xml`]: "" };
  expect(reports("mvn -q test", tree)).toEqual([]);
  inTree(tree, (root) => {
    truncateSync(join(root, maven, "TEST-b.xml"), 65 * 2 ** 20);
    expect(reportsOf("mvn -q test", root, now - 1000)).toEqual([]);
  });
  const deep = { [`${maven}/TEST-a.xml`]: "<a/>", [`${"d/".repeat(12)}x`]: "" };
  expect(reports("mvn -q test", deep)).toEqual([]);
  expect(reports("mvn -q test", {})).toEqual([]);
});

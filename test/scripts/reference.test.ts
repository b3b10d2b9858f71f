import { expect, test } from "bun:test";
import { join } from "node:path";
import { referencePages, settingPaths } from "../../scripts/reference.ts";
import { settingAbout } from "../../src/config/file/setting-about.ts";

const root = join(import.meta.dir, "..", "..");

test("docs/config.md, docs/config.schema.json and docs/cli.md say what the tables say (else: npm run reference)", async () => {
  for (const [path, content] of Object.entries(referencePages())) {
    expect([path, await Bun.file(join(root, path)).text()]).toEqual([path, content]);
  }
});

test("[CF-1] every setting has a description, and no description is of a setting that is gone", () => {
  expect(Object.keys(settingAbout).toSorted()).toEqual([...settingPaths()].toSorted());
});

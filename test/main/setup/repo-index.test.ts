import { expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Settings } from "../../../src/contract/settings.ts";
import { openRepoIndex } from "../../../src/main/setup/repo-index.ts";

const { signal } = new AbortController();

/** The paths that may be told of these, in a workspace that has no index yet. */
async function toldOf(workspace: string, home: string, mentioned: readonly string[]): Promise<readonly string[]> {
  const index = await openRepoIndex({ workspace, home, rules: [] } as unknown as Settings);
  const { files } = await index.search("", { budget: 500, signal, mentioned });
  await index.close();
  return files.map(({ path }) => path).toSorted();
}

test("[CX-4] [SA-secrets] where the workspace lies counts: nothing is told of a folder of keys, nor of secrets of the machine", async () => {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "coder-repo-index-")));
  try {
    for (const path of [".aws/config", ".docker/config.json", ".docker/notes.txt", "home/log/1.txt", "plain/config"]) {
      mkdirSync(dirname(join(base, path)), { recursive: true });
      writeFileSync(join(base, path), "some words\n");
    }
    const home = join(base, "home");
    expect(await toldOf(join(base, "plain"), home, ["config"])).toEqual(["config"]);
    expect(await toldOf(join(base, ".aws"), home, ["config"])).toEqual([]);
    expect(await toldOf(join(base, ".docker"), home, ["config.json", "notes.txt"])).toEqual(["notes.txt"]);
    const inRoot = [
      join(base, "plain/config"),
      "/etc/shadow",
      "/proc/self/status",
      "/proc/version",
      join(home, "log/1.txt"),
    ];
    expect(await toldOf("/", home, inRoot)).toEqual([join(base, "plain/config").slice(1)]);
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
});

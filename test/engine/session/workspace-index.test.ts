import { expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { WorkspaceIndex } from "../../../src/engine/session/workspace-index.ts";
import { openIndex } from "../../../src/index/open.ts";
import { until } from "../../support/until.ts";

test("[CX-4] the index stops while a command runs, and goes on to its end afterwards", async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "coder-index-")));
  const [workspace, home] = [join(folder, "ws"), join(folder, "home")];
  for (const path of [workspace, home]) mkdirSync(path);
  for (let at = 0; at < 1_000; at++) writeFileSync(join(workspace, `f${at}.ts`), `export const name${at} = ${at};\n`);
  let over: ((changed: number) => void) | undefined;
  // Asked about each file that it finds: it has begun, and is far from its end.
  const isSecret = (): boolean => {
    over ??= index.hold();
    return false;
  };
  const deps = { isSecret, hasSecret: () => false, tokens: (text: string) => text.length };
  const faults: unknown[] = [];
  const open = () => openIndex(workspace, home, deps);
  const index = new WorkspaceIndex({ isThere: () => false, hasFiles: () => true, open }, (error) => faults.push(error));
  try {
    index.refreshSoon();
    await until("a command runs", () => over !== undefined);
    const other = index.hold();
    // Over when nothing goes on any more.
    await index.ask((one) => one.rest());
    index.refreshSoon();
    over?.(0);
    over?.(0);
    expect(index.rounds).toBe(0);
    other(0);
    await until("it is made", () => index.rounds > 0);
    const found = await index.ask((one) =>
      one.search("name999", { budget: 500, signal: new AbortController().signal }),
    );
    expect(found?.files.map(({ path }) => path)).toContain("f999.ts");
    expect(faults).toEqual([]);
  } finally {
    await index.close();
    rmSync(folder, { recursive: true, force: true });
  }
}, 120_000);

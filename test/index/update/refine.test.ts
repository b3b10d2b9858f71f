import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { indexPathOf } from "../../../src/index/place.ts";
import { bestOf } from "../../../src/index/update/refine.ts";
import { inWorkspace, signal, withIndex } from "../workspace.ts";

test("[CX-4] the next files to be told by their grammar are found without sorting all that wait", async () => {
  await inWorkspace({ "src/a.ts": "export function openBox() {}\n" }, async (workspace) => {
    await withIndex(workspace, (index) => index.update(signal));
    const db = new Database(indexPathOf(workspace.root, workspace.home), { readonly: true });
    const plan = JSON.stringify(db.query(`explain query plan ${bestOf}`).all(0, 0));
    db.close();
    expect(plan).toContain("by_rank");
    expect(plan).not.toContain("TEMP B-TREE");
  });
});

import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { modes } from "../../src/contract/task.ts";
import { say } from "../../src/contract/text/catalogue.ts";
import { effectiveTable } from "../../src/policy/effective-table.ts";

const page = join(import.meta.dir, "..", "..", "docs", "guide", "permissions.md");

function tableAsText(): string {
  const columns = modes.map((mode) => effectiveTable(mode, null));
  const rows = columns[0]?.map(({ what }, at) => [say("en", what), ...columns.map((rows) => rows[at]?.decision)]) ?? [];
  return [["", ...modes.map((mode) => `\`${mode}\``)], ["---", ...modes.map(() => "---")], ...rows]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");
}

test("[PO-1] [PO-2] docs/guide/permissions.md shows the table that decides", () => {
  const shown = /<!-- the table: .*? -->\n\n?([\s\S]*?)\n?<!-- its end -->/.exec(readFileSync(page, "utf8"))?.[1];
  expect(shown?.trim()).toBe(tableAsText());
});

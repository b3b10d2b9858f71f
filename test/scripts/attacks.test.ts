import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { attempts } from "../../scripts/attacks/all.ts";
import { sandboxState } from "../../src/platform/sandbox/state.ts";
import { builtBinary } from "../support/binary.ts";

const root = join(import.meta.dir, "..", "..");
const isPossible = (await sandboxState()).kind === "ready" && Bun.which("perl") !== null;

/** The first and each twenty-ninth after it against each promise; all of them by `npm run attacks`. Needs the sandbox, and perl to swap names. */
test.skipIf(!isPossible)(
  "[PO-8] npm run attacks, the short form: a hostile model, repository, server or package gets nowhere",
  async () => {
    builtBinary();
    const argv = ["--no-env-file", "--config=/dev/null", join(root, "scripts", "attacks.ts"), "--every", "29"];
    const child = Bun.spawn([process.execPath, ...argv], { cwd: root, stdout: "pipe", stderr: "pipe" });
    const [said, err] = await Promise.all([child.stdout.text(), child.stderr.text()]);
    expect([await child.exited, said.match(/^broken .*/gm), err]).toEqual([0, null, ""]);
    const played = new Set(attempts.map(({ promise }) => promise));
    for (const promise of played) expect(said).toMatch(new RegExp(`^(?:held|skipped) +${promise} `, "m"));
  },
  300_000,
);

test("[PO-8] every promise that names attacks has some, each attack has a name of its own and belongs to a promise", () => {
  const rows = readFileSync(join(root, "docs", "security.md"), "utf8").split("\n");
  const promised = rows.flatMap((row) => /`attacks: ([a-z ]+)`/.exec(row)?.[1] ?? []);
  expect([...new Set(attempts.map(({ promise }) => promise))].sort()).toEqual(promised.toSorted());
  expect(attempts.length).toBeGreaterThan(250);
  const names = attempts.map(({ promise, name }) => `${promise}: ${name}`);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});

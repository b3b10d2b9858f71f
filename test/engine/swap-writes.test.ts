// Writes that need no question because of where they go, while somebody swaps a folder on the way for a link.
import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Bench } from "../support/engine.ts";
import { until } from "../support/until.ts";

/** RENAME_EXCHANGE: there is always one of the two under the name. */
const renameat2 = process.arch === "arm64" ? 276 : 316;
const swapper = `$a = "sub"; $b = "other"; open(F, ">", "../swapping"); close(F); $p = getppid; while (++$n % 1000 || (getppid == $p && -e "../swapping")) { syscall(${renameat2}, -100, $a, -100, $b, 2) }`;
const ROUNDS = process.env.CODER_TEST_LONG ? 20 : 3;

const bash = (command: string) => ({ tool: "bash", input: { command } });
const writes = {
  "the write tool": (n: number) => ({ tool: "write", input: { path: `sub/made${n}`, content: "theirs\n" } }),
  "the patch tool": (n: number) => ({
    tool: "patch",
    input: { patch: `*** Begin Patch\n*** Add File: sub/made${n}\n+theirs\n*** End Patch\n` },
  }),
  "a redirection": (n: number) => bash(`echo theirs > sub/made${n}`),
  "a command that enters the folder": (n: number) => bash(`cd sub && echo theirs > made${n}`),
  "a copy over what is there": (n: number) => bash(`cp theirs sub/kept; mkdir -p sub/made${n}; mv -f theirs${n} sub/`),
};

/** Where nothing may come to be. */
const places: Readonly<Record<string, (bench: Bench) => string>> = {
  "a folder outside": ({ root }) => join(root, "outside"),
  "git's hooks": ({ workspace }) => join(workspace, ".git/hooks"),
  "an editor's folder at the top": ({ workspace }) => join(workspace, ".vscode"),
  "an editor's folder further down": ({ workspace }) => join(workspace, "deep/.vscode"),
  "hooks of an inner repository": ({ workspace }) => join(workspace, "deep/inner/.git/hooks"),
};

describe("[PO-4] [PO-8] [SA-check-then-use] while its folder is swapped for a link", () => {
  for (const [what, write] of Object.entries(writes)) {
    test(`${what} changes nothing outside, nor what other programs obey`, async () => {
      let done = 0;
      for (const [name, target] of Object.entries(places)) {
        const calls = Array.from({ length: ROUNDS }, (_, n) => ({ calls: [write(2 * n), write(2 * n + 1)] }));
        await using bench = new Bench([...calls, { text: "done" }]);
        const place = target(bench);
        for (const at of ["deep/inner", "."]) Bun.spawnSync(["git", "init", "-q", join(bench.workspace, at)]);
        for (const folder of [place, join(bench.workspace, "sub")]) mkdirSync(folder, { recursive: true });
        for (const file of readdirSync(place)) writeFileSync(join(place, file), "kept\n");
        writeFileSync(join(place, "kept"), "kept\n");
        bench.file("theirs", "theirs\n");
        for (let n = 0; n < 2 * ROUNDS; n++) bench.file(`theirs${n}`, "theirs\n");
        symlinkSync(place, join(bench.workspace, "other"));
        const before = contentOf(place);
        const child = Bun.spawn(["perl", "-e", swapper], { cwd: bench.workspace });
        await until("names are swapped", () => existsSync(join(bench.root, "swapping")));
        // Commands run unasked and confined, whatever they do; file tools only where they may.
        const isTool = what.endsWith("tool");
        const seat = bench.open(isTool ? { mode: "auto-edit" } : { mode: "yolo", sandbox: true });
        await seat.run("go");
        done += seat.all("tool.settled").filter(({ result }) => result.status === "done").length;
        child.kill("SIGKILL");
        await child.exited;
        expect([name, contentOf(place)]).toEqual([name, before]);
      }
      // A file tool writes only where its folder stands still from the judging to the writing, which chance decides.
      if (!what.endsWith("tool")) expect(done).toBeGreaterThan(0);
    });
  }
});

/** Files that somebody may obey: not those that were set aside. */
function contentOf(folder: string): readonly string[] {
  const entries = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
  const obeyed = entries
    .filter(({ name }) => !/\.set-aside(?:-\d+)?$/.test(name))
    .toSorted((a, b) => a.name.localeCompare(b.name));
  return obeyed.map(({ name }) => `${name}: ${readFileSync(join(folder, name), "utf8")}`);
}

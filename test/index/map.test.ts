import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { estimateTokens } from "../../src/context/tokens.ts";
import { until } from "../support/until.ts";
import { inWorkspace, signal, withIndex } from "./workspace.ts";

const user = (at: number): string =>
  `import { sendMail } from "../mail.ts";\nexport function notify${at}() {\n  sendMail();\n}\n`;
const files = {
  "src/mail.ts": "export function sendMail() {}\nfunction connect() {}\nexport class MailQueue {\n  push() {}\n}\n",
  ...Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`src/users/u${at}.ts`, user(at)])),
  "src/lonely.ts": "export function neverUsed() {}\n",
  "docs/mail.md": "# Mail\n",
  "test/mail.test.ts": "export function testMail() {}\n",
};

test("[CX-4] the map begins with what is used most, names only what others can use, and is the same each time", async () => {
  await inWorkspace(files, async (workspace) => {
    const maps = [];
    for (let round = 0; round < 3; round++) {
      const map = await withIndex(workspace, async (index) => {
        await index.update(signal);
        await index.refine(signal);
        return [await index.map(15), await index.map(2000)];
      });
      maps.push(map);
      if (round === 1) rmSync(workspace.home, { recursive: true });
    }
    expect(maps[0]![0]).toBe("src/mail.ts\n  1: export function sendMail()\n");
    expect(maps[1]).toEqual(maps[0]!);
    expect(maps[2]).toEqual(maps[0]!);
    const whole = maps[0]![1]!;
    expect(whole).toStartWith("src/lonely.ts\n  1: export function neverUsed()\nsrc/mail.ts\n");
    expect(whole).not.toContain("connect");
    expect(whole).not.toContain("docs/");
  });
});

test("[CX-4] a file that was mentioned is in the map with all it defines", async () => {
  await inWorkspace(files, async (workspace) => {
    await withIndex(workspace, async (index) => {
      await index.update(signal);
      const map = await index.map(25, { mentioned: ["src/lonely.ts", "no/such.ts"] });
      expect(map).toStartWith("src/lonely.ts\n  1: export function neverUsed()\n");
    });
  });
});

test("[CX-4] a file that is so new that it will be read again counts as new, not as old", async () => {
  await inWorkspace(files, async (workspace) => {
    const written = Date.now();
    await withIndex(workspace, async (index) => {
      await until("all others are settled", () => Date.now() - written > 100);
      workspace.write({ "src/lonely.ts": "export function neverUsed() {}\n" });
      await index.update(signal);
      const map = await index.map(25, { mentioned: ["src/lonely.ts"] });
      expect(map).toStartWith("src/lonely.ts\n");
    });
  });
});

test("[CX-4] a line that defines several things stands in the map once, and takes the room of one", async () => {
  const source = "export const width = 1, height = 2;\nexport function area() {}\n";
  await inWorkspace({ "src/size.ts": source }, async (workspace) => {
    await withIndex(workspace, async (index) => {
      await index.update(signal);
      await index.refine(signal);
      expect(await index.map(2000)).toBe(
        "src/size.ts\n  1: export const width = 1, height = 2;\n  2: export function area()\n",
      );
    });
  });
});

test("[CX-4] a map never takes more than its budget", async () => {
  await inWorkspace({ ...files, "src/中文.ts": "export const 名字 = 1;\n" }, async (workspace) => {
    await withIndex(workspace, async (index) => {
      await index.update(signal);
      await fc.assert(
        fc.asyncProperty(fc.nat(400), async (budget) => {
          expect(estimateTokens(await index.map(budget))).toBeLessThanOrEqual(budget);
        }),
        { numRuns: 30 },
      );
    });
  });
});

test("[CX-4] a repository without a file has an empty map", async () => {
  await inWorkspace({}, async (workspace) => {
    await withIndex(workspace, async (index) => {
      expect(await index.update(signal)).toEqual({
        ok: true,
        value: { files: 0, changed: 0, removed: 0, isPartial: false },
      });
      expect(await index.map(500)).toBe("");
    });
  });
});

test("[CX-4] in a compiled program the grammars are there as well, away from the sources", () => {
  const folder = mkdtempSync(join(tmpdir(), "coder-grammar-"));
  try {
    const source = join(folder, "main.ts");
    const from = (name: string): string => JSON.stringify(join(import.meta.dir, "..", "..", "src", "index", name));
    const body = `const { parserFor } = await import(${from("symbol/grammar.ts")});
      const { symbolsByGrammar } = await import(${from("symbol/by-grammar.ts")});
      const told = await symbolsByGrammar("export function inside() {}", "tsx", await parserFor("tsx"));
      console.log(JSON.stringify(told.map((symbol) => symbol.name)));`;
    Bun.spawnSync(["sh", "-c", 'cat > "$1"', "sh", source], { stdin: Buffer.from(body) });
    const flags = ["--compile", "--minify", "--bytecode", "--format=esm", "--splitting"];
    const built = Bun.spawnSync([process.execPath, "build", ...flags, source, "--outfile", join(folder, "program")]);
    expect(built.stderr.toString()).not.toContain("error");
    const run = Bun.spawnSync([join(folder, "program")], { cwd: "/", env: {} });
    expect(run.stdout.toString()).toBe('["inside"]\n');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

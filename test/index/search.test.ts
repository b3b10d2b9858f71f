import { expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { estimateTokens } from "../../src/context/tokens.ts";
import { fuse } from "../../src/index/search/fuse.ts";
import { inWorkspace, pathsFor, signal, withIndex } from "./workspace.ts";

const shop = {
  "src/price/discount.ts":
    "// How much cheaper an order gets for a customer who comes often.\nexport function discountFor(customer: string): number {\n  return customer.length;\n}\n",
  "src/price/tax.ts": "/** VAT by country. */\nexport const taxRates = { de: 0.19 };\n",
  "src/session/store.ts": "// Keeps sessions in a table.\nexport class SessionStore {\n  save() {}\n}\n",
  "src/main.ts":
    'import { discountFor } from "./price/discount.ts";\nimport { taxRates } from "./price/tax.ts";\ndiscountFor("a");\ntaxRates;\n',
  "test/discount.test.ts": "// discount discount customer customer order\ndiscountFor; discountFor;\n",
  "docs/discount.md": "# The discount of a customer\n\nEvery customer gets a discount on an order.\n",
  ".env": "DISCOUNT_KEY=discount customer order\n",
};

test("[CX-4] the file that defines what is asked about comes before its tests and its documentation", async () => {
  await inWorkspace(shop, async (workspace) => {
    await withIndex(workspace, async (index) => {
      await index.update(signal);
      const found = await index.search("Where is the discount of a customer's order decided?", { budget: 500, signal });
      expect(found.failed).toEqual([]);
      expect(found.files[0]).toEqual({
        path: "src/price/discount.ts",
        why: ["symbols", "paths", "text"],
        snippets: [{ from: 1, to: 4, text: shop["src/price/discount.ts"].trimEnd() }],
      });
      expect(found.files.map(({ path }) => path)).not.toContain(".env");
      expect(await pathsFor(index, "会话存储在哪里？")).toEqual(["src/session/store.ts"]);
    });
  });
});

test("[CX-4] with tests asked about, tests come first", async () => {
  await inWorkspace(shop, async (workspace) => {
    await withIndex(workspace, async (index) => {
      await index.update(signal);
      expect((await pathsFor(index, "which tests are about the discount of an order?"))[0]).toBe(
        "test/discount.test.ts",
      );
    });
  });
});

test("[CX-4] what the person named comes first, by its end too; what is not there, outside or secret does not", async () => {
  await inWorkspace(shop, async (workspace) => {
    await withIndex(workspace, async (index) => {
      await index.update(signal);
      const ask = async (question: string, ...mentioned: string[]) =>
        (await index.search(question, { budget: 100, signal, mentioned })).files
          .filter(({ why }) => why.includes("mentioned"))
          .map(({ path }) => path);
      expect(await ask("the discount", "src/price/tax.ts", "no/such.ts", "../outside", ".env", "src")).toEqual([
        "src/price/tax.ts",
      ]);
      expect((await ask("see price/tax.ts and main.ts")).toSorted()).toEqual(["src/main.ts", "src/price/tax.ts"]);
      expect((await pathsFor(index, "is the discount in src/price/tax.ts?"))[0]).toBe("src/price/tax.ts");
    });
  });
});

test("[CX-4] source by source: without an index the files are searched, without the program more slowly, with neither less is found", async () => {
  await inWorkspace(shop, async (workspace) => {
    const question = "Where is discountFor?";
    const ask = (rg?: string | null) =>
      withIndex(workspace, (index) => index.search(question, { budget: 0, signal }), rg === undefined ? {} : { rg });
    const wanted = ["src/main.ts", "src/price/discount.ts", "test/discount.test.ts"];
    for (const rg of [undefined, null, join(workspace.root, "no-such-program")]) {
      const found = await ask(rg);
      expect(found.files.map(({ path }) => path).toSorted()).toEqual(expect.arrayContaining(wanted));
      expect(found.failed).toEqual(["symbols", "paths", "text"]);
    }
    await withIndex(workspace, async (index) => {
      await index.update(signal);
      const found = await index.search(question, { budget: 0, signal: AbortSignal.abort() });
      expect(found.failed).toEqual(["grep"]);
      expect(found.files[0]?.path).toBe("src/price/discount.ts");
    });
  });
});

test("[CX-4] an index is built without the search program as with it", async () => {
  await inWorkspace({ ...shop, ".gitignore": "docs/\n" }, async (workspace) => {
    const first = await withIndex(workspace, (index) => index.update(signal));
    rmSync(workspace.home, { recursive: true });
    const second = await withIndex(workspace, (index) => index.update(signal), { rg: null });
    expect(second).toEqual(first);
    expect(first.ok && first.value.files).toBe(6);
  });
});

test("[CX-4] while the first index is half made, the files themselves are searched as well", async () => {
  const files = Object.fromEntries(
    Array.from({ length: 400 }, (_, at) => [`f${at}.ts`, `export const value${at} = 1;\n`]),
  );
  await inWorkspace({ ...files, "zz/last.ts": "export const theNeedle = 1;\n" }, async (workspace) => {
    await withIndex(workspace, async (index) => {
      const updating = index.update(signal);
      expect((await pathsFor(index, "where is the needle value?"))[0]).toBeDefined();
      expect(await pathsFor(index, "needle")).toEqual(["zz/last.ts"]);
      expect((await updating).ok).toBe(true);
    });
  });
});

test("[CX-4] snippets stay within the budget, and a file that is gone is not named", async () => {
  await inWorkspace(shop, async (workspace) => {
    await withIndex(workspace, async (index) => {
      await index.update(signal);
      for (const budget of [0, 10, 40, 200]) {
        const { files } = await index.search("discount customer order", { budget, signal });
        const text = files.flatMap(({ snippets }) => snippets.map((snippet) => snippet.text));
        expect(text.reduce((sum, one) => sum + estimateTokens(one), 0)).toBeLessThanOrEqual(budget);
      }
      rmSync(join(workspace.root, "src/price/discount.ts"));
      const { files } = await index.search("discount", { budget: 500, signal });
      expect(files.map(({ path }) => path)).not.toContain("src/price/discount.ts");
      expect(files.length).toBeGreaterThan(0);
    });
  });
});

test("[CX-4] [SA-secrets] nothing is quoted of a file in which a secret stands, not even what is far from it", async () => {
  const line = () => Buffer.from(crypto.getRandomValues(new Uint8Array(48))).toString("base64");
  const body = Array.from({ length: 30 }, (_, at) => (at === 14 ? `// lidSize ${at}` : line()));
  const key = ["-----BEGIN", "PRIVATE KEY-----"].join(" ");
  const files = {
    "src/sealed.ts": `/*\n${key}\n${body.join("\n")}\n${key.replace("BEGIN", "END")}\n*/\n`,
    "src/open.ts": "export const lidSize = 3;\n",
  };
  await inWorkspace(files, async (workspace) => {
    await withIndex(workspace, async (index) => {
      await index.update(signal);
      const found = await index.search("lidSize", { budget: 2000, signal });
      expect(found.files.map(({ path, snippets }) => [path, snippets.length]).toSorted()).toEqual([
        ["src/open.ts", 1],
        ["src/sealed.ts", 0],
      ]);
    });
  });
});

test("[CX-4] a question without a word that says what it is about is called vague", async () => {
  await inWorkspace(shop, async (workspace) => {
    await withIndex(workspace, async (index) => {
      await index.update(signal);
      const asked = [
        "go on",
        "yes, please do it",
        "继续",
        "fix the discount",
        "see src/price/discount.ts",
        "openBox",
        "顾客的折扣",
      ];
      const vague = await Promise.all(
        asked.map(async (one) => (await index.search(one, { budget: 0, signal })).isVague),
      );
      expect(asked.filter((_, at) => vague[at])).toEqual(["go on", "yes, please do it", "继续"]);
    });
  });
});

test("[CX-4] questions that are empty, huge, or made of signs find nothing and harm nothing", async () => {
  await inWorkspace(shop, async (workspace) => {
    await withIndex(workspace, async (index) => {
      await index.update(signal);
      for (const question of ["", "   ", "'\"*^:() OR AND NOT NEAR", "\u0000\ud800", "?!。", "where is it?"]) {
        expect(await pathsFor(index, question)).toEqual([]);
      }
      await index.search("words ".repeat(100_000), { budget: 10, signal });
    });
  });
});

test("[CX-4] an index that is closed while it is used ends what runs, and answers what it can", async () => {
  await inWorkspace(shop, async (workspace) => {
    await withIndex(workspace, async (index) => {
      const running = [index.update(signal), index.map(100), index.search("discount", { budget: 10, signal })] as const;
      await index.close();
      const [updated] = await Promise.all(running);
      expect(updated.ok ? "" : updated.error.code).toBe("E_CANCELLED");
      expect(await index.map(100)).toBe("");
    });
  });
});

test("[CX-4] sources are fused by their order, equal ones by path", () => {
  const place = (path: string) => ({ path, share: 1 });
  const fused = fuse(
    [
      { source: "text", places: [place("b.ts"), place("a.ts"), place("test/a.test.ts")] },
      { source: "symbols", places: [place("a.ts"), place("b.ts"), { path: "c.ts", share: 0.1 }] },
      { source: "mentioned", places: [place("z.md")] },
    ],
    { isAboutTests: false },
  );
  expect(fused.map(({ path, why }) => [path, why.join(" ")])).toEqual([
    ["z.md", "mentioned"],
    ["a.ts", "text symbols"],
    ["b.ts", "text symbols"],
    ["test/a.test.ts", "text"],
    ["c.ts", "symbols"],
  ]);
});

test("[CX-4] a search rests between files, however long one of them takes", async () => {
  const files = Object.fromEntries(
    Array.from({ length: 6 }, (_, at) => [`lid${at}.ts`, "export const lidSize = 1;\n"]),
  );
  await inWorkspace(files, async (workspace) => {
    let turns = 0;
    let isOver = false;
    const turn = (): void => {
      turns++;
      if (!isOver) setImmediate(turn);
    };
    const seen: number[] = [];
    const slow = (): boolean => {
      seen.push(turns);
      const until = performance.now() + 12;
      while (performance.now() < until);
      return false;
    };
    await withIndex(
      workspace,
      async (index) => {
        await index.update(signal);
        turn();
        await index.search("the lid size", { budget: 2000, signal });
        isOver = true;
      },
      { hasSecret: slow },
    );
    expect([seen.length, new Set(seen).size]).toEqual([6, 6]);
  });
});

test("[CX-4] of a pasted list of names the disk is asked about a hundred, and all paths are looked through for ten", async () => {
  await inWorkspace(shop, async (workspace) => {
    await withIndex(workspace, async (index) => {
      await index.update(signal);
      const namedAfter = async (count: number, path: string): Promise<boolean> => {
        const list = Array.from({ length: count }, (_, at) => `gone${at}.c`);
        const { files } = await index.search([...list, path].join(" "), { budget: 0, signal });
        return files.some(({ path: found, why }) => found === "src/price/tax.ts" && why.includes("mentioned"));
      };
      expect(await Promise.all([9, 10].map((count) => namedAfter(count, "price/tax.ts")))).toEqual([true, false]);
      expect(await Promise.all([99, 100].map((count) => namedAfter(count, "src/price/tax.ts")))).toEqual([true, false]);
    });
  });
});

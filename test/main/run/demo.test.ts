import { expect, test } from "bun:test";
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { builtBinary } from "../../support/binary.ts";

const root = join(import.meta.dir, "..", "..", "..");

interface Shown {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  /** What is in the home of the person afterwards. */
  readonly inHome: readonly string[];
  readonly folder: string;
}

/** With an empty home, in a folder for temporary things of its own, and nothing else in the environment. */
async function show(command: readonly string[], use: (shown: Shown) => void, more: Record<string, string> = {}) {
  const temp = realpathSync(mkdtempSync(join(tmpdir(), "coder-demo-test-")));
  const home = mkdtempSync(join(temp, "home-"));
  try {
    const env = { PATH: process.env.PATH ?? "", HOME: home, TMPDIR: temp, LANG: "C", ...more };
    const child = Bun.spawn([...command], { cwd: temp, env, stdin: "pipe", stdout: "pipe", stderr: "pipe" });
    const [code, out, err] = await Promise.all([child.exited, child.stdout.text(), child.stderr.text()]);
    const folder = /\S+corner-shop/.exec(out)?.[0] ?? "";
    use({ code, out, err, inHome: readdirSync(home), folder });
  } finally {
    rmSync(temp, { recursive: true, force: true });
  }
}

test("repairs its sample, shows run, diff and outcome, names the model, and leaves the home alone", async () => {
  await show([...builtBinary(), "demo"], ({ code, out, err, inHome, folder }) => {
    expect({ code, inHome }).toEqual({ code: 0, inHome: [] });
    expect(out).toStartWith("This run uses the model builtin/mechanic: fixed rules");
    expect(out).toContain("test_failure: node:test: 2 passed, 1 failed");
    expect(out).toContain("The model is done. Running the project's tests:\n    passed: node:test: 3 passed");
    expect(out).toContain("--- a/shop.js\n+++ b/shop.js\n");
    expect(out).toContain("-  return sum > 50 ? 0 : 5;\n+  return sum >= 50 ? 0 : 5;\n");
    expect(out).toContain("coder setup");
    expect(err).toContain("VERIFIED by npm test -- --watch=false: node:test: 3 passed");
    expect(readFileSync(join(folder, "shop.js"), "utf8")).toContain("sum >= 50");
    expect(readdirSync(dirname(folder)).sort()).toEqual(["corner-shop", "home"]);
  });
});

test("npm start alone is the demo, in Chinese too, with a model configured, and without network", async () => {
  const offline = Bun.spawnSync(["unshare", "-rn", "true"]).exitCode === 0 ? ["unshare", "-rn"] : [];
  const more = { LANG: "zh_CN.UTF-8", CODER_MODEL: "openai/some" };
  const command = [...offline, "node", join(root, "scripts", "launch.mjs"), "start"];
  await show(
    command,
    ({ code, out, err }) =>
      expect([code, out, err]).toEqual([
        0,
        expect.stringContaining("本次运行使用的模型是 builtin/mechanic"),
        expect.stringContaining("VERIFIED（已验证，npm test"),
      ]),
    more,
  );
});

test("says where the sample could not be made, and what to do", async () => {
  const more = { TMPDIR: "/dev/null/none" };
  await show(
    [...builtBinary(), "demo"],
    ({ code, err }) => {
      expect(code).toBe(1);
      expect(err).toStartWith("coder: could not create the sample project in /dev/null/none: ");
      expect(err).toContain("Set TMPDIR to an existing, writable folder");
    },
    more,
  );
});

test("npm start with arguments is coder with these arguments", async () => {
  const command = ["node", join(root, "scripts", "launch.mjs"), "start", "--version"];
  await show(command, ({ code, out, folder }) => {
    expect({ code, folder }).toEqual({ code: 0, folder: "" });
    expect(out).toMatch(/^coder \d|^\d/);
  });
});

test("works in the folder that is named, and makes no sample then", async () => {
  const folder = mkdtempSync(join(tmpdir(), "coder-demo-given-"));
  try {
    writeFileSync(join(folder, "package.json"), '{"type":"module","scripts":{"test":"node a.test.js"}}');
    writeFileSync(join(folder, "a.js"), "export const twice = (x) => {\n  return x + 2;\n};\n");
    const tests = 'import assert from "node:assert";\nimport test from "node:test";\nimport { twice } from "./a.js";\n';
    writeFileSync(
      join(folder, "a.test.js"),
      `${tests}test("twice", () => assert.deepStrictEqual([1, 5].map(twice), [2, 10]));\n`,
    );
    await show([...builtBinary(), "demo", folder], ({ code, folder: sample }) =>
      expect({ code, sample }).toEqual({ code: 0, sample: "" }),
    );
    expect(readFileSync(join(folder, "a.js"), "utf8")).toContain("return x * 2;");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("a folder that is not there is refused with what to do instead", async () => {
  await show([...builtBinary(), "demo", "nowhere"], ({ code, out, err }) => {
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain("nowhere is not a folder");
    expect(existsSync("nowhere")).toBe(false);
  });
});

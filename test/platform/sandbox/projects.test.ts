import { expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { people, startPerson } from "../../support/sandbox-person.ts";

for (const kind of people) {
  test(`[PO-8] an ordinary npm project tests itself offline, with a cache of its own, as ${kind}`, async () => {
    await using person = await startPerson(kind);
    const { workspace, home } = person;
    const files = {
      "package.json": JSON.stringify({ name: "p", version: "1.0.0", scripts: { test: "node --test" } }),
      "node_modules/dep/package.json": JSON.stringify({ name: "dep", version: "1.0.0", main: "index.js" }),
      "node_modules/dep/index.js": "exports.two = 2;",
      "a.test.js": `
        const { test } = require("node:test");
        const assert = require("node:assert");
        const net = require("node:net");
        test("dependency", () => assert.equal(require("dep").two, 2));
        test("own server", (t, done) => {
          const server = net.createServer((one) => one.end()).listen(0, "127.0.0.1", () => {
            net.connect(server.address().port, "127.0.0.1", () => server.close(done));
          });
        });
        test("addresses", () => assert.ok(require("node:os").networkInterfaces()));
        test("child", (t, done) => require("node:child_process").fork("child.js").on("message", () => done()));`,
      "child.js": "process.send('hi', () => process.disconnect());",
    };
    for (const [path, text] of Object.entries(files)) person.write(join(workspace, path), text);
    person.write(join(home, ".npmrc"), "//host.example/:_authToken=hidden\nloglevel=notice\n");
    const run = await person.run("npm test && npm config get loglevel && cat $npm_config_userconfig");
    expect(run).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/pass 4\b[\s\S]*\nnotice\nloglevel=notice\n$/),
    });
    expect(existsSync(join(home, ".npm"))).toBe(false);
    expect(readdirSync(join(person.coderHome, "cache"))).toHaveLength(1);
  });

  test(`[PO-8] an ordinary Python project tests itself, with worker processes, as ${kind}`, async () => {
    await using person = await startPerson(kind);
    person.write(
      join(person.workspace, "test_a.py"),
      `
import multiprocessing, tempfile, unittest

def double(n):
    return 2 * n

class A(unittest.TestCase):
    def test_workers(self):
        with multiprocessing.Pool(2) as pool:
            self.assertEqual(pool.map(double, [1, 2]), [2, 4])
    def test_manager(self):
        with multiprocessing.Manager() as manager:
            self.assertEqual(list(manager.list([1])), [1])
    def test_temp(self):
        with tempfile.NamedTemporaryFile() as file:
            file.write(b"x")
`,
    );
    const run = await person.run("python3 -m unittest 2>&1");
    expect(run).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("Ran 3 tests") });
  });
}

// Whole toolchains in the sandbox: installed where they are missing, which takes minutes.
import { beforeAll, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Person, people, startPerson } from "../support/sandbox-person.ts";

const packages = { go: "golang-go", cargo: "cargo", "pytest-3": "python3-pytest" };
const PATH = "/usr/local/bin:/usr/bin:/bin";

beforeAll(() => {
  const missing = Object.entries(packages).filter(([program]) => Bun.which(program, { PATH }) === null);
  if (missing.length === 0) return;
  const names = missing.map(([, name]) => name);
  if (process.getuid?.() !== 0) throw new Error(`needed for these tests: apt-get install ${names.join(" ")}`);
  const done = Bun.spawnSync(["apt-get", "install", "-q", "-y", "--no-install-recommends", ...names]);
  if (done.exitCode !== 0) throw new Error(`${done.stdout}${done.stderr}`);
});

function fill(person: Person, folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) person.write(join(folder, path), text);
}

for (const kind of people) {
  test(`[PO-8] pytest runs, as ${kind}`, async () => {
    await using person = await startPerson(kind);
    fill(person, person.workspace, { "test_a.py": "def test_a(tmp_path):\n    (tmp_path / 'x').write_text('x')\n" });
    expect(await person.run("pytest-3 -q")).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("1 passed") });
  });

  test(`[PO-8] go test finds in the person's cache what it cannot fetch, and leaves that cache alone, as ${kind}`, async () => {
    await using person = await startPerson(kind);
    const { workspace, home } = person;
    fill(person, join(home, "dep"), {
      "go.mod": "module example.com/dep\n\ngo 1.19\n",
      "dep.go": "package dep\n\nconst Two = 2\n",
    });
    // A proxy on disk takes the place of the network, once, outside.
    const proxy = join(home, "proxy", "example.com", "dep", "@v");
    fill(person, proxy, {
      list: "v1.0.0\n",
      "v1.0.0.info": '{"Version":"v1.0.0"}',
      "v1.0.0.mod": "module example.com/dep\n\ngo 1.19\n",
    });
    const inner = "example.com/dep@v1.0.0";
    fill(person, workspace, {
      "go.mod": "module p\n\ngo 1.19\n\nrequire example.com/dep v1.0.0\n",
      "p_test.go":
        'package p\n\nimport (\n\t"testing"\n\n\t"example.com/dep"\n)\n\nfunc TestTwo(t *testing.T) {\n\tif dep.Two != 2 {\n\t\tt.Fail()\n\t}\n}\n',
    });
    const pack = `cd ~ && python3 - <<'X'\nimport zipfile\nz = zipfile.ZipFile("${proxy}/v1.0.0.zip", "w")\nfor name in ("go.mod", "dep.go"):\n    z.write("dep/" + name, "${inner}/" + name)\nz.close()\nX`;
    expect(await person.run({ command: pack, free: true })).toMatchObject({ exitCode: 0 });
    const fetch = `GOPROXY=file://${home}/proxy GOSUMDB=off GOFLAGS=-mod=mod go mod download example.com/dep && GOPROXY=file://${home}/proxy GOSUMDB=off go mod tidy`;
    expect(await person.run({ command: fetch, free: true, timeoutMs: 120_000 })).toMatchObject({ exitCode: 0 });
    const run = await person.run({ command: "go vet ./... && go test ./...", timeoutMs: 300_000 });
    expect(run).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^ok/m) });
  });

  test(`[PO-8] cargo test runs without locks in the person's home, as ${kind}`, async () => {
    await using person = await startPerson(kind);
    mkdirSync(join(person.home, ".cargo"));
    person.own(join(person.home, ".cargo"));
    fill(person, person.workspace, {
      "Cargo.toml":
        '[package]\nname = "p"\nversion = "0.1.0"\nedition = "2021"\n\n[dependencies]\ndep = { path = "dep" }\n',
      "src/lib.rs": "#[test]\nfn two() {\n    assert_eq!(dep::TWO, 2);\n}\n",
      "dep/Cargo.toml": '[package]\nname = "dep"\nversion = "0.1.0"\nedition = "2021"\n',
      "dep/src/lib.rs": "pub const TWO: i32 = 2;\n",
    });
    const run = await person.run({ command: "cargo test", timeoutMs: 300_000 });
    expect(run).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("1 passed") });
  });
}

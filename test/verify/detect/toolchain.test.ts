import { afterAll, expect, test } from "bun:test";
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ownPrograms } from "../../../src/verify/detect/toolchain.ts";

const made: string[] = [];
afterAll(() => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});

/** `*` at the end of a name: a program. */
function workspace(...files: readonly string[]): string {
  const root = realpathSync.native(mkdtempSync(join(tmpdir(), "toolchain-")));
  made.push(root);
  for (const one of files) {
    const [name = "", text = ""] = one.split("=");
    const path = join(root, name.replace(/\*$/, ""));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    if (name.endsWith("*")) chmodSync(path, 0o755);
  }
  return root;
}

const venv = (name: string) => [`${name}/pyvenv.cfg`, `${name}/bin/python*`, `${name}/bin/pytest*`];

for (const name of [".venv", "venv", "env"]) {
  test(`[VF-3] the programs of ${name} come before those of the machine`, () => {
    const root = workspace(...venv(name), "sub/a.py");
    for (const cwd of [root, join(root, "sub")]) {
      const { set, program } = ownPrograms("pytest -q", root, cwd, { PATH: "/usr/bin" });
      expect(program).toBe(`${name}/bin/pytest`);
      expect(set).toEqual({ PATH: `${root}/${name}/bin:/usr/bin`, VIRTUAL_ENV: `${root}/${name}` });
    }
  });
}

test("[VF-3] a folder that is only called env, or whose interpreter is gone, is none", () => {
  const other = workspace("env/settings.txt", "env/bin/pytest*");
  expect(ownPrograms("pytest -q", other, other, { PATH: "/usr/bin" }).set).toEqual({});
  const broken = workspace(".venv/pyvenv.cfg", ".venv/bin/pytest*");
  symlinkSync("/nowhere/python3", join(broken, ".venv/bin/python"));
  expect(ownPrograms("pytest -q", broken, broken, { PATH: "/usr/bin" }).set).toEqual({});
});

test("[VF-3] node_modules/.bin of the folder and of those above it is used, the nearest first", () => {
  const root = workspace("node_modules/.bin/jest*", "node_modules/.bin/vitest*", "packages/a/node_modules/.bin/jest*");
  const cwd = join(root, "packages/a");
  const found = (command: string) => ownPrograms(command, root, cwd, { PATH: "/usr/bin" }).program;
  expect([found("jest"), found("vitest run")]).toEqual([
    "packages/a/node_modules/.bin/jest",
    "node_modules/.bin/vitest",
  ]);
});

test("[VF-3] the version that a toolchain file asks for is taken where it is installed", () => {
  const home = workspace(
    "v/versions/node/v20.9.0/bin/node*",
    "v/versions/node/v20.11.1/bin/node*",
    "v/versions/node/v21.0.0/bin/node*",
  );
  const env = { PATH: "/usr/bin", NVM_DIR: join(home, "v"), PYENV_ROOT: join(home, "p"), HOME: home };
  const program = (wanted: string) => {
    const root = workspace(`.nvmrc=${wanted}`);
    return ownPrograms("node --test", root, root, env).program;
  };
  expect(program("20\n")).toBe(join(home, "v/versions/node/v20.11.1/bin/node"));
  expect(program("v20.9.0")).toBe(join(home, "v/versions/node/v20.9.0/bin/node"));
  for (const odd of ["19", "lts/*", "../../etc", ""]) expect(program(odd)).not.toContain(home);
  const python = workspace("p/versions/3.12.1/bin/python*", "p/versions/3.12.1/bin/pytest*");
  const root = workspace(".python-version=3.12\n");
  const found = ownPrograms("pytest -q", root, root, { ...env, PYENV_ROOT: join(python, "p") });
  expect(found.program).toBe(join(python, "p/versions/3.12.1/bin/pytest"));
});

test("[VF-3] a wrapper is named by its path, and a program that is not there is named by nothing", () => {
  const root = workspace("gradlew*");
  expect(ownPrograms("./gradlew test", root, root, { PATH: "/usr/bin" }).program).toBe("gradlew");
  expect(ownPrograms("nothing-of-that-name", root, root, { PATH: "/usr/bin" }).program).toBeNull();
});

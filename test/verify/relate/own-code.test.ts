import { expect, test } from "bun:test";
import { parseOutput } from "../../../src/verify/parse.ts";

interface World {
  readonly files?: Readonly<Record<string, string>>;
  readonly touched?: readonly string[];
}

function judged(command: string, output: string, { files = {}, touched = [] }: World) {
  const names = Object.keys(files);
  const exists = (path: string) => names.some((name) => name === path || name.startsWith(`${path}/`));
  const textOf = (path: string) => files[path] ?? "";
  return parseOutput({
    ...{ runner: "auto", command, exitCode: 1, output, timedOut: false, cwd: "/p" },
    exists,
    textOf,
    touched,
  });
}

const pytest = (name: string) =>
  [
    "==================== ERRORS ====================",
    "______ ERROR collecting tests/test_a.py ______",
    "ImportError while importing test module '/p/tests/test_a.py'.",
    "tests/test_a.py:1: in <module>",
    `    import ${name}`,
    `E   ModuleNotFoundError: No module named '${name}'`,
    "=========== short test summary info ============",
    "ERROR tests/test_a.py",
    "1 error in 0.05s",
    "",
  ].join("\n");
const node = (name: string) =>
  `node:internal/modules/cjs/loader:1\n  throw err;\n  ^\n\nError: Cannot find module '${name}'\nRequire stack:\n- /p/test/a.js\n    at Module._resolveFilename (node:internal/modules/cjs/loader:1:1) {\n  code: 'MODULE_NOT_FOUND'\n}\n\nNode.js v20.0.0\n`;
const unittest = (name: string) =>
  `E\n======================================================================\nERROR: test_a (unittest.loader._FailedTest.test_a)\n----------------------------------------------------------------------\nImportError: Failed to import test module: test_a\nTraceback (most recent call last):\n  File "/usr/lib/python3.11/unittest/loader.py", line 419, in _find_test_path\n    module = self._get_module_from_name(name)\n  File "/p/test_a.py", line 1, in <module>\n    import ${name}\nModuleNotFoundError: No module named '${name}'\n\n\n----------------------------------------------------------------------\nRan 1 test in 0.000s\n\nFAILED (errors=1)\n`;
const go = (message: string) =>
  `# example.com/app\napp.go:3:8: ${message}\nFAIL\texample.com/app [setup failed]\nFAIL\n`;

const local: readonly (readonly [what: string, command: string, output: string, world: World])[] = [
  ["a Python module that the task deleted", "pytest -q", pytest("helpers"), { touched: ["helpers.py"] }],
  ["a Python package that the task moved", "pytest -q", pytest("app.core.util"), { touched: ["src/app/core/util.py"] }],
  ["a part of a package that is there", "pytest -q", pytest("app.gone"), { files: { "app/__init__.py": "" } }],
  [
    "the project itself, by its name",
    "pytest -q",
    pytest("my_app.x"),
    { files: { "pyproject.toml": '[project]\nname = "my-app"\n' } },
  ],
  [
    "a part of the project, whose setup.py has the same name",
    "pytest -q",
    pytest("app.cart"),
    { files: { "setup.py": "setup(name='app', packages=['app'])\n", "src/app/__init__.py": "" } },
  ],
  [
    "the project itself by its name in setup.cfg, which the task renamed",
    "pytest -q",
    pytest("app"),
    { files: { "setup.cfg": "[metadata]\nname = app\n" }, touched: ["app/__init__.py", "store/__init__.py"] },
  ],
  ["the same, told by unittest", "make test", unittest("helpers"), { touched: ["lib/helpers.py"] }],
  ["a relative JavaScript module", "npm test", node("./gone.js"), {}],
  ["a JavaScript file by its whole path", "npm test", node("/p/test/gone.js"), {}],
  ["an alias of the project", "npm test", node("@/utils/gone"), {}],
  ["a folder of the workspace", "npm test", node("utils/gone"), { files: { "src/utils/gone.ts": "" } }],
  ["the package itself", "npm test", node("my-lib/sub"), { files: { "package.json": '{"name":"my-lib"}' } }],
  ["a workspace package that the task deleted", "npm test", node("@my/util"), { touched: ["packages/util/index.js"] }],
  [
    "a package of the Go module",
    "go test ./...",
    go("no required module provides package example.com/app/gone; to add it:"),
    { files: { "go.mod": "module example.com/app\n" } },
  ],
  [
    "a Go package without a host",
    "go test ./...",
    go("package app/gone is not in std (/usr/lib/go/src/app/gone)"),
    { files: { "go.mod": "module app\n" } },
  ],
  [
    "a Go name that is not there",
    "go test ./...",
    "# example.com/app\n./app.go:4:9: undefined: Add\nFAIL\texample.com/app [build failed]\nFAIL\n",
    {},
  ],
  [
    "a crate that is not there",
    "cargo test",
    "error[E0463]: can't find crate for `gone`\n --> src/lib.rs:1:1\n  |\n1 | extern crate gone;\n  | ^^^^^^^^^^^^^^^^^^ can't find crate\n\nerror: could not compile `app` (lib) due to 1 previous error\n",
    {},
  ],
  [
    "a crate by path",
    "cargo test",
    "error: failed to load source for dependency `util`\n",
    { files: { "Cargo.toml": '[dependencies]\nutil = { path = "../util" }\n' } },
  ],
  [
    "a crate by path, in a table of its own",
    "cargo test",
    "error: failed to get `util` as a dependency of package `x v0.1.0 (/p)`\n",
    { files: { "Cargo.toml": '[dev-dependencies.util]\nversion = "1"\npath = "util"\n\n[features]\n' } },
  ],
  [
    "a crate of the workspace",
    "cargo test",
    "error: failed to get `util` as a dependency of package `x v0.1.0 (/p)`\n",
    {
      files: {
        "Cargo.toml": "[dependencies]\nutil = { workspace = true }\n",
        "../Cargo.toml": '[workspace.dependencies]\nutil = { path = "util" }\n',
      },
    },
  ],
  [
    "a part of a JavaScript package that is there",
    "npm test",
    node("@my/util/gone"),
    { files: { "package.json": '{"dependencies":{"@my/util":"*"}}', "../node_modules/@my/util/index.js": "" } },
  ],
  [
    "a package of a Go module that is taken from a folder",
    "go test ./...",
    go("no required module provides package example.com/y/sub; to add it:"),
    { files: { "go.mod": "module example.com/x\nrequire example.com/y v0.0.0\nreplace example.com/y => ./y\n" } },
  ],
  [
    "a package of another module of the Go workspace",
    "go test ./...",
    go("no required module provides package example.com/b/sub; to add it:"),
    {
      files: {
        "go.mod": "module example.com/a\nrequire example.com/b v0.0.0\n",
        "../go.work": "go 1.19\nuse (\n\t./a\n\t./b\n)\n",
        ".././b/go.mod": "module example.com/b\n",
      },
    },
  ],
  [
    "a module of the Go workspace that was looked for elsewhere",
    "go test ./...",
    go("example.com/b@v0.0.0: module lookup disabled by GOPROXY=off"),
    { files: { "go.mod": "module example.com/a\nrequire example.com/b v0.0.0\nreplace example.com/b => ../b\n" } },
  ],
];

for (const [what, command, output, world] of local) {
  test(`[VF-4] missing: ${what} is a failure of the code`, () => {
    expect(["test_failure", "build_failure"]).toContain(judged(command, output, world).type);
  });
}

const outside: readonly (readonly [what: string, command: string, output: string, world: World, how: string])[] = [
  [
    "requirements.txt",
    "pytest -q",
    pytest("requests"),
    { files: { "requirements.txt": "requests>=2\n" } },
    "pip install -r requirements.txt",
  ],
  [
    "pyproject.toml",
    "pytest -q",
    pytest("my_dep.sub"),
    { files: { "pyproject.toml": '[project]\ndependencies = ["My-Dep>=1"]\n' } },
    "pip install -e .",
  ],
  ["uv.lock", "pytest -q", pytest("attrs"), { files: { "uv.lock": 'name = "attrs"\n' } }, "uv sync"],
  ["poetry.lock", "pytest -q", pytest("attrs"), { files: { "poetry.lock": 'name = "attrs"\n' } }, "poetry install"],
  ...[
    "app.go:3:8: module lookup disabled by GOPROXY=off",
    'app.go:3:8: github.com/spf13/pflag@v1.0.5: Get "https://proxy.golang.org/x.zip": dial tcp: lookup proxy.golang.org: network is unreachable',
  ].map(
    (message) =>
      [
        "go.mod, which cannot be downloaded here",
        "go test ./...",
        `go: downloading github.com/spf13/pflag v1.0.5\n${message}\n`,
        { files: { "go.mod": "module x\n\nrequire github.com/spf13/pflag v1.0.5\n" } },
        "go mod download",
      ] as const,
  ),
  [
    "setup.py, in a namespace that the workspace shares",
    "pytest -q",
    pytest("google.protobuf"),
    { files: { "setup.py": "setup(install_requires=['google-x', 'google'])\n", "google/mine.py": "" } },
    "pip install -e .",
  ],
  ["nothing", "pytest -q", pytest("numpy"), {}, "pip install numpy"],
  ["nothing, under another name", "pytest -q", pytest("yaml"), {}, "pip install PyYAML"],
  [
    "requirements.txt under another name",
    "pytest -q",
    pytest("bs4"),
    { files: { "requirements.txt": "BeautifulSoup4\n" } },
    "pip install -r requirements.txt",
  ],
  [
    "Cargo.lock, which is not in the cache",
    "cargo test",
    "error: failed to download `itoa v1.0.1`\n\nCaused by:\n  attempting to make an HTTP request, but --offline was specified\n",
    { files: { "Cargo.toml": '[dependencies]\nitoa = "1"\n' } },
    "cargo fetch",
  ],
  [
    "a crate that the workspace takes from the registry",
    "cargo test",
    "error: no matching package named `util` found\n",
    { files: { "Cargo.toml": '[dependencies.util]\nversion = "1"\n\n[dependencies.other]\npath = "other"\n' } },
    "cargo fetch",
  ],
  [
    "requirements, told by unittest",
    "make test",
    unittest("requests"),
    { files: { "requirements.txt": "requests\n" } },
    "pip install -r requirements.txt",
  ],
  [
    "package.json",
    "npm test",
    node("lodash/get"),
    { files: { "package.json": '{"dependencies":{"lodash":"4"}}' } },
    "npm install",
  ],
  [
    "package.json and pnpm",
    "npm test",
    node("@a/b"),
    { files: { "package.json": '{"devDependencies":{"@a/b":"1"}}', "pnpm-lock.yaml": "" } },
    "pnpm install",
  ],
  ["nothing in JavaScript", "npm test", node("left-pad"), {}, "npm install left-pad"],
  [
    "go.mod",
    "go test ./...",
    go("missing go.sum entry for module providing package example.org/x/y"),
    { files: { "go.mod": "module m\n\nrequire example.org/x v1.0.0\n" } },
    "go mod download",
  ],
];

for (const [what, command, output, world, how] of outside) {
  test(`[VF-4] missing: a dependency declared in ${what} stays the environment's, with ${how}`, () => {
    const { type, suggestion } = judged(command, output, world);
    expect([type, suggestion]).toEqual(["environment", expect.stringContaining(`\`${how}\``)]);
  });
}

test("[VF-4] missing: a declared dependency stays the environment's although a file of that name was deleted", () => {
  const files = { "package.json": '{"dependencies":{"util-x":"1"}}' };
  expect(judged("npm test", node("util-x"), { files, touched: ["old/util-x.js"] }).type).toBe("environment");
});

test("[VF-4] missing: a declared Python package stays the environment's although its copy was deleted", () => {
  const files = { "setup.py": "setup(name='app', install_requires=['requests'])\n" };
  expect(judged("pytest -q", pytest("requests"), { files, touched: ["requests/__init__.py"] }).type).toBe(
    "environment",
  );
});

test("[VF-4] missing: what is named like a dependency only in part is not declared", () => {
  const files = { "requirements.txt": "helpers-extra==1\nmy-helpers\n" };
  expect(judged("pytest -q", pytest("helpers"), { files, touched: ["helpers.py"] }).type).toBe("test_failure");
});

test("[VF-4] what pytest calls an internal error is the code's where a file of the project raised it", () => {
  const internal = (file: string) =>
    `INTERNALERROR> Traceback (most recent call last):\nINTERNALERROR>   File "/usr/lib/python3/dist-packages/_pytest/main.py", line 281, in wrap_session\nINTERNALERROR>     session.exitstatus = doit(config, session) or 0\nINTERNALERROR>   File "${file}", line 2, in <module>\nINTERNALERROR>     sys.exit(0)\nINTERNALERROR> SystemExit: 0\n\nno tests ran in 0.01s\n`;
  expect(judged("pytest -q", internal("/p/app/calc.py"), {}).type).toBe("test_failure");
  expect(judged("pytest -q", internal("/usr/lib/python3/dist-packages/xdist/plugin.py"), {}).type).toBe("environment");
});

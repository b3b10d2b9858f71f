import { afterEach, beforeEach, expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { allowCheck } from "../../../src/main/setup/own-config.ts";
import { MARKER } from "../../../src/platform/process/proc.ts";

let root = "";
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "coder-allow-")));
  mkdirSync(join(root, "ws", ".coder"), { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const settings = () => ({ home: join(root, "home"), workspace: join(root, "ws") });
const own = () => join(root, "home", "config.json");

const cases: readonly (readonly [what: string, before: string | null, after: string])[] = [
  ["a file is made", null, '{\n  "workflow": {\n    "verify_allowed": ["make test"]\n  }\n}\n'],
  [
    "comments and other keys stay",
    '{\n  "workflow": {\n    "verify_allowed": [\n      "tox", // mine\n    ], // all\n  },\n}\n',
    '{\n  "workflow": {\n    "verify_allowed": [\n      "tox", "make test", // mine\n    ], // all\n  },\n}\n',
  ],
  [
    "what is there already stays as it is",
    '{"workflow": {"verify_allowed": ["make test"]}}',
    '{"workflow": {"verify_allowed": ["make test"]}}',
  ],
];

for (const [what, before, after] of cases) {
  test(`[VF-2] the command is added to the person's own configuration: ${what}`, async () => {
    mkdirSync(join(root, "home"));
    if (before !== null) writeFileSync(own(), before);
    expect(await allowCheck(settings(), {}, "make test")).toEqual({ ok: true, value: own() });
    expect(readFileSync(own(), "utf8")).toBe(after);
  });
}

test("[VF-2] what makes no valid configuration, or is no file of ours, is left byte for byte and named", async () => {
  const full = JSON.stringify({ workflow: { verify_allowed: Array.from({ length: 100 }, (_, at) => `make ${at}`) } });
  for (const before of ["{ nonsense", '{"workflow": []}', '{"workflow": {"verify_allowed": "tox"}}', full]) {
    mkdirSync(join(root, "home"), { recursive: true });
    writeFileSync(own(), before);
    const added = await allowCheck(settings(), {}, "make test");
    expect([added.ok, added.ok ? "" : added.error.code, readFileSync(own(), "utf8")]).toEqual([
      false,
      "E_CONFIG",
      before,
    ]);
    expect(JSON.stringify(added)).toContain(own());
  }
  writeFileSync(join(root, "elsewhere.json"), "{}");
  rmSync(own());
  symlinkSync(join(root, "elsewhere.json"), own());
  expect((await allowCheck(settings(), {}, "make test")).ok).toBe(false);
  expect(readFileSync(join(root, "elsewhere.json"), "utf8")).toBe("{}");
});

test("[VF-2] with --config it is that file, unless it is the project's", async () => {
  const other = join(root, "other.json");
  expect(await allowCheck(settings(), { config: other }, "make test")).toEqual({ ok: true, value: other });
  expect([existsSync(own()), existsSync(other)]).toEqual([false, true]);
  const projects = join(root, "ws", ".coder", "config.json");
  symlinkSync(join(root, "ws"), join(root, "link"));
  for (const config of [projects, join(root, "link", ".coder", "config.json")]) {
    const added = await allowCheck(settings(), { config }, "make test");
    expect(added.ok ? "" : added.error.text.key).toBe("verify.not_own_config");
  }
  expect([existsSync(projects), existsSync(own())]).toEqual([false, false]);
});

test("[VF-2] [SA-own-settings] a coder that a command of coder's started adds nothing, whoever answers it", async () => {
  const before = process.env[MARKER];
  process.env[MARKER] = "abcd.r1";
  try {
    const added = await allowCheck(settings(), {}, "make test");
    expect([added.ok ? "" : added.error.text.key, existsSync(own())]).toEqual(["trust.own_command", false]);
  } finally {
    if (before === undefined) delete process.env[MARKER];
    else process.env[MARKER] = before;
  }
});

test("[VF-2] several at the same moment are all there afterwards", async () => {
  const commands = Array.from({ length: 8 }, (_, at) => `make ${at}`);
  const added = await Promise.all(commands.map((command) => allowCheck(settings(), {}, command)));
  expect(added.every(({ ok }) => ok)).toBe(true);
  const { workflow } = JSON.parse(readFileSync(own(), "utf8")) as { workflow: { verify_allowed: string[] } };
  expect(workflow.verify_allowed.toSorted()).toEqual(commands);
});

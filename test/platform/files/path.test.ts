import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { isWithin, locate, resolvePath } from "../../../src/platform/files/path.ts";

let base: string;
let root: string;
let added: string;

beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "coder-path-")));
  root = join(base, "ws");
  added = join(base, "added");
  mkdirSync(join(root, "src", "deep"), { recursive: true });
  mkdirSync(join(base, "wsother"));
  mkdirSync(added);
  writeFileSync(join(root, "a.txt"), "a");
  writeFileSync(join(base, "wsother", "x.txt"), "x");
  writeFileSync(join(base, "secret"), "s");
  const links = {
    "in.txt": "a.txt",
    "out.txt": "../secret",
    dangling: "src/new.txt",
    "dangling-out": "../nowhere/new.txt",
    "loop-a": "loop-b",
    "loop-b": "loop-a",
    "folder-in": "src/deep",
    "folder-out": "..",
    zero: "/dev/zero",
  };
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(root, name));
});

afterAll(() => rmSync(base, { recursive: true, force: true }));

const cases: readonly (readonly [given: string, real: string | null, inside: boolean, kind: string, shown?: string])[] =
  [
    ["a.txt", "ws/a.txt", true, "file"],
    ["./src/../a.txt", "ws/a.txt", true, "file", "a.txt"],
    [".", "ws", true, "folder", "."],
    ["src/", "ws/src", true, "folder", "src"],
    ["new/deeper/file", "ws/new/deeper/file", true, "none"],
    ["~/x", "ws/~/x", true, "none"],
    ["in.txt", "ws/a.txt", true, "file"],
    ["out.txt", "secret", false, "file"],
    ["dangling", "ws/src/new.txt", true, "none"],
    ["dangling-out", "nowhere/new.txt", false, "none"],
    ["folder-in/../other", "ws/src/other", true, "none", "src/other"],
    ["folder-out/secret", "secret", false, "file"],
    ["folder-out/new", "new", false, "none"],
    ["../wsother/x.txt", "wsother/x.txt", false, "file"],
    ["missing/../../secret", "secret", false, "file"],
    ["a.txt/below", "ws/a.txt/below", true, "none"],
  ];

describe("[PO-7] a path is resolved through links and judged by where it leads", () => {
  for (const [given, real, inside, kind, shown] of cases) {
    test(`${given} leads to ${real}, ${inside ? "inside" : "outside"}`, () => {
      const found = resolvePath(given, root, [added]);
      expect({ real: found.real, inside: found.inside, kind: found.kind, exists: found.exists }).toEqual({
        real: real === null ? null : join(base, real),
        inside,
        kind: kind as typeof found.kind,
        exists: kind !== "none",
      });
      if (inside) expect(found.shown).toBe(shown ?? given);
    });
  }

  test("a device behind a link is outside and no file", () => {
    expect(resolvePath("zero", root, [])).toMatchObject({ real: "/dev/zero", inside: false, kind: "other" });
  });

  test("a loop of links, a NUL and an endless name have no real path", () => {
    const problems = ["loop-a", "loop-a/x", "a\0b", "x".repeat(5000), `new/${"x".repeat(256)}`].map((given) =>
      resolvePath(given, root, []),
    );
    expect(problems.map(({ real, inside, problem }) => ({ real, inside, problem }))).toEqual([
      { real: null, inside: false, problem: "loop" },
      { real: null, inside: false, problem: "loop" },
      { real: null, inside: false, problem: "nul" },
      { real: null, inside: false, problem: "too_long" },
      { real: null, inside: false, problem: "too_long" },
    ]);
  });

  test("an added folder counts as inside and keeps its whole name", () => {
    expect(resolvePath(join(added, "n"), root, [added])).toMatchObject({ inside: true, shown: join(added, "n") });
    expect(resolvePath(join(added, "n"), root, [])).toMatchObject({ inside: false });
  });

  test("what is shown leads to the same real path again", () => {
    for (const [given] of cases) {
      const found = resolvePath(given, root, [added]);
      expect(resolvePath(found.shown, root, [added]).real).toBe(found.real);
    }
  });

  test("a tool is told what is wrong: outside is a policy matter, a loop and a NUL are not", () => {
    const codes = ["out.txt", "loop-a", "a\0b", "a.txt"].map((given) => {
      const found = locate(given, { root, addDirs: [] });
      return found.ok ? "ok" : found.error.code;
    });
    expect(codes).toEqual(["E_POLICY_DENIED", "E_IO", "E_INVALID_ARGS", "ok"]);
  });
});

test("containment goes by whole segments", () => {
  expect(isWithin("/ws", "/ws")).toBe(true);
  expect(isWithin("/ws/a", "/ws")).toBe(true);
  expect(isWithin("/wsother", "/ws")).toBe(false);
  expect(isWithin("/a", "/")).toBe(true);
});

test("[PO-7] no path made of names, dots and links escapes unnoticed", () => {
  const segment = fc.constantFrom(
    "..",
    ".",
    "",
    "src",
    "deep",
    "folder-in",
    "folder-out",
    "in.txt",
    "out.txt",
    "dangling-out",
    "nope",
  );
  fc.assert(
    fc.property(fc.array(segment, { minLength: 1, maxLength: 8 }), (segments) => {
      const found = resolvePath(segments.join("/"), root, []);
      if (!found.exists || found.real === null) return;
      // The disk's own answer, asked in another way.
      const real = realpathSync.native(found.real);
      expect(found.real).toBe(real);
      expect(found.inside).toBe(`${real}/`.startsWith(`${root}/`));
    }),
    { numRuns: 500 },
  );
});

test("[PO-7] [SA-check-then-use] where a call was judged, a link inside leads only to what was judged along with it", () => {
  const at = (given: string, allowedOutside: readonly string[]) => {
    const found = locate(given, { root, addDirs: [], allowedOutside });
    return found.ok ? found.value.real : found.error.code;
  };
  const real = join(root, "a.txt");
  for (const plain of ["a.txt", "./src/../a.txt", real, `${root}//a.txt`]) expect(at(plain, [])).toBe(real);
  expect([at("in.txt", []), at("in.txt", [real])]).toEqual(["E_CONFLICT", real]);
  expect([at("folder-in/new", []), at("dangling", [])]).toEqual(["E_CONFLICT", "E_CONFLICT"]);
  expect(locate("in.txt", { root, addDirs: [] }).ok).toBe(true);
});

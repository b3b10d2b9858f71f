import { expect, test } from "bun:test";
import fc from "fast-check";
import { isListed, listedCommands, runnerOf } from "../../../src/verify/detect/whitelist.ts";

test("[VF-2] exactly nine commands verify by themselves", () => {
  expect(listedCommands).toEqual([
    "go test ./...",
    "pytest -q",
    "npm test -- --watch=false",
    "pnpm test -- --watch=false",
    "yarn test --watch=false",
    "cargo test",
    "mvn -q test",
    "gradle test",
    "./gradlew test",
  ]);
  expect(listedCommands.filter((command) => !isListed(command, []))).toEqual([]);
});

test("[VF-2] one character more or less, and a command is not on the list", () => {
  const near = [
    "pytest",
    "pytest -q ",
    " pytest -q",
    "pytest  -q",
    "Pytest -q",
    "pytest -q\n",
    "pytest -q; id",
    "go test ./..",
    "npm test",
  ];
  const tricks = [
    "",
    " ",
    "constructor",
    "__proto__",
    "toString",
    "cargo test\0",
    "cargo\u00a0test",
    "./gradlew test --info",
  ];
  expect([...near, ...tricks].filter((command) => isListed(command, []))).toEqual([]);
  fc.assert(fc.property(fc.string(), (text) => isListed(text, []) === listedCommands.includes(text)));
});

test("[VF-2] what the person added counts character for character, and an empty line adds nothing", () => {
  expect(isListed("npm test", ["npm test"])).toBe(true);
  expect(isListed("npm test ", ["npm test"])).toBe(false);
  expect(isListed("npm test", ["npm test "])).toBe(false);
  expect(isListed("npm", ["npm test"])).toBe(false);
  expect(isListed("", [""])).toBe(false);
  expect(isListed("  ", ["  "])).toBe(false);
});

test("[VF-2] the reader of each command's output is known where the command tells", () => {
  expect(listedCommands.map(runnerOf)).toEqual([
    "go",
    "pytest",
    "auto",
    "auto",
    "auto",
    "cargo",
    "surefire",
    "gradle",
    "gradle",
  ] as never);
  expect(runnerOf("constructor")).toBe("auto");
});

import { expect, test } from "bun:test";
import { ioFailure } from "../../../src/platform/files/failure.ts";

test("[ER-2] a full or read-only disk is not answered with advice to look at the path", () => {
  const adviceFor = (code: string) => ioFailure(Object.assign(new Error(code), { code }), "a.txt").error.advice?.key;
  expect(["ENOSPC", "EDQUOT", "EROFS", "EBUSY", "ENOENT"].map(adviceFor)).toEqual([
    "advice.no_space",
    "advice.no_space",
    "advice.read_only_disk",
    "advice.use_shell",
    undefined,
  ]);
});

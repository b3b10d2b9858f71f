import { expect, test } from "bun:test";
import { type ErrorCode, errorTable, exitCodeOf } from "../../src/contract/error.ts";
import { everyText } from "../../src/contract/text/catalogue.ts";

test("[ER-1] the table has exactly the codes of the contract, each with class, retry rule, side effect, exit code and advice", () => {
  const codes =
    "E_POLICY_DENIED E_IO E_TOOL_TIMEOUT E_INVALID_ARGS E_CONFLICT E_BUILD_FAIL E_MODEL E_STUTTERING E_MAX_ITER E_CANCELLED E_STORE E_CONFIG E_INTERNAL".split(
      " ",
    );
  expect(Object.keys(errorTable).sort()).toEqual([...codes].sort());
  for (const row of Object.values(errorTable)) expect(everyText()[row.advice]?.en.length).toBeGreaterThan(10);
});

test("[SU-2] every error code maps to its exit code", () => {
  const wanted: Readonly<Record<ErrorCode, number>> = {
    E_POLICY_DENIED: 4,
    E_IO: 1,
    E_TOOL_TIMEOUT: 1,
    E_INVALID_ARGS: 2,
    E_CONFLICT: 1,
    E_BUILD_FAIL: 1,
    E_MODEL: 7,
    E_STUTTERING: 5,
    E_MAX_ITER: 5,
    E_CANCELLED: 130,
    E_STORE: 8,
    E_CONFIG: 2,
    E_INTERNAL: 70,
  };
  for (const [code, exit] of Object.entries(wanted)) expect(exitCodeOf(code as ErrorCode)).toBe(exit);
});

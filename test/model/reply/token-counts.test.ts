import { expect, test } from "bun:test";
import { countTokens } from "../../../src/model/reply/token-counts.ts";

test("[CX-5] of several counts that stand for one the sum is meant, and nonsense counts as nothing", () => {
  expect(countTokens({ input: [10, 5, 80], output: [7.4], cachedInput: 80, writtenInput: 5, reasoning: -1 })).toEqual({
    input: 95,
    output: 7,
    cachedInput: 80,
    writtenInput: 5,
    reasoning: 0,
  });
  expect(countTokens({ input: [1e300], output: [2], cachedInput: null, reasoning: undefined })).toEqual({
    input: 0,
    output: 2,
    cachedInput: 0,
    reasoning: 0,
  });
});

test("[CX-5] nothing read and nothing written was not counted, and what is no number is told", () => {
  expect(countTokens({ input: [0], output: [null], cachedInput: 0, reasoning: 0 })).toBeNull();
  expect(countTokens({ input: ["many"], output: [1], cachedInput: 0, reasoning: 0 })).toMatchObject({
    kind: "unreadable",
  });
});

import type { Failure } from "../fault/fault.ts";

/** Most text of one reply, and most bytes without a readable event. */
export const maxReplySize = 16 * 2 ** 20;
export const maxCalls = 1_000;
/** Most parts of one reply, empty ones included, because each takes memory. */
export const maxParts = 8 * maxCalls;

export const tooLarge: Failure = { kind: "too_large", mib: maxReplySize / 2 ** 20 };
export const tooManyCalls: Failure = { kind: "unreadable", detail: `more than ${maxCalls} calls` };
export const tooManyParts: Failure = { kind: "unreadable", detail: `more than ${maxParts} parts` };

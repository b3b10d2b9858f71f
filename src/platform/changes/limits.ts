/** What is kept of what commands change. */
export interface LookLimits {
  /** Looked at. */
  readonly maxFiles: number;
  readonly maxFileBytes: number;
  /** Of all copies together. */
  readonly maxBytes: number;
  /** For a look before a command. What has not been reached by then is named, like all that is beyond a limit. */
  readonly maxMs: number;
}

/** Also what is asked about before it is deleted. */
export const usualLimits: LookLimits = {
  maxFiles: 50_000,
  maxFileBytes: 10 * 2 ** 20,
  maxBytes: 256 * 2 ** 20,
  maxMs: 15_000,
};

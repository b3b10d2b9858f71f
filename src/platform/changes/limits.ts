export interface LookLimits {
  readonly maxFiles: number;
  readonly maxFileBytes: number;
  readonly maxBytes: number;
  /** For a look before a command. Everything not reached by then is reported, like everything beyond a limit. */
  readonly maxMs: number;
}

export const usualLimits: LookLimits = {
  maxFiles: 50_000,
  maxFileBytes: 10 * 2 ** 20,
  maxBytes: 256 * 2 ** 20,
  maxMs: 15_000,
};

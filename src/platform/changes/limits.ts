export const usualLimits = {
  maxFiles: 50_000,
  maxFileBytes: 10 * 2 ** 20,
  maxBytes: 256 * 2 ** 20,
  /** For a look before a command. Everything not reached by then is reported, like everything beyond a limit. */
  maxMs: 15_000,
};

export type LookLimits = Readonly<typeof usualLimits>;

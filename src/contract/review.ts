export const severities = ["critical", "high", "medium", "low"] as const;

/** SL-3, with the field names of the JSON that models write and people read. */
export interface Finding {
  readonly severity: (typeof severities)[number];
  readonly file: string;
  readonly line: number;
  readonly problem: string;
  readonly suggestion: string;
  /** For a finding on an unchanged line: the changed line that causes it. */
  readonly follows_from?: { readonly file: string; readonly line: number };
}

export interface Review {
  readonly findings: readonly Finding[];
  readonly dropped: number;
}

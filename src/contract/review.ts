export const severities = ["critical", "high", "medium", "low"] as const;

/** SL-3. The names are those of the JSON that models write and people read. */
export interface Finding {
  readonly severity: (typeof severities)[number];
  readonly file: string;
  readonly line: number;
  readonly problem: string;
  readonly suggestion: string;
  /** Of a finding at a line that was not changed: the changed one that brings it about. */
  readonly follows_from?: { readonly file: string; readonly line: number };
}

export interface Review {
  readonly findings: readonly Finding[];
  /** Findings that pointed at nothing that was changed. */
  readonly dropped: number;
}

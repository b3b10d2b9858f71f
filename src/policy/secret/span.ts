/** A half-open range of text: `from` is included, `to` is not. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** A span that must not be shown. `kind` becomes part of the placeholder: lower-case letters and dashes. */
export interface Secret extends Span {
  readonly kind: string;
  /** The decoded value, where the text shows an encoded form: both get the same placeholder. */
  readonly value?: string;
  /** A further piece of the preceding secret: it is removed, without a placeholder of its own. */
  readonly isRest?: boolean;
}

/** Sorted and without overlap: overlapping secrets become one, so that neither leaves an end behind. The first one names the result. */
export function mergeSecrets(found: readonly Secret[]): readonly Secret[] {
  const rows = [...found].sort((one, other) => one.from - other.from || other.to - one.to);
  const merged: Secret[] = [];
  for (const row of rows) {
    const last = merged.at(-1);
    if (last === undefined || row.from >= last.to) merged.push(row);
    else merged[merged.length - 1] = joined(last, row);
  }
  return merged;
}

function joined(last: Secret, row: Secret): Secret {
  const { isRest, ...whole } = last.isRest && !row.isRest ? { ...row, from: last.from, isRest: undefined } : last;
  return { ...whole, to: Math.max(last.to, row.to), ...(isRest ? { isRest } : {}) };
}

/** The parts of the secrets outside the spans. Both lists are in order. */
export function withoutSpans(secrets: readonly Secret[], spans: readonly Span[]): readonly Secret[] {
  const left: Secret[] = [];
  let at = 0;
  for (const { from, to, ...rest } of secrets) {
    let start = from;
    while (at < spans.length && (spans[at] as Span).to <= start) at++;
    for (let i = at; i < spans.length && (spans[i] as Span).from < to; i++) {
      const span = spans[i] as Span;
      if (span.from > start) left.push({ ...rest, from: start, to: span.from });
      start = span.to;
    }
    if (start < to) left.push({ ...rest, from: start, to });
  }
  return left;
}

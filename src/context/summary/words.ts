import { isConstraint, type Piece, sentencesOf } from "../constraints.ts";
import { estimateTokens } from "../tokens.ts";

/** Maximum characters per message, tried from the largest. */
const CAPS: readonly number[] = [Number.POSITIVE_INFINITY, 4_000, 2_000, 1_000, 500, 250, 120];

/** Oldest first, with every omission marked or counted. Text that sounds like a constraint is dropped last. */
export function keptWords(said: readonly string[], room: number): string {
  const counted = withoutRepeats(said);
  for (const cap of CAPS) {
    const blocks = counted.map(({ text, times }) => block(shortened(text, cap), times));
    if (sizeOf(blocks) <= room) return blocks.join("\n");
  }
  return newestOf(counted, room);
}

interface Counted {
  readonly text: string;
  readonly times: number;
}

/** "go on", said forty times, counts as one message at its last position. */
function withoutRepeats(said: readonly string[]): readonly Counted[] {
  const times = new Map<string, number>();
  for (const text of said) {
    const before = times.get(text) ?? 0;
    times.delete(text);
    times.set(text, before + 1);
  }
  return [...times].map(([text, n]) => ({ text, times: n }));
}

function newestOf(counted: readonly Counted[], room: number): string {
  const cap = CAPS.at(-1) ?? 0;
  const kept = new Set<Counted>();
  let left = room - estimateTokens(leftOut(counted.length));
  // Reversed below: constraints first, newest first, then the rest.
  const byWeight = [
    ...counted.filter(({ text }) => !isConstraint(text)),
    ...counted.filter((one) => isConstraint(one.text)),
  ];
  for (const one of byWeight.toReversed()) {
    const tokens = sizeOf([block(shortened(one.text, cap), one.times)]);
    if (tokens > left) break;
    left -= tokens;
    kept.add(one);
  }
  const lines = counted.flatMap((one) => (kept.has(one) ? [block(shortened(one.text, cap), one.times)] : []));
  return [leftOut(counted.length - kept.size), ...lines].join("\n");
}

function leftOut(n: number): string {
  return `[${n} earlier messages of the person left out here]`;
}

function block(text: string, times: number): string {
  return `<said${times > 1 ? ` times="${times}"` : ""}>${text}</said>`;
}

function sizeOf(blocks: readonly string[]): number {
  return blocks.reduce((sum, one) => sum + estimateTokens(one) + 1, 0);
}

/** Only the user's own words may carry the <said> mark. */
export function unmarked(text: string): string {
  return text.replace(/<(?=\/?said\b)/gi, "‹");
}

/** Keeps the beginning and everything that sounds like a constraint, verbatim, and marks the gaps. */
export function shortened(text: string, cap: number): string {
  if (text.length <= cap) return text;
  const pieces = sentencesOf(text);
  const kept = new Set<Piece>();
  let left = cap;
  const take = (piece: Piece): void => {
    const length = piece.to - piece.from;
    if (kept.has(piece) || length > left) return;
    kept.add(piece);
    left -= length;
  };
  const [first] = pieces;
  if (first) take(first);
  for (const piece of pieces) if (isConstraint(text.slice(piece.from, piece.to))) take(piece);
  for (const piece of pieces) take(piece);
  return kept.size === 0 ? `${text.slice(0, cap)}${gap(text.length - cap)}` : withGaps(text, pieces, kept);
}

function withGaps(text: string, pieces: readonly Piece[], kept: ReadonlySet<Piece>): string {
  let out = "";
  let missing = 0;
  for (const piece of pieces) {
    if (!kept.has(piece)) {
      missing += piece.to - piece.from;
      continue;
    }
    if (missing > 0) out += gap(missing);
    missing = 0;
    out += text.slice(piece.from, piece.to);
  }
  return missing > 0 ? out + gap(missing) : out;
}

function gap(missing: number): string {
  return ` [… ${missing} characters left out …] `;
}

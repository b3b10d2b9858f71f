// The escape sequences that a line may contain: styles, and links as OSC 8, which end with BEL or with ESC \. Others are recognised as a
// whole, so that nothing ever splits one.

/** CSI; OSC, APC, DCS, PM and SOS with either end. */
const source = String.raw`\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]_P^X][^\x07\x1b]*(?:\x07|\x1b\\))`;

export const escapes = new RegExp(source, "g");

/** Bits of `Styles`: what may be open at a place of a line. */
export type Styles = number;

const link = 1;
/** The bit of each attribute, and the code that ends it. */
const weight = 2;
const foreground = 4;
const background = 8;
const underlineColour = 16;
const others: Readonly<Record<number, number>> = {
  3: 32,
  4: 64,
  5: 128,
  6: 128,
  7: 256,
  8: 512,
  9: 1024,
  21: 64,
  53: 2048,
};
const ends: Readonly<Record<number, number>> = {
  ...{ 22: weight, 23: 32, 24: 64, 25: 128, 27: 256, 28: 512, 29: 1024, 39: foreground, 49: background, 55: 2048 },
  59: underlineColour,
};

interface Effect {
  readonly clears: Styles;
  readonly sets: Styles;
}

const known = new Map<string, Effect>();
const mostKnown = 500;

/** What is open behind the sequence. */
export function after(open: Styles, sequence: string): Styles {
  const { clears, sets } = effectOf(sequence);
  return (open & ~clears) | sets;
}

function effectOf(sequence: string): Effect {
  const found = known.get(sequence);
  if (found) return found;
  const made = sequence.startsWith("\x1b]8;") ? linked(sequence) : styled(sequence);
  // Links differ, styles do not.
  if (known.size < mostKnown) known.set(sequence, made);
  return made;
}

function linked(sequence: string): Effect {
  const isEnd = /^\x1b\]8;[^;]*;(?:\x07|\x1b)/.test(sequence);
  return { clears: link, sets: isEnd ? 0 : link };
}

function styled(sequence: string): Effect {
  const codes = /^\x1b\[([\d;:]*)m$/.exec(sequence)?.[1];
  let [clears, sets] = [0, 0];
  if (codes === undefined) return { clears, sets };
  const parts = codes.split(";");
  for (let at = 0; at < parts.length; at++) {
    const code = Number.parseInt(parts[at] || "0", 10);
    if (code === 0) [clears, sets] = [~link, 0];
    const end = ends[code] ?? 0;
    clears |= end;
    sets = (sets & ~end) | startOf(code);
    // The parts of a colour that follow are no codes.
    if ((code === 38 || code === 48 || code === 58) && !parts[at]?.includes(":")) at += parts[at + 1] === "2" ? 4 : 2;
  }
  return { clears, sets };
}

function startOf(code: number): Styles {
  if (code === 1 || code === 2) return weight;
  if ((code >= 30 && code <= 38) || (code >= 90 && code <= 97)) return foreground;
  if ((code >= 40 && code <= 48) || (code >= 100 && code <= 107)) return background;
  return code === 58 ? underlineColour : (others[code] ?? 0);
}

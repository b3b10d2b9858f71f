const maxRounds = 12;

/** Takes stretches out of a line as long as what is left is still bad. `isBad` gets many lines and tells which of them are. */
export async function shrink(
  line: string,
  bad: (lines: readonly string[]) => Promise<readonly string[]>,
): Promise<string> {
  let small = line;
  for (let round = 0; round < maxRounds; round += 1) {
    const [shorter] = [...(await bad(shortened(small)))].sort((one, other) => one.length - other.length);
    if (shorter === undefined) return small;
    small = shorter;
  }
  return small;
}

function shortened(line: string): readonly string[] {
  const made = new Set<string>();
  for (let width = Math.ceil(line.length / 2); width > 0; width = width === 1 ? 0 : Math.ceil(width / 2)) {
    for (let at = 0; at + width <= line.length; at += width) made.add(line.slice(0, at) + line.slice(at + width));
  }
  made.delete("");
  return [...made].slice(0, 120);
}

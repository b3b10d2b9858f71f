/** CX-2: the sections of every summary. `Instructions` and `Files` come from the state alone. */
export const SECTIONS = ["Goal", "Instructions", "Done", "Decisions and risks", "Next steps", "Files"] as const;

export type Section = (typeof SECTIONS)[number];
export type Sections = Readonly<Partial<Record<Section, string>>>;

const heading =
  /^\s{0,3}(?:#{1,6}\s*|\*\*\s*)?(?:\d+[.)]\s*)?([A-Za-z][A-Za-z ,/&]{2,40}?)\s*(?::\s*)?(?:\*\*)?\s*:?\s*$/;

/** Splits a model's text at headings in any common form. Text before the first one is dropped. */
export function sectionsOf(text: string): Sections {
  const found: Partial<Record<Section, string>> = {};
  let current: Section | null = null;
  let lines: string[] = [];
  const close = (): void => {
    const body = lines.join("\n").trim();
    if (current !== null && body !== "") found[current] = found[current] ? `${found[current]}\n${body}` : body;
    lines = [];
  };
  for (const line of text.split("\n")) {
    const next = sectionIn(line);
    if (next === null) lines.push(line);
    else {
      close();
      current = next;
    }
  }
  close();
  return found;
}

function sectionIn(line: string): Section | null {
  // The length limit bounds the regex on a line of spaces.
  const [, name] = line.length > 80 ? [] : (heading.exec(line) ?? []);
  const words = name?.toLowerCase().replace(/&/g, "and").replace(/\s+/g, " ").trim();
  return SECTIONS.find((one) => one.toLowerCase() === words) ?? null;
}

export function isUsable(text: string): boolean {
  const { Goal, Done, "Decisions and risks": risks, "Next steps": next } = sectionsOf(text);
  return [Goal, Done, risks, next].filter((one) => one !== undefined).length >= 2;
}

/** CX-2: what every summary consists of. `Instructions` and `Files` come from the state alone. */
export const SECTIONS = ["Goal", "Instructions", "Done", "Decisions and risks", "Next steps", "Files"] as const;

export type Section = (typeof SECTIONS)[number];
export type Sections = Readonly<Partial<Record<Section, string>>>;

const heading =
  /^\s{0,3}(?:#{1,6}\s*|\*\*\s*)?(?:\d+[.)]\s*)?([A-Za-z][A-Za-z ,/&]{2,40}?)\s*(?::\s*)?(?:\*\*)?\s*:?\s*$/;

/** The sections of what a model wrote, by their headings in whatever form. Text before the first one belongs to none. */
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
  // A line of blanks, however long, costs nothing.
  const [, name] = line.length > 80 ? [] : (heading.exec(line) ?? []);
  const words = name?.toLowerCase().replace(/&/g, "and").replace(/\s+/g, " ").trim();
  return SECTIONS.find((one) => one.toLowerCase() === words) ?? null;
}

/** A model that kept to the form at least in the main. */
export function isUsable(text: string): boolean {
  const { Goal, Done, "Decisions and risks": risks, "Next steps": next } = sectionsOf(text);
  return [Goal, Done, risks, next].filter((one) => one !== undefined).length >= 2;
}

// The public declarations of a text, recognized line by line for common languages.

const declared: readonly RegExp[] = [
  // JavaScript, TypeScript
  /^\s*export\s+(?:default\s+)?(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(?:function\s*\*?|class|const|let|var|interface|type|enum)\s+([\w$]+)(.*)$/,
  /^\s*(?:module\.)?exports\.([\w$]+)\s*=(.*)$/,
  // Python: declarations in the first column that do not begin with an underscore
  /^(?:async\s+)?(?:def|class)\s+([A-Za-z]\w*)(.*)$/,
  // Go
  /^func\s+(?:\([^)]*\)\s*)?([A-Z]\w*)(.*)$/,
  /^(?:type|var|const)\s+([A-Z]\w*)(.*)$/,
  // Rust
  /^\s*pub\s+(?:async\s+|unsafe\s+|const\s+)*(?:fn|struct|enum|trait|mod|type|static|const)\s+(\w+)(.*)$/,
  // Java, C#, Kotlin
  /^\s*public\s+(?:static\s+|final\s+|abstract\s+|async\s+|override\s+)*[\w<>[\], .?]+\s+(\w+)\s*(\(.*)$/,
];

/** Names with their parameters: callers rely on parameters too. */
function publicIn(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const line of text.split("\n", 20_000)) {
    for (const form of declared) {
      const [, name, rest = ""] = form.exec(line.slice(0, 1000)) ?? [];
      if (name !== undefined) found.set(name, parametersIn(rest));
    }
  }
  return found;
}

function parametersIn(rest: string): string {
  const inside = /\(([^()]*(?:\([^()]*\)[^()]*)*)\)/.exec(rest)?.[1] ?? "";
  return inside.replace(/\s+/g, "");
}

/** Names that were public and are gone, or take other parameters. */
export function dropped(before: string, after: string): readonly string[] {
  const now = publicIn(after);
  return [...publicIn(before)].flatMap(([name, parameters]) => (now.get(name) === parameters ? [] : [name]));
}

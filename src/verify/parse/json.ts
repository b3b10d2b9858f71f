/** `null` for text that is cut off or only looks like JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // A line that is not JSON stays a plain line.
  }
}

export function partIn(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, key)
    ? (value as Readonly<Record<string, unknown>>)[key]
    : undefined;
}

export function textIn(value: unknown, key: string): string {
  const found = partIn(value, key);
  return typeof found === "string" ? found : "";
}

export function numberIn(value: unknown, key: string): number | null {
  const found = partIn(value, key);
  return typeof found === "number" && Number.isFinite(found) ? found : null;
}

export function listIn(value: unknown, key: string): readonly unknown[] {
  const found = partIn(value, key);
  return Array.isArray(found) ? found : [];
}

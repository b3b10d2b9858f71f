import type { PartMeta } from "../../contract/message.ts";

export function metaOf(provider: string, fields: Readonly<Record<string, unknown>>): PartMeta | undefined {
  const kept: Record<string, string> = {};
  for (const [field, value] of Object.entries(fields))
    if (typeof value === "string" && value !== "") kept[field] = value;
  return Object.keys(kept).length === 0 ? undefined : { [provider]: kept };
}

/** Counts towards the size of the reply, so that a flood of signatures ends like a flood of text. */
export function metaSize(meta: PartMeta | undefined): number {
  if (meta === undefined) return 0;
  let size = 0;
  for (const fields of Object.values(meta)) for (const value of Object.values(fields)) size += String(value).length;
  return size;
}

export function saysSomething(meta: PartMeta | undefined): boolean {
  if (meta === undefined) return false;
  return Object.values(meta).some((fields) => Object.keys(fields).some((key) => key !== "itemId" && key !== "phase"));
}

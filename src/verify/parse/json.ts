import { fieldsOf, listOf, textOf } from "../../contract/json.ts";

export function partIn(value: unknown, key: string): unknown {
  return fieldsOf(value)[key];
}

export function textIn(value: unknown, key: string): string {
  return textOf(partIn(value, key));
}

export function numberIn(value: unknown, key: string): number | null {
  const found = partIn(value, key);
  return typeof found === "number" && Number.isFinite(found) ? found : null;
}

export function listIn(value: unknown, key: string): readonly unknown[] {
  return listOf(partIn(value, key));
}

import { plain } from "../../contract/show/visible.ts";

const longest = 100;
const patchFile = /^(?:\*\*\* (?:Add|Update|Delete) File: |\+\+\+ (?:b\/)?)(.+)$/gm;
const names = ["command", "path", "url", "title", "prompt", "name", "id"] as const;

/** The object of a call (command, file, pattern or URL), in one line and cut; "" when it has no such argument. */
export function callTarget(input: unknown): string {
  if (typeof input !== "object" || input === null) return "";
  const text = (name: string): string => {
    const value = (input as Readonly<Record<string, unknown>>)[name];
    return typeof value === "string" ? value.slice(0, 10 * longest) : "";
  };
  const files = [...text("patch").matchAll(patchFile)]
    .map(([, path = ""]) => path)
    .filter((path) => path !== "/dev/null");
  const searched = [text("pattern"), ...[text("path"), text("glob")].filter((place) => place !== ".")];
  const found = text("pattern") === "" ? (names.map(text).find((one) => one !== "") ?? "") : searched.join(" ");
  const line = plain((found || [...new Set(files)].join(", ")).replace(/[\r\n\t]+/g, " ")).trim();
  return line.length > longest ? `${line.slice(0, longest)}…` : line;
}

import { fail, ok, type Result } from "../../contract/error.ts";
import { phrase } from "../../contract/text/catalogue.ts";

/** Reads the arguments of a call of `tool`. Repairs only text with exactly one reading (MD-6). */
export function parseArguments(tool: string, text: string): Result<unknown> {
  const trimmed = text.trim();
  if (trimmed === "") return ok({});
  const plain = parse(trimmed);
  if (plain.ok) return ok(plain.value);
  const bare = withoutFence(trimmed);
  const repaired = bare === "" ? plain : parse(withoutTrailingCommas(bare));
  if (repaired.ok) return ok(repaired.value);
  return fail("E_INVALID_ARGS", phrase("run.bad_json", { tool, problem: plain.problem }));
}

type Parsed = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly problem: string };

function parse(text: string): Parsed {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch (error) {
    return { ok: false, problem: error instanceof Error ? error.message.slice(0, 200) : "unreadable" };
  }
}

function withoutFence(text: string): string {
  const firstLineEnd = text.indexOf("\n");
  const isFenced = text.startsWith("```") && text.endsWith("```") && firstLineEnd !== -1;
  return isFenced ? text.slice(firstLineEnd, -3).trim() : text;
}

/** Drops a comma between a value and a closing bracket, but not inside strings. */
function withoutTrailingCommas(text: string): string {
  let kept = "";
  let copied = 0;
  let inString = false;
  let previous = "";
  let comma = -1;
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!;
    if (inString) {
      if (char === "\\") at++;
      else if (char === '"') inString = false;
      continue;
    }
    if (char === " " || char === "\n" || char === "\r" || char === "\t") continue;
    if (comma !== -1 && (char === "}" || char === "]")) {
      kept += text.slice(copied, comma);
      copied = comma + 1;
    }
    comma = char === "," && !"[{,".includes(previous) ? at : -1;
    inString = char === '"';
    previous = char;
  }
  return kept + text.slice(copied);
}

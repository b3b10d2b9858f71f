import { hashOf, partsOf } from "../question/words.ts";
import type { Language } from "./language.ts";
import type { FileSymbol } from "./symbol.ts";

const isExport = /^export\b/;

/** Whether a definition is usable from other files, as far as its line tells. */
export function visibleIn(symbols: readonly FileSymbol[], language: Language | null): (symbol: FileSymbol) => boolean {
  switch (language) {
    case "typescript":
    case "tsx": {
      // A file without exports is a script or a CommonJS module, where `exports.a = …` does not tell what else is exported.
      const isModule = symbols.some(({ text, kind }) => isExport.test(text) && kind !== "export");
      return ({ text, depth, kind }) => depth === 0 && kind !== "export" && (!isModule || isExport.test(text));
    }
    case "rust":
      return ({ text }) => /^pub\b|macro_rules/.test(text);
    case "go":
      return ({ name }) => /^\p{Lu}/u.test(name);
    case "python":
      return ({ name }) => !name.startsWith("_");
    case "markdown":
      return () => false;
    default:
      return ({ text }) => !/\bprivate\b/.test(text);
  }
}

/** A name of two or more words is hardly ever used by accident. */
function isTelling(name: string): boolean {
  return partsOf(name).length > 1;
}

/** Visible names as numbers: the count of telling names, those, then the others. */
export function packNames(symbols: readonly FileSymbol[], language: Language | null): Uint32Array {
  const names = [...new Set(symbols.filter(visibleIn(symbols, language)).map(({ name }) => name))];
  const telling = names.filter(isTelling);
  const plain = names.filter((name) => !isTelling(name));
  return Uint32Array.from([telling.length, ...telling.map(hashOf), ...plain.map(hashOf)]);
}

/** A plain word appears in many files for other reasons. */
export const plainWeight = 0.1;

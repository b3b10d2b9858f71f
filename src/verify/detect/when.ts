import { posix } from "node:path";
import type { Mode } from "../../contract/task.ts";
import { type Phrase, phrase } from "../../contract/text/catalogue.ts";

export interface CheckFacts {
  /** Relative to the workspace if inside it. */
  readonly changed: readonly string[];
  readonly mode: Mode;
  readonly asked: boolean;
  readonly declined?: boolean;
  readonly autoVerify: boolean;
  readonly bashAllowed: boolean;
  readonly attempts: number;
  readonly maxAttempts: number;
}

/** `needless`: no check could say anything about the changes. */
type Wanted = { readonly wanted: true } | { readonly wanted: false; readonly why: Phrase; readonly needless?: true };

/** VF-1. */
export function whetherToCheck(facts: CheckFacts): Wanted {
  const { changed, mode, asked, maxAttempts } = facts;
  if (changed.length === 0) return { wanted: false, why: phrase("verify.nothing") };
  if (changed.every(isDocument)) return { wanted: false, why: phrase("verify.only_documents"), needless: true };
  if (!facts.autoVerify) return no(phrase("verify.switched_off"));
  if (!facts.bashAllowed) return no(phrase("verify.no_bash"));
  if (facts.attempts >= maxAttempts) return no(phrase("verify.attempts_used", { n: maxAttempts }));
  if (mode === "plan") return no(phrase("verify.plan_mode"));
  if (facts.declined) return no(phrase("verify.declined"));
  if (mode === "default" && !asked) return no(phrase("verify.not_asked"));
  return { wanted: true };
}

function no(why: Phrase): Wanted {
  return { wanted: false, why: phrase("verify.not_run", { why }) };
}

const documentFolders = ["docs/", ".coder/"];
const documentEndings = [".md", ".mdx", ".txt", ".rst", ".adoc"];

/** Folders count only at the workspace root: `src/docs/render.ts` is code. */
export function isDocument(path: string): boolean {
  const plain = posix.normalize(path);
  if (documentFolders.some((folder) => plain.startsWith(folder))) return true;
  return documentEndings.includes(posix.extname(plain).toLowerCase());
}

// What redaction finds in ordinary source trees, where nothing should be found: this project and its dependencies.
//   bun scripts/redaction.ts [--show] [FOLDERS…]
import { join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { secretFinder } from "../src/policy/redact.ts";

const root = join(import.meta.dir, "..");
const ordinary = "**/*.{ts,tsx,js,mjs,cjs,json,md,css,html,yml,yaml,toml,ini,conf,sh,py,rb,go,rs,c,h,cpp,java,txt}";
/** They hold what it is to find. */
const planted = /^test\/policy\/(?:redact|secret)/;
/** One file of more would outweigh all the rest. */
const maxBytes = 8_000_000;

export interface Findings {
  readonly files: number;
  readonly lines: number;
  readonly characters: number;
  /** `file:line kind "the text up to the end of it"` */
  readonly found: readonly string[];
}

/** Every `step`-th file of the folders, in the order of their names; `known`: values that the process would know. */
export async function lookAt(folders: readonly string[], step = 1, known: readonly string[] = []): Promise<Findings> {
  const find = secretFinder(known);
  let [files, lines, characters] = [0, 0, 0];
  const found: string[] = [];
  for (const path of pathsIn(folders).filter((_, i) => i % step === 0)) {
    const file = Bun.file(path);
    if (file.size > maxBytes) continue;
    const text = await file.text();
    files++;
    characters += text.length;
    lines += lineOf(text, text.length);
    for (const { from, to, kind } of find(text)) {
      const around = JSON.stringify(text.slice(Math.max(0, from - 40), to).slice(0, 160));
      found.push(`${relative(root, path)}:${lineOf(text, from)} ${kind} ${around}`);
    }
  }
  return { files, lines, characters, found };
}

function lineOf(text: string, at: number): number {
  return text.slice(0, at).split("\n").length;
}

function pathsIn(folders: readonly string[]): readonly string[] {
  return folders
    .flatMap((folder) => {
      const cwd = resolve(root, folder);
      return [...new Bun.Glob(ordinary).scanSync({ cwd })].map((path) => join(cwd, path));
    })
    .filter((path) => !planted.test(relative(root, path)))
    .sort();
}

export function per10000({ found, lines }: Findings): number {
  return lines === 0 ? 0 : (found.length * 10_000) / lines;
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({
    args: process.argv.slice(2),
    allowPositionals: true,
    options: { show: { type: "boolean", default: false } },
  });
  const folders = positionals.length > 0 ? positionals : ["src", "test", "scripts", "docs", "node_modules"];
  const started = performance.now();
  const findings = await lookAt(folders);
  const { files, lines, characters, found } = findings;
  const ms = Math.round(performance.now() - started);
  if (values.show) for (const one of found) console.log(one);
  const rate = per10000(findings);
  console.log(
    `${found.length} found in ${lines} lines of ${files} files (${characters} characters, ${ms} ms): ${rate.toFixed(2)} per 10,000 lines`,
  );
  process.exitCode = rate <= 1 ? 0 : 1;
}

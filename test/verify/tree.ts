import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** Content of a file, `{ link }` to somewhere, or a program that can be run. */
export type Tree = Readonly<Record<string, string | { readonly link: string } | { readonly program: string }>>;

/** A workspace with these files, below a folder of its own that stands for the rest of the disk. */
export function inTree<T>(tree: Tree, use: (root: string) => T): T {
  const base = realpathSync.native(mkdtempSync(join(tmpdir(), "coder-verify-")));
  const root = join(base, "workspace");
  try {
    mkdirSync(root);
    for (const [path, what] of Object.entries(tree)) {
      const full = join(root, path);
      mkdirSync(dirname(full), { recursive: true });
      if (typeof what === "string") writeFileSync(full, what);
      else if ("link" in what) symlinkSync(what.link, full);
      else {
        writeFileSync(full, what.program);
        chmodSync(full, 0o755);
      }
    }
    return use(root);
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

export function manifest(test: string, more: object = {}): string {
  return JSON.stringify({ name: "x", version: "1.0.0", scripts: { test }, ...more });
}

// A small repository in a temporary folder, and its index.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { estimateTokens } from "../../src/context/tokens.ts";
import { isSecretPath } from "../../src/contract/path/secret-path.ts";
import { clean } from "../../src/engine/call/redact.ts";
import { type IndexDeps, openIndex, type RepoIndex } from "../../src/index/open.ts";

export const deps: IndexDeps = {
  isSecret: isSecretPath,
  hasSecret: (text) => clean(text) !== text,
  tokens: estimateTokens,
};
export const { signal } = new AbortController();

export interface Workspace {
  readonly root: string;
  readonly home: string;
  readonly write: (files: Readonly<Record<string, string | Uint8Array>>) => void;
}

export async function inWorkspace(
  files: Readonly<Record<string, string | Uint8Array>>,
  use: (workspace: Workspace) => Promise<void>,
): Promise<void> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "coder-index-")));
  const root = join(base, "ws");
  mkdirSync(root);
  const write: Workspace["write"] = (more) => {
    for (const [path, content] of Object.entries(more)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), content);
    }
  };
  try {
    write(files);
    await use({ root, home: join(base, "home"), write });
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

/** Opened, used and closed. */
export async function withIndex<T>(
  { root, home }: Workspace,
  use: (index: RepoIndex) => Promise<T>,
  more: Partial<IndexDeps> = {},
): Promise<T> {
  const index = await openIndex(root, home, { ...deps, ...more });
  try {
    return await use(index);
  } finally {
    await index.close();
  }
}

export async function pathsFor(index: RepoIndex, question: string): Promise<readonly string[]> {
  return (await index.search(question, { budget: 500, signal })).files.map(({ path }) => path);
}

// Which test files need a program that this machine lacks. They are left out with the reason, so that the others say something.
import { Glob } from "bun";

/** Program → what a test file that needs it names: a part of test/support, or the program itself. */
const signs: Readonly<Record<string, RegExp>> = {
  strace: /support\/strace\.ts"|"strace"/,
  bwrap: /support\/sandbox-runner\.ts"|"bwrap"|\/platform\/sandbox\/|sandboxState\(/,
  tmux: /support\/tmux\.ts"/,
};

export interface LeftOut {
  readonly program: string;
  readonly files: readonly string[];
}

export interface TestSource {
  readonly path: string;
  readonly text: string;
}

export function leftOut(sources: readonly TestSource[], isThere: (program: string) => boolean): readonly LeftOut[] {
  return Object.entries(signs)
    .filter(([program]) => !isThere(program))
    .map(([program, sign]) => ({
      program,
      files: sources.filter(({ text }) => sign.test(text)).map(({ path }) => path),
    }));
}

/** Of this machine; elsewhere than on Linux these tests skip themselves. */
export async function leftOutHere(root: string): Promise<readonly LeftOut[]> {
  if (process.platform !== "linux") return [];
  const isThere = (program: string): boolean => Bun.which(program) !== null;
  if (Object.keys(signs).every(isThere)) return [];
  const paths = [...new Glob("test/**/*.test.ts").scanSync(root)].sort();
  const sources = await Promise.all(
    paths.map(async (path) => ({ path, text: await Bun.file(`${root}/${path}`).text() })),
  );
  return leftOut(sources, isThere);
}

export function reasonFor({ program, files }: LeftOut): string {
  return `skipped, because ${program} is not installed: ${files.join(", ")}`;
}

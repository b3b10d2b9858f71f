// A file that does not fit into one reading hides its design. The limits are those of the house style.
import { join } from "node:path";

const failOver = 500;
const warnOver = 300;

export async function checkSizes(root: string): Promise<{ ok: boolean; output: string }> {
  const paths = [...new Bun.Glob("{src,test}/**/*.{ts,tsx}").scanSync({ cwd: root })].sort();
  const files = await Promise.all(
    paths.map(async (path) => ({ path, lines: lineCount(await Bun.file(join(root, path)).text()) })),
  );
  const tooLong = files.filter(({ lines }) => lines > failOver);
  const long = files.filter(({ path, lines }) => lines > warnOver && lines <= failOver && path.startsWith("src/"));
  return {
    ok: tooLong.length === 0,
    output: [
      ...tooLong.map(({ path, lines }) => `     ${path} has ${lines} lines; at most ${failOver} are allowed: split it`),
      ...long.map(({ path, lines }) => `     warning: ${path} has ${lines} lines (over ${warnOver})`),
    ].join("\n"),
  };
}

function lineCount(text: string): number {
  return text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
}

export interface Extracted {
  readonly text: string;
  readonly value: unknown;
}

export function extractJson(answer: string): Extracted | { readonly problem: string } {
  const bare = parse(answer.trim());
  if ("value" in bare) return bare;
  const blocks = fencedBlocks(answer);
  const [block] = blocks;
  if (block === undefined) return { problem: `the answer is not JSON: ${bare.problem}` };
  if (blocks.length > 1) return { problem: `the answer has ${blocks.length} fenced blocks, and only one may be there` };
  const found = parse(block.trim());
  return "value" in found ? found : { problem: `the fenced block is not JSON: ${found.problem}` };
}

function parse(text: string): Extracted | { readonly problem: string } {
  try {
    return { text, value: JSON.parse(text) };
  } catch (error) {
    // RangeError: nested too deeply for the parser.
    if (!(error instanceof SyntaxError || error instanceof RangeError)) throw error;
    return { problem: error.message };
  }
}

/** JSON strings escape line breaks, so a line that begins with a fence is a real fence. */
function fencedBlocks(answer: string): readonly string[] {
  const blocks: string[] = [];
  let fence: string | null = null;
  let lines: string[] = [];
  for (const line of answer.split(/\r?\n/)) {
    const mark = /^\s{0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence === null && mark !== undefined) {
      fence = mark;
      lines = [];
    } else if (fence !== null && mark?.startsWith(fence) && line.trim() === mark) {
      blocks.push(lines.join("\n"));
      fence = null;
    } else if (fence !== null) lines.push(line);
  }
  return blocks;
}

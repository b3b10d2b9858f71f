/** After this many changed files, the runtime would otherwise keep the garbage until memory has doubled. */
const many = 5_000;

/** Takes 50 to 80 ms; a command that changes so many files takes seconds. */
export async function collectAfter(files: number): Promise<void> {
  if (files < many) return;
  // A caller's released references may still be on the stack.
  await new Promise(setImmediate);
  Bun.gc(true);
}

/** Files that a command changed: the runtime would keep what was made for so many until memory has doubled. */
const many = 5_000;

/** Takes 50 to 80 ms, of the seconds that such a command takes. */
export async function collectAfter(files: number): Promise<void> {
  if (files < many) return;
  // What a function further up has let go of may still be on the stack.
  await new Promise(setImmediate);
  Bun.gc(true);
}

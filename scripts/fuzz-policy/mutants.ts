// Takes a defence out of the program, to show that the fuzzer would find the hole.
interface Patch {
  /** The end of the file's path. */
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

export const defences: Readonly<Record<string, readonly Patch[]>> = {
  "second-reader": [
    {
      file: "/second-reader/agree.ts",
      from: "return { script, isAgreed: false };",
      to: "return { script, isAgreed: true };",
    },
    { file: "/second-reader/agree.ts", from: "sameNotes(reader.notes, notesOf(script))", to: "true" },
    { file: "/shell/word/word.ts", from: "if (/[<>();&|`]/.test(", to: "if (/(?!)/.test(" },
  ],
  "rule-input": [
    {
      file: "/policy/rule/input.ts",
      from: "return input !== undefined &&",
      to: "return false && input !== undefined &&",
    },
  ],
  "path-rules": [
    { file: "/policy/rule/path.ts", from: "return globsMeet(forbidden,", to: "return !isGlob && globsMeet(forbidden," },
    {
      file: "/policy/rule/path.ts",
      from: "return seen !== null && globsMeet(",
      to: "return seen !== null; globsMeet(",
    },
  ],
};

/** Before anything of the program is loaded. */
export function takeOut(name: string): void {
  const patches = defences[name];
  if (!patches) throw new Error(`no defence is called ${name}; known: ${Object.keys(defences).join(", ")}`);
  const files = [...new Set(patches.map(({ file }) => file))];
  const filter = new RegExp(`(?:${files.map((file) => file.replaceAll(/[/.]/g, "\\$&")).join("|")})$`);
  Bun.plugin({
    name: "take-out",
    setup(build) {
      build.onLoad({ filter }, async ({ path }) => {
        let contents = await Bun.file(path).text();
        for (const { from, to } of patches.filter(({ file }) => path.endsWith(file))) {
          if (!contents.includes(from)) throw new Error(`${path} has no ${from}`);
          contents = contents.replace(from, to);
        }
        return { contents, loader: "ts" };
      });
    },
  });
}

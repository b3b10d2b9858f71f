// What `npm run bench-peers` installs from the npm registry. Change a version here, measure again, and date the figures.

export interface Package {
  readonly name: string;
  readonly version: string;
  /** A script of the package without which its program is not in place; no other install script runs. */
  readonly finish?: string;
}

export const packages: Readonly<Record<"codex" | "claude" | "pi", Package>> = {
  codex: { name: "@openai/codex", version: "0.166.0" },
  claude: {
    name: "@anthropic-ai/claude-code",
    version: "2.1.325",
    finish: "node_modules/@anthropic-ai/claude-code/install.cjs",
  },
  pi: { name: "@earendil-works/pi-coding-agent", version: "0.87.1" },
};

/** Some of them need a newer Node than coder does. */
export const node: Package = { name: `node-${process.platform}-${process.arch}`, version: "22.21.1" };

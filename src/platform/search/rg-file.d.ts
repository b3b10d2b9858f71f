/** The executable in a platform package: its path on disk or inside the compiled program. */
declare module "@vscode/ripgrep-*" {
  const path: string;
  export default path;
}

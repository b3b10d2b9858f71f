/** The program file of one platform's package: its path on disk, or inside the compiled program. */
declare module "@vscode/ripgrep-*" {
  const path: string;
  export default path;
}

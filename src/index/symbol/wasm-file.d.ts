/** The compiled parser of one language: its path on disk, or inside the compiled program. */
declare module "*.wasm" {
  const path: string;
  export default path;
}

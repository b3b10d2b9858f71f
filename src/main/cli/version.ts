import { version as number } from "../../../package.json";

declare const BUILD_COMMIT: string | undefined;

export function versionNumber(): string {
  return number;
}

/** The build sets the commit; it is empty outside a repository of ours. */
export function version(): string {
  const commit = typeof BUILD_COMMIT === "string" ? BUILD_COMMIT : "source";
  return `coder ${number}${commit === "" ? "" : ` (${commit})`}`;
}

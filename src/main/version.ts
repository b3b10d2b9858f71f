declare const BUILD_COMMIT: string | undefined;
declare const BUILD_VERSION: string | undefined;

/** Set by the build; from source there is neither. */
export function versionNumber(): string {
  return typeof BUILD_VERSION === "string" ? BUILD_VERSION : "0.1.0";
}

export function version(): string {
  return `coder ${versionNumber()} (${typeof BUILD_COMMIT === "string" ? BUILD_COMMIT : "source"})`;
}

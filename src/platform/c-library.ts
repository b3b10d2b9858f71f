import type { FFIFunction } from "bun:ffi";

/** The C library with these functions; `null` on other systems than Linux, and where it lacks one of them. */
export async function openCLibrary<Functions extends Record<string, FFIFunction>>(functions: Functions) {
  if (process.platform !== "linux") return null;
  const { dlopen, ptr, read } = await import("bun:ffi");
  for (const name of ["libc.so.6", "libc.musl-x86_64.so.1", "libc.musl-aarch64.so.1"]) {
    try {
      return { symbols: dlopen(name, functions).symbols, ptr, read };
    } catch {
      // Another C library; try the next name.
    }
  }
  return null;
}

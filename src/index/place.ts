import { join } from "node:path";
import { sha256 } from "../platform/files/hash.ts";

export function indexPathOf(workspace: string, home: string): string {
  return join(home, "index", `${sha256(Buffer.from(workspace)).slice(0, 24)}.db`);
}

// `npm run licences`: rewrites THIRD_PARTY_NOTICES.md after dependencies changed.
import { join } from "node:path";
import { notices } from "./notices.ts";

await Bun.write(join(import.meta.dir, "..", "THIRD_PARTY_NOTICES.md"), await notices());

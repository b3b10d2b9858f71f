// A second process that indexes a workspace: `builder.ts ROOT HOME`. Says when it is done.
import { openIndex } from "../../src/index/open.ts";
import { deps, signal } from "./workspace.ts";

if (import.meta.main) {
  const [root = "", home = ""] = process.argv.slice(2);
  const index = await openIndex(root, home, deps);
  const updated = await index.update(signal);
  await index.refine(signal);
  await index.close();
  process.stdout.write(JSON.stringify(updated));
}

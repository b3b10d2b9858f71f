import type { SessionState } from "../../machine/state.ts";
import { isFolderStamp } from "../../platform/files/stamp.ts";
import { chooseFrom } from "../../tool/undo/undo-choose.ts";
import { cleanUnended } from "../call/redact.ts";
import type { Loop } from "../loop/loop.ts";
import type { Undoable } from "../port.ts";
import { endedTasks } from "./undo-scope.ts";

const mostTasks = 50;

export function undoable({ history, state }: { history: Loop["history"]; state: SessionState }): readonly Undoable[] {
  const chosen = chooseFrom(endedTasks(history, state), false).slice(-mostTasks).toReversed();
  return chosen.map(({ title, at, changes, unkept }, index) => {
    const files = changes.filter(({ before, after }) => !isFolderStamp(after ?? before)).map(({ path }) => path);
    // A title, or a command in place of a path, may end in the middle of a secret.
    const unkeptFiles = unkept.map(({ path }) => cleanUnended(path));
    return { n: index + 1, text: cleanUnended(title), files: [...new Set([...files, ...unkeptFiles])], at };
  });
}

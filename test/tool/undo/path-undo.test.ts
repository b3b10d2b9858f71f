import { describe, expect, test } from "bun:test";
import type { FileChange } from "../../../src/contract/message.ts";
import { stampOf } from "../../../src/platform/files/open.ts";
import { undoPath } from "../../../src/tool/undo/path-undo.ts";

const mode = 0o644;
const was = Buffer.from("was 1\nsame\n");
const is = Buffer.from("is 22\nsame\n");
const edited = Buffer.from("is 22\nsame\nmine\n");
const change: FileChange = { path: "a.txt", real: "/a.txt", before: stampOf(was, mode), after: stampOf(is, mode) };

/** What undo says of content of which the session's store has these bytes. */
function undone(now: Buffer, stored: Readonly<Record<string, Buffer>>): unknown {
  const bytes = (hash: string): Buffer | null => stored[hash] ?? null;
  const undo = undoPath([change], { bytes: now, stamp: stampOf(now, mode) }, { tasks: () => [], bytes });
  return typeof undo === "string" ? undo : undo.target && Buffer.from(undo.target.bytes).toString();
}

describe("[RB-2] undo restores nothing that was not there", () => {
  const [before, after] = [change.before?.hash ?? "", change.after?.hash ?? ""];

  test("content that is not what was stored, of the same size too, is as good as gone", () => {
    expect(undone(is, { [before]: was, [after]: is })).toBe("was 1\nsame\n");
    expect(undone(is, { [before]: Buffer.from("was 2\nsame\n"), [after]: is })).toBe("not_kept");
  });

  test("nor is it merged with what was changed since", () => {
    expect(undone(edited, { [before]: was, [after]: is })).toBe("was 1\nsame\nmine\n");
    expect(undone(edited, { [before]: Buffer.from("was 2\nsame\n"), [after]: is })).toBe("not_kept");
    expect(undone(edited, { [before]: was, [after]: Buffer.from("is 23\nsame\n") })).toBe("not_kept");
  });
});

import { expect, test } from "bun:test";
import { endTarget } from "../../../src/platform/process/kill.ts";

test("[PO-8] a part of the sandbox that needs longer than the command to end is ended, and not told as something the command left", async () => {
  const keeper = Bun.spawn(["sleep", "300"]);
  const child = Bun.spawn(["sleep", "301"]);
  const pids = new Set([keeper.pid, child.pid]);
  const ended = await endTarget(
    {
      isRoot: ({ pid }) => pids.has(pid),
      isOwn: ({ pid }) => pid === keeper.pid,
      isGone: () => false,
      isHiding: () => false,
    },
    0,
  );
  expect(ended).toEqual({ ended: ["sleep 301"], left: [] });
  await Promise.all([keeper.exited, child.exited]);
  expect([keeper.signalCode, child.signalCode]).toEqual(["SIGTERM", "SIGTERM"]);
});

import { expect, test } from "bun:test";
import { openStore } from "../../src/store/open.ts";
import { useFolder } from "./sample.ts";
import { startWriter } from "./writer.ts";

const home = useFolder();

test("[VF-2] a no to an offer is remembered by workspace and exact command, by the next process too, and once", () => {
  const first = openStore(home());
  expect(first.isRefused("/w", "make test")).toBe(false);
  first.keepRefused("/w", "make test");
  first.keepRefused("/w", "make test");
  first.close();
  const store = openStore(home());
  const asked = [
    ["/w", "make test"],
    ["/w", "make test "],
    ["/w", "make"],
    ["/w/", "make test"],
    ["/other", "make test"],
  ] as const;
  expect(asked.map(([workspace, command]) => store.isRefused(workspace, command))).toEqual([
    true,
    ...[false, false, false, false],
  ]);
  // It is no rule: nothing is allowed by it.
  expect(store.rulesOf("/w")).toEqual([]);
  store.close();
});

test("[VF-2] it is on the disk when the answer has returned: kill -9 takes it not away", async () => {
  const writer = startWriter("offer", home(), "make test");
  await writer.next();
  await writer.kill();
  const store = openStore(home());
  expect(store.isRefused("/w", "make test")).toBe(true);
  store.close();
});

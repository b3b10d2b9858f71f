import { expect, test } from "bun:test";
import { modes } from "../../../src/contract/task.ts";
import { type Phrase, phrase } from "../../../src/contract/text/catalogue.ts";
import { type CheckFacts, isDocument, whetherToCheck } from "../../../src/verify/detect/when.ts";

const facts: CheckFacts = {
  changed: ["src/a.ts"],
  mode: "auto-edit",
  asked: false,
  autoVerify: true,
  bashAllowed: true,
  attempts: 0,
  maxAttempts: 2,
};
const ask = (more: Partial<CheckFacts>) => whetherToCheck({ ...facts, ...more });
const notRun = (why: Phrase) => ({ wanted: false, why: phrase("verify.not_run", { why }) }) as const;

test("[VF-1] a change of code in auto-edit and yolo is verified without being asked for", () => {
  expect(ask({})).toEqual({ wanted: true });
  expect(ask({ mode: "yolo" })).toEqual({ wanted: true });
});

test("[VF-1] default mode verifies only when asked to, plan mode never", () => {
  expect(ask({ mode: "default" })).toEqual(notRun(phrase("verify.not_asked")));
  expect(ask({ mode: "default", asked: true })).toEqual({ wanted: true });
  expect(ask({ mode: "plan", asked: true })).toEqual(notRun(phrase("verify.plan_mode")));
});

test("[VF-1] a person who says not to run anything is heard in every mode", () => {
  for (const mode of modes.filter((one) => one !== "plan")) {
    expect(ask({ mode, declined: true })).toEqual(notRun(phrase("verify.declined")));
  }
});

test("[VF-1] nothing changed, or only documents, is nothing to verify", () => {
  expect(ask({ changed: [] })).toEqual({ wanted: false, why: phrase("verify.nothing") });
  const documents = [
    "docs/a.png",
    "./docs/b/c.ts",
    ".coder/config.json",
    "README.md",
    "x/y.MDX",
    "a.txt",
    "b.rst",
    "c.adoc",
  ];
  expect(ask({ changed: documents })).toEqual({
    wanted: false,
    why: phrase("verify.only_documents"),
    needless: true,
  });
  expect(ask({ changed: [...documents, "a.py"] })).toEqual({ wanted: true });
});

test("[VF-1] code that only looks like a document is code", () => {
  const code = [
    "src/docs/render.ts",
    "docs.ts",
    "docs2/a.ts",
    "docs/../src/a.ts",
    "a.md.ts",
    "md",
    ".md",
    "x/.coder/a.ts",
  ];
  expect(code.filter(isDocument)).toEqual([]);
});

test("[VF-1] the switch, the agent's commands and the attempts each stop it, whatever was asked for", () => {
  const asked = { mode: "default", asked: true } as const;
  expect(ask({ ...asked, autoVerify: false })).toEqual(notRun(phrase("verify.switched_off")));
  expect(ask({ ...asked, bashAllowed: false })).toEqual(notRun(phrase("verify.no_bash")));
  expect(ask({ ...asked, attempts: 1 })).toEqual({ wanted: true });
  expect(ask({ ...asked, attempts: 2 })).toEqual(notRun(phrase("verify.attempts_used", { n: 2 })));
  expect(ask({ ...asked, maxAttempts: 0 })).toEqual(notRun(phrase("verify.attempts_used", { n: 0 })));
});

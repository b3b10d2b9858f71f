import { phrase } from "../../../contract/text/catalogue.ts";
import { isQuestion, judgeArguments } from "../arguments.ts";
import { isKnownText } from "../verdict/found.ts";
import type { Program, Word } from "../verdict/judgement.ts";
import { cut } from "../verdict/tally.ts";
import { type Handled, refused } from "../wrapper/handled.ts";
import { sedProblem } from "./sed-script.ts";

// Not -i (in place) and -f (a script from a file). Scripts are judged separately.
const sed: Program = {
  flags: "nErsuz",
  valued: { e: "text" },
  long: {
    ...{ "--quiet": null, "--silent": null, "--regexp-extended": null, "--separate": null, "--unbuffered": null },
    ...{ "--null-data": null, "--posix": null, "--sandbox": null, "--expression": "text" },
  },
  operands: ["text"],
  rest: "read",
  firstBy: ["-e", "--expression"],
  atLeast: 1,
};

export function judgeSed(name: string, args: readonly Word[]): Handled {
  if (isQuestion(args)) return { problems: [] };
  for (const scripts of scriptsOf(args)) {
    const open = scripts.find((word) => !isKnownText(word));
    if (open) return refused(phrase("shell.sed.script", { part: cut(open.text) }));
    const problem = sedProblem(scripts.map((word) => (word.kind === "literal" ? word.value : "")).join("\n"));
    if (problem !== null) return refused(phrase("shell.sed.script", { part: cut(problem) }));
  }
  const judged = judgeArguments(name, sed, args);
  return "problem" in judged ? refused(judged.problem) : { problems: [], reads: judged.reads };
}

/** The values of -e, or else the first operand. A first operand before -e counts too: a sed that does not reorder runs it. */
function scriptsOf(args: readonly Word[]): readonly (readonly Word[])[] {
  const scripts: Word[] = [];
  let first: Word | null = null;
  let isOpen = true;
  for (let at = 0; at < args.length; at++) {
    const word = args[at]!;
    const value = word.kind === "literal" ? word.value : "";
    if (isOpen && value === "--") isOpen = false;
    else if (isOpen && /^-[nErsuz]*e$|^--expression$/.test(value)) {
      at += 1;
      if (args[at]) scripts.push(args[at]!);
    } else if (isOpen && /^-[nErsuz]*e.|^--expression=/s.test(value)) scripts.push(attached(value));
    else if (!(isOpen && value.length > 1 && value.startsWith("-"))) first ??= scripts.length > 0 ? null : word;
  }
  return first ? [[first], scripts] : [scripts];
}

function attached(value: string): Word {
  const script = value.replace(/^--expression=|^-[nErsuz]*e/, "");
  return { kind: "literal", value: script, text: script };
}

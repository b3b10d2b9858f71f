import { parsedJson } from "../../../contract/json.ts";
import { listIn, numberIn, textIn } from "../json.ts";
import { linesOf } from "../lines.ts";
import { localPath, missingPackage, ownFrame } from "../place.ts";
import { brokenIn, clipContext, clipError, countsOf, FailureList, type Scene, SummaryReader } from "../reading.ts";
import { JestBlocks } from "./jest-block.ts";

export class JestJsonReader extends SummaryReader {
  private readonly joint: string;
  private hasContradiction = false;

  constructor(scene: Scene, joint: string) {
    super(scene);
    this.joint = joint;
  }

  line(text: string): void {
    if (text.charCodeAt(0) !== 0x7b || !text.startsWith('{"num')) return;
    this.isSeen = true;
    const document = parsedJson(text);
    const total = numberIn(document, "numTotalTests");
    if (total === null) return;
    const failed = numberIn(document, "numFailedTests") ?? 0;
    const runtime = numberIn(document, "numRuntimeErrorTestSuites");
    const broken = runtime ?? listIn(document, "testResults").filter(isBrokenSuite).length;
    const counts = countsOf({
      passed: numberIn(document, "numPassedTests") ?? 0,
      failed,
      errors: broken,
      skipped: numberIn(document, "numPendingTests") ?? 0,
      todo: numberIn(document, "numTodoTests") ?? 0,
    });
    this.summaries.say(counts);
    const isGood = /"success":true/.test(text.slice(0, 4000)) || !text.includes('"success":false');
    this.hasContradiction = isGood === brokenIn(counts) > 0;
    this.list = new FailureList();
    for (const suite of listIn(document, "testResults")) this.suite(suite);
  }

  private suite(suite: unknown): void {
    const file = textIn(suite, "name");
    const message = textIn(suite, "message");
    // jest repeats its own `●` blocks here; they tell more than the bare stacks.
    if (message.includes("●")) {
      const blocks = new JestBlocks(this.scene);
      blocks.inFile(file);
      for (const line of linesOf(message)) blocks.line(line);
      blocks.close();
      this.list.addAll(blocks.list);
      return;
    }
    if (isBrokenSuite(suite)) this.add(localPath(this.scene.cwd, file), file, message);
    for (const one of listIn(suite, "assertionResults")) {
      if (textIn(one, "status") !== "failed") continue;
      const name = [...listIn(one, "ancestorTitles"), textIn(one, "title")].join(this.joint);
      this.add(name, file, listIn(one, "failureMessages").join("\n"));
    }
  }

  private add(test: string, file: string, message: string): void {
    const lines = [...linesOf(message.slice(0, 20_000))];
    const error = clipError(lines.filter((line) => !/^\s+at /.test(line)));
    const place = ownFrame(lines, this.scene.cwd) ?? { file: localPath(this.scene.cwd, file), line: null };
    const frames = lines.filter((line) => /^\s+at /.test(line) && !line.includes("node_modules/"));
    const kind =
      missingPackage(error) !== null ? "missing" : /SyntaxError|Transform failed/.test(error) ? "build" : "test";
    this.list.add({ kind, test, ...place, error, context: clipContext(frames) });
  }

  end() {
    return this.reading({ isContradictory: this.hasContradiction || this.summaries.isContradictory });
  }
}

function isBrokenSuite(suite: unknown): boolean {
  return textIn(suite, "status") === "failed" && listIn(suite, "assertionResults").length === 0;
}

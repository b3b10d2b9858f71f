import { countsOf, SummaryReader } from "../reading.ts";
import { JestBlocks } from "./jest-block.ts";

export class JestReader extends SummaryReader {
  private readonly blocks = new JestBlocks(this.scene);
  private suites: Readonly<Record<string, number>> | null = null;
  private hasContradiction = false;

  line(text: string): void {
    switch (text.charCodeAt(0)) {
      case 0x54: // T
        if (text.startsWith("Tests: ")) {
          this.tests(text);
          return;
        }
        if (text.startsWith("Test Suites: ")) {
          this.suites = totals(text.slice(13));
          this.isSeen ||= this.suites !== null;
        }
        break;
      case 0x4e: // N
        if (/^No tests found(?:, exiting with code \d|$)/.test(text)) {
          this.isEmpty = true;
          this.isSeen = true;
        }
        break;
      case 0x4a: // J
        if (text.startsWith("Jest: ") && /threshold|not met|does not meet/.test(text)) this.blocks.complain(text);
        break;
      case 0x46: // F
      case 0x50: // P
      case 0x20:
        if (/^ ?(?:FAIL|PASS) /.test(text)) {
          this.isSeen = true;
          this.blocks.suite(text);
          return;
        }
    }
    this.blocks.line(text);
  }

  private tests(text: string): void {
    const counts = totals(text.slice(7));
    if (counts === null) {
      this.blocks.line(text);
      return;
    }
    this.blocks.close();
    const { failed = 0, skipped = 0, todo = 0, passed = 0 } = counts;
    if (failed + skipped + todo + passed !== counts.total) this.hasContradiction = true;
    // A failed suite without a failed test did not get as far as a test.
    const broken = this.blocks.brokenSuites;
    const failedSuites = this.suites?.failed ?? 0;
    const errors = broken > 0 ? Math.min(broken, failedSuites) : failed === 0 ? failedSuites : 0;
    this.summaries.say(countsOf({ passed, failed, errors, skipped, todo }));
    this.isSeen = true;
    this.suites = null;
  }

  end() {
    this.blocks.close();
    return this.reading({
      failures: this.blocks.list,
      isContradictory: this.hasContradiction || this.summaries.isContradictory || this.blocks.hasComplaint,
    });
  }
}

/** `5 failed, 1 skipped, 1 passed, 7 total`; a line without the total was cut off. */
function totals(text: string): Record<string, number> | null {
  const found: Record<string, number> = {};
  for (const part of text.trim().split(", ")) {
    const match = /^(?:\d+ of )?(\d+) (failed|skipped|todo|passed|pending|total|obsolete)$/.exec(part);
    if (match?.[2] === undefined) return null;
    found[match[2] === "pending" ? "skipped" : match[2]] = Number(match[1]);
  }
  return found.total === undefined ? null : found;
}

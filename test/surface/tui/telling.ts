import { stripTerminalSequences, visibleWidth } from "@earendil-works/pi-tui/dist/utils.js";
import type { DeltaBody } from "../../../src/contract/delta.ts";
import type { EventBody } from "../../../src/contract/event.ts";
import type { AssistantReply, Call, CallResult } from "../../../src/contract/message.ts";
import { noUsage } from "../../../src/contract/message.ts";
import type { Lang } from "../../../src/contract/text/catalogue.ts";
import type { Published } from "../../../src/engine/port.ts";
import { emptySession, type SessionState } from "../../../src/machine/state.ts";
import type { Detail } from "../../../src/surface/tui/blocks/block.ts";
import { Feed } from "../../../src/surface/tui/story/feed.ts";
import type { Look } from "../../../src/surface/tui/terminal/look.ts";
import { themeOf } from "../../../src/surface/tui/terminal/theme.ts";
import { roleOf } from "../../support/role.ts";

interface Options {
  readonly width?: number;
  readonly lang?: Lang;
  readonly isPlain?: boolean;
  readonly tellsSteps?: boolean;
  /** What an answer that was asked for as JSON says. */
  readonly structured?: string;
  /** By the id of a call or a task; "broken": it cannot be made. */
  readonly diffs?: Readonly<Record<string, string>>;
}

/** A feed with everything that it has given away. */
export class Telling {
  readonly look: Look;
  readonly feed: Feed;
  readonly committed: string[] = [];
  /** Milliseconds; moved by hand. */
  clock = 1_000_000;
  width: number;
  redraws = 0;

  constructor({ width = 80, lang = "en", isPlain = true, diffs = {}, structured, tellsSteps = false }: Options = {}) {
    this.width = width;
    this.look = { theme: themeOf("terminal", isPlain), lang, width: () => this.width };
    this.feed = new Feed(this.look, {
      changesOf: async (id) => {
        if (diffs[id] === "broken") throw new Error("the blob is gone");
        return diffs[id] ?? null;
      },
      changed: () => {
        this.redraws++;
      },
      structured: () => structured ?? null,
      tellsSteps,
      now: () => this.clock,
    });
  }

  hear(...published: readonly Published[]): void {
    for (const one of published) this.feed.hear(one);
  }

  take(): void {
    this.committed.push(...this.feed.take());
  }

  /** As a person reads it. */
  get text(): string {
    return bare(this.committed).join("\n");
  }

  live(room = 20): readonly string[] {
    return bare(this.feed.live(room));
  }

  /** Lets what was asked for come. */
  async settle(): Promise<void> {
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
    this.take();
  }
}

export function bare(lines: readonly string[]): readonly string[] {
  return lines.map((line) => stripTerminalSequences(line).trimEnd());
}

/** Of a theme without colours: weights, lines through and under, and links. */
const ours = /\x1b\[(?:(?:0|1|3|4|7|9|22|23|24|25|27|28|29|39)[;m])+|\x1b\]8;;[\x21-\x7e]*(?:\x07|\x1b\\)/g;

/** What no terminal must get, or gets too much of: none. For themes without colours. */
export function problemsIn(lines: readonly string[], width: number): readonly string[] {
  return lines.flatMap((line) => {
    const text = line.replace(ours, "");
    if (/[\x00-\x1f\x7f-\x9f]/.test(text)) return [`control characters: ${JSON.stringify(line)}`];
    // CAN-3: that line is what it is.
    const isFixed = text.startsWith("Stopped model stream and tool execution; ");
    return visibleWidth(line) > width && !isFixed ? [`wider than ${width}: ${JSON.stringify(line)}`] : [];
  });
}

let seq = 0;

/** An event as it is published; `at` seconds after the first. */
export function event(body: EventBody, at = 0, state: SessionState = emptySession): Published {
  const recorded = { seq: seq++, accepted: true, event: { v: 1 as const, at: at * 1000, ...body } };
  return { kind: "event", recorded, state, transitions: [] };
}

export function delta(body: DeltaBody, attempt = 1, runId = "r1"): Published {
  return { kind: "delta", delta: { runId, modelCallIndex: 1, attempt, seq: seq++, ...body } };
}

export function call(tool: string, input: unknown, ordinal = 1, runId = "r1"): Call {
  const access = tool === "bash" ? "exec" : "read";
  const own = { id: `${runId}/1/${ordinal}`, providerId: null, tool, input, key: "k" } as const;
  return { ...own, access, afterCrash: "repeat", ...roleOf(tool) };
}

export function replied(reply: Partial<AssistantReply>, attempt = 1, runId = "r1"): Published {
  const whole: AssistantReply = { text: "", thinking: "", calls: [], usage: noUsage, finish: "stop", ...reply };
  return event({ type: "model.replied", runId, index: 1, attempt, reply: whole });
}

export function settled(result: Partial<CallResult>, ordinal = 1, runId = "r1"): Published {
  const whole: CallResult = { status: "done", output: "", key: "", ms: 3, ...result };
  return event({ type: "tool.settled", runId, callId: `${runId}/1/${ordinal}`, result: whole });
}

export function running(ordinal = 1, runId = "r1"): Published {
  const intent = { changes: [], text: "" };
  return event({ type: "tool.intended", runId, callId: `${runId}/1/${ordinal}`, intent });
}

/** What a command that has run leaves behind. */
export function commandResult(stdout: string, code = 0, stderr = ""): Partial<CallResult> {
  const data = { command: "x", exit_code: code, stdout, stderr, duration_ms: 1, truncated: false };
  return { status: code === 0 ? "done" : "failed", output: `exit code ${code}\n${stdout}`, data };
}

/** All of it, as the full view shows it. */
export function rowsOf(detail: Detail | null | undefined, width: number): readonly string[] {
  const lines = detail?.lines(width);
  return lines ? Array.from({ length: lines.count }, (_, at) => lines.rows(at)).flat() : [];
}

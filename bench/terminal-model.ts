// A model for the bench of the terminal: what it writes, and how fast, is said in the request.
const event = (delta: unknown, finish: string | null = null): string =>
  `data: ${JSON.stringify({ id: "t", object: "chat.completion.chunk", created: 1, model: "mock", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const end = `${event({}, "stop")}data: [DONE]\n\n`;

/** `LINES lines at RATE` in the last message of the person: so many chunks a second, one line each; 0 = at once, 100 lines each. */
const wish = /(\d+) lines at (\d+)/;

export const lastLine = "This is the last line.";

/** Text as models write it: headings, paragraphs, lists, a table, code. */
export function markdownLines(count: number): readonly string[] {
  const block = (n: number): readonly string[] => [
    `## Part ${n}`,
    "",
    `This paragraph says in **part ${n}** what \`module${n}\` does, and why it is *not* done in another way.`,
    "It goes on for a second line, with a `path/to/a/file.ts` and some 中文 words.",
    "",
    `1. the first thing of part ${n}`,
    "2. the second one, which is a little longer than the first one was",
    "   - with something below it",
    "",
    "| name | value | what it is for |",
    "|---|---|---|",
    `| alpha${n} | ${n} | the first value |`,
    `| beta${n} | ${n * 2} | the second value |`,
    "",
    "```ts",
    `export function part${n}(value: number): string {`,
    `  const text = "part ${n}"; // a comment`,
    "  return value > 10 ? text : text + value; // and more",
    "}",
    "```",
  ];
  const lines = Array.from({ length: Math.ceil(count / 20) }, (_, n) => block(n)).flat();
  // The last block ends without the code's last line.
  return [...lines.slice(0, Math.max(0, count - 2)), "```", lastLine];
}

export function startTerminalModel() {
  return Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const { messages } = (await request.json()) as { messages: readonly { role: string; content: unknown }[] };
      const asked = messages.map(({ content }) => wish.exec(String(content))).findLast((one) => one !== null);
      const [count, rate] = [Number(asked?.[1] ?? 1), Number(asked?.[2] ?? 0)];
      const headers = { "content-type": "text/event-stream" };
      return new Response(paced(markdownLines(count), rate, request.signal), { headers });
    },
  });
}

function paced(lines: readonly string[], rate: number, signal: AbortSignal): ReadableStream {
  const size = rate === 0 ? 100 : 1;
  let [at, started] = [0, 0];
  return new ReadableStream({
    async pull(controller) {
      if (at === 0) started = performance.now();
      // By the clock and not by pauses: those add up to less than was asked for.
      const due = rate === 0 ? 0 : started + ((at / size) * 1000) / rate - performance.now();
      if (due > 0) await Bun.sleep(due);
      if (signal.aborted) return;
      const part = lines.slice(at, at + size);
      at += size;
      if (part.length > 0) controller.enqueue(event({ content: `${part.join("\n")}\n` }));
      if (at < lines.length) return;
      controller.enqueue(end);
      controller.close();
    },
  });
}

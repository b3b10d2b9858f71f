// A fast fake model for the bench: `/{tool}/{steps}/v1/chat/completions` asks for `steps` calls of `tool` (read, write, bash), then answers.
// Both the floor and coder talk to it, so its own cost is in both figures.
const chunk = (delta: unknown, finish: string | null = null) =>
  `data: ${JSON.stringify({ id: "b", object: "chat.completion.chunk", created: 1, model: "mock", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const usage = `data: ${JSON.stringify({ id: "b", object: "chat.completion.chunk", created: 1, model: "mock", choices: [], usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 } })}\n\n`;
const content = "one line of twenty-eight chars\n".repeat(20);

function call(tool: string, step: number): string {
  const inputs: Readonly<Record<string, unknown>> = {
    read: { path: `f${step}.txt` },
    write: { path: `w${step}.txt`, content },
    // A process in a session of its own, which a kill of the process group misses.
    bash: { command: "setsid sh -c 'echo $$ > pid; exec sleep 1000' & wait" },
  };
  const started = { index: 0, id: `call_${step}`, type: "function", function: { name: tool, arguments: "" } };
  return (
    chunk({ role: "assistant", content: null, tool_calls: [started] }) +
    chunk({ tool_calls: [{ index: 0, function: { arguments: JSON.stringify(inputs[tool]) } }] }) +
    chunk({}, "tool_calls")
  );
}

const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  idleTimeout: 0,
  async fetch(request) {
    const [, tool = "read", steps = "0"] = new URL(request.url).pathname.split("/");
    const body = (await request.json()) as { messages: { role: string }[] };
    let step = 0;
    for (const message of body.messages) if (message.role === "assistant") step++;
    const reply =
      step < Number(steps) ? call(tool, step) : chunk({ role: "assistant", content: "done" }) + chunk({}, "stop");
    return new Response(`${reply}${usage}data: [DONE]\n\n`, { headers: { "content-type": "text/event-stream" } });
  },
});
process.stdout.write(`${server.url.origin}\n`);

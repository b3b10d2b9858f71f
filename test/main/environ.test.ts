// What commands can find out about the environment that coder itself was started with.
import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { builtBinary, fromSource, installedIn } from "../support/binary.ts";
import { startScriptedServer } from "../support/scripted-server.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "coder-environ-")));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const installed = (): string => installedIn(mkdtempSync(join(root, "layout-")));

const ways: Readonly<Record<string, () => readonly string[]>> = {
  "the built program": builtBinary,
  "from source": () => fromSource,
  "through the launcher": () => [installed()],
  // As Yarn starts it: Node stays as the parent of the program.
  "through the launcher in Node": () => ["node", installed()],
};

/** Says for each process above it whether its environment holds a line of the file `values`. */
const climb = `pid=$$
while [ "$pid" -gt 1 ] && [ -r "/proc/$pid/environ" ]; do
  if tr '\\0' '\\n' < "/proc/$pid/environ" | grep -qFf values; then echo "seen in $(cat "/proc/$pid/comm")"; fi
  pid=$(sed -n 's/^PPid:[[:space:]]*//p' "/proc/$pid/status")
done
echo climbed`;

function place() {
  const folder = mkdtempSync(join(root, "ws-"));
  const home = mkdtempSync(join(root, "home-"));
  return { folder, home };
}

const parts = ["Qx7mWz2r", "Tb9vKd4n", "Hs6pLc8y"];
const value = parts.join("");

describe.skipIf(process.platform !== "linux")("with --no-sandbox", () => {
  for (const [name, way] of Object.entries(ways)) {
    test(`[SA-secrets] [PO-8] no process of ours above a command has a key in its environment: ${name}`, async () => {
      const { folder, home } = place();
      writeFileSync(join(folder, "values"), `${value}\n`);
      writeFileSync(join(home, "config.json"), JSON.stringify({ providers: { mine: { api_key_env: "MINE" } } }));
      const flags = ["--no-sandbox", "--mode", "yolo"];
      const argv = [...way(), "tool", "bash", JSON.stringify({ command: climb }), ...flags];
      const env = { ...process.env, CODER_HOME: home, OPENAI_API_KEY: value, MINE: value, ODD: value };
      const child = Bun.spawn([...argv], { cwd: folder, env, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
      const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text()]);
      expect([out, err].join("\n")).toContain("climbed");
      expect(out).not.toContain("seen in");
    });
  }

  test("[CLI-5] the model still gets its key, and the names stay where they were", async () => {
    const { folder, home } = place();
    const server = startScriptedServer([
      { calls: [{ tool: "bash", input: { command: "tr '\\0' '\\n' < /proc/$PPID/environ | grep -c '^MINE=$'" } }] },
      { text: "done" },
    ]);
    const providers = { mine: { protocol: "openai-chat", base_url: server.url, api_key_env: "MINE" } };
    writeFileSync(join(home, "config.json"), JSON.stringify({ providers }));
    try {
      const flags = ["--no-sandbox", "--mode", "yolo", "--model", "mine/m"];
      const child = Bun.spawn([...builtBinary(), "run", ...flags, "go"], {
        ...{ cwd: folder, env: { ...process.env, CODER_HOME: home, MINE: value } },
        ...({ stdin: "ignore", stdout: "pipe", stderr: "pipe" } as const),
      });
      await child.exited;
      const told = server.requests.map(({ headers }) => new Headers(headers).get("authorization"));
      expect(new Set(told)).toEqual(new Set([`Bearer ${value}`]));
      expect(String(server.requests.at(-1)?.body.messages.at(-1)?.content)).toMatch(/^1$/m);
    } finally {
      server.stop();
    }
  });
});

for (const start of [() => [installed()], () => ["node", installed()]]) {
  test("what the launcher tells the runtime reaches no command, and what the person tells it does", async () => {
    const { folder, home } = place();
    const argv = [...start(), "tool", "bash", JSON.stringify({ command: 'echo "[$(env | grep BUN_JSC_)]"' })];
    const said = async (mine: Readonly<Record<string, string>>): Promise<string> => {
      const env = { ...process.env, CODER_HOME: home, ...mine };
      const child = Bun.spawn([...argv, "--mode", "yolo"], { cwd: folder, env, stdin: "ignore", stdout: "pipe" });
      return await child.stdout.text();
    };
    expect(await said({})).toContain("[]");
    expect(await said({ BUN_JSC_forceRAMSize: "3000000000" })).toContain("[BUN_JSC_forceRAMSize=3000000000]");
  });
}

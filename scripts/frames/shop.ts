// The task of the pictures and of the demo: a small shop with a fault, and a model that knows how to mend it.
import { existsSync, mkdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sample } from "../../src/main/run/sample.ts";
import { Person, type Sitting } from "../../test/support/pty.ts";
import { type Script, type ScriptedServer, startScriptedServer } from "../../test/support/scripted-server.ts";

export const wish = "An order of exactly 50 still pays for shipping. Fix it and run the tests.";
/** What the diff shows, and nothing before it. */
export const fix = "sum >= 50 ? 0 : 5";

/** As fast as a quick model writes. */
const pace = { chunkChars: 6, chunkDelayMs: 25 };

const script: Script = [
  {
    ...pace,
    text: "I'll look at how shipping is worked out.",
    calls: [{ tool: "read", input: { path: "shop.js" } }],
    usage: { input: 2_900, output: 60 },
  },
  {
    ...pace,
    text: "`shipping` compares with `>`, but its comment says *free from 50 on*. The comparison has to include 50.",
    calls: [
      {
        tool: "edit",
        input: { path: "shop.js", old_string: "return sum > 50 ? 0 : 5;", new_string: `return ${fix};` },
      },
    ],
    usage: { input: 3_300, output: 110 },
  },
  {
    ...pace,
    text: "Orders of **exactly 50** now ship for free: `shipping` in `shop.js` uses `>=`. Nothing else was changed.",
    usage: { input: 3_500, output: 70 },
  },
];

export class Shop implements Disposable {
  /** Always the same one: it can be read in the pictures. */
  private readonly root = join(realpathSync(tmpdir()), "coder-demo");
  private readonly workspace = join(this.root, "corner-shop");
  private readonly server: ScriptedServer;

  constructor() {
    if (existsSync(this.root)) throw new Error(`${this.root} is in the way: remove it and run this again`);
    mkdirSync(this.root);
    mkdirSync(this.workspace);
    this.server = startScriptedServer(script);
    for (const [name, content] of Object.entries(sample)) writeFileSync(join(this.workspace, name), content);
    this.git("init", "-q", "-b", "main");
    this.git("add", "-A");
    this.git("commit", "-q", "-m", "the shop");
  }

  /** At `coder`, in a terminal of this size. */
  open(argv: readonly string[], more: Partial<Sitting> = {}): Person {
    const env = { HOME: this.root, CODER_HOME: join(this.root, "home") };
    const model = ["--base-url", this.server.url, "--model", "openai-chat/any-model"];
    return new Person({ argv: [...argv, ...model, "--trust"], cwd: this.workspace, ...more, env });
  }

  private git(...args: readonly string[]): void {
    const person = ["-c", "user.name=demo", "-c", "user.email=demo@example.com", "-c", "commit.gpgsign=false"];
    const done = Bun.spawnSync(["git", ...person, ...args], { cwd: this.workspace, stderr: "pipe" });
    if (done.exitCode !== 0) throw new Error(`git ${args.join(" ")}: ${done.stderr}`);
  }

  [Symbol.dispose](): void {
    this.server.stop();
    rmSync(this.root, { recursive: true, force: true });
  }
}

// The window changes its size inside of tmux, which tells of it late, while something is written.
import { expect, test } from "bun:test";
import { Cli } from "../../support/cli.ts";
import { Tmux } from "../../support/tmux.ts";
import { until } from "../../support/until.ts";

const words = Array.from({ length: 400 }, (_, n) => `w${String(n).padStart(3, "0")}`);
/** Paragraphs and lists; no word is there twice. */
const text = Array.from({ length: 40 }, (_, n) => words.slice(n * 10, n * 10 + 10).join(n % 3 === 1 ? "\n- " : " "));

type Size = readonly [columns: number, rows: number];
/** Times as they come when the edge of a window is dragged, or a pane is made and closed again. */
const ways: readonly { readonly name: string; readonly pauseMs: number; readonly sizes: readonly Size[] }[] = [
  { name: "narrower once", pauseMs: 500, sizes: [[80, 40]] },
  {
    name: "narrower and wider in turn",
    pauseMs: 90,
    sizes: Array.from({ length: 16 }, (_, n) => [n % 2 === 0 ? 50 + n : 150 - n, 14 + ((n * 7) % 30)]),
  },
  { name: "dragged", pauseMs: 16, sizes: Array.from({ length: 60 }, (_, n) => [120 - n, 40 - Math.floor(n / 3)]) },
];
/** Through ssh its variables stay behind. */
const remote = "env -u TMUX -u TMUX_PANE TERM=screen";
const all = [
  ...ways.map((way) => ({ ...way, env: "", where: "here" })),
  ...ways.slice(1, 2).map((way) => ({ ...way, env: remote, where: "through ssh" })),
];

test.each(all)(
  "[SU-3] a window of tmux that gets $name shows every word once and one prompt, $where",
  async ({ sizes, pauseMs, env }) => {
    using cli = new Cli([
      { text: text.join("\n\n"), chunkChars: 30, chunkDelayMs: 20, usage: { input: 1_234, output: 56 } },
    ]);
    using tmux = new Tmux({
      ...{ cwd: cli.workspace, env: { HOME: cli.root, CODER_HOME: cli.home }, columns: 120, rows: 40 },
    });
    await tmux.waitFor("shell$");
    tmux.type(`${env} coder ${cli.model.join(" ")} --lang en --no-sandbox`);
    tmux.press("Enter");
    await tmux.waitFor("● default");
    tmux.type("tell me");
    tmux.press("Enter");
    await tmux.waitFor("w001");
    for (const [columns, rows] of sizes) {
      tmux.resize(columns, rows);
      await Bun.sleep(pauseMs);
    }
    const edge = "─".repeat(sizes.at(-1)?.[0] ?? 0);
    await until(
      "it has ended",
      () => /1\.2k[\s\S]*\n> Ask/.test(tmux.scrollback()) && tmux.scrollback().includes(edge),
    );
    const shown = tmux.scrollback();
    const count = (what: RegExp): number => shown.split("\n").filter((line) => what.test(line)).length;
    expect([...(shown.match(/\bw\d{3}\b/g) ?? [])]).toEqual(words);
    expect([/^● default/, /^> Ask/, /^─+$/, /Esc to interrupt/].map(count)).toEqual([1, 1, 1, 0]);
  },
  120_000,
);

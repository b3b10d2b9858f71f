// Back to before a message, from a list, and forward again.
import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Script } from "../../support/scripted-server.ts";
import { Scene, sizes } from "./scene.ts";

const write = (path: string, content: string) => ({ calls: [{ tool: "write", input: { path, content } }] });
const script: Script = [
  { when: "shop", steps: [write("shop.ts", "export const open = true;\n"), { text: "The shop is open." }] },
  { when: "购物车", steps: [write("cart.ts", "export const items = [];\n"), { text: "The cart is there." }] },
  {
    when: "prices",
    steps: [write("shop.ts", "export const open = true;\nexport const price = 3;\n"), { text: "Prices are in." }],
  },
];
const messages = ["open a shop", "添加购物车模块", "add prices\nto it all"] as const;
const langs = [
  ...sizes.map((size) => ({ ...size, lang: "en" as const })),
  { columns: 80, rows: 24, name: "-zh", lang: "zh" as const },
];
const off = { workflow: { auto_verify_after_edit: false, require_todo_for_complex: false } };

async function talked(more: Parameters<typeof Scene.begin>[0]): Promise<Scene> {
  const scene = await Scene.begin({ script, config: off, mode: "auto-edit", ...more });
  for (const [at, text] of messages.entries()) {
    scene.person.paste(text);
    scene.person.press("enter");
    await scene.rests(["The shop is open.", "The cart is there.", "Prices are in."][at] ?? "");
  }
  return scene;
}

const has = (scene: Scene, name: string): boolean => existsSync(join(scene.cli.workspace, name));

test.each(langs)(
  "[PS-5] [RB-2] Esc Esc takes messages and files back to before a message, which can be sent again, $columns by $rows, $lang",
  async ({ name, ...more }) => {
    await using scene = await talked(more);
    scene.person.press("escape", "escape");
    await scene.sees(/^┗/);
    await scene.frame(`rewind-list${name}`);
    scene.person.press("down", "enter");
    await scene.sees(/Messages and files|消息和文件/);
    await scene.frame(`rewind-how${name}`);
    scene.person.press("enter");
    await scene.sees(() => scene.typed() === messages[1]);
    expect([has(scene, "cart.ts"), scene.text("shop.ts")]).toEqual([false, "export const open = true;\n"]);
    await scene.sees(() => scene.count("Rewound") + scene.count("已回退") > 0);
    await scene.frame(`rewound${name}`);
  },
);

test("[PS-5] [RB-2] /redo and the list both return to where a rewind began; closing the list changes nothing", async () => {
  await using scene = await talked({});
  scene.say("/rewind");
  await scene.sees(/^┗/);
  scene.person.press("escape");
  await scene.sees("> Ask anything");
  scene.say("/rewind 3 both");
  await scene.sees(() => scene.typed() === messages[0]);
  expect([has(scene, "shop.ts"), has(scene, "cart.ts")]).toEqual([false, false]);
  scene.person.press("ctrl+c");
  await scene.sees("> Ask anything");
  scene.say("/redo");
  await scene.sees(() => has(scene, "cart.ts"));
  await scene.rests("Prices are in.");
  scene.person.press("escape", "escape");
  await scene.sees("Rewind to before");
  scene.person.press("enter");
  await scene.sees("Only the messages");
  scene.person.press("down", "enter");
  await scene.sees(() => scene.typed() === "add prices");
  expect(scene.text("shop.ts")).toContain("price");
  scene.person.press("ctrl+c");
  await scene.sees("> Ask anything");
  scene.say("/rewind");
  await scene.sees("Return to where the last rewind began");
  scene.person.press("up", "enter");
  await scene.sees(() => scene.count("> add prices") >= 3);
});

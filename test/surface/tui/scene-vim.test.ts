// The keys of vim at the prompt, while a task runs and while none does.
import { test } from "bun:test";
import { Scene, sizes } from "./scene.ts";

test.each(sizes)(
  "[SU-3] Escape leaves insert mode before it stops what runs, at $columns by $rows",
  async ({ name, ...size }) => {
    await using scene = await Scene.begin({
      ...{ config: { ui: { vim: true } }, ...size },
      script: [{ text: "It goes on.", stallAfter: 1 }],
    });
    await scene.sees("INSERT ─");
    scene.say("go on");
    await scene.sees("It goes on");
    scene.person.type("stop here");
    scene.person.press("escape");
    await scene.sees("NORMAL ─");
    scene.person.type("bc");
    await scene.sees("NORMAL c ─");
    await scene.frame(`vim${name}`);
    scene.person.press("escape");
    await scene.sees(/NORMAL ─/);
    scene.person.press("escape");
    await scene.rests("Stopped model stream");
  },
);

test("[SU-4] /vim switches it on and off, in Chinese too", async () => {
  await using scene = await Scene.begin({ lang: "zh" });
  scene.say("/vim");
  await scene.sees("插入 ─");
  scene.person.type("你好");
  scene.person.press("escape");
  await scene.sees("普通 ─");
  await scene.frame("vim-zh");
  scene.person.type("cc/vim");
  scene.person.press("enter");
  await scene.sees("vim 按键：关闭");
  await scene.sees(() => !scene.person.rows().some((row) => /(?:插入|普通) ─/.test(row)));
});

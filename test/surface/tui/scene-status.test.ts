// The status line as the person has set it up, and their own command below it.
import { test } from "bun:test";
import { Scene, sizes } from "./scene.ts";

const command = `printf '\\033[32mmine\\033[0m %s\\nsecond line\\n' "$(sed 's/.*"display_name":"\\([a-z]*\\)".*/\\1/')"`;

test.each(sizes)(
  "[SU-3] the status command's lines stand above the chosen fields, at $columns by $rows",
  async ({ name, ...size }) => {
    const config = { ui: { statusline: { command, fields: ["model", "mode", "folder"] } } };
    await using scene = Scene.open({ config, ...size });
    await scene.sees("mine mock");
    await scene.frame(`statusline${name}`);
  },
);

test.each(sizes)("[SU-3] /statusline shows and sets it at once, at $columns by $rows", async ({ name, ...size }) => {
  await using scene = await Scene.begin(size);
  scene.say("/statusline");
  await scene.sees("not shown: folder");
  scene.say("/statusline fields mode session folder model");
  await scene.sees(/^● default {2}ws-/);
  await scene.frame(`statusline-set${name}`);
  scene.say("/statusline command exit 7");
  await scene.sees("ui.statusline.command: exit code 7");
});

test("[SU-3] /statusline in Chinese", async () => {
  await using scene = await Scene.begin({ lang: "zh" });
  scene.say("/statusline");
  await scene.sees("未显示：folder");
  scene.say("/statusline fields mode time");
  await scene.sees("没有字段 time");
  await scene.frame("statusline-zh");
});

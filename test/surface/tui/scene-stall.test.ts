// A model from which nothing comes, and a command that says nothing, by a clock that the person moves.
import { test } from "bun:test";
import { Scene, sizes } from "./scene.ts";

test.each(sizes)("[SU-3] a stall is told where it happens, at $columns by $rows", async ({ name, ...size }) => {
  await using scene = await Scene.begin({
    ...{ isTimed: true, ...size },
    script: [{ text: "The first half of it.", chunkChars: 10, stallAfter: 2 }],
  });
  scene.say("say something");
  await scene.sees("The first half of it");
  scene.person.tick(16_000);
  await scene.sees("nothing received for 16 s");
  await scene.frame(`stalled${name}`);
});

test("[SU-3] a stall is told in Chinese", async () => {
  await using scene = await Scene.begin({
    ...{ isTimed: true, lang: "zh" },
    script: [{ text: "第一部分，后面没有了。", chunkChars: 4, stallAfter: 2 }],
  });
  scene.say("说点什么");
  await scene.sees("第一部分，后面没");
  scene.person.tick(16_000);
  await scene.sees("已有 16 秒未收到数据");
  await scene.frame("stalled-zh");
});

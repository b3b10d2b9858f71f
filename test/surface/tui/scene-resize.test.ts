// The window changes its size while something is written: nothing is lost, nothing stands there twice.
import { expect, test } from "bun:test";
import type { Step } from "../../support/scripted-reply.ts";
import { Scene, usage } from "./scene.ts";

const words = Array.from({ length: 600 }, (_, n) => `w${String(n).padStart(3, "0")}`);
/** Paragraphs, lists and code; no word is there twice. */
const text = Array.from({ length: 50 }, (_, n) => {
  const own = words.slice(n * 12, n * 12 + 12);
  if (n % 5 === 1) return own.map((word) => `- ${word}`).join("\n");
  if (n % 5 === 3) return `\`\`\`\n${own.join("\n")}\n\`\`\``;
  return own.join(" ");
}).join("\n\n");

/** The words in the order in which they stand there. */
function told(scene: Scene): readonly string[] {
  return (
    scene.person
      .scrollback()
      .join("\n")
      .match(/\bw\d{3}\b/g) ?? []
  );
}

/** What there may be only one of. */
function region(scene: Scene): readonly number[] {
  const lines = scene.person.scrollback();
  const count = (what: RegExp): number => lines.filter((line) => what.test(line)).length;
  return [count(/^● default/), count(/^> Ask/), count(/^─+$/)];
}

/** The live region is drawn for the size that the window has now. */
function isDrawn({ person }: Scene): boolean {
  const rows = person.rows();
  const at = rows.findLastIndex((row) => row.startsWith("> "));
  return rows[at - 1] === "─".repeat(person.emulator.columns()) && rows[at + 1]?.startsWith("● ") === true;
}

/** Right behind a frame: what is on its way when the size changes was made for another one, and may miss its place. */
async function resize(scene: Scene, columns: number, rows: number): Promise<void> {
  const { bytes } = scene.person;
  await scene.sees(() => scene.person.bytes > bytes || scene.count("1.2k") > 0);
  await scene.person.resize(columns, rows);
}

async function atRest(scene: Scene): Promise<void> {
  await scene.rests("1.2k");
  await scene.sees(() => isDrawn(scene));
}

type Size = readonly [columns: number, rows: number];
const ways: readonly { readonly name: string; readonly sizes: readonly Size[] }[] = [
  {
    name: "narrower",
    sizes: [
      [60, 24],
      [50, 24],
      [40, 24],
    ],
  },
  {
    name: "wider",
    sizes: [
      [100, 24],
      [140, 24],
      [200, 24],
    ],
  },
  {
    name: "shorter",
    sizes: [
      [80, 18],
      [80, 12],
      [80, 8],
    ],
  },
  {
    name: "taller and back",
    sizes: [
      [80, 50],
      [80, 24],
      [80, 50],
      [80, 10],
    ],
  },
];

test.each(ways)(
  "[SU-3] a window that gets $name while a reply comes shows every word once, in order",
  async ({ sizes }) => {
    const script: Step[] = [{ text, chunkChars: 60, chunkDelayMs: 4, usage }];
    await using scene = await Scene.begin({ script });
    scene.say("tell me");
    for (const [at, [columns, rows]] of sizes.entries()) {
      await scene.sees(() => told(scene).length > (at * words.length) / (sizes.length + 1));
      await resize(scene, columns, rows);
    }
    await atRest(scene);
    expect(told(scene)).toEqual(words);
    expect(region(scene)).toEqual([1, 1, 1]);
  },
);

test("[SU-3] a window that changes many times in a row while a reply comes shows every word once, in order", async () => {
  const script: Step[] = [{ text, chunkChars: 60, chunkDelayMs: 30, usage }];
  await using scene = await Scene.begin({ script });
  scene.say("tell me");
  await scene.sees(() => told(scene).length > 20);
  for (let n = 0; n < 16; n++) {
    const isWidth = n % 2 === 0;
    const [columns, rows] = [scene.person.emulator.columns(), scene.person.emulator.rows()];
    await resize(scene, isWidth ? 40 + ((n * 37) % 90) : columns, isWidth ? rows : 10 + ((n * 13) % 30));
    await scene.sees(() => isDrawn(scene));
  }
  await atRest(scene);
  expect(told(scene)).toEqual(words);
  expect(region(scene)).toEqual([1, 1, 1]);
});

test("[SU-3] a window whose edge is dragged faster than it can be drawn loses nothing", async () => {
  const script: Step[] = [{ text, chunkChars: 60, chunkDelayMs: 4, usage }];
  await using scene = await Scene.begin({ script });
  scene.say("tell me");
  await scene.sees(() => told(scene).length > 100);
  await resize(scene, 110, 24);
  for (let n = 0; n < 80; n++) {
    const turned = n < 40 ? n : 79 - n;
    await scene.person.resize(110 - turned - Math.floor(turned / 2), 24);
    await Bun.sleep(4);
  }
  await atRest(scene);
  // What was on its way in the midst of it may stand there twice.
  expect([...new Set(told(scene))]).toEqual(words);
  expect(region(scene)).toEqual([1, 1, 1]);
});

test("[SU-3] at rest, with a menu and with a question too", async () => {
  const script: Step[] = [
    { text: "I clean up.", calls: [{ tool: "bash", input: { command: "rm -rf build" } }] },
    { text: "Done.", usage },
  ];
  await using scene = await Scene.begin({ script });
  const shake = async (): Promise<void> => {
    for (const [columns, rows] of [
      [50, 24],
      [120, 24],
      [120, 16],
      [40, 16],
      [40, 24],
      [80, 24],
    ] as const) {
      const { bytes } = scene.person;
      await scene.person.resize(columns, rows);
      await scene.sees(() => scene.person.bytes > bytes);
    }
  };
  await shake();
  scene.person.type("/mo");
  await scene.sees(/^› /);
  await shake();
  scene.person.press("ctrl+u");
  scene.say("clean up");
  await scene.asked("Run this command?");
  await shake();
  scene.person.press("y");
  await scene.rests("Done.");
  const texts = ["> clean up", "I clean up.", "Run this", "Done.", "> /mo"];
  expect(texts.map((one) => scene.count(one))).toEqual([1, 1, 0, 1, 0]);
  expect(region(scene)).toEqual([1, 1, 1]);
});

test("[SU-3] what was there before the full view is there after it, in a window of another size too", async () => {
  const script: Step[] = [{ thinking: "Hm.", text, usage }];
  await using scene = await Scene.begin({ script });
  scene.say("tell me");
  await scene.rests("1.2k");
  for (const [columns, rows] of [
    [80, 24],
    [60, 20],
    [100, 40],
    [40, 12],
    [80, 24],
  ] as const) {
    scene.person.press("ctrl+t");
    await scene.details();
    await scene.sees("Show in full");
    scene.person.press("enter");
    await scene.sees("q close");
    const { bytes } = scene.person;
    await scene.person.resize(columns, rows);
    if (columns !== 80) await scene.sees(() => scene.person.bytes > bytes);
    scene.person.press("q");
    await scene.sees("Show in full");
    scene.person.press("escape");
    await scene.sees(() => isDrawn(scene));
  }
  expect(told(scene)).toEqual(words);
  expect(region(scene)).toEqual([1, 1, 1]);
});

const set = `${"one two three four five six seven eight nine ten ".repeat(6).trim()}

| name | about |
|---|--:|
| alpha | a few words that need some room in this table |
| 中文 | 减号改为加号 |

- a list with an item that is longer than the narrow window is wide
- and another one`;

test("[SU-3] what is in view is set again at the new width, tables too, and it stands there once", async () => {
  await using scene = await Scene.begin({ script: [{ text: set, usage }], rows: 60 });
  scene.say("tell me");
  await scene.rests("1.2k");
  const text = (): readonly string[] => {
    const lines = scene.person.scrollback();
    return lines.slice(
      lines.findIndex((line) => line.startsWith("one two")),
      lines.indexOf("- and another one") + 1,
    );
  };
  for (const columns of [120, 50, 80, 40]) {
    await scene.person.resize(columns, 60);
    await scene.sees(() => isDrawn(scene));
    await using fresh = await Scene.begin({ script: [{ text: set, usage }], columns, rows: 60 });
    fresh.say("tell me");
    await fresh.rests("1.2k");
    const lines = fresh.person.scrollback();
    const want = lines.slice(
      lines.findIndex((line) => line.startsWith("one two")),
      lines.indexOf("- and another one") + 1,
    );
    expect(text()).toEqual(want);
    expect(region(scene)).toEqual([1, 1, 1]);
    expect([scene.count("> tell me"), scene.count("alpha"), scene.count("- and another one")]).toEqual([1, 1, 1]);
  }
});

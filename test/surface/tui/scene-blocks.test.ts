// What happens, as it is told: words, thoughts, calls and what comes of them.
import { test } from "bun:test";
import type { Step } from "../../support/scripted-reply.ts";
import { untilFile } from "../../support/shell.ts";
import { Scene, sizes, usage } from "./scene.ts";

const files = {
  "src/add.ts": "export function add(a: number, b: number): number {\n  return a - b;\n}\n",
  "src/long.ts": Array.from({ length: 60 }, (_, n) => `export const line${n} = ${n};\n`).join(""),
  "README.md": "# Sums\n\nAdds numbers.\n",
};

const reply = `# What I found

The function **subtracts**; see \`src/add.ts\` and [the docs](https://example.com/add).

1. It returns \`a - b\`
   - which is wrong for every \`b\` but zero, and that is why the first of your two tests fails
2. Nothing else is wrong

\`\`\`ts
export function add(a: number, b: number): number {
  return a + b; // the fix
}
\`\`\`

| file | lines | what |
|---|---|---|
| src/add.ts | 1 | 减号改为加号 |
| README.md | – | nothing |

> Numbers are numbers.

完成了。`;

test.each(sizes)(
  "[SU-3] a reply is set as Markdown, its thoughts in a line, at $columns by $rows",
  async ({ name, ...size }) => {
    const script: Step[] = [{ thinking: "The sign may be wrong.", text: reply, chunkChars: 9, usage }];
    await using scene = await Scene.begin({ script, files, ...size });
    scene.say("why does add(1, 2) give -1?\nbriefly");
    await scene.rests("完成了");
    await scene.frame(`reply${name}`, { isWhole: true });
  },
);

test("[MD-2] thoughts and words are seen while they come", async () => {
  const thinking =
    "First I look at the sign, then at the rest of it, and then I know what is wrong here. It is the sign.";
  const script: readonly (readonly Step[])[] = [
    [{ thinking, chunkChars: 20, stallAfter: 5 }],
    [{ text: reply, chunkChars: 40, stallAfter: 9 }],
    [
      {
        calls: [{ tool: "write", input: { path: "src/new.ts", content: "x".repeat(3000) } }],
        chunkChars: 200,
        stallAfter: 9,
      },
    ],
  ];
  await using scene = await Scene.begin({ script, files });
  scene.say("think");
  await scene.sees("It is the sign");
  await scene.frame("thinking");
  scene.person.press("escape");
  await scene.rests("Stopped model stream");
  scene.say("write");
  await scene.sees("a + b; // the");
  await scene.frame("streaming");
  scene.person.press("escape");
  await scene.rests(() => scene.count("Stopped model stream") === 2);
  scene.say("call");
  await scene.sees("1.6k");
  await scene.frame("drafting");
});

test.each(sizes)("[SU-3] every call has a line with its state, at $columns by $rows", async ({ name, ...size }) => {
  const bash = (command: string) => ({ tool: "bash", input: { command } });
  const script: Step[] = [
    {
      calls: [
        { tool: "read", input: { path: "src/add.ts" } },
        { tool: "read", input: { path: "src/long.ts", offset: 10, limit: 5 } },
        { tool: "read", input: { path: "missing.ts" } },
        { tool: "list", input: {} },
        { tool: "glob", input: { pattern: "**/*.ts" } },
        { tool: "grep", input: { pattern: "return", path: "src" } },
        { tool: "nonsense", input: { a: 1 } },
        { tool: "bash", input: { wrong: true } },
        bash("echo one; echo two"),
        bash("echo oops >&2; exit 3"),
        bash("seq 1 12; sh ../until-go.sh; echo gone"),
        bash("true"),
        { tool: "read", input: { path: "README.md" } },
      ],
    },
    { text: "All done.", usage },
  ];
  // Beside the workspace, which is listed.
  await using scene = await Scene.begin({
    script,
    files: { ...files, "../until-go.sh": untilFile("go") },
    mode: "yolo",
    ...size,
  });
  scene.say("do all kinds of things");
  await scene.sees("  12");
  await scene.frame(`calls-running${name}`);
  await Bun.write(`${scene.cli.workspace}/go`, "");
  await scene.rests("All done.");
  await scene.frame(`calls-done${name}`, { isWhole: true });
});

test.each(sizes)(
  "[SU-3] changes are shown as diffs with line numbers, at $columns by $rows",
  async ({ name, ...size }) => {
    const patch = [
      "*** Begin Patch",
      "*** Update File: src/long.ts",
      "@@",
      " export const line3 = 3;",
      "-export const line4 = 4;",
      "+export const line4 = 44;",
      " export const line5 = 5;",
      "@@",
      " export const line50 = 50;",
      "-export const line51 = 51;",
      " export const line52 = 52;",
      "*** Add File: src/中文.ts",
      '+export const 名字 = "coder";',
      "*** Delete File: README.md",
      "*** End Patch",
    ].join("\n");
    const script: Step[] = [
      {
        calls: [
          { tool: "read", input: { path: "src/add.ts" } },
          { tool: "read", input: { path: "src/long.ts" } },
          { tool: "read", input: { path: "README.md" } },
        ],
      },
      {
        text: "One line.",
        calls: [
          { tool: "edit", input: { path: "src/add.ts", old_string: "return a - b;", new_string: "return a + b;" } },
        ],
      },
      { text: "Several files.", calls: [{ tool: "patch", input: { patch } }] },
      {
        text: "A new one.",
        calls: [
          {
            tool: "write",
            input: {
              path: "src/big.ts",
              content: Array.from({ length: 50 }, (_, n) => `const a${n} = "${"y".repeat(n)}";\n`).join(""),
            },
          },
        ],
      },
      { text: "Changed.", usage },
    ];
    await using scene = await Scene.begin({
      script,
      files,
      mode: "yolo",
      config: { workflow: { auto_verify_after_edit: false } },
      ...size,
    });
    scene.say("change things");
    await scene.rests("/undo to revert");
    await scene.frame(`diffs${name}`, { isWhole: true });
  },
);

const todos = (...status: readonly string[]) => ({
  tool: "todowrite",
  input: {
    todos: [
      "Read the code that adds",
      "Change the sign in src/add.ts",
      "Run the tests and look at what they say about it",
    ].map((content, at) => ({
      ...{ id: String(at + 1), content, status: status[at] ?? "pending", priority: "high" },
    })),
  },
});

test.each(sizes)(
  "[IN-7] todos stand below what happens, and where they moved, at $columns by $rows",
  async ({ name, ...size }) => {
    const script: Step[] = [
      { text: "I make a list.", calls: [todos("in_progress")] },
      { calls: [todos("completed", "in_progress")] },
      { text: "Half of it.", stallAfter: 1 },
    ];
    await using scene = await Scene.begin({ script, files, ...size });
    scene.say("fix the sign in src/add.ts");
    await scene.sees("Half of it");
    await scene.frame(`todos${name}`);
  },
);

test.each(sizes)(
  "[TL-5] what a sub-agent does stands below its line, at $columns by $rows",
  async ({ name, ...size }) => {
    const script = [
      {
        when: "look around",
        steps: [
          {
            text: "I let somebody look.",
            calls: [
              { tool: "task", input: { kind: "explore", title: "where numbers are added", prompt: "find the adding" } },
            ],
          },
          { text: "It is in src/add.ts.", usage },
        ],
      },
      {
        when: "find the adding",
        steps: [
          {
            calls: [
              { tool: "grep", input: { pattern: "add" } },
              { tool: "list", input: { path: "src" } },
            ],
          },
          { calls: [{ tool: "read", input: { path: "src/add.ts" } }] },
          { text: "src/add.ts:1 adds.", delayMs: 700 },
        ],
      },
    ];
    await using scene = await Scene.begin({ script, files, ...size });
    scene.say("look around");
    await scene.sees(/Read src\/add\.ts/);
    await scene.frame(`sub-agent${name}`);
    await scene.rests("It is in src/add.ts.");
    await scene.frame(`sub-agent-done${name}`);
  },
);

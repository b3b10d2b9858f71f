import { afterAll, beforeAll, expect, test } from "bun:test";
import { fail, ok, type Result } from "../../src/contract/error.ts";
import type { Skill, Skills, SkillText } from "../../src/contract/skill.ts";
import { phrase } from "../../src/contract/text/catalogue.ts";
import { skillTool } from "../../src/tool/skill.ts";
import { makeWorkspace, told, type Workspace } from "./workspace.ts";

let ws: Workspace;
beforeAll(() => {
  ws = makeWorkspace();
});
afterAll(() => ws[Symbol.dispose]());

const one = (name: string, description = `About ${name}`): Skill => ({
  name,
  description,
  by: "person",
  file: `/home/u/.coder/skills/${name}/SKILL.md`,
});

function toolFor(skills: readonly Skill[], read: (skill: Skill) => Result<SkillText>, later = skills) {
  const found: Skills = { skills: later, broken: [], hidden: [], isTrusted: true };
  return skillTool(skills, { find: async () => found, read: async (skill) => read(skill) });
}

const plain = (skill: Skill): Result<SkillText> => ok({ skill, body: "Do it.", files: [], isCut: false });

test("the model is told names and purposes, and loads one by its name", async () => {
  const tool = toolFor([one("ant"), one("bee")], plain);
  expect(tool.description).toBe(
    "Load a skill: instructions for one kind of work. Load the one that fits before such work.\n- ant: About ant\n- bee: About bee",
  );
  expect(await ws.run(tool, { name: "bee" })).toEqual({
    ok: true,
    value: {
      text: "# Skill bee (/home/u/.coder/skills/bee/SKILL.md)\n\nDo it.",
      data: { name: "bee", by: "person", file: "/home/u/.coder/skills/bee/SKILL.md", files: [] },
    },
  });
});

test("other files of its folder are listed for read, and said to be more", async () => {
  const tool = toolFor([one("ant")], (skill) => ok({ skill, body: "", files: ["/a/b.md", "/a/c.py"], isCut: true }));
  expect(told(await ws.run(tool, { name: "ant" }))).toBe(
    "# Skill ant (/home/u/.coder/skills/ant/SKILL.md)\n\n(nothing else is said)\n\nFiles of this skill, for read:\n- /a/b.md\n- /a/c.py\n- …",
  );
});

test("a name that is none is answered with those there are; one added since can be loaded", async () => {
  const tool = toolFor([one("ant")], plain, [one("ant"), one("bee")]);
  expect(told(await ws.run(tool, { name: "cat" }))).toBe(
    "E_INVALID_ARGS: no skill cat; available: ant, bee\nLoad one of these, or continue without.",
  );
  expect(told(await ws.run(tool, { name: "bee" }))).toContain("Do it.");
});

test("one that cannot be read is a readable error", async () => {
  const tool = toolFor([one("ant")], () =>
    fail("E_IO", phrase("skill.broken", { file: "f", why: phrase("skill.changed") })),
  );
  expect(told(await ws.run(tool, { name: "ant" }))).toBe(
    "E_IO: cannot use the skill f: it has changed since you trusted the workspace; check it, then run coder trust",
  );
});

test("a thousand skills with long descriptions cost no more than a few hundred tokens", () => {
  const many = Array.from({ length: 1000 }, (_, at) => one(`skill-${at}`, "long words ".repeat(100)));
  const { description } = toolFor(many, plain);
  expect(description.length).toBeLessThan(2_900);
  expect(description.split("\n")[1]?.length).toBeLessThan(180);
  expect(description.split("\n").at(-1)).toStartWith("Others: skill-11, skill-12, ");
});

test("it changes nothing and is told as what the person says, not as data from outside", () => {
  const { access, afterCrash } = toolFor([], plain);
  expect([access, afterCrash]).toEqual(["session", "repeat"]);
});

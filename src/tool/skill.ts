import { fail, ok, type Result } from "../contract/error.ts";
import type { Skill, Skills, SkillText } from "../contract/skill.ts";
import { phrase } from "../contract/text/catalogue.ts";
import { type AnyTool, defineTool, type ToolOutput } from "../contract/tool.ts";
import { args, text } from "./args.ts";

/** Reads the current state on each call. */
export interface SkillShelf {
  readonly find: () => Promise<Skills>;
  readonly read: (skill: Skill) => Promise<Result<SkillText>>;
}

/**
 * `offered`: named in the tool's description, which stays the same for the life of the process. A skill added later can still be loaded
 * by name.
 */
export function skillTool(offered: readonly Skill[], shelf: SkillShelf): AnyTool {
  return defineTool({
    name: "skill",
    description: `Load a skill: instructions for one kind of work. Load the one that fits before such work.\n${listText(offered)}`,
    input: args({ name: text("", { min: 1 }) }),
    // Not external data: the user wrote the skill or trusts its author.
    access: "session",
    afterCrash: "repeat",
    async run({ name }) {
      const { skills } = await shelf.find();
      const skill = skills.find((one) => one.name === name);
      if (!skill) return unknown(name, skills);
      const read = await shelf.read(skill);
      return read.ok ? ok(outputOf(read.value)) : read;
    },
  });
}

function unknown(name: string, skills: readonly Skill[]): Result<never> {
  const names = skills.map((one) => one.name).join(", ") || "–";
  const text = phrase("skill.unknown", { name: name.slice(0, 100), names: names.slice(0, 4_000) });
  return fail("E_INVALID_ARGS", text, { advice: phrase("skill.unknown.advice") });
}

function outputOf({ skill, body, files, isCut }: SkillText): ToolOutput {
  const list = files.map((file) => `- ${file}`);
  const more = isCut ? ["- …"] : [];
  const beside = list.length === 0 ? [] : ["", "Files of this skill, for read:", ...list, ...more];
  return {
    text: [`# Skill ${skill.name} (${skill.file})`, "", body || "(nothing else is said)", ...beside].join("\n"),
    data: { name: skill.name, by: skill.by, file: skill.file, files },
  };
}

const maxList = 2_000;
const maxLine = 160;
const maxNames = 600;

/** With descriptions as far as there is room, then names only. */
function listText(skills: readonly Skill[]): string {
  const lines: string[] = [];
  let length = 0;
  for (const { name, description } of skills) {
    const line = `- ${name}: ${short(description)}`;
    length += line.length + 1;
    if (length > maxList) break;
    lines.push(line);
  }
  const rest = skills.slice(lines.length).map(({ name }) => name);
  if (rest.length === 0) return lines.join("\n");
  const names = rest.join(", ");
  return [...lines, `Others: ${names.length > maxNames ? `${names.slice(0, maxNames)}…` : names}`].join("\n");
}

function short(text: string): string {
  return text.length > maxLine ? `${text.slice(0, maxLine - 1)}…` : text;
}

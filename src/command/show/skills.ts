import type { Skill, Skills } from "../../contract/skill.ts";
import { type Lang, phrase, say } from "../../contract/text/catalogue.ts";
import type { SlashCommand } from "../../engine/port.ts";
import { done } from "../text/answer.ts";

export const skills: SlashCommand = {
  name: "skills",
  args: "",
  help: "skill.help",
  whileRunning: true,
  run: async (port) => {
    const { lang, home } = port.settings;
    const found = await port.skills();
    const note = found.isTrusted ? [] : [say(lang, phrase("skill.untrusted_note"))];
    const none = say(lang, phrase("skill.none", { folder: `${home}/skills` }));
    const rows = found.skills.length === 0 ? [none] : found.skills.map((skill) => rowOf(skill, lang));
    return done([...rows, ...troubles(found, lang), ...note].join("\n"), jsonOf(found, lang));
  },
};

function rowOf({ name, description, by }: Skill, lang: Lang): string {
  const whose = say(lang, phrase(by === "person" ? "skill.by_person" : "skill.by_project"));
  return `${name.padEnd(24)} ${whose.padEnd(8)} ${description}`;
}

function troubles({ broken, hidden }: Skills, lang: Lang): readonly string[] {
  const rows = [
    ...broken.map(({ file, why }) => phrase("skill.broken_row", { file, why })),
    ...hidden.map(({ file, name }) => phrase("skill.hidden_row", { file, name })),
  ];
  return rows.length === 0 ? [] : ["", ...[phrase("skill.broken_title"), ...rows].map((one) => say(lang, one))];
}

function jsonOf({ skills: found, broken, hidden }: Skills, lang: Lang) {
  return {
    skills: found,
    broken: broken.map(({ file, why }) => ({ file, reason: say(lang, why) })),
    hidden,
  };
}

import type { Settings } from "../../contract/settings.ts";
import type { SkillPlaces, Skills } from "../../contract/skill.ts";
import type { Toolbox } from "../../engine/call/toolbox.ts";
import { findSkills, readSkill } from "../../platform/skill/skills.ts";
import { loadTools, toolSpecs } from "../../tool/registry.ts";
import { skillTool } from "../../tool/skill.ts";
import { trustState } from "../trust/trust-state.ts";

/** Tools that are switched off are not offered; the pipeline denies calls to them. */
export function openToolbox(settings: Settings): Toolbox {
  const { skills } = skillsNow(settings);
  const skill = skillTool(skills, {
    find: async () => skillsNow(settings),
    read: async (one) => readSkill(placesOf(settings), one),
  });
  const isOffered = skills.length > 0 && !settings.toolsOff.includes(skill.name);
  const offered = loadTools(settings.toolsOff, isOffered ? [skill] : []);
  return { tools: loadTools([], [skill]), specs: toolSpecs(offered) };
}

export function skillsNow(settings: Settings): Skills {
  return findSkills(placesOf(settings));
}

/** PO-9: workspace skills count only as trusted. */
function placesOf({ home, workspace }: Settings): SkillPlaces {
  const { kind, items } = trustState(workspace, home);
  const files = items.map(({ path, hash }) => [path, hash] as const);
  return { home, workspace, trusted: kind === "trusted" ? new Map(files) : null };
}

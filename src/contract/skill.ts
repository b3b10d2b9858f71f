import type { Phrase } from "./text/catalogue.ts";

/** A folder with a SKILL.md: how to do one kind of work. */
export interface Skill {
  readonly name: string;
  readonly description: string;
  readonly by: "person" | "project";
  /** Its SKILL.md, for a project relative to the workspace. */
  readonly file: string;
}

export interface Skills {
  /** Sorted by name, which is unique: the user's wins over the project's. */
  readonly skills: readonly Skill[];
  readonly broken: readonly { readonly file: string; readonly why: Phrase }[];
  /** Project skills overridden by one of the user's. */
  readonly hidden: readonly Skill[];
  readonly isTrusted: boolean;
}

export interface SkillPlaces {
  readonly home: string;
  readonly workspace: string;
  /** PO-9: trusted files of the workspace with their hashes; `null` = not trusted. */
  readonly trusted: ReadonlyMap<string, string> | null;
}

export interface SkillText {
  readonly skill: Skill;
  readonly body: string;
  /** Other files in its folder, as paths for `read`. */
  readonly files: readonly string[];
  readonly isCut: boolean;
}

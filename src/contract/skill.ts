import type { Phrase } from "./text/catalogue.ts";

/** A folder with a SKILL.md in it: how to do one kind of work, by the person or by a project that they trust. */
export interface Skill {
  readonly name: string;
  readonly description: string;
  readonly by: "person" | "project";
  /** Its SKILL.md; a project's relative to the workspace. */
  readonly file: string;
}

export interface Skills {
  /** By name, each once: of two with one name the person's. */
  readonly skills: readonly Skill[];
  /** What is none, and why. */
  readonly broken: readonly { readonly file: string; readonly why: Phrase }[];
  /** A project's for which one of the person's stands in. */
  readonly hidden: readonly Skill[];
  /** Whether those of the workspace were looked for at all. */
  readonly isTrusted: boolean;
}

/** Where skills may lie. */
export interface SkillPlaces {
  /** CODER_HOME. */
  readonly home: string;
  /** Real path. */
  readonly workspace: string;
  /** Files of the workspace that take effect, with the hash they were trusted with (PO-9); `null` = it is not trusted. */
  readonly trusted: ReadonlyMap<string, string> | null;
}

export interface SkillText {
  readonly skill: Skill;
  readonly body: string;
  /** What else lies in its folder, as `read` takes it. */
  readonly files: readonly string[];
  /** There are more. */
  readonly isCut: boolean;
}

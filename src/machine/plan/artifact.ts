import type { PlanStep } from "../../contract/plan.ts";

type Artifact = PlanStep["expected_artifacts"][number];

const changes: readonly { readonly change: Artifact["change"]; readonly form: RegExp }[] = [
  { change: "create", form: /^(?:create|created|new|add|added|新建|新增|创建|添加)$/iu },
  { change: "delete", form: /^(?:delete|deleted|remove|removed|rm|删除|移除|删掉)$/iu },
  { change: "modify", form: /^(?:modify|modified|edit|edited|update|change|changed|修改|更新|编辑|改)$/iu },
];

/** `src/a.ts`, `src/a.ts (create)`, `new: src/a.ts`, `+src/a.ts`; a bare path means modify. */
export function artifactFrom(text: string): Artifact | null {
  const plain = text.replace(/[`*"'“”]/g, "").trim();
  const bracketed = /^([^()（）]*)[(（]([^()（）]*)[)）]$/u.exec(plain);
  const before = /^(\p{L}+)\s*[:：]\s*(.*)$/u.exec(plain);
  const word = (bracketed?.[2] ?? before?.[1] ?? "").trim();
  const change = changeIn(word);
  if (change !== undefined) return withPath(bracketed?.[1] ?? before?.[2] ?? "", change);
  const sign = /^([+-])\s*(\S.*)$/u.exec(plain);
  if (sign) return withPath(sign[2] ?? "", sign[1] === "+" ? "create" : "delete");
  return withPath(bracketed?.[1] ?? plain, "modify");
}

export function changeIn(word: string): Artifact["change"] | undefined {
  return changes.find((one) => one.form.test(word.trim()))?.change;
}

export function artifactsIn(text: string): readonly Artifact[] {
  return text.split(/[,，、;；\n]/u).flatMap((one) => artifactFrom(one) ?? []);
}

function withPath(path: string, change: Artifact["change"]): Artifact | null {
  const plain = path.trim();
  return plain === "" || /^(?:none|n\/a|无|-)$/iu.test(plain) ? null : { path: plain, change };
}

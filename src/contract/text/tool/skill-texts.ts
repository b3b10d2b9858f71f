export const skillText = () =>
  ({
    "skill.help": {
      en: "list the skills, and problems with unusable ones",
      zh: "列出技能以及无法使用的技能的问题",
    },
    "skill.none": {
      en: "No skills. A skill is a folder with a SKILL.md: {folder}/NAME/SKILL.md",
      zh: "没有技能。技能是包含 SKILL.md 的目录：{folder}/NAME/SKILL.md",
    },
    "skill.by_person": { en: "yours", zh: "你的" },
    "skill.by_project": { en: "project", zh: "项目" },
    "skill.broken_title": { en: "Not usable:", zh: "无法使用：" },
    "skill.broken_row": { en: "{file}: {why}", zh: "{file}：{why}" },
    "skill.hidden_row": {
      en: "{file}: your own skill {name} is used instead",
      zh: "{file}：改用你自己的技能 {name}",
    },
    "skill.untrusted_note": {
      en: "Skills of the workspace itself work once you trust it (coder trust).",
      zh: "工作区自带的技能在你信任它之后才有效（coder trust）。",
    },
    "skill.no_head": {
      en: "it does not start with a line ---, keys and another line ---",
      zh: "开头不是一行 ---、若干键和另一行 ---",
    },
    "skill.no_key": { en: "the key {key} is missing", zh: "缺少键 {key}" },
    "skill.bad_name": {
      en: "its name {name} must be lowercase letters, digits and single hyphens, at most 64",
      zh: "名称 {name} 只能由小写字母、数字和单个连字符组成，最多 64 个字符",
    },
    "skill.other_name": {
      en: "its name is {name}, but its folder is {folder}",
      zh: "名称是 {name}，但目录名为 {folder}",
    },
    "skill.absent": { en: "no such file in this folder", zh: "此目录中没有该文件" },
    "skill.no_text": { en: "it is not text", zh: "不是文本" },
    "skill.too_big": { en: "it has {size}; the limit is {max}", zh: "大小为 {size}；最多读取 {max}" },
    "skill.link": { en: "it is a link, or cannot be reached", zh: "是链接，或无法访问" },
    "skill.unreadable": { en: "it cannot be read: {code}", zh: "无法读取：{code}" },
    "skill.missing": {
      en: "no such trusted file; links are not followed",
      zh: "没有受信任的此文件；不跟随链接",
    },
    "skill.changed": {
      en: "it has changed since you trusted the workspace; check it, then run coder trust",
      zh: "自工作区受信任后已更改；请查看后运行 coder trust",
    },
    "skill.broken": { en: "cannot use the skill {file}: {why}", zh: "技能 {file} 无法使用：{why}" },
    "skill.broken.advice": {
      en: "Continue without it, and tell the user.",
      zh: "请在没有它的情况下继续，并告知用户。",
    },
    "skill.unknown": { en: "no skill {name}; available: {names}", zh: "没有技能 {name}；现有：{names}" },
    "skill.unknown.advice": { en: "Load one of these, or continue without.", zh: "请加载其中之一，或不加载而继续。" },
  }) as const;

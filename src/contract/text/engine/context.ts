import type { Line } from "../catalogue.ts";

export const contextText = () =>
  ({
    "rules.changed": {
      en: "The rules files changed and were read again: {files}",
      zh: "规则已更改并重新读取：{files}",
    },
    "rules.gone": {
      en: "The rules read before no longer apply: their files are gone or not trusted.",
      zh: "先前读取的规则不再有效：文件已不存在或未受信任。",
    },
    "rules.cut": {
      en: "These rules files are too long, so the model does not see all of them (limits: 32 KiB each, one fifth of the model's window together): {files}",
      zh: "以下规则文件过长（每个 32 KiB，合计不超过模型窗口的五分之一），未全部提供给模型：{files}",
    },
    "rules.untrusted": {
      en: "{files}: changed since you trusted this workspace. The rules as read before still apply; to apply the new ones: coder trust",
      zh: "{files}：自信任此工作区以来已更改。先前读取的规则继续有效；使新规则生效：coder trust",
    },
    "rules.unreadable": {
      en: "the rules file {file} is ignored: {why}",
      zh: "规则文件 {file} 不生效：{why}",
    },
    "rules.why.missing": { en: "it does not exist or cannot be read", zh: "文件不存在或无法读取" },
    "rules.why.not_text": { en: "it is not a text file", zh: "不是文本文件" },
    "rules.why.unused": {
      en: "it is not a regular file, is a link to something other than a .md file of the repository, or cannot be read",
      zh: "它不是普通文件、是指向仓库内 .md 文件以外内容的链接，或无法读取",
    },
    "rules.why.too_big": { en: "it is larger than {max} bytes", zh: "大于 {max} 字节" },
    "rules.why.inside": {
      en: "it is inside the workspace; name it in the workspace's own .coder/config.json, so that trust covers it",
      zh: "它位于工作区内；请在工作区自己的 .coder/config.json 中指定，以便纳入信任范围",
    },
    "rules.project_path": {
      en: "{where} is ignored: {file} is not a .md, .mdx, .mdc or .txt file inside the workspace",
      zh: "{where} 被忽略：{file} 不是工作区内 .md、.mdx、.mdc 或 .txt 文件的路径",
    },
    "compact.help": {
      en: "free up context: replace older entries with a summary",
      zh: "腾出上下文空间：用摘要替换较早的记录",
    },
    "compact.pruned": {
      en: "Context: {before} → {after} tokens; long old outputs were left out.",
      zh: "上下文：{before} → {after} 个 token；已省略较早的长输出。",
    },
    "compact.summarised": {
      en: "Context: {before} → {after} tokens; the model summarised {dropped} older entries.",
      zh: "上下文：{before} → {after} 个 token；{dropped} 条较早的记录已替换为模型的摘要。",
    },
    "compact.ruled": {
      en: "Context: {before} → {after} tokens; {dropped} older entries were replaced with an automatic summary (no model).",
      zh: "上下文：{before} → {after} 个 token；{dropped} 条较早的记录已替换为自动摘要（未使用模型）。",
    },
    "compact.trimmed": {
      en: "Context: {before} → {after} tokens; {dropped} older entries were left out without a summary to save space. The log keeps all of them.",
      zh: "上下文：{before} → {after} 个 token；因空间不足，{dropped} 条较早的记录未作摘要即被省略。日志仍保留全部内容。",
    },
    "compact.nothing": {
      en: "A summary would not free any context ({before} tokens).",
      zh: "没有可以通过摘要缩小的内容（{before} 个 token）。",
    },
    "compact.cancelled": { en: "Nothing was changed: the summary was cancelled.", zh: "未做任何更改：摘要已取消。" },
    "compact.no_session": { en: "This session is still empty.", zh: "本会话还没有内容。" },
    "init.help": {
      en: "draft an AGENTS.md from the repository",
      zh: "根据仓库内容编写第一份 AGENTS.md",
    },
    "init.exists": {
      en: "{file} already contains the rules for this folder; it was not replaced",
      zh: "此处的规则已由 {file} 提供；不会替换",
    },
    "init.exists.advice": { en: "Change it by hand, or ask for a change.", zh: "请手动修改，或提出修改要求。" },
    "init.other": {
      en: "{file} contains the rules for this folder; an AGENTS.md beside it would replace it",
      zh: "此处的规则由 {file} 提供；若旁边有 AGENTS.md，它将取而代之",
    },
    "init.other.advice": {
      en: "Rename it to AGENTS.md, or remove it first.",
      zh: "请将其重命名为 AGENTS.md，或先将其删除。",
    },
    "init.notice": {
      en: "A draft of AGENTS.md was made from the repository. Review it once it is written; it takes effect after you trust the workspace with it: coder trust",
      zh: "已根据仓库内容拟出 AGENTS.md 草稿。写入后请查看并修改；按届时内容信任工作区后生效：coder trust",
    },
  }) as const satisfies Readonly<Record<string, Line>>;

export const changesText = () =>
  ({
    "changes.binary": { en: "not text: {before} → {after}", zh: "非文本文件：{before} → {after}" },
    "changes.huge": { en: "too large to show: {before} → {after}", zh: "过大，无法显示：{before} → {after}" },
    "changes.gone": {
      en: "its content is no longer kept: {before} → {after}",
      zh: "其内容已不再保留：{before} → {after}",
    },
    "changes.no_file": { en: "no file", zh: "无文件" },
    "changes.form": { en: "encoding: {before} → {after}", zh: "编码：{before} → {after}" },
    "changes.crlf": { en: "lines end with CR LF", zh: "行尾为 CR LF" },
    "changes.more_lines": { en: "{n} more lines of this file are not shown", zh: "此文件还有 {n} 行未显示" },
    "changes.more_files": { en: "{n} more files are not shown: {files}", zh: "还有 {n} 个文件未显示：{files}" },
    "input.not_queued": {
      en: "message {input} is no longer waiting: it was delivered or already removed",
      zh: "消息 {input} 已不在等待：它已送达，或此前已被取回",
    },
    "input.not_queued.advice": {
      en: "say what to change in a new message",
      zh: "请在新消息中说明要作的改动",
    },
  }) as const;

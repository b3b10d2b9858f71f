export const repoIndexText = () =>
  ({
    "index.unusable": {
      en: "The index of this workspace, {path}, cannot be used ({code}); files are searched without it.",
      zh: "无法使用此工作区的索引 {path}（{code}）；将直接搜索文件。",
    },
    "index.unusable.advice": {
      en: "Check free space and permissions of that file's folder. The file may be deleted at any time; it is made anew.",
      zh: "请检查该文件所在目录的剩余空间和权限。该文件可随时删除，会重新生成。",
    },
  }) as const;

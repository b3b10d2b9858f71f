export const repoIndexText = () =>
  ({
    "index.unusable": {
      en: "cannot use the index of this workspace, {path} ({code}); coder searches files without it.",
      zh: "无法使用此工作区的索引 {path}（{code}）；将直接搜索文件。",
    },
    "index.unusable.advice": {
      en: "Check the free space and permissions of that file's folder. You can delete the file at any time; coder recreates it.",
      zh: "请检查该文件所在目录的剩余空间和权限。该文件可随时删除，会重新生成。",
    },
  }) as const;

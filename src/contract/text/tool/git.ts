import type { Line } from "../catalogue.ts";

/** Commits and their proposed messages. */
export const gitText = () =>
  ({
    "git.commit.help": {
      en: "commit the changes of this session's tasks; --dry-run: only propose the message",
      zh: "提交本会话任务的修改；--dry-run：只给出建议的提交说明",
    },
    "git.pr.help": { en: "propose the text of a pull request", zh: "给出建议的合并请求说明" },
    "git.no_past": { en: "coder commits only within a session", zh: "只能在会话中提交" },
    "git.no_repository": { en: "{root} is not in a git repository", zh: "{root} 不在 git 仓库中" },
    "git.no_repository.advice": {
      en: "create one with git init, or work in one",
      zh: "请用 git init 创建仓库，或在仓库中工作",
    },
    "git.no_git": { en: "git is not installed, or its files cannot be read", zh: "未安装 git，或无法读取其文件" },
    "git.no_git.advice": { en: "install git and try again", zh: "请安装 git 后重试" },
    "git.unfinished": {
      en: "nothing was committed: the repository has an unfinished operation: {what}",
      zh: "未提交：仓库中有尚未完成的操作：{what}",
    },
    "git.unfinished.advice": { en: "finish or abort it first", zh: "请先完成或中止该操作" },
    "git.unmerged": {
      en: "nothing was committed: some files have conflicts: {files}",
      zh: "未提交：存在有冲突的文件：{files}",
    },
    "git.unmerged.advice": { en: "resolve the conflicts first", zh: "请先解决冲突" },
    "git.no_identity": {
      en: "nothing was committed: git does not know who you are: {problem}",
      zh: "未提交：git 不知道你是谁：{problem}",
    },
    "git.no_identity.advice": {
      en: "run git config --global user.name NAME and git config --global user.email ADDRESS",
      zh: "请运行 git config --global user.name 姓名 和 git config --global user.email 地址",
    },
    "git.signed": {
      en: "nothing was committed: your git signs commits (commit.gpgSign), which coder does not do",
      zh: "未提交：你的 git 要求签名提交（commit.gpgSign），coder 不会代为签名",
    },
    "git.signed.advice": {
      en: "commit it yourself with git commit; /commit --dry-run proposes the message",
      zh: "请自行使用 git commit 提交；/commit --dry-run 会给出建议的提交说明",
    },
    "git.bad_branch": { en: "{branch} is not a valid branch name", zh: "{branch} 不能作为分支名" },
    "git.nothing": {
      en: "nothing to commit: all changes of this session's tasks are committed or undone",
      zh: "没有可提交的内容：本会话任务的修改已提交或已撤销",
    },
    "git.nothing.advice": {
      en: "let a task change something first; commit your own changes with git commit",
      zh: "请先让任务做出修改；你自己的修改请用 git commit 提交",
    },
    "git.all_left": {
      en: "nothing was committed: every changed file was left out:\n{files}",
      zh: "未提交：所有被修改的文件都未纳入：\n{files}",
    },
    "git.all_left.advice": {
      en: "commit these files yourself with git commit",
      zh: "请用 git commit 自行提交上述文件",
    },
    "git.busy": {
      en: "nothing was committed: another git process is running: {problem}",
      zh: "未提交：另一个 git 正在运行：{problem}",
    },
    "git.busy.advice": {
      en: "try again when it has ended; if none is running, remove the lock file",
      zh: "请待其结束后重试；如果没有 git 在运行，请删除锁文件",
    },
    "git.moved": {
      en: "nothing was committed: could not update the branch: {problem}",
      zh: "未提交：无法移动分支：{problem}",
    },
    "git.moved.advice": { en: "check git status and try again", zh: "请查看 git status 后重试" },
    "git.failed": { en: "git {command} failed: {problem}", zh: "git {command} 失败：{problem}" },
    "git.cancelled": { en: "cancelled; nothing was committed", zh: "已取消；未提交" },
    "git.hook_failed": {
      en: "nothing was committed: the hook {hook} failed:\n{output}",
      zh: "未提交：钩子 {hook} 未通过：\n{output}",
    },
    "git.hook_failed.advice": {
      en: "fix the problems it names; hooks that change files or need the network work only with git commit",
      zh: "请修正其指出的问题；会修改文件或需要网络的钩子只能配合 git commit 使用",
    },
    "git.committed": { en: "Committed {commit} on {branch}: {subject}", zh: "已提交 {commit}（{branch}）：{subject}" },
    "git.not_committed": { en: "Not committed: {why}", zh: "未自动提交：{why}" },
    "git.detached": {
      en: "HEAD is detached: no branch contains this commit. To keep it: git switch -c NAME.",
      zh: "HEAD 处于分离状态：没有分支包含此提交。可用 git switch -c 名称 保留它。",
    },
    "git.left": { en: "Left out:\n{files}", zh: "未纳入：\n{files}" },
    "git.left.file": { en: "  {path}: {why}", zh: "  {path}：{why}" },
    "git.left.changed": { en: "changed since the task", zh: "任务结束后又被修改" },
    "git.left.mixed": {
      en: "also contains changes that are not the task's",
      zh: "其中还有不属于任务的修改",
    },
    "git.left.others": { en: "also contains changes of other tasks", zh: "其中还有其他任务的修改" },
    "git.left.staged": { en: "you have staged another version of it", zh: "你已暂存了它的另一个版本" },
    "git.left.ignored": { en: "git ignores it", zh: "git 忽略该文件" },
    "git.left.secret": { en: "its name suggests that it holds secrets", zh: "其名称表明含有机密" },
    "git.left.filter": { en: "git runs a filter program on it", zh: "git 会对其运行过滤程序" },
    "git.left.elsewhere": { en: "not in this repository", zh: "不在此仓库中" },
    "git.left.unkept": { en: "unknown which of its content changed", zh: "不清楚其中修改了什么" },
    "git.more": { en: "and {n} more", zh: "以及另外 {n} 个" },
    "git.untitled": { en: "Change files", zh: "修改文件" },
    "git.taken_back": { en: "Undo earlier changes", zh: "撤销先前的修改" },
    "git.brought_back": { en: "Restore earlier changes", zh: "恢复先前的修改" },
    "git.file.create": { en: "- create {path} ({lines})", zh: "- 新增 {path}（{lines}）" },
    "git.file.modify": { en: "- modify {path} ({lines})", zh: "- 修改 {path}（{lines}）" },
    "git.file.delete": { en: "- delete {path} ({lines})", zh: "- 删除 {path}（{lines}）" },
    "git.file.rename": { en: "- rename {from} to {path} ({lines})", zh: "- 重命名 {from} 为 {path}（{lines}）" },
    "git.binary": { en: "not text", zh: "非文本" },
    "git.verified": { en: "Verified: {command} ({n} passed)", zh: "已验证：{command}（{n} 项通过）" },
    "git.verified.plain": { en: "Verified: {command}", zh: "已验证：{command}" },
    "git.unverified": { en: "Not verified automatically.", zh: "未经自动验证。" },
    "git.did": { en: "Done:", zh: "完成内容：" },
    "git.subject.create": { en: "Add {files}", zh: "新增 {files}" },
    "git.subject.modify": { en: "Change {files}", zh: "修改 {files}" },
    "git.subject.delete": { en: "Remove {files}", zh: "删除 {files}" },
    "git.subject.rename": { en: "Rename {files}", zh: "重命名 {files}" },
    "git.subject.two": { en: "{one} and {two}", zh: "{one} 和 {two}" },
    "git.subject.many": { en: "{n} files", zh: "{n} 个文件" },
    "git.subject.in": { en: "{n} files in {folder}", zh: "{folder} 中的 {n} 个文件" },
    "git.pr.summary": { en: "## Summary", zh: "## 概述" },
    "git.pr.changes": { en: "## Changes", zh: "## 修改" },
    "git.pr.verification": { en: "## Verification", zh: "## 验证" },
    "git.pr.undo": { en: "## How to undo", zh: "## 如何撤销" },
    "git.pr.undo_how": {
      en: "Revert this pull request, or its commits with `git revert`. Nothing outside the files above was committed.",
      zh: "还原此合并请求，或用 `git revert` 还原其中的提交。除上述文件外没有提交其他内容。",
    },
  }) satisfies Readonly<Record<string, Line>>;

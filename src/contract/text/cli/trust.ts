import type { Line } from "../catalogue.ts";

export const trustText = () =>
  ({
    "trust.home_inside": {
      en: "CODER_HOME ({home}) is inside the workspace, so the workspace could have granted itself trust",
      zh: "CODER_HOME（{home}）位于工作区内，工作区可能自行写入了信任记录",
    },
    "trust.too_deep": { en: "{path} is nested more than {max} folders deep", zh: "{path} 的嵌套超过 {max} 层目录" },
    "trust.too_many": {
      en: ".coder contains more than {max} files",
      zh: ".coder 中的文件超过 {max} 个",
    },
    "trust.too_big": {
      en: "{path} makes it too large to inspect (limit {max} bytes)",
      zh: "{path} 过大，无法检查（上限 {max} 字节）",
    },
    "trust.unknown": {
      en: "cannot determine whether this workspace is trusted: {problem}",
      zh: "无法查询此工作区是否受信任：{problem}",
    },
    "trust.notice.untrusted": {
      en: "Ignored until you trust this folder: {items}. To inspect: coder trust --show; to trust: coder trust",
      zh: "在信任此目录之前不生效：{items}。查看：coder trust --show；信任：coder trust",
    },
    "trust.notice.changed": {
      en: "Ignored, because it changed since you trusted this folder: {items}. To inspect: coder trust --show; to trust it again: coder trust",
      zh: "自你信任此目录后已有更改，因此不生效：{items}。查看：coder trust --show；重新信任：coder trust",
    },
    "trust.notice.problem": {
      en: "This workspace cannot be trusted, so its configuration is ignored ({items}): {problem}",
      zh: "此工作区无法受信任，因此其配置不生效（{items}）：{problem}",
    },
    "trust.more": { en: "{names} and {n} more", zh: "{names} 以及另外 {n} 项" },
    "trust.key_never": {
      en: "{where} is ignored: a project may not set this",
      zh: "{where} 被忽略：项目不能设置此项",
    },
    "trust.key_looser": {
      en: "{where} is ignored: a project may only be stricter than your own setting ({own})",
      zh: "{where} 被忽略：项目只能比你自己的设置（{own}）更严格",
    },
    "trust.key_bad": { en: "{problem} (ignored)", zh: "{problem}（已忽略）" },
    "trust.key_yours": {
      en: "{where} is ignored: you set it yourself",
      zh: "{where} 被忽略：你已自行设置",
    },
    "trust.provider_taken": {
      en: "{where} is ignored: a project may only add providers under new names",
      zh: "{where} 被忽略：项目只能以新名称添加提供商",
    },
    "trust.provider_variable": {
      en: "{where} is ignored: a project may not choose which of your variables is sent as a key",
      zh: "{where} 被忽略：项目不能选择将你的哪个变量作为密钥发送",
    },
    "trust.rule_allows": {
      en: "{where} is ignored: a project's rules may only ask or deny",
      zh: "{where} 被忽略：项目的规则只能询问或拒绝",
    },
    "trust.model_unusable": {
      en: "The model {model} from {file} is not used: {problem} (CODER_API_KEY is sent only to a provider you chose yourself.)",
      zh: "未使用 {file} 中的模型 {model}：{problem}（CODER_API_KEY 只会发送给你自己选择的提供商。）",
    },
    "trust.keys_more": { en: "{file}: {n} more entries are ignored", zh: "{file}：另有 {n} 项被忽略" },
    "trust.about": {
      en: "trust the workspace: its configuration and rules take effect, as they are now",
      zh: "信任工作区：其配置和规则按当前内容生效",
    },
    "trust.flag.show": { en: "only show what would take effect", zh: "仅显示将会生效的内容" },
    "trust.flag.revoke": { en: "stop trusting the workspace", zh: "不再信任工作区" },
    "trust.flag.trust": {
      en: "trust the workspace as it is now: its configuration and rules take effect",
      zh: "按当前内容信任工作区：其配置和规则生效",
    },
    "trust.state.trusted": { en: "{workspace} is trusted.", zh: "{workspace} 受信任。" },
    "trust.state.untrusted": { en: "{workspace} is not trusted.", zh: "{workspace} 未受信任。" },
    "trust.state.changed": {
      en: "{workspace} has changed since you trusted it; none of this takes effect.",
      zh: "{workspace} 在受信任之后已更改；以下内容均不生效。",
    },
    "trust.state.nothing": {
      en: "It contains nothing that would take effect.",
      zh: "其中没有会生效的内容。",
    },
    "trust.kind.config": { en: "configuration", zh: "配置" },
    "trust.kind.rules": { en: "instructions for the model", zh: "给模型的说明" },
    "trust.kind.servers": { en: "tool servers", zh: "工具服务器" },
    "trust.kind.hooks": { en: "hooks", zh: "钩子" },
    "trust.kind.skills": { en: "skills", zh: "技能" },
    "trust.kind.commands": { en: "commands", zh: "命令" },
    "trust.kind.other": { en: "other", zh: "其他" },
    "trust.unused": { en: "ignored: {what}", zh: "不生效：{what}" },
    "trust.done": { en: "Trusted, with its current contents.", zh: "已按当前内容信任。" },
    "trust.revoked": { en: "No longer trusted.", zh: "已不再信任。" },
    "trust.was_not": { en: "It was not trusted.", zh: "它原本就未受信任。" },
    "trust.refused": { en: "{workspace} cannot be trusted: {problem}", zh: "{workspace} 无法受信任：{problem}" },
    "trust.refused.advice": {
      en: "Nothing was changed. Remove the file or setting named here, or work without it: none of the folder's configuration takes effect.",
      zh: "未做任何更改。请移除此处所指的文件或设置，或在不生效的情况下工作：该目录的任何配置都不会生效。",
    },
    "trust.show_or_revoke": {
      en: "--show and --revoke cannot be combined",
      zh: "--show 与 --revoke 不能同时使用",
    },
    "trust.git.none": { en: "no git repository here", zh: "此处没有 git 仓库" },
    "trust.git.above": {
      en: "the git repository starts above the workspace",
      zh: "git 仓库的根目录位于工作区之上",
    },
    "trust.git.elsewhere": {
      en: ".git points outside the workspace (a worktree, a submodule or a link)",
      zh: ".git 指向工作区之外（工作树、子模块或链接）",
    },
    "trust.git.damaged": { en: "the .git folder is not a complete repository", zh: ".git 目录不是完整的仓库" },
    "trust.git.link": { en: "{path} is a link", zh: "{path} 是链接" },
    "trust.git.alternates": {
      en: "{path} makes git read another repository",
      zh: "{path} 使 git 读取另一个仓库",
    },
    "trust.git.attributes": {
      en: "{path} may make git start other programs",
      zh: "{path} 可能使 git 启动其他程序",
    },
    "trust.git.config": {
      en: "{path} sets {key}, which may not be harmless",
      zh: "{path} 设置了 {key}，可能有害",
    },
    "trust.git.config_odd": { en: "{path} has an unusual format", zh: "{path} 的写法不规范" },
    "trust.git.index_odd": { en: "cannot read .git/index: unknown format", zh: "无法理解 .git/index" },
    "trust.git.inner": {
      en: "it contains other repositories with their own settings",
      zh: "此仓库内含其他仓库，它们有各自的设置",
    },
    "trust.git.owner": {
      en: "the repository belongs to another user, and your git config does not list it as safe (safe.directory)",
      zh: "仓库属于其他用户，且你的 git 配置未将其列为安全目录（safe.directory）",
    },
    "trust.git.unread": { en: "{path} cannot be read ({code})", zh: "无法读取 {path}（{code}）" },
    "trust.own_command": {
      en: "A command run by coder may not change trust or configuration ({what}).",
      zh: "由 coder 运行的命令不得更改信任或配置（{what}）。",
    },
    "trust.own_command.advice": {
      en: "Run it yourself, in your own shell.",
      zh: "请在你自己的 shell 中运行。",
    },
  }) as const satisfies Readonly<Record<string, Line>>;

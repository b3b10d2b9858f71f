import type { Line } from "../catalogue.ts";

export const permissionText = () =>
  ({
    "permission.why.allow": { en: "allowed by the rule {rule} ({source})", zh: "规则 {rule}（{source}）允许" },
    "permission.why.ask": { en: "the rule {rule} ({source}) asks first", zh: "规则 {rule}（{source}）要求先询问" },
    "permission.why.ask_part": {
      en: "{part}: the rule {rule} ({source}) asks first",
      zh: "{part}：规则 {rule}（{source}）要求先询问",
    },
    "permission.why.deny": { en: "denied by the rule {rule} ({source})", zh: "规则 {rule}（{source}）禁止" },
    "permission.why.deny_part": {
      en: "{part}: denied by the rule {rule} ({source})",
      zh: "{part}：规则 {rule}（{source}）禁止",
    },
    "permission.why.reason": { en: "{said}: {reason}", zh: "{said}：{reason}" },
    "permission.rules": {
      en: "Rules. A matching rule overrides the table; deny comes before ask, ask before allow:",
      zh: "规则。匹配时以规则代替上表；deny 先于 ask，ask 先于 allow：",
    },
    "permission.no_rules": { en: "No rules.", zh: "没有规则。" },
    "permission.cautious": {
      en: "… stands for further words that name no other program, config or place. To remove a rule: /permissions rm N",
      zh: "… 表示其后不指定其他程序、配置或位置的单词。撤销一条：/permissions rm N",
    },
    "permission.removed": { en: "No longer always allowed: {rule}", zh: "不再始终允许：{rule}" },
    "permission.rm_usage": {
      en: "Usage: /permissions rm N (N: the number of a saved rule)",
      zh: "用法：/permissions rm N（N：已保存规则的编号）",
    },
    "permission.rm_missing": {
      en: "no saved rule {given}; the numbers are: {known}",
      zh: "没有编号为 {given} 的已存规则；现有编号：{known}",
    },
    "permission.rm_elsewhere": {
      en: "Change other rules where they were written; /permissions shows where.",
      zh: "其他规则请在其所在处修改；/permissions 会显示位置。",
    },
    "permission.policy": { en: "judge command lines without running them", zh: "判断命令行而不运行" },
    "permission.check": {
      en: "show whether a command line would be allowed, asked about or denied here, and why; runs nothing",
      zh: "显示某命令行在此处会被允许、询问还是拒绝，以及原因；不运行任何命令",
    },
    "permission.check_usage": {
      en: "coder policy check takes one command line, in quotes; with --jsonl it takes none and reads stdin",
      zh: "coder policy check 接受一个加引号的命令行；使用 --jsonl 时不带命令行并读取标准输入",
    },
    "permission.flag.jsonl": {
      en: 'one {"command": "…"} per line of stdin, one JSON per line out',
      zh: '标准输入每行一个 {"command": "…"}，每行输出一个 JSON',
    },
    "permission.flag.explain": {
      en: "show the parts of the line, each with its own decision",
      zh: "列出命令行的各个部分及其各自的判定",
    },
    "permission.parts": { en: "parts, each judged on its own:", zh: "各个部分（分别单独判定）：" },
    "permission.flag.allow": {
      en: "allow this without asking: bash(npm test), write(docs/**), fetch(docs.python.org), network(github.com)",
      zh: "直接允许：bash(npm test)、write(docs/**)、fetch(docs.python.org)、network(github.com)",
    },
    "permission.flag.deny": {
      en: "deny this in every mode: bash(git push *), read(keys/**)",
      zh: "任何模式下都拒绝：bash(git push *)、read(keys/**)",
    },
    "permission.commands": { en: "commands:", zh: "命令：" },
    "permission.bad_line": {
      en: 'line {line} of stdin is not {"command": "…"}',
      zh: '标准输入第 {line} 行不是 {"command": "…"}',
    },
    "permission.bad_lines": { en: "some lines of stdin could not be judged", zh: "标准输入中有些行无法判断" },
    "permission.bad_lines.advice": {
      en: "They are marked with error in the output; all others were judged.",
      zh: "这些行在输出中以 error 标出；其余各行均已判断。",
    },
    "permission.advice": {
      en: "A rule names a tool and what it applies to: read, write(docs/**), bash(npm test), bash(npm run *). See docs/guide/permissions.md. Nothing was changed.",
      zh: "规则由工具及其对象组成：read、write(docs/**)、bash(npm test)、bash(npm run *)。参见 docs/guide/permissions.md。未做任何更改。",
    },
    "permission.bad_rule": {
      en: "{where} is not a rule: it must be a tool, or a tool and what it applies to in parentheses",
      zh: "{where} 不是规则：应为工具名，或工具名加括号中的对象",
    },
    "permission.bad_tool": {
      en: "{where}: unknown tool {tool}; the tools are {tools}",
      zh: "{where}：没有工具 {tool}；可用工具：{tools}",
    },
    "permission.bad_tool_near": {
      en: "{where}: unknown tool {tool}; did you mean {near}?",
      zh: "{where}：没有工具 {tool}；是否想用 {near}？",
    },
    "permission.bad_word": {
      en: "{where}: a rule takes plain words only, and this is not one: {part} (put it in single quotes to mean it literally; only a final * matches anything that follows)",
      zh: "{where}：规则只接受普通单词，此处不是：{part}（若按字面理解，请加单引号；只有末尾的 * 表示其后的任意内容）",
    },
    "permission.star_inside": {
      en: "{where}: * may only be the last word, where it matches anything that follows",
      zh: "{where}：* 只能是最后一个单词，表示其后的任意内容",
    },
    "permission.no_program": {
      en: "{where}: a command starts with the name of a program; bash alone is the rule for every command",
      zh: "{where}：命令以程序名开头；只写 bash 即为针对所有命令的规则",
    },
    "permission.assignment": {
      en: "{where}: a command starts with the name of a program, not with a variable: {part}",
      zh: "{where}：命令以程序名开头，而不是变量：{part}",
    },
    "permission.bad_path": {
      en: "{where}: a path must be one line of text, not empty",
      zh: "{where}：路径应为非空的单行文本",
    },
    "permission.braces": {
      en: "{where}: braces with commas are not supported here; write one rule for each, or a backslash before the brace",
      zh: "{where}：此处不支持带逗号的花括号；请分别写成多条规则，或在花括号前加反斜杠",
    },
    "permission.dots": {
      en: "{where}: rules match the real path, which never contains ..; write it from the root of the disk",
      zh: "{where}：按真实路径匹配，因此不能含有 ..；请写成从根目录开始的路径",
    },
    "permission.tilde": {
      en: "{where}: only ~/ is supported, for your own home folder",
      zh: "{where}：只支持 ~/，表示你自己的主目录",
    },
    "permission.names_nothing": {
      en: "{where} applies to nothing: a rule needs a tool, a command, a path or a host",
      zh: "{where} 没有对象：规则需要 tool、command、path 或 host",
    },
    "permission.command_and_path": {
      en: "{where} has more than one of command, path and host; a rule takes only one of them",
      zh: "{where} 同时有 command、path、host 中的多个；规则只能有其中之一",
    },
    "permission.command_tool": {
      en: "{where} has a command, so its tool can only be bash",
      zh: "{where} 有 command，因此其 tool 只能是 bash",
    },
    "permission.path_tool": {
      en: "{where}: for bash, a rule names a command; for paths that commands read or write, use the tool read or write, or no tool",
      zh: "{where}：bash 的规则用 command；命令读写的路径用 tool read 或 write 指定，或不写 tool",
    },
    "permission.examples_alone": {
      en: "{where} has examples, but no command, path or host to match them",
      zh: "{where} 有 examples，但没有与之对应的 command、path 或 host",
    },
    "permission.bad_host": {
      en: "{where}: a host is a name or an address without scheme and path, such as docs.python.org, *.python.org or localhost:3000",
      zh: "{where}：主机应为不带协议和路径的名称或地址，例如 docs.python.org、*.python.org 或 localhost:3000",
    },
    "permission.host_tool": {
      en: "{where}: only fetch and network take a host; for other tools a rule names a path, for bash a command",
      zh: "{where}：只有 fetch 和 network 使用 host；其他工具的规则用 path，bash 用 command",
    },
    "permission.path_fetch": {
      en: "{where}: fetch and network take no paths; name a host",
      zh: "{where}：fetch 和 network 没有路径；其规则用 host",
    },
    "permission.network_alone": {
      en: "{where}: network needs a host, such as network(github.com); there is no rule for the whole network",
      zh: "{where}：network 需要指定主机，例如 network(github.com)；没有针对整个网络的规则",
    },
    "permission.example_other": {
      en: "{where}: the rule {rule} does not match its example: {example}",
      zh: "{where}：规则 {rule} 不适用于其示例：{example}",
    },
    "permission.example_hit": {
      en: "{where}: the rule {rule} matches an example that it should not: {example}",
      zh: "{where}：规则 {rule} 适用于它不应涉及的示例：{example}",
    },
    "permission.example_advice": {
      en: "Correct the rule or the example; nothing was run.",
      zh: "请修正规则或示例；未运行任何操作。",
    },
  }) as const satisfies Readonly<Record<string, Line>>;

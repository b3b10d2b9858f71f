export const configText = () =>
  ({
    "config.unreadable": {
      en: "The config file {file} cannot be read ({code}).",
      zh: "无法读取配置文件 {file}（{code}）。",
    },
    "config.too_big": {
      en: "{file} is too large for a config file (more than {max} bytes).",
      zh: "{file} 作为配置文件过大（超过 {max} 字节）。",
    },
    "config.not_utf8": { en: "The config file {file} is not UTF-8 text.", zh: "配置文件 {file} 不是 UTF-8 文本。" },
    "config.syntax": {
      en: "{where}: not valid JSON: unexpected {found}",
      zh: "{where}：不是有效的 JSON：意外的 {found}",
    },
    "config.syntax_end": {
      en: "{where}: not valid JSON: the file ends too early",
      zh: "{where}：不是有效的 JSON：文件提前结束",
    },
    "config.deep": { en: "{where}: nested too deeply", zh: "{where}：嵌套过深" },
    "config.duplicate": { en: "{where} is given twice", zh: "{where} 重复出现" },
    "config.lacking_key": { en: "{where} lacks the key {key}", zh: "{where} 缺少键 {key}" },
    "config.unknown_key": {
      en: "{where} is not a known key; the keys here are: {known}",
      zh: "{where} 不是已知的键；此处可用的键：{known}",
    },
    "config.unknown_key_near": {
      en: "{where} is not a known key; did you mean {near}?",
      zh: "{where} 不是已知的键；是否想写 {near}？",
    },
    "config.no_such_key": { en: "Unknown config key {where}", zh: "未知配置键 {where}" },
    "config.not_a_file": {
      en: "{file} is a link or not a regular file, so coder does not write to it",
      zh: "{file} 是链接或不是普通文件，因此 coder 不会写入",
    },
    "config.not_a_file.advice": {
      en: "Name the real file: coder config set --config FILE KEY VALUE",
      zh: "请指明真实文件：coder config set --config 文件 键 值",
    },
    "config.unwritten": { en: "{file} could not be written ({code})", zh: "无法写入 {file}（{code}）" },
    "config.unwritten.advice": {
      en: "Nothing was changed. Check free space and permissions.",
      zh: "未做任何更改。请检查剩余空间和权限。",
    },
    "config.locked": {
      en: "another process has held the config lock for too long; the lock file is {file}",
      zh: "另一个进程长时间占用配置；锁文件为 {file}",
    },
    "config.not_object": { en: "{file} must be an object { … }", zh: "{file} 必须是对象 { … }" },
    "config.key_not_set": { en: "{key} is not set in {file}", zh: "{file} 中未设置 {key}" },
    "config.key_not_set.advice": { en: "Nothing was changed.", zh: "未做任何更改。" },
    "config.unused": {
      en: "{key} is set, but this value still applies: {value} ({source})",
      zh: "{key} 已设置，但当前生效的仍是：{value}（{source}）",
    },
    "config.project_note": {
      en: "Written to {file}. It takes effect only if the workspace is trusted.",
      zh: "已写入 {file}。仅在工作区受信任时生效。",
    },
    "config.source.default": { en: "default", zh: "默认值" },
    "config.source.project": { en: "{place}, project", zh: "{place}，项目" },
    "config.source.unset": { en: "not set", zh: "未设置" },
    "config.user_or_project": {
      en: "--user, --project and --config cannot be combined",
      zh: "--user、--project 与 --config 不能同时使用",
    },
    "models.needs_url": { en: "needs --base-url", zh: "需要 --base-url" },
    "models.has_key": { en: "key from {from}", zh: "密钥来自 {from}" },
    "models.lacks_key": { en: "no key: set {names}", zh: "没有密钥；请设置 {names}" },
    "models.needs_none": { en: "needs no key", zh: "无需密钥" },
    "models.online_one": {
      en: "--online needs one provider: coder models PROVIDER --online",
      zh: "--online 需要指定一个提供商：coder models 提供商 --online",
    },
    "models.unreachable": { en: "cannot reach {host} ({code})", zh: "无法连接 {host}（{code}）" },
    "models.key_refused": {
      en: "{host} refused the key of {provider} ({status})",
      zh: "{host} 拒绝了 {provider} 的密钥（{status}）",
    },
    "models.bad_status": {
      en: "{host} answered the request for its models with {status}",
      zh: "{host} 在查询模型时返回 {status}",
    },
    "models.not_a_list": { en: "{host} did not return a list of models", zh: "{host} 未返回模型列表" },
    "config.bad_section": { en: "{where} must be an object { … }", zh: "{where} 必须是对象 { … }" },
    "config.bad_list": { en: "{where} must be a list [ … ]", zh: "{where} 必须是列表 [ … ]" },
    "config.long_list": { en: "{where} may have at most {max} entries", zh: "{where} 最多可有 {max} 项" },
    "config.bad_text": { en: "{where} must be one line of text, not empty", zh: "{where} 必须是非空的单行文本" },
    "config.bad_flag": { en: "{where} must be true or false", zh: "{where} 必须是 true 或 false" },
    "config.bad_whole": {
      en: "{where} must be a whole number from {min} to {max}",
      zh: "{where} 必须是 {min} 到 {max} 之间的整数",
    },
    "config.bad_number": {
      en: "{where} must be a number from {min} to {max}",
      zh: "{where} 必须是 {min} 到 {max} 之间的数",
    },
    "config.bad_choice": { en: "{where} must be one of: {choices}", zh: "{where} 必须是以下之一：{choices}" },
    "config.bad_choice_near": {
      en: "{where} must be one of: {choices}; did you mean {near}?",
      zh: "{where} 必须是以下之一：{choices}；是否想写 {near}？",
    },
    "config.bad_model": {
      en: "{where}: write the model as provider/name, for example openai/gpt-5",
      zh: "{where}：模型应写作 provider/name，例如 openai/gpt-5",
    },
    "config.bad_provider": {
      en: "{where}: a provider name may contain only letters, digits, dots, - and _",
      zh: "{where}：提供商名称只能由字母、数字、点、- 和 _ 组成",
    },
    "config.bad_url": {
      en: "{where} must be a URL that starts with http:// or https://",
      zh: "{where} 必须是以 http:// 或 https:// 开头的 URL",
    },
    "config.url_credentials": {
      en: "{where} must not contain a user name or password; give the key separately",
      zh: "{where} 不得包含用户名或密码；请单独提供密钥",
    },
    "config.url_extra": {
      en: "{where} must be an address without ? or #",
      zh: "{where} 必须是不含 ? 或 # 的地址",
    },
    "config.bad_secret": {
      en: "{where}: a key may contain only printable characters, no spaces",
      zh: "{where}：密钥只能包含可打印字符，不能有空格",
    },
    "config.bad_env_name": {
      en: "{where} must be the name of an environment variable",
      zh: "{where} 必须是环境变量名",
    },
    "config.bad_header": { en: "{where} is not a valid HTTP header", zh: "{where} 不是有效的 HTTP 头" },
    "config.prompt_file": {
      en: "cannot use --system-prompt-file {file} ({why})",
      zh: "无法使用 --system-prompt-file {file}（{why}）",
    },
    "config.prompt_file.advice": {
      en: "Name a non-empty text file of at most {max} bytes. Nothing was done.",
      zh: "请给出不超过 {max} 字节的非空文本文件。未做任何操作。",
    },
    "config.prompt_long": {
      en: "--append-system-prompt is longer than {max} bytes",
      zh: "--append-system-prompt 超过 {max} 字节",
    },
    "config.bad_timezone": {
      en: "{where} is not a known time zone; example: Asia/Shanghai",
      zh: "{where} 不是已知的时区；例如 Asia/Shanghai",
    },
    "config.bad_key": {
      en: "{where} must be a key such as ctrl+g, shift+tab or f2; letters, digits and symbols need ctrl, alt or super",
      zh: "{where} 必须是按键，例如 ctrl+g、shift+tab、f2；字母、数字或符号只能与 ctrl、alt 或 super 组合",
    },
    "config.shared_key": {
      en: "{where}: {key} is already assigned to {other}; each key can do only one thing",
      zh: "{where}：{key} 也分配给了 {other}；一个按键只能做一件事",
    },
    "config.not_folder": {
      en: "{where}: {path} is not a folder or does not exist",
      zh: "{where}：{path} 不是已存在的目录",
    },
    "config.home_open_all": {
      en: "anyone on this machine can change {path} (mode {mode}), and through it what coder may do",
      zh: "本机上的任何人都能修改 {path}（权限 {mode}），从而决定 coder 能做什么",
    },
    "config.home_open_group": {
      en: "other users of its group can change {path} (mode {mode}), and through it what coder may do",
      zh: "同组的其他用户能修改 {path}（权限 {mode}），从而决定 coder 能做什么",
    },
    "config.home_open.advice": {
      en: "Restrict it: chmod go-w {path} (check its contents first), or set CODER_HOME to a folder of your own.",
      zh: "请收回权限：chmod go-w {path}（先检查其中的内容），或把 CODER_HOME 设为自己的目录。",
    },
    "config.home_foreign": {
      en: "{path} belongs to another user (uid {uid}), who could change what coder may do",
      zh: "{path} 属于另一个用户（uid {uid}），对方可以改变 coder 能做什么",
    },
    "config.home_foreign.advice": {
      en: 'Run coder as that user, take ownership: sudo chown -R "$(id -u)" {path}, or set CODER_HOME to a folder of your own.',
      zh: '请以该用户运行 coder，或接管它：sudo chown -R "$(id -u)" {path}，或把 CODER_HOME 设为自己的目录。',
    },
    "config.home_foreign_way.advice": {
      en: "Set CODER_HOME to a folder of your own that is not inside {path}.",
      zh: "请把 CODER_HOME 设为自己的目录，且不要位于 {path} 之下。",
    },
    "config.here_not_folder": {
      en: "the current folder, {path}, no longer exists",
      zh: "当前目录 {path} 已不存在",
    },
    "config.here_not_folder.advice": {
      en: "Change to an existing folder, or name one with --cwd.",
      zh: "请切换到存在的目录，或用 --cwd 指定一个。",
    },
    "config.path_not_utf8": {
      en: "cannot use {path}: its name is not valid UTF-8 (� marks the invalid bytes)",
      zh: "无法使用 {path}：其名称不是有效的 UTF-8（� 表示无效字节）",
    },
    "config.path_not_utf8.advice": {
      en: "Rename the folder (`convmv` changes the encoding of names), or start in another one.",
      zh: "请重命名该目录（可用 `convmv` 转换名称编码），或换一个目录启动。",
    },
    "config.unknown_provider": {
      en: "Unknown provider {provider}; known providers: {known}",
      zh: "未知提供商 {provider}；已知的有：{known}",
    },
    "config.unknown_provider_near": {
      en: "Unknown provider {provider}; did you mean {near}?",
      zh: "未知提供商 {provider}；是否想写 {near}？",
    },
    "config.no_protocol": {
      en: "The config file sets no protocol for the provider {provider}.",
      zh: "配置文件中提供商 {provider} 没有 protocol。",
    },
    "config.two_keys": {
      en: "The config file sets both api_key and api_key_env for the provider {provider}; keep one.",
      zh: "配置文件中提供商 {provider} 同时设置了 api_key 和 api_key_env；请只保留一个。",
    },
    "config.no_base_url": { en: "No address is known for {provider}.", zh: "不知道 {provider} 的地址。" },
    "config.no_key": {
      en: "No API key for {provider}; looked in: {vars}",
      zh: "没有 {provider} 的密钥；已查找：{vars}",
    },
    "config.key_elsewhere": {
      en: "The {provider} key is not sent to {url}, and there is no other key.",
      zh: "{provider} 的密钥不会发送到 {url}，且没有其他密钥。",
    },
    "config.advice.base_url": {
      en: "Use --base-url or CODER_BASE_URL, or set base_url in the provider's entry of the config file.",
      zh: "请给出 --base-url 或 CODER_BASE_URL，或在配置文件的该提供商条目中设置 base_url。",
    },
    "config.advice.key": {
      en: "Enter a key with coder setup, set one of {vars}, or set api_key in the provider's entry of the config file. If you entered one before, run coder doctor.",
      zh: "请用 coder setup 输入密钥，或设置 {vars} 之一，或在配置文件的该提供商条目中设置 api_key。若此前已输入，请运行 coder doctor。",
    },
    "config.advice.key_elsewhere": {
      en: "Set CODER_API_KEY to the key for that address; for a server that needs no key, use --model openai-chat/NAME.",
      zh: "请将 CODER_API_KEY 设为该地址的密钥；若服务器无需密钥，请选用 --model openai-chat/名称。",
    },
  }) as const;

export type Environment = Readonly<Record<string, string | undefined>>;

/** Names that indicate a secret. The words of a name are separated by `_`, `-`, `.` or a change of case. */
const secretWords =
  /(?:^|[_.:-])(?:(?:API|ACCESS|PRIVATE|SIGNING|ENCRYPTION|MASTER|LICENSE|SERVICE)?_?KEYS?|(?:AUTH|ACCESS|REFRESH|ID|SESSION|BOT|API)?_?TOKENS?|SECRETS?|PASSWORDS?|PASSWD|PASSPHRASE|PASS|PWD|CREDENTIALS?|CREDS|COOKIES?|PAT|DSN|AUTH|WEBHOOK(?:_URL)?|CONNECTION_STRING|SAS)(?:_BASE64|_JSON|_FILE|_ID|_V\d)?$/i;

const secretNames: readonly RegExp[] = [
  secretWords,
  /^(?:AWS|AZURE|ARM|GCP|GCLOUD|CLOUDSDK|OCI|ALIBABA|ALICLOUD|TENCENTCLOUD|DIGITALOCEAN|HCLOUD|VAULT|OP|BW|DOPPLER)_/,
  /^(?:GH|GITHUB|GITLAB|CI_JOB|ACTIONS|BITBUCKET|NPM|PYPI|TWINE|CARGO_REGISTRIES|HOMEBREW_GITHUB)_.*(?:TOKEN|JWT|AUTH)/,
  /^(?:PGPASSWORD|PGPASSFILE|MYSQL_PWD|REDISCLI_AUTH|SSHPASS|SUDO_ASKPASS|NETRC|HISTFILE|TWINE_PASSWORD)$/,
  /^npm_config_.*(?:_auth|_password|token)/i,
];

const doors: readonly RegExp[] = [
  /^(?:SSH_AUTH_SOCK|SSH_AGENT_PID|GPG_AGENT_INFO|GNOME_KEYRING_CONTROL|DOCKER_HOST|DOCKER_CONFIG|KUBECONFIG|XDG_RUNTIME_DIR)$/,
  /^(?:DISPLAY|WAYLAND_DISPLAY|XAUTHORITY|ICEAUTHORITY|SESSION_MANAGER|TMUX|STY|WINDOWID|NOTIFY_SOCKET|LISTEN_FDS)$/,
  /^(?:DBUS|VSCODE|CURSOR|KITTY|WEZTERM|ITERM|KONSOLE|PODMAN|CONTAINERD)_/,
  /^(?:CONTAINER_HOST|BUILDKIT_HOST|WSL_INTEROP|SSH_CLIENT|SSH_CONNECTION|SSH_TTY)$/,
];

/** Makes every program of a kind load or start something else. */
const loaders: readonly RegExp[] = [
  /^(?:LD_PRELOAD|LD_AUDIT|DYLD_.*|BASH_ENV|ENV|PROMPT_COMMAND|PS4|NODE_OPTIONS|BUN_OPTIONS|PYTHONSTARTUP|PYTHONINSPECT)$/,
  /^(?:PERL5OPT|PERL5DB|RUBYOPT|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|RUSTC_WRAPPER|LESSOPEN|LESSCLOSE)$/,
  /^(?:GIT_SSH|GIT_SSH_COMMAND|GIT_ASKPASS|SSH_ASKPASS|GIT_EXTERNAL_DIFF|GIT_PROXY_COMMAND|GIT_TEMPLATE_DIR)$/,
  /^(?:GIT_CONFIG.*|GIT_EXEC_PATH|GIT_DIR|GIT_WORK_TREE|GIT_INDEX_FILE|GIT_OBJECT_DIRECTORY|GIT_ALTERNATE_.*)$/,
  // These change how a shell parses a command that was judged: which files a glob matches, which words are options.
  /^(?:BASH_FUNC_.*|BASHOPTS|SHELLOPTS|GLOBIGNORE|POSIXLY_CORRECT)$/,
];

/** User name and password in a URL, or a whole private key. */
const secretValue = /:\/\/[^/\s:@]*:[^/\s@]+@|-----BEGIN [A-Z ]*PRIVATE KEY/;

/** Pays for our models; whoever has it can spend it. */
const ownKey = "CODER_API_KEY";

type Judge = (name: string, value: string) => boolean;

let judges: readonly Judge[] = [];
/** Results by name and value: the judges are slow, and every command asks about the same variables. */
const judged = new Map<string, boolean>();
const maxJudged = 10_000;

/** From now on no command receives the variables that the judge selects, confined or not. */
export function withhold(judge: Judge): void {
  judges = [...judges, judge];
  judged.clear();
}

function isWithheld(name: string, value: string): boolean {
  if (name === ownKey || secretValue.test(value)) return true;
  const entry = `${name}=${value}`;
  const known = judged.get(entry);
  if (known !== undefined) return known;
  const isOne = judges.some((judge) => judge(name, value));
  if (judged.size >= maxJudged) judged.clear();
  judged.set(entry, isOne);
  return isOne;
}

/** Values of withheld variables and of those with a secret's name. Paths and short words never count as secrets. */
export function secretValues(env: Environment): readonly string[] {
  const isCalled = (name: string): boolean => secretNames.some((form) => form.test(name));
  return Object.entries(env).flatMap(([name, value = ""]) =>
    // Names last: compiling their patterns takes longer than everything else here.
    value.length >= 8 && !/^[~./]|\s/.test(value) && (isWithheld(name, value) || isCalled(name)) ? [value] : [],
  );
}

/**
 * Removes secrets; for a confined command also names of secrets, ways out and loaders. `keep`: names that the user passes on in any case.
 */
export function scrubbed(env: Environment, isConfined: boolean, keep: readonly string[] = []): Environment {
  const isDropped = (name: string, value: string): boolean => {
    if (keep.includes(name) && name !== ownKey) return false;
    if (isWithheld(name, value)) return true;
    return isConfined && [...secretNames, ...doors, ...loaders].some((form) => form.test(name));
  };
  const kept = Object.entries(env).filter(([name, value]) => value !== undefined && !isDropped(name, value));
  return Object.fromEntries(kept);
}

/**
 * Commands are judged as UTF-8. In GBK, Big5 and Shift JIS a backslash or a bar may be half of a character, so a shell would split the
 * same bytes differently; it gets a UTF-8 locale instead.
 */
export function judgedLocale(env: Environment): Environment {
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG || "C";
  return /^(?:C|POSIX|UTF-8)$|\.utf-?8(?:@.*)?$/i.test(locale) ? {} : { LC_ALL: "C.UTF-8" };
}

/** Git settings as environment variables, numbered after `count` existing ones. */
export function gitConfig(settings: Readonly<Record<string, string>>, count = 0): Readonly<Record<string, string>> {
  const entries = Object.entries(settings);
  if (entries.length === 0) return {};
  const numbered = entries.flatMap(([key, value], at) => [
    [`GIT_CONFIG_KEY_${count + at}`, key],
    [`GIT_CONFIG_VALUE_${count + at}`, value],
  ]);
  return { ...Object.fromEntries(numbered), GIT_CONFIG_COUNT: String(count + entries.length) };
}

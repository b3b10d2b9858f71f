// What of our environment a command gets to see.

export type Environment = Readonly<Record<string, string | undefined>>;

/** Names that say that a secret is in them. The words of a name are parted by `_`, `-`, `.` or a change of case. */
const secretWords =
  /(?:^|[_.:-])(?:(?:API|ACCESS|PRIVATE|SIGNING|ENCRYPTION|MASTER|LICENSE|SERVICE)?_?KEYS?|(?:AUTH|ACCESS|REFRESH|ID|SESSION|BOT|API)?_?TOKENS?|SECRETS?|PASSWORDS?|PASSWD|PASSPHRASE|PASS|PWD|CREDENTIALS?|CREDS|COOKIES?|PAT|DSN|AUTH|WEBHOOK(?:_URL)?|CONNECTION_STRING|SAS)(?:_BASE64|_JSON|_FILE|_ID|_V\d)?$/i;

const secretNames: readonly RegExp[] = [
  secretWords,
  /^(?:AWS|AZURE|ARM|GCP|GCLOUD|CLOUDSDK|OCI|ALIBABA|ALICLOUD|TENCENTCLOUD|DIGITALOCEAN|HCLOUD|VAULT|OP|BW|DOPPLER)_/,
  /^(?:GH|GITHUB|GITLAB|CI_JOB|ACTIONS|BITBUCKET|NPM|PYPI|TWINE|CARGO_REGISTRIES|HOMEBREW_GITHUB)_.*(?:TOKEN|JWT|AUTH)/,
  /^(?:PGPASSWORD|PGPASSFILE|MYSQL_PWD|REDISCLI_AUTH|SSHPASS|SUDO_ASKPASS|NETRC|HISTFILE|TWINE_PASSWORD)$/,
  /^npm_config_.*(?:_auth|_password|token)/i,
];

/** A door to something outside of the sandbox. */
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
  // They change how a shell reads what was judged: which files a glob finds, which words are options.
  /^(?:BASH_FUNC_.*|BASHOPTS|SHELLOPTS|GLOBIGNORE|POSIXLY_CORRECT)$/,
];

/** A name and password before the host, or a key as a whole. */
const secretValue = /:\/\/[^/\s:@]*:[^/\s@]+@|-----BEGIN [A-Z ]*PRIVATE KEY/;

/** Pays for our models; whoever else has it can spend it. */
const ownKey = "CODER_API_KEY";

type Judge = (name: string, value: string) => boolean;

let judges: readonly Judge[] = [];
/** What the judges said, by name and value: they take long, and each command asks about the same variables. */
const judged = new Map<string, boolean>();
/** Far more variables than any environment has. */
const maxJudged = 10_000;

/** From now on no command gets the variables for which the judge says yes, confined or not. */
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

/** Values of variables that are kept from commands or called secrets. Paths and short words are none, whatever they are called. */
export function secretValues(env: Environment): readonly string[] {
  const isCalled = (name: string): boolean => secretNames.some((form) => form.test(name));
  return Object.entries(env).flatMap(([name, value = ""]) =>
    // The names last: their forms take longer to make ready than all of this.
    value.length >= 8 && !/^[~./]|\s/.test(value) && (isWithheld(name, value) || isCalled(name)) ? [value] : [],
  );
}

/**
 * Without keys, and without values that look like secrets; for a confined command also without all that is called a secret,
 * leads out, or loads something. `keep`: names that the person wants to be passed on in any case.
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
 * Commands are judged as UTF-8. In GBK, Big5 and Shift JIS a backslash or a bar may be half of a letter, and a shell would take
 * the same bytes apart in other places: it gets a locale in which it does not.
 */
export function judgedLocale(env: Environment): Environment {
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG || "C";
  return /^(?:C|POSIX|UTF-8)$|\.utf-?8(?:@.*)?$/i.test(locale) ? {} : { LC_ALL: "C.UTF-8" };
}

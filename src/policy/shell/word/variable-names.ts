import type { ShellFacts, Word } from "../verdict/judgement.ts";

/** Names without meaning: neither the shell nor a program looks for them. */
const ordinary = new Set(
  `FOO BAR BAZ QUX A B C FILE FILES DIR DIRS NAME NAMES PATTERN VERSION VERSIONS COUNT TOTAL RESULT OUT OUTPUT INPUT
  BRANCH COMMIT SHA TAG REF RANGE PKG PACKAGE MODULE PROJECT APP SERVICE TARGET SRC DEST ROOT BASE BASE_DIR ROOT_DIR SRC_DIR
  PROJECT_ROOT REPO REPO_ROOT KEY VALUE LINE WORD URL PORT HOST USER_NAME EMAIL START END FIRST LAST LIMIT N I J K
  NODE_ENV RAILS_ENV RACK_ENV APP_ENV FLASK_ENV FLASK_APP DJANGO_ENV MIX_ENV ENVIRONMENT STAGE CI DEBUG VERBOSE QUIET DRY_RUN
  LOG_LEVEL RUST_LOG RUST_BACKTRACE NO_COLOR FORCE_COLOR CLICOLOR CLICOLOR_FORCE NEXT_TELEMETRY_DISABLED`.split(/\s+/),
);

/** Names that programs do look for, with values that have no effect: no path, no program. */
const settings: Readonly<Record<string, RegExp>> = {
  LANG: /^[A-Za-z0-9_.@-]*$/,
  LANGUAGE: /^[A-Za-z0-9_.@:-]*$/,
  LC_ALL: /^[A-Za-z0-9_.@-]*$/,
  LC_COLLATE: /^[A-Za-z0-9_.@-]*$/,
  LC_MESSAGES: /^[A-Za-z0-9_.@-]*$/,
  LC_NUMERIC: /^[A-Za-z0-9_.@-]*$/,
  LC_TIME: /^[A-Za-z0-9_.@-]*$/,
  // A time zone: a file below a system directory.
  TZ: /^[A-Za-z0-9_+-]+(?:\/[A-Za-z0-9_+-]+){0,2}$/,
  TERM: /^(?:dumb|xterm(?:-256color)?|linux|vt100)$/,
  COLUMNS: /^[0-9]{1,4}$/,
  LINES: /^[0-9]{1,4}$/,
  PAGER: /^(?:cat)?$/,
  GIT_PAGER: /^(?:cat)?$/,
  MANPAGER: /^(?:cat)?$/,
  GIT_OPTIONAL_LOCKS: /^0$/,
  GIT_TERMINAL_PROMPT: /^0$/,
};

/** Variables of bash itself, in any version, even if no other program sees them. */
const ofShell =
  /^(?:_|BASH.*|COMP_?.*|READLINE_.*|HIST.*|PS[0-9]?|PROMPT.*|OPT.*|FUNC.*|DIRSTACK|E?UID|PPID|GROUPS|SECONDS|S?RANDOM|EPOCH.*|LINENO|REPLY|MAPFILE|HOST(?:NAME|TYPE|FILE)|MACHTYPE|OSTYPE|SHELL.*|SHLVL|PIPESTATUS|COPROC.*|PWD|OLDPWD|HOME|PATH|CDPATH|IFS|ENV|MAIL.*|GLOB.*|EXECIGNORE|FIGNORE|FCEDIT|IGNOREEOF|INPUTRC|INSIDE_EMACS|CHILD_MAX|TIMEFORMAT|TMOUT|TMPDIR|TMP|TEMP|TEXTDOMAIN.*|POSIX.*|_POSIX.*|LANG.*|LC_.*|LD_.*|DYLD_.*|TZ.*|TERM.*|COLUMNS|LINES|ARGV0|EMACS|auto_resume|histchars)$/s;

/** Whether the shell gives no meaning to a variable of this name, and no program looks for it. */
export function isHarmlessName(name: string): boolean {
  if (ordinary.has(name)) return true;
  return /^(?:[a-z][a-z0-9_]{0,30}|[A-Z])$/.test(name) && !/proxy|^(?:path|histchars|auto_resume)$/.test(name);
}

/** Whether programs that see the variable behave the same. `null`: its value is unknown. */
export function isHarmlessSetting(name: string, value: Word | null): boolean {
  if (isHarmlessName(name)) return true;
  const form = Object.hasOwn(settings, name) ? settings[name] : undefined;
  return form !== undefined && value?.kind === "literal" && !value.isHome && form.test(value.value);
}

/** The same if only the shell sees it: programs see it too if it was exported before. */
export function isHarmlessVariable(name: string, value: Word | null, { isExported = () => true }: ShellFacts): boolean {
  if (isHarmlessSetting(name, value)) return true;
  return (
    /^[A-Z][A-Z0-9_]{1,40}$/.test(name) && !Object.hasOwn(settings, name) && !ofShell.test(name) && !isExported(name)
  );
}

import type { Phrase } from "../../../contract/text/catalogue.ts";

/**
 * The kind of name a search handed over, below directories that are read anyway and never an option: `file` = a regular file or directory,
 * not a symlink; `entry` = anything, including a symlink that leads elsewhere.
 */
export type FoundKind = "file" | "entry";

/** Where a search found the name, and which names it searched for; `null` = any. */
export interface Within {
  readonly places: readonly PathWord[];
  readonly names: readonly string[] | null;
}

/** One word of a command as far as it is known before the command runs. `text`: as written. */
export type Word =
  /** Exactly this word, except `~`, which is the home directory if `isHome`. */
  | { readonly kind: "literal"; readonly value: string; readonly text: string; readonly isHome?: boolean }
  /** Names of matching files: any number of words, or the pattern itself if none matches. Each begins with `start`. */
  | {
      readonly kind: "glob";
      /** Literal characters in it are escaped. */
      readonly pattern: string;
      readonly start: string;
      readonly text: string;
      readonly found?: FoundKind;
      readonly within?: Within;
    }
  /** Exactly one word that begins with `start`; the rest is unknown: `"$HOME/x"` has no start, `"src/$1"` has. */
  | {
      readonly kind: "one";
      readonly start: string;
      readonly text: string;
      /** Digits only: `$#`, `$?`. */
      readonly isNumber?: boolean;
      /** The same, possibly with a sign. */
      readonly isInteger?: boolean;
      /** The hash of this commit, or of one reachable from it; in kind `any`, that or nothing. */
      readonly commit?: string;
      /** Digits, or empty. */
      readonly isCount?: boolean;
      readonly found?: FoundKind;
      readonly within?: Within;
      readonly isPiped?: boolean;
    }
  /** Any number of any words. `isPiped`: a program passes them on unchanged, and no shell splits them again. */
  | {
      readonly kind: "any";
      readonly text: string;
      readonly isPiped?: boolean;
      readonly commit?: string;
      readonly isCount?: boolean;
    };

/** A command with its words, wherever it occurs: in a pipe, a loop, a substitution, after `sudo` or `find -exec`. */
export interface SimpleCommand {
  readonly words: readonly Word[];
  /** The words if all of them are literal, for rules; else `null`. */
  readonly argv: readonly string[] | null;
  readonly text: string;
  /** The wrappers around it, outermost first. */
  readonly through: readonly string[];
  /** If its standard input is a pipe, a file or text of the line: the digest of that text, `null` = unknown. */
  readonly input?: string | null;
  readonly isReadOnly: boolean;
}

/** The judgement of a command line from its text alone; the engine checks `reads` and `writes` on the disk. */
export interface CommandJudgement {
  /** Proved to have no effect, provided that every path in `reads` may be read. */
  readonly isReadOnly: boolean;
  /** Objections, each naming the exact part; empty when read-only. */
  readonly reasons: readonly Phrase[];
  /**
   * For read-only lines: words known only at run time. They cannot have an effect, but may lead to other files: such a line is allowed only
   * in a sandbox that hides everything it may not read.
   */
  readonly unsettled: readonly Phrase[];
  /** PO-5: reasons to ask whatever the allow rules say, unless a rule names the exact argv of that command. */
  readonly always: readonly AlwaysAsk[];
  /** Every simple command at every depth, wrappers included. Deny rules look at all of them. */
  readonly commands: readonly SimpleCommand[];
  /** Everything was understood, and nothing in the line changes the meaning of its commands. Otherwise no allow rule applies. */
  readonly isWhole: boolean;
  /** Paths and globs that are read, as given, relative to the command's working directory; a leading `~` is the home directory. */
  readonly reads: readonly PathWord[];
  /** Paths that a redirection writes. */
  readonly writes: readonly WriteWord[];
  /** Words that may be paths, of commands that are not read-only: their use is unknown. For deny and ask rules. */
  readonly mentions: readonly MentionWord[];
  /** Files and directories that the line deletes or overwrites; `null` = one known only at run time. */
  readonly removes: readonly (RemovedWord | null)[];
  /** The line names git's own directory somewhere, also in the text of a script. */
  readonly namesGitFolder: boolean;
  /** The line runs git, which must start with its helpers disabled. */
  readonly usesGit: boolean;
}

export interface PathWord {
  readonly path: string;
  readonly isGlob: boolean;
  /** If it is a directory, only names and attributes of its entries are shown. */
  readonly isListed?: boolean;
  /** Only the name and attributes are shown. */
  readonly isNamed?: true;
  /** It is an option, whatever names the glob expands to; for a program that takes no option here, these are files. */
  readonly mayBeOption?: boolean;
  /** The contents of all files below are read too. */
  readonly isDeep?: boolean;
  /** Ignore files in these directories and their parents apply: a symlink among the ignore files is followed. */
  readonly obeys?: boolean;
  /** Must be a file: a directory would be walked, with symlinks that lead elsewhere. */
  readonly isFile?: boolean;
  /** Git's stored content of files below is shown: of these paths, or of all files if none of these paths exists. */
  readonly tracked?: readonly string[];
  /** Only changes on the disk since git last recorded these files. */
  readonly isChangedOnly?: boolean;
  readonly past?: PastWords;
  /**
   * Why the path is unknown: a name from a pipe, a symlink found by a search. It may be any path visible to the command, so it may be read
   * without asking only where no user's secrets are visible.
   */
  readonly anywhere?: Phrase;
}

/** The old commits that are shown as well. */
interface PastWords {
  /** `ever`: any commit. Otherwise only the named commits, and without one the current commit (`head`) or no commit (`none`). */
  readonly shows: "ever" | "head" | "none";
  /** Words that name commits; if not `isCertain`, they may be paths. */
  readonly revisions: readonly string[];
  readonly isCertain: boolean;
  /** No commits, but other named objects: the content of a file or directory named by a hash or a tag. */
  readonly isObjectsOnly?: boolean;
}

export interface RemovedWord extends PathWord {
  /** A file here is overwritten; a directory stays as it is. */
  readonly isReplaced?: true;
  /** In a directory, only entries with these names. */
  readonly names?: readonly string[];
  /** Only files unknown to git (`untracked`: except ignored ones), or only changes of known files. */
  readonly dropped?: "unknown" | "untracked" | "changed";
}

export interface WriteWord extends PathWord {
  /** The previous content is lost (`>`); otherwise it is kept (`>>`). */
  readonly overwrites: boolean;
}

export interface MentionWord extends PathWord {
  /** The program is one that changes files. */
  readonly isChanged: boolean;
}

export interface AlwaysAsk {
  readonly reason: Phrase;
  /** The command that an exact rule would have to name; `null` = no rule lifts it. */
  readonly command: SimpleCommand | null;
  /** The line could not be read, so the commands it would run are unknown. */
  readonly isUnread?: true;
}

/** Facts that the judgement depends on, gathered by the engine. */
export interface ShellFacts {
  /** `sha256:…` of a text. Without it, the input of every command is unknown. */
  readonly digest?: (text: string) => string;
  /** Why git may not be trusted here (its config could run programs); `null` = no objection. */
  readonly gitProblem: Phrase | null;
  /**
   * Whether PATH leads from a name to that very program. It is false for a version manager's shim (a script, or a symlink to another name),
   * which obeys workspace files and starts what they name; unless these files only tell it a version and it cannot have an effect.
   * `isHere`: it runs in the start directory of the line. Without this function, no version query is allowed.
   */
  readonly isRealProgram?: (program: string, isHere: boolean) => boolean;
  /** The same for a program that obeys more than its words, if it cannot change anything. Without it, none qualifies. */
  readonly isHarmless?: (program: string, isHere: boolean) => boolean;
  /** Whether the start directory has an entry that matches. Without it, it may. */
  readonly holds?: (names: RegExp) => boolean;
  /** Whether PATH leads from a name to a shim, which may run anything. Without it, no name does. */
  readonly isShim?: (program: string) => boolean;
  /** Whether programs see a variable of this name before the line sets any. Without it, any name may be exported. */
  readonly isExported?: (name: string) => boolean;
  /** The start directory of the line and the user's home directory, as the shell names them. */
  readonly folder?: string;
  readonly home?: string;
  /** The repository that git would find in a directory, named relative to the start directory. */
  readonly gitIn?: (folder: string) => GitPlace;
}

/** The repository that git would use, and why it may not be trusted. */
export interface GitPlace {
  readonly problem: Phrase | null;
  /** It is the repository that `gitProblem` describes. */
  readonly isSame: boolean;
}

/** How a program uses a word. */
export type Role =
  /** A file or directory that it reads: judged like any path. */
  | "read"
  /** A file that it reads. In a directory it would follow symlinks. */
  | "file"
  /** Text only, whatever it says. */
  | "text"
  /** Digits with an optional sign. */
  | "number"
  /** A git revision or a path: read, and so is the text after its first colon (`HEAD:.env`). */
  | "revision"
  /** A literal word of this form, used as text. */
  | RegExp;

/** A program that only reads, and everything it may be given. Anything not listed is not allowed. */
export interface Program {
  /** Short options without a value; may be joined (`-la`). */
  readonly flags?: string;
  /** Short options with a value, attached or as the next word. */
  readonly valued?: Readonly<Record<string, Role>>;
  /** Long options, exactly as written; `null` = no value, otherwise the role of the value. Abbreviations are not accepted. */
  readonly long?: Readonly<Record<string, Role | null>>;
  /** Short options with an optional value, which must be attached (`-Iseconds`). */
  readonly maybeValued?: Readonly<Record<string, Role>>;
  /** Long options whose value may only follow `=`. */
  readonly attached?: Readonly<Record<string, Role>>;
  /**
   * How short options are joined, if unusual. `flags`: a value is always the next word, and letters after an option with a value are
   * options again (`tree -Po x out`). `none`: only the first of joined letters counts, and the next word is not a value of the last one
   * (`xxd -pl 16 out`).
   */
  readonly joins?: "flags" | "none";
  /** `-5` for `-n 5`. */
  readonly hasCount?: boolean;
  /** The roles of the operands in order. */
  readonly operands?: readonly Role[];
  /** The role of all further operands; without it, none are allowed. */
  readonly rest?: Role;
  /** The least number of operands: with fewer, the program would read its input in a way that is not allowed. */
  readonly atLeast?: number;
  /** Options that replace the first operand: with one of them the operands begin at the second role (`grep -e x file`). */
  readonly firstBy?: readonly string[];
  /** No word may begin with this: the program would read further words from that file (`@list`). */
  readonly neverBegins?: string;
  /** Whether the words are acceptable together, when each of them is acceptable alone. */
  readonly fits?: (words: readonly string[]) => boolean;
  /**
   * The first word must be one of these, and its row judges all words after it; `""` judges all words if the first one is none of these. A
   * row with `commands` has no other field but `needsGit`.
   */
  readonly commands?: Readonly<Record<string, Program>>;
  /** Unless a word matches, it shows names and attributes, and lists only the direct entries of a directory. */
  readonly listsUnless?: RegExp;
  /** It shows names and attributes of its operands, and their contents only if `showsTracked` says so. */
  readonly showsNames?: true;
  /** With a matching word it follows symlinks, wherever they lead. */
  readonly follows?: RegExp;
  /** Its operands may name other files, which it opens, wherever they are. */
  readonly roams?: boolean;
  /** Git: only where `ShellFacts.gitProblem` is `null`; sets `usesGit`. */
  readonly needsGit?: boolean;
  /** With a matching word it reads all files below the given directories, or below its working directory. */
  readonly readsBelow?: RegExp;
  /** With a matching word it obeys the ignore files in those directories (`.gitignore`). */
  readonly obeys?: RegExp;
  /** Git, which prints stored content of files with these options; `hasPaths`: only of the files among its operands. */
  readonly showsTracked?: {
    readonly isShown: (options: readonly string[]) => boolean;
    readonly hasPaths: boolean;
    /** Without one of these, and without a revision, it shows changed files only. */
    readonly staged?: RegExp;
    /** It shows the contents of the given commits only: without one, the current commit, or none. */
    readonly past?: "head" | "none";
    /** A given object that is not a commit is printed whole, whatever the options. */
    readonly printsObjects?: boolean;
  };
  /** If the file does not exist, it opens the one with this suffix. */
  readonly endings?: readonly string[];
  /** It expands wildcards itself, even quoted ones. */
  readonly hasGlobs?: boolean;
  /** Words from file names or from a pipe may be operands, because none of its options has an effect. */
  readonly takesAnyWord?: boolean;
  /** Options must precede the first operand; every later word is an operand, whatever it begins with (`printf`, `test`). */
  readonly hasOrderedOptions?: boolean;
  /** On every system, options may follow operands. For other programs they may then be file names. */
  readonly hasLateOptions?: boolean;
  /** `-` is not allowed as an operand: the program would write its input to a file first. */
  readonly needsFiles?: boolean;
  /** A shell builtin: no file in PATH can replace it. */
  readonly isBuiltin?: boolean;
  /** For programs with a language of their own. */
  readonly judge?: (args: readonly Word[]) => ProgramJudgement;
}

export type ProgramJudgement = { readonly problem: Phrase } | { readonly reads: readonly PathWord[] };

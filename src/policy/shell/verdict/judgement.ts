import type { Phrase } from "../../../contract/text/catalogue.ts";

/**
 * A name that a search handed over, below folders that are read anyway and never an option:
 * `file` = a regular file or a folder, and no link; `entry` = anything, also a link that leads elsewhere.
 */
export type FoundKind = "file" | "entry";

/** Where a search has found it, and what it is called like; `null` = anything. */
export interface Within {
  readonly places: readonly PathWord[];
  readonly names: readonly string[] | null;
}

/** One word of a command as far as it is known before the command runs. `text`: as written. */
export type Word =
  /** Exactly this word, but for `~`, which stands for the home folder where `isHome` says so. */
  | { readonly kind: "literal"; readonly value: string; readonly text: string; readonly isHome?: boolean }
  /** Names of files that match: any number of words, or the pattern itself where none does. Each begins with `start`. */
  | {
      readonly kind: "glob";
      /** What is not a wildcard in it is escaped. */
      readonly pattern: string;
      readonly start: string;
      readonly text: string;
      readonly found?: FoundKind;
      readonly within?: Within;
    }
  /** Exactly one word that begins with `start`; the rest is not known: `"$HOME/x"` has no start, `"src/$1"` has. */
  | {
      readonly kind: "one";
      readonly start: string;
      readonly text: string;
      /** Digits and nothing else: `$#`, `$?`. */
      readonly isNumber?: boolean;
      /** The same, maybe with a sign before them. */
      readonly isInteger?: boolean;
      /** The hash of this commit, or of one that can be reached from it; of any number of words, that or none. */
      readonly commit?: string;
      /** Digits, or nothing. */
      readonly isCount?: boolean;
      readonly found?: FoundKind;
      readonly within?: Within;
      readonly isPiped?: boolean;
    }
  /** Any number of any words. `isPiped`: a program hands them over as they are, and no shell takes them apart again. */
  | {
      readonly kind: "any";
      readonly text: string;
      readonly isPiped?: boolean;
      readonly commit?: string;
      readonly isCount?: boolean;
    };

/** A command with its words, wherever it stands: in a pipe, a loop, a substitution, behind `sudo` or `find -exec`. */
export interface SimpleCommand {
  readonly words: readonly Word[];
  /** The words when all of them are literal, for rules; else `null`. */
  readonly argv: readonly string[] | null;
  readonly text: string;
  /** Wrappers that were taken off, the outermost first. */
  readonly through: readonly string[];
  /** Where its standard input comes from a pipe, a file or the line itself: the digest of that text, `null` = not known. */
  readonly input?: string | null;
  readonly isReadOnly: boolean;
}

/** What a command line is, from its text alone: the disk is asked by the engine, about `reads` and `writes`. */
export interface CommandJudgement {
  /** Proved to have no effect, provided that every path in `reads` may be read. */
  readonly isReadOnly: boolean;
  /** What stands against it, each naming the exact part; empty when read-only. */
  readonly reasons: readonly Phrase[];
  /**
   * Of what only reads: words that are known only when it runs. They can have no effect, but may lead it to other files: it is
   * allowed only where a sandbox shows it none that it may not read.
   */
  readonly unsettled: readonly Phrase[];
  /** PO-5: reasons to ask whatever the allow rules say, unless a rule names the exact argv of that command. */
  readonly always: readonly AlwaysAsk[];
  /** Every simple command at every depth, wrappers themselves included. Deny rules look at all of them. */
  readonly commands: readonly SimpleCommand[];
  /** All of it was understood, and nothing in it changes what its commands mean. Where not, no allow rule can hold. */
  readonly isWhole: boolean;
  /** Paths and globs that are read, as given, relative to the folder the command runs in; `~` first is the home folder. */
  readonly reads: readonly PathWord[];
  /** Paths that a redirection writes. */
  readonly writes: readonly WriteWord[];
  /** Words that may be paths, of commands that do more than read: what becomes of these is not known. For deny and ask rules. */
  readonly mentions: readonly MentionWord[];
  /** Files and folders that it deletes or overwrites; `null` = one that is known only when it runs. */
  readonly removes: readonly (RemovedWord | null)[];
  /** Git's own folder is named somewhere in the line, in the text of a script too. */
  readonly namesGitFolder: boolean;
  /** Some of it is git, which must be started with its helpers switched off. */
  readonly usesGit: boolean;
}

export interface PathWord {
  readonly path: string;
  readonly isGlob: boolean;
  /** Of a folder only the names and attributes of what lies in it are shown. */
  readonly isListed?: boolean;
  /** Of a file nothing is shown but its name and attributes. */
  readonly isNamed?: true;
  /** It is an option, whatever names the glob stands for; where a program takes no option here, these are files. */
  readonly mayBeOption?: boolean;
  /** The content of files below it is read too, whatever they are called. */
  readonly isDeep?: boolean;
  /** Files in these folders, and in those above, say what is left out: a link among them is read where it leads. */
  readonly obeys?: boolean;
  /** In the place of a folder all of it would be gone through, links to other places included. */
  readonly isFile?: boolean;
  /** What git keeps of the files below is shown: of these paths, or of all where none of them is there. */
  readonly tracked?: readonly string[];
  /** Of these, only what was changed on the disk since git last took it. */
  readonly isChangedOnly?: boolean;
  readonly past?: PastWords;
  /**
   * Why it is not known which path it is: a name that comes through a pipe, a link that a search has found. It may be any that
   * the command can see; so it may be read unasked only where nobody's secrets are to be seen.
   */
  readonly anywhere?: Phrase;
}

/** What of old commits is shown beside. */
interface PastWords {
  /** `ever`: any commit. Else only the commits that are named, and where none is, that of now, or none at all. */
  readonly shows: "ever" | "head" | "none";
  /** Words that name commits; where not `isCertain`, or paths. */
  readonly revisions: readonly string[];
  readonly isCertain: boolean;
  /** Nothing of commits, but what of them is no commit: the content of a file or a folder that a hash or a tag names. */
  readonly isObjectsOnly?: boolean;
}

export interface RemovedWord extends PathWord {
  /** A file in this place is overwritten; a folder stays as it is. */
  readonly isReplaced?: true;
  /** Of a folder nothing but what is called like one of these. */
  readonly names?: readonly string[];
  /** Nothing but what git does not know (`untracked`: and does not ignore), or the changes of what it knows. */
  readonly dropped?: "unknown" | "untracked" | "changed";
}

export interface WriteWord extends PathWord {
  /** What was in the file is lost (`>`); else it is kept (`>>`). */
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
  /** What would run is not known at all: the line could not be read. */
  readonly isUnread?: true;
}

/** Facts that the judgement depends on, gathered by the engine. */
export interface ShellFacts {
  /** `sha256:…` of a text. Without it, no text that a command is fed is known. */
  readonly digest?: (text: string) => string;
  /** Why git may not be trusted here (its own config could run programs); `null` = nothing speaks against it. */
  readonly gitProblem: Phrase | null;
  /**
   * Whether PATH leads from a name to that program, and not to a stand-in of a version manager (a script, or a link to
   * another name), which obeys files of the workspace and starts what they say; or to one that these tell nothing but the
   * name of a version, where it can have no effect; `isHere`: it runs where the command line begins. Without it, no version is asked for.
   */
  readonly isRealProgram?: (program: string, isHere: boolean) => boolean;
  /** The same for a program that obeys more than its words, as long as it can change nothing. Without it, none is asked. */
  readonly isHarmless?: (program: string, isHere: boolean) => boolean;
  /** Whether the folder where the command line begins holds an entry of this form. Without it, it may. */
  readonly holds?: (names: RegExp) => boolean;
  /** Whether PATH leads from a name to such a stand-in, which then may run anything. Without it, to none. */
  readonly isShim?: (program: string) => boolean;
  /** Whether programs see a variable of this name before the line sets any. Without it, any may be one. */
  readonly isExported?: (name: string) => boolean;
  /** The folder that the line begins in, and the person's home, as the shell names them. */
  readonly folder?: string;
  readonly home?: string;
  /** What git would find in a folder, which is named as a command would name it from there. */
  readonly gitIn?: (folder: string) => GitPlace;
}

/** Which repository git would take, and why it may not be trusted. */
export interface GitPlace {
  readonly problem: Phrase | null;
  /** It is the one that `gitProblem` is about. */
  readonly isSame: boolean;
}

/** What a program does with a word. */
export type Role =
  /** A file or folder that it reads: judged like any path. */
  | "read"
  /** A file that it reads. Of a folder it would follow the links in it. */
  | "file"
  /** Text and nothing else, whatever it says. */
  | "text"
  /** Digits with an optional sign. */
  | "number"
  /** A revision of git or a path: a read, and what stands behind its first colon is a read too (`HEAD:.env`). */
  | "revision"
  /** A literal of this form, and text. */
  | RegExp;

/** A program that only reads, with everything it may be given. What is not listed here is not allowed. */
export interface Program {
  /** Short options without a value; may be joined (`-la`). */
  readonly flags?: string;
  /** Short options with a value, attached or as the next word. */
  readonly valued?: Readonly<Record<string, Role>>;
  /** Long options, exactly as written; `null` = without a value, else what its value is. Abbreviations are not known. */
  readonly long?: Readonly<Record<string, Role | null>>;
  /** Short options whose value may be left out, and else is attached (`-Iseconds`). */
  readonly maybeValued?: Readonly<Record<string, Role>>;
  /** Long options whose value may only stand behind `=`. */
  readonly attached?: Readonly<Record<string, Role>>;
  /**
   * How short options may be joined, where the program does not do it as all others do. `flags`: only the next word is a
   * value, and letters behind one are options again (`tree -Po x out`). `none`: of joined letters only the first counts, and
   * the next word is no value of the last (`xxd -pl 16 out`).
   */
  readonly joins?: "flags" | "none";
  /** `-5` for `-n 5`. */
  readonly hasCount?: boolean;
  /** What the operands are, one after the other. */
  readonly operands?: readonly Role[];
  /** What all further operands are; without it, further ones are not allowed. */
  readonly rest?: Role;
  /** So many operands at least: with fewer it would take its input, which it does in a way that is not allowed. */
  readonly atLeast?: number;
  /** Options that stand for the first operand: with one of them the operands begin at the second role (`grep -e x file`). */
  readonly firstBy?: readonly string[];
  /** No word may begin like this, wherever it stands: the program would take further words from that file (`@list`). */
  readonly neverBegins?: string;
  /** Whether the words are fine together, where each of them is alone. */
  readonly fits?: (words: readonly string[]) => boolean;
  /**
   * The first word must be one of these, and the row there judges all words behind it; `""` judges all words where the
   * first one is none of these. A row with `commands` has nothing else but `needsGit`.
   */
  readonly commands?: Readonly<Record<string, Program>>;
  /** It shows names and attributes, and of a folder what lies right in it, unless there is a word of this form. */
  readonly listsUnless?: RegExp;
  /** Of its operands it shows names and attributes, and what is in them only where `showsTracked` says so. */
  readonly showsNames?: true;
  /** With a word of this form it goes where links lead, wherever that is. */
  readonly follows?: RegExp;
  /** What it is given may name other files, which it opens, wherever they are. */
  readonly roams?: boolean;
  /** It is git: only where `ShellFacts.gitProblem` is `null`; sets `usesGit`. */
  readonly needsGit?: boolean;
  /** With a word of this form it reads all files below the folders it is given, or below the one it runs in. */
  readonly readsBelow?: RegExp;
  /** With a word of this form it obeys the files in those folders that say what to leave out (`.gitignore`). */
  readonly obeys?: RegExp;
  /** It is git, and with these options prints what it keeps of files; `hasPaths`: of those among its operands only. */
  readonly showsTracked?: {
    readonly isShown: (options: readonly string[]) => boolean;
    readonly hasPaths: boolean;
    /** Without one of these, and without a revision, it shows changed files only. */
    readonly staged?: RegExp;
    /** It shows what is in the commits that it is given, and no others: without one, that of now, or none. */
    readonly past?: "head" | "none";
    /** What it is given and is no commit it prints whole, whatever the options. */
    readonly printsObjects?: boolean;
  };
  /** Where there is no such file it opens the one whose name goes on like this. */
  readonly endings?: readonly string[];
  /** It takes wildcards for itself, in quotes too. */
  readonly hasGlobs?: boolean;
  /** Words that come from file names or from a pipe may be its operands, because no option of it has any effect. */
  readonly takesAnyWord?: boolean;
  /** Options stand before the first operand; what follows is an operand, whatever it begins with (`printf`, `test`). */
  readonly hasOrderedOptions?: boolean;
  /** Wherever it runs, options may stand behind operands. For others they are then names of files, somewhere. */
  readonly hasLateOptions?: boolean;
  /** `-` is no operand: what comes from its input it would write to a file first. */
  readonly needsFiles?: boolean;
  /** Part of the shell itself: no file in PATH can take its place. */
  readonly isBuiltin?: boolean;
  /** For programs with a language of their own. */
  readonly judge?: (args: readonly Word[]) => ProgramJudgement;
}

export type ProgramJudgement = { readonly problem: Phrase } | { readonly reads: readonly PathWord[] };

// Content that git drops from the working tree: untracked files and uncommitted changes.
import { literal, pathOf } from "../arguments.ts";
import { hasOption, operandsOf } from "../options.ts";
import type { RemovedWord, Word } from "../verdict/judgement.ts";

type Drops = (args: readonly Word[]) => readonly RemovedWord[];

const commands: Readonly<Record<string, Drops>> = {
  clean(args) {
    if (hasOption(args, /^(?:-[a-zA-Z]*n|--dry-run$)/)) return [];
    const isKnown = args.every((word, at) => word.kind === "literal" || followsOperand(args, at));
    const takesIgnored = !isKnown || hasOption(args, /^-[a-zA-Z]*[xX]/);
    return namedBy(withoutValues(args, /^(?:-[a-zA-Z]*e|--exclude)$/), takesIgnored ? "unknown" : "untracked");
  },
  checkout(args) {
    if (hasOption(args, /^(?:-[a-zA-Z]*f|--force$)/)) return [everything("changed")];
    if (hasOption(args, /^(?:-[bBt]|--orphan|--detach|--track)$/)) return [];
    const end = args.findIndex((word) => word.kind === "literal" && word.value === "--");
    // Without `--` each operand may be a branch, but counts as a path if one exists.
    const paths = end === -1 ? operandsOf(args) : args.slice(end + 1);
    return paths.length === 0 ? [] : namedBy(paths, "changed");
  },
  switch: (args) => (hasOption(args, /^(?:-[a-zA-Z]*f|--force|--discard-changes)$/) ? [everything("changed")] : []),
  restore(args) {
    const isIndexOnly =
      hasOption(args, /^(?:-[a-zA-Z]*S|--staged$)/) && !hasOption(args, /^(?:-[a-zA-Z]*W|--worktree$)/);
    return isIndexOnly ? [] : namedBy(withoutValues(args, /^(?:-s|--source)$/), "changed");
  },
  rm: (args) =>
    hasOption(args, /^(?:-[a-zA-Z]*f|--force$)/) && !hasOption(args, /^--cached$/) ? namedBy(args, "changed") : [],
};

export function discardedBy(args: readonly Word[]): readonly RemovedWord[] {
  let folder = "";
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at]!;
    const value = word.kind === "literal" ? word.value : "";
    if (value === "-C" || value === "-c") {
      const next = args[at + 1];
      // An unknown directory keeps the last known one.
      if (value === "-C" && next?.kind === "literal") folder = within(folder, next.value);
      at += 1;
    } else if (!value.startsWith("-")) {
      const dropped = Object.hasOwn(commands, value) ? commands[value]!(args.slice(at + 1)) : [];
      return dropped.map((one) => ({ ...one, path: within(folder, one.path) }));
    }
  }
  return [];
}

function within(folder: string, path: string): string {
  return folder === "" || /^[/~]/.test(path) ? path : `${folder}/${path}`;
}

function everything(dropped: NonNullable<RemovedWord["dropped"]>): RemovedWord {
  return { ...pathOf(literal("."))!, dropped };
}

/** Git has its own wildcards and pathspec magic, and an unknown word may be any path: then everything counts. */
function namedBy(args: readonly Word[], dropped: NonNullable<RemovedWord["dropped"]>): readonly RemovedWord[] {
  const paths = operandsOf(args).map((word) =>
    word.kind === "literal" && /^:|[*?[]/.test(word.value) ? null : pathOf(word),
  );
  if (paths.length === 0 || paths.includes(null)) return [everything(dropped)];
  return paths.flatMap((path) => (path === null ? [] : [{ ...path, dropped }]));
}

/** After `--`, or after a word that is not an option. */
function followsOperand(args: readonly Word[], at: number): boolean {
  return args
    .slice(0, at)
    .some((word) => word.kind === "literal" && (word.value === "--" || !word.value.startsWith("-")));
}

function withoutValues(args: readonly Word[], options: RegExp): readonly Word[] {
  return args.filter((_, at) => {
    const before = args[at - 1];
    return !(before?.kind === "literal" && options.test(before.value));
  });
}

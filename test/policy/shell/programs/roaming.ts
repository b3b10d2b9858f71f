/** They read, wherever links and names in files lead: unasked only where there is nothing of anybody's. */
export const roaming: readonly string[] = [
  ...[
    "ls -L",
    "ls -H a",
    "ls --dereference",
    "du -L",
    "du -H",
    "du -D",
    "stat -L a",
    "stat --dereference a",
    "file -L a",
    "tree -l",
    "diff -r a b",
    "diff -rq a b",
    "diff --recursive a b",
  ],
  ...[
    "grep -R x",
    "grep -rR x .",
    "grep --dereference-recursive x",
    "rg -L x",
    "rg --follow x",
    "fd -L",
    "fdfind --follow x",
  ],
  ...["nm a", "size a", "readelf -h a", "objdump -d a", "find -L . -type f -exec cat {} +", "ls | xargs egrep x"],
];

// Others work in the folder while a command runs. Undo takes back what the command did, and nothing of theirs.
import { existsSync, lstatSync } from "node:fs";
import { join } from "node:path";
import { startScriptedServer } from "../../test/support/scripted-server.ts";
import { type Attempt, broken, held, type Outcome } from "./attempt.ts";
import { ended, type Ground, modelAt } from "./ground.ts";

/** Changes two files, waits until the others are done, and changes another. */
const command =
  "echo command >> a.txt; mkdir -p out; echo command > out/made.txt; touch ready; until [ -e go ]; do sleep 0.02; done; echo command >> b.txt";

interface Deed {
  /** What a person, an editor or another program does meanwhile. */
  readonly line: string;
  /** Whether what they did is still there. */
  readonly isKept: (ground: Ground) => boolean;
}

const has = (path: string, text: string) => (ground: Ground) => ground.text(path)?.includes(text) === true;

const deeds: Readonly<Record<string, Deed>> = {
  "appends to the file that the command has changed": { line: "echo person >> a.txt", isKept: has("a.txt", "person") },
  "writes a line above the command's": { line: "sed -i '1i person' a.txt", isKept: has("a.txt", "person") },
  "saves another file": { line: "echo person > c.txt", isKept: has("c.txt", "person") },
  "saves another file as editors do": {
    line: "cp c.txt .c.swp; echo person >> .c.swp; mv .c.swp c.txt",
    isKept: has("c.txt", "person"),
  },
  "makes a new file": { line: "echo person > new.txt", isKept: has("new.txt", "person") },
  "makes a new folder": { line: "mkdir -p p/q; echo person > p/q/new.txt", isKept: has("p/q/new.txt", "person") },
  "makes a file in the folder that the command made": {
    line: "echo person > out/theirs.txt",
    isKept: has("out/theirs.txt", "person"),
  },
  "replaces the file that the command made": {
    line: "echo person > out/made.txt",
    isKept: has("out/made.txt", "person"),
  },
  "removes a file": { line: "rm c.txt", isKept: ({ workspace }) => !existsSync(join(workspace, "c.txt")) },
  "renames a file": { line: "mv c.txt d.txt", isKept: has("d.txt", "c") },
  "makes a file executable": {
    line: "chmod +x c.txt",
    isKept: ({ workspace }) => (lstatSync(join(workspace, "c.txt")).mode & 0o100) !== 0,
  },
  "makes a link": {
    line: "ln -s c.txt link",
    isKept: ({ workspace }) => lstatSync(join(workspace, "link"), { throwIfNoEntry: false })?.isSymbolicLink() === true,
  },
  "edits the file that the command changes next": { line: "echo person >> b.txt", isKept: has("b.txt", "person") },
  "edits a file by a program in another folder": {
    line: "cd / && python3 -c \"import sys; open(sys.argv[1], 'a').write('person\\n')\" \"$OLDPWD/c.txt\"",
    isKept: has("c.txt", "person"),
  },
};

/** The command of one session, and what others do before it may end. */
async function meanwhile(ground: Ground, flags: readonly string[], others: () => Promise<void> | void): Promise<void> {
  for (const name of ["a", "b", "c"]) ground.write(`${name}.txt`, `${name}\n`);
  ground.repository();
  using server = startScriptedServer([{ calls: [{ tool: "bash", input: { command } }] }, { text: "done" }]);
  const args = ["run", ...modelAt(server.url), "--mode", "yolo", ...flags, "go"];
  const child = ground.start(args);
  while (!existsSync(join(ground.workspace, "ready"))) {
    if (child.exitCode !== null) throw new Error((await ended(child)).err);
    await Bun.sleep(5);
  }
  await others();
  ground.write("go", "");
  await ended(child);
  if (!has("b.txt", "command")(ground)) throw new Error("the command did not end");
}

const undo = (ground: Ground, ...more: readonly string[]) => ground.coder(["undo", "--mode", "yolo", ...more]);

/** What is certainly the command's and nobody else's. */
function leftOf(ground: Ground, what: string): string {
  const isShared = /has changed|above|changes next/.test(what);
  return isShared || !has("b.txt", "command")(ground) ? "" : ", b.txt was left alone";
}

const persons: readonly Attempt[] = Object.entries(deeds).flatMap(([what, { line, isKept }]) =>
  [["--sandbox"], ["--no-sandbox"]].map((flags) => ({
    promise: "undo",
    name: `while a command runs ${flags[0] === "--sandbox" ? "in" : "without"} a sandbox, somebody ${what}; then undo and redo`,
    play: async (ground: Ground): Promise<Outcome> => {
      await meanwhile(ground, flags, () => {
        ground.byHand(line);
        if (!isKept(ground)) throw new Error("they did nothing");
      });
      await undo(ground);
      if (!isKept(ground)) return broken("undo took it");
      const left = leftOf(ground, what);
      await undo(ground, "--redo");
      return isKept(ground) ? held(`still there${left}`) : broken("redo took it");
    },
  })),
);

/** Another session, with a tool or with a command, whose undo is tried as well. */
const calls = {
  "writes a file": { tool: "write", input: { path: "s.txt", content: "session\n" } },
  "runs a command that makes a file": { tool: "bash", input: { command: "echo session > s.txt" } },
  "runs a command that changes the same file": { tool: "bash", input: { command: "echo session >> a.txt" } },
};

const sessions: readonly Attempt[] = Object.entries(calls).flatMap(([what, call]) =>
  [["--sandbox"], ["--no-sandbox"]].map((flags) => ({
    promise: "undo",
    name: `while a command runs ${flags[0] === "--sandbox" ? "in" : "without"} a sandbox, another session ${what}; then undo of both`,
    play: async (ground: Ground): Promise<Outcome> => {
      const place = what.includes("same") ? "a.txt" : "s.txt";
      let second = "";
      await meanwhile(ground, flags, async () => {
        using server = startScriptedServer([{ calls: [call] }, { text: "done" }]);
        const ran = await ground.coder([
          "run",
          ...modelAt(server.url),
          "--mode",
          "yolo",
          ...flags,
          "--output",
          "json",
          "too",
        ]);
        second = (JSON.parse(ran.out) as { session_id: string }).session_id;
      });
      const rows = JSON.parse((await ground.coder(["sessions", "--json"])).out) as { id: string }[];
      const first = rows.find(({ id }) => id !== second)?.id ?? "";
      await undo(ground, first);
      if (!has(place, "session")(ground)) return broken("undo of the first took the work of the second");
      await undo(ground, first, "--redo");
      if (!has(place, "session")(ground)) return broken("redo of the first took the work of the second");
      await undo(ground, second);
      return has("b.txt", "command")(ground)
        ? held("each its own")
        : broken("undo of the second took the work of the first");
    },
  })),
);

/** The folder itself, which the command finds in `$PWD`. */
const folders: Readonly<Record<string, string>> = {
  "removes the folder": 'cd / && rm -rf "$OLDPWD"',
  "removes all that is in the folder": 'rm -rf "$PWD"/*',
  "moves the folder away": "cd .. && mv project gone",
  "moves the folder away and makes an empty one": "cd .. && mv project gone && mkdir project",
  "moves the folder away and leaves a link": "cd .. && mv project gone && ln -s gone project",
  "replaces the folder by a copy":
    "cd .. && cp -r project copy && rm -rf project && mv copy project && echo more >> project/a.txt",
  "replaces the folder by a file": "cd .. && rm -rf project && echo file > project",
};

const workspaces: readonly Attempt[] = Object.entries(folders).flatMap(([what, line]) =>
  [["--sandbox"], ["--no-sandbox"]].map((flags) => ({
    promise: "undo",
    name: `a command ${flags[0] === "--sandbox" ? "in" : "without"} a sandbox ${what}; then undo`,
    play: async (ground: Ground): Promise<Outcome> => {
      ground.write("a.txt", "a\n");
      ground.write("sub/b.txt", "b\n");
      using server = startScriptedServer([{ calls: [{ tool: "bash", input: { command: line } }] }, { text: "done" }]);
      const args = ["run", ...modelAt(server.url), "--mode", "yolo", ...flags, "go"];
      const ran = await ground.coder(args, {}, { cwd: ground.root, place: ["env", "-C", ground.workspace] });
      const told = JSON.stringify(server.requests.at(-1)?.body);
      if (!/exit code|E_[A-Z]+/.test(told)) return broken(`the result is lost: exit ${ran.code}: ${ran.err}`);
      // Nobody can stand in a folder that is not there.
      if (!lstatSync(ground.workspace, { throwIfNoEntry: false })?.isDirectory())
        ground.byHand("rm -f project; mkdir -p project", join(ground.root, "work"));
      const undone = await ground.coder(
        ["undo", "--mode", "yolo", "--cwd", ground.workspace],
        {},
        { cwd: ground.root },
      );
      const isBack = ground.text("a.txt") === "a\n" && ground.text("sub/b.txt") === "b\n";
      if (isBack) return held("as before");
      // What came from outside of the folder may be anybody's: then it is named, with what happened to the folder.
      const isSaid = undone.err.includes("a.txt") && /removed, moved or replaced the folder/.test(ran.err);
      return undone.code !== 0 && isSaid
        ? held("named and left alone")
        : broken(`${ran.err}${undone.out}${undone.err}`);
    },
  })),
);

const shim = `#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>
static long skew(void) { const char *s = getenv("SKEW_MS"); return s ? atol(s) : 0; }
int clock_gettime(clockid_t id, struct timespec *t) {
  static int (*real)(clockid_t, struct timespec *);
  if (!real) real = dlsym(RTLD_NEXT, "clock_gettime");
  int r = real(id, t);
  if (id == CLOCK_REALTIME) { t->tv_sec += skew() / 1000; t->tv_nsec += (skew() % 1000) * 1000000;
    if (t->tv_nsec < 0) { t->tv_nsec += 1000000000; t->tv_sec--; } if (t->tv_nsec >= 1000000000) { t->tv_nsec -= 1000000000; t->tv_sec++; } }
  return r; }
int gettimeofday(struct timeval *v, void *z) {
  struct timespec t; clock_gettime(CLOCK_REALTIME, &t); v->tv_sec = t.tv_sec; v->tv_usec = t.tv_nsec / 1000; return 0; }
`;

/** The clock of the process differs from that of the disk, as with a disk of another machine. */
const skews: readonly Attempt[] = [-60_000, -1_500, 1_500, 60_000].map((ms) => ({
  promise: "undo",
  name: `the clock of the disk is ${-ms / 1000} s ahead of ours; a command changes a file; then undo`,
  play: async (ground: Ground): Promise<Outcome> => {
    const library = join(ground.root, "skew.so");
    ground.write(`${ground.root}/skew.c`, shim);
    if (ground.byHand(`cc -shared -fPIC -o ${library} ${ground.root}/skew.c -ldl`).code !== 0)
      return { is: "skipped", how: "there is no C compiler here" };
    ground.write("a.txt", "a\n");
    ground.repository();
    const env = { LD_PRELOAD: library, SKEW_MS: String(ms) };
    const ran = await ground.commands(["echo command >> a.txt"], { mode: "yolo", flags: ["--no-sandbox"], env });
    if (!has("a.txt", "command")(ground)) throw new Error(ran.err);
    const undone = await ground.coder(["undo", "--mode", "yolo"], env);
    if (ground.text("a.txt") === "a\n") return held("taken back");
    return /not be (?:undone|taken back)|cannot be/i.test(ran.err + ran.out)
      ? held("said beforehand")
      : broken(`left, exit ${undone.code}: ${undone.out}${undone.err}`);
  },
}));

export const undoAttempts: readonly Attempt[] = [...persons, ...sessions, ...workspaces, ...skews];

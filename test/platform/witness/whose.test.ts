import { describe, expect, test } from "bun:test";
import { appendFileSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Person, people, sharedPerson } from "../../support/sandbox-person.ts";

/** One after the other: the command up to where it waits, what somebody else does then, and the rest of the command. */
interface Scene {
  readonly first?: string;
  readonly meanwhile?: (path: (name: string) => string) => void;
  readonly rest?: string;
  /** Only there; both where it is not said. */
  readonly where?: "sandbox" | "outside";
  readonly whose: Readonly<Record<string, string>>;
}

const save = (path: string, text: string): void => {
  // As editors do it that write a new file and give it the old name.
  writeFileSync(`${path}~`, text);
  renameSync(`${path}~`, path);
};

const scenes: Readonly<Record<string, Scene>> = {
  "what the command writes, replaces, moves, makes and removes is its own": {
    first: `echo more >> a.txt; sed -i s/b/B/ b.txt; rm c.txt; mv d.txt e.txt; mkdir -p new/deep; echo n > new/deep/n;
      chmod +x run.sh; ln -s a.txt link; cp a.txt copy; printf x > 'odd "name"'; touch -d 2001-01-01 dir/f1`,
    whose: {
      "a.txt": "ours",
      "b.txt": "ours",
      "c.txt": "ours",
      "d.txt": "ours",
      "e.txt": "ours",
      new: "ours",
      "new/deep": "ours",
      "new/deep/n": "ours",
      "run.sh": "ours",
      link: "ours",
      copy: "ours",
      'odd "name"': "ours",
    },
  },
  "what it removes and then makes anew, as something else too, is its own": {
    first:
      "rm a.txt && mkdir a.txt && echo in > a.txt/in; rm b.txt && echo other > b.txt; rm c.txt && ln -s d.txt c.txt",
    whose: { "a.txt": "ours", "a.txt/in": "ours", "b.txt": "ours", "c.txt": "ours" },
  },
  "what somebody else writes, replaces, makes and removes meanwhile is not": {
    meanwhile: (path) => {
      appendFileSync(path("a.txt"), "mine\n");
      save(path("b.txt"), "mine\n");
      rmSync(path("c.txt"));
      writeFileSync(path("new.txt"), "mine\n");
    },
    whose: { "a.txt": "others", "b.txt": "others", "c.txt": "others", "new.txt": "others" },
  },
  "also in the folders in which the command works": {
    first: "echo x > dir/mine; echo more >> dir/f1",
    meanwhile: (path) => {
      appendFileSync(path("dir/f2"), "mine\n");
      save(path("dir/new"), "mine\n");
    },
    rest: "echo y >> dir/mine",
    whose: { "dir/mine": "ours", "dir/f1": "ours", "dir/f2": "others", "dir/new": "others" },
  },
  "a file that both have written is shared, whoever was first": {
    first: "echo more >> a.txt; sed -i s/b/B/ b.txt",
    meanwhile: (path) => {
      appendFileSync(path("a.txt"), "mine\n");
      save(path("b.txt"), "mine\n");
      appendFileSync(path("c.txt"), "mine\n");
      save(path("d.txt"), "mine\n");
      writeFileSync(path("new"), "mine\n");
    },
    rest: "echo more >> c.txt; sed -i s/d/D/ d.txt; cp a.txt new; true",
    whose: { "a.txt": "shared", "b.txt": "shared", "c.txt": "shared", "d.txt": "shared", new: expect.any(String) },
  },
  "a file that the command holds open while somebody else saves it is shared": {
    first: "exec 3>> a.txt; echo one >&3; exec 4> b.txt; exec 5>> c.txt",
    meanwhile: (path) => {
      appendFileSync(path("a.txt"), "mine\n");
      save(path("b.txt"), "mine\n");
      writeFileSync(path("c.txt"), "mine\n");
    },
    rest: "echo two >&3; echo four >&4",
    whose: { "a.txt": "shared", "b.txt": "shared", "c.txt": "shared" },
  },
  "what somebody else makes where the command has removed something is not the command's": {
    first: "rm a.txt; mv b.txt elsewhere; rm -r dir; touch new; rm new",
    meanwhile: (path) => {
      writeFileSync(path("a.txt"), "mine\n");
      save(path("b.txt"), "mine\n");
      mkdirSync(path("dir"));
      writeFileSync(path("dir/f1"), "mine\n");
      writeFileSync(path("new"), "mine\n");
    },
    whose: {
      "a.txt": "shared",
      "b.txt": "shared",
      elsewhere: "ours",
      "dir/f1": "shared",
      "dir/f2": "ours",
      new: "shared",
    },
  },
  "what somebody else wrote into a file stays theirs when the command moves it": {
    first: "echo more >> c.txt",
    meanwhile: (path) => {
      appendFileSync(path("a.txt"), "mine\n");
      save(path("b.txt"), "mine\n");
      appendFileSync(path("c.txt"), "mine\n");
      writeFileSync(path("new"), "mine\n");
    },
    rest: "for one in a b c; do mv $one.txt $one.new; done; echo more >> a.new; mv b.new b.newer; mv new newer; mv d.txt d.new",
    whose: {
      "a.txt": "ours",
      "a.new": "shared",
      "b.txt": "ours",
      "b.newer": "shared",
      "c.txt": "shared",
      "c.new": "shared",
      newer: "shared",
      "d.txt": "ours",
      "d.new": "ours",
    },
  },
  "calls of the command that fail excuse nothing": {
    first:
      "mkdir a.txt; : < nothing; set -C; echo x > b.txt; cat < c.txt > /nowhere/x; truncate -s 0 none/such; rm none",
    meanwhile: (path) => {
      appendFileSync(path("a.txt"), "mine\n");
      appendFileSync(path("b.txt"), "mine\n");
      appendFileSync(path("c.txt"), "mine\n");
    },
    rest: "mkdir a.txt; echo x > b.txt; true",
    whose: { "a.txt": "others", "b.txt": "others", "c.txt": "others" },
  },
  "what comes along with a folder that the command moves is its own, and what others put into it is not": {
    first: "mv dir moved; echo x > moved/own",
    meanwhile: (path) => {
      appendFileSync(path("moved/f2"), "mine\n");
      writeFileSync(path("moved/new"), "mine\n");
    },
    rest: "mkdir other; mv moved other/again",
    whose: {
      dir: "ours",
      "dir/f1": "ours",
      "dir/f2": "shared",
      other: "ours",
      "other/again": "ours",
      "other/again/f1": "ours",
      "other/again/f2": "others",
      "other/again/new": "others",
      "other/again/own": "ours",
    },
  },
  "a file in a folder that somebody else moves is shared, and nothing else in it is the command's": {
    first: "echo more >> dir/f1",
    meanwhile: (path) => renameSync(path("dir"), path("moved")),
    whose: { "dir/f1": "shared", "dir/f2": "others", "moved/f1": "shared", "moved/f2": "others" },
  },
  "a file written through a link, another folder or a name of its own is the command's": {
    first: `ln -s dir sub; echo x >> sub/f1; (cd dir && echo y >> ../b.txt); echo z >> "$PWD/c.txt"; ln -s d.txt soft;
      echo q >> soft; printf p | tee a.txt > /dev/null; ln -s dir/made early; echo e > early`,
    whose: {
      sub: "ours",
      "dir/f1": "ours",
      "b.txt": "ours",
      "c.txt": "ours",
      soft: "ours",
      early: "ours",
      "dir/made": "ours",
      "d.txt": "ours",
      "a.txt": "ours",
    },
  },
  "calls that open nothing for writing excuse nothing": {
    first: `flock a.txt true; python3 -c 'if True:
      import os
      os.truncate("b.txt", 1)
      os.close(os.open("c.txt", os.O_RDONLY | os.O_CREAT))'`,
    meanwhile: (path) => {
      for (const name of ["a.txt", "b.txt", "c.txt"]) appendFileSync(path(name), "mine\n");
    },
    whose: { "a.txt": "others", "b.txt": "shared", "c.txt": "others" },
  },
  "the newest call to open a file is understood": {
    first: `python3 -c 'if True:
      import ctypes, os
      def opened(name, flags): return ctypes.CDLL(None).syscall(437, -100, name, (ctypes.c_uint64 * 3)(flags, 0, 0), 24)
      os.close(opened(b"a.txt", os.O_RDONLY))
      os.write(opened(b"b.txt", os.O_WRONLY), b"more")'`,
    meanwhile: (path) => appendFileSync(path("a.txt"), "mine\n"),
    // The sandbox does not have it.
    where: "outside",
    whose: { "a.txt": "others", "b.txt": "ours" },
  },
  "files that the sandbox lets nobody write excuse nothing": {
    first: "echo x > .vscode/settings.json",
    meanwhile: (path) => appendFileSync(path(".vscode/settings.json"), "mine\n"),
    where: "sandbox",
    whose: { ".vscode/settings.json": "others" },
  },
  "what somebody else wrote into a file goes along when the command removes it and makes it anew": {
    meanwhile: (path) => {
      appendFileSync(path("a.txt"), "mine\n");
      appendFileSync(path("b.txt"), "mine\n");
    },
    rest: `text=$(cat a.txt); rm a.txt; echo "$text" > a.txt; cp b.txt /dev/shm/b.$$; mv /dev/shm/b.$$ b.txt
      text=$(cat c.txt); rm c.txt; echo "$text more" > c.txt`,
    whose: { "a.txt": "shared", "b.txt": "shared", "c.txt": "ours" },
  },
  "the attempts of mv that fail excuse nothing": {
    first: "echo x > x; mv x a.txt; echo y > /dev/shm/y.$$; mv /dev/shm/y.$$ b.txt; echo z > z; mv -n z c.txt || true",
    meanwhile: (path) => {
      for (const name of ["a.txt", "b.txt", "c.txt"]) save(path(name), "mine\n");
    },
    whose: { "a.txt": "shared", "b.txt": "shared", "c.txt": "others", z: "ours" },
  },
};

function given({ workspace, write }: Person): void {
  // The folder itself stays: the one who runs the commands stands in it.
  for (const name of readdirSync(workspace)) rmSync(join(workspace, name), { recursive: true });
  for (const name of ["a", "b", "c", "d"]) write(join(workspace, `${name}.txt`), `${name}\n`);
  for (const name of ["f1", "f2"]) write(join(workspace, "dir", name), `${name}\n`);
  write(join(workspace, "run.sh"), "run\n");
  write(join(workspace, ".vscode/settings.json"), "{}\n");
}

async function played(person: Person, { first = ":", meanwhile, rest = ":" }: Scene, free: boolean) {
  given(person);
  const [reached, go] = ["reached", "go"].map((name) => join(dirname(person.workspace), name)) as [string, string];
  for (const name of [reached, go]) {
    rmSync(name, { force: true });
    Bun.spawnSync(["mkfifo", "-m", "666", name]);
    person.own(name);
  }
  const command = `${first}\necho > ${reached}; read -r _ < ${go}\n${rest}`;
  const running = person.run({ command, watched: true, free });
  // Whoever opens the one waits for the other.
  await Bun.spawn(["cat", reached]).exited;
  meanwhile?.((name) => join(person.workspace, name));
  await Bun.spawn(["sh", "-c", `echo > ${go}`]).exited;
  const { whose, exitCode } = await running;
  return { whose, exitCode };
}

describe.each(people)("[RB-1] [RB-2] while a command of %s runs", (kind) => {
  const person = sharedPerson(kind);
  for (const [name, scene] of Object.entries(scenes)) {
    test.if(scene.where !== "outside")(`in the sandbox: ${name}`, async () => {
      expect(await played(await person(), scene, false)).toEqual({ whose: scene.whose, exitCode: 0 });
    });
    if (kind === "root" && scene.where !== "sandbox") {
      test(`outside of it: ${name}`, async () => {
        expect(await played(await person(), scene, true)).toEqual({ whose: scene.whose, exitCode: 0 });
      });
    }
  }
  test.if(kind === "user")("outside of the sandbox, where nobody can follow it, all is unclear", async () => {
    const { whose } = await played(
      await person(),
      scenes["also in the folders in which the command works"] as Scene,
      true,
    );
    expect(whose).toEqual({ "dir/mine": "unclear", "dir/f1": "unclear", "dir/f2": "unclear", "dir/new": "unclear" });
  });
});

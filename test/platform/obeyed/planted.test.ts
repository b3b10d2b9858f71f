// Generated: names that other programs obey, in any folder, made in any way. Nothing of it stays, and all of it is named.
import { describe, expect, test } from "bun:test";
import { existsSync, lstatSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { join, relative } from "node:path";
import fc from "fast-check";
import { protectedNames } from "../../../src/contract/path/protected.ts";
import { type Person, people, sharedPerson } from "../../support/sandbox-person.ts";
import { untilFile } from "../../support/shell.ts";
import { until } from "../../support/until.ts";

const runs = (usual: number): { numRuns: number } => ({ numRuns: process.env.CODER_TEST_LONG ? usual * 20 : usual });
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

interface Plant {
  /** Folders, and in the last of them what other programs obey. */
  readonly above: readonly string[];
  readonly name: string;
  readonly isFolder: boolean;
  readonly way: string;
  /** Closed behind itself: names in it can be opened, not listed. */
  readonly isClosed: boolean;
}

/** Each makes `$t` out of nothing; `$s` is a folder of its own elsewhere in the workspace, gone afterwards. `$p`: the file to be made. */
const ways: Readonly<Record<string, string>> = {
  redirect: 'mkdir -p "$(dirname "$p")"; echo evil > "$p"',
  cp: 'mkdir -p "$s/x" "$(dirname "$p")"; echo evil > "$s/x/f"; cp "$s/x/f" "$p"',
  "cp -r":
    'mkdir -p "$s"; mkdir -p "$(dirname "$s/$r")"; echo evil > "$s/$r"; mkdir -p "$(dirname "$t")"; cp -r "$s/$n" "$t"',
  mv: 'mkdir -p "$(dirname "$s/$r")" "$(dirname "$t")"; echo evil > "$s/$r"; mv "$s/$n" "$t"',
  "mv from outside":
    'd=$(mktemp -d); mkdir -p "$(dirname "$d/$r")" "$(dirname "$t")"; echo evil > "$d/$r"; mv "$d/$n" "$t"; rm -rf "$d"',
  "mv of a folder above":
    'mkdir -p "$(dirname "$s/up/$r")" "$(dirname "$(dirname "$t")")"; echo evil > "$s/up/$r"; rm -rf "$(dirname "$t")"; mv "$s/up" "$(dirname "$t")"',
  "ln -s":
    'mkdir -p "$(dirname "$t")" "$(dirname "$s-kept/$r")"; echo evil > "$s-kept/$r"; mv "$s-kept/$n" "$s-kept/plain"; ln -s "$PWD/$s-kept/plain" "$t"',
  ln: 'mkdir -p "$(dirname "$p")"; echo evil > "plain-$i"; ln "plain-$i" "$p"',
  tar: 'mkdir -p "$(dirname "$s/$r")" "$(dirname "$t")"; echo evil > "$s/$r"; tar -C "$s" -cf "a-$i.tar" "$n"; tar -C "$(dirname "$t")" -xf "a-$i.tar"',
  python: 'mkdir -p "$(dirname "$p")"; P="$p" python3 -c "import os; open(os.environ[\'P\'], \'w\').write(\'evil\')"',
  "another name first": 'mkdir -p "$(dirname "$p")"; echo evil > "$p.tmp"; mv "$p.tmp" "$p"',
  "install -m": 'mkdir -p "$(dirname "$p")"; echo evil > "plain-$i"; install -m 755 "plain-$i" "$p"',
};

const oddName = fc.constantFrom(
  "a",
  "packages",
  "src",
  "with space",
  "it's",
  "-x",
  "ünï",
  "new\nline",
  "#1",
  "$HOME",
  "x.git",
);
const anywhere = protectedNames.filter(({ where, path }) => where === "anywhere" && !path.startsWith(".git/"));
const plant: fc.Arbitrary<Plant> = fc
  .tuple(
    fc.array(oddName, { minLength: 1, maxLength: 4 }),
    fc.constantFrom(...anywhere),
    fc.constantFrom(...Object.keys(ways)),
    fc.boolean(),
  )
  .map(([above, { path, kind }, way, isClosed]) => ({
    above,
    name: path.replaceAll("*", "local"),
    isFolder: kind === "folder",
    way,
    isClosed: isClosed && way === "redirect",
  }));

/** What is obeyed, below the workspace. */
const placeOf = ({ above, name }: Plant, at: number): string => [`w${at}`, ...above, name].join("/");

function commandFor(one: Plant, at: number): string {
  const target = placeOf(one, at);
  // Of a name with folders in it, all but the first part is made with it.
  const [first = "", ...rest] = one.name.split("/");
  const inner = one.isFolder ? [...rest, "x.json"] : rest;
  const top = target.slice(0, target.length - rest.join("/").length - (rest.length > 0 ? 1 : 0));
  const set = {
    i: String(at),
    t: top,
    n: first,
    r: [first, ...inner].join("/"),
    p: inner.length > 0 ? `${top}/${inner.join("/")}` : top,
    s: `stage-${at}`,
  };
  const assigned = Object.entries(set).map(
    ([name, value]) => `${name}=${quoted(value.startsWith("-") ? `./${value}` : value)}`,
  );
  const close = one.isClosed ? `; chmod 311 "$(dirname "$p")"` : "";
  return `(${assigned.join("; ")}; ${ways[one.way]}; rm -rf "$s"${close}) 2>&1`;
}

for (const kind of people) {
  describe(`as ${kind}`, () => {
    const ready = sharedPerson(kind);
    const fresh = async (): Promise<Person> => {
      const person = await ready();
      // By the shell: not every name can be said here.
      await person.run({ command: "chmod -R u+rwX . 2>/dev/null; find . -mindepth 1 -delete", free: true });
      return person;
    };
    const isThere = (person: Person, path: string): boolean =>
      lstatSync(join(person.workspace, path), { throwIfNoEntry: false }) !== undefined;

    test("[PO-8] [SA-protected-missing] whatever is made in whatever way, nothing obeyable stays, and it is named", async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(plant, { minLength: 6, maxLength: 14 }), fc.boolean(), async (plants, unconfined) => {
          const person = await fresh();
          const command = plants.map(commandFor).join("\n");
          const run = await person.run({ command, unconfined });
          const places = plants.map(placeOf);
          expect({ stays: places.filter((path) => isThere(person, path)), said: run.stdout }).toEqual({
            stays: [],
            said: run.stdout,
          });
          // By its own name, or by that of a folder of the list which it lies in.
          const named = run.planted.map((path) => path.slice(person.workspace.length + 1));
          const unnamed = places.filter((path) => !named.some((one) => path === one || path.startsWith(`${one}/`)));
          expect({ unnamed, said: run.stdout, unkept: run.unkept }).toEqual({
            unnamed: [],
            said: run.stdout,
            unkept: [],
          });
        }),
        runs(5),
      );
    });

    test("[PO-8] [SA-protected-missing] at the top of the workspace every name of the list counts, without a sandbox too", async () => {
      const person = await fresh();
      const files = protectedNames
        .map(({ path, kind: what }) => (what === "folder" ? `${path}/x` : path).replaceAll("*", "local"))
        .filter((path) => !path.startsWith(".git/"));
      const command = files.map((path) => `mkdir -p "$(dirname ${path})"; echo evil > ${path}`).join("\n");
      const run = await person.run({ command, unconfined: true });
      expect(files.filter((path) => isThere(person, path))).toEqual([]);
      expect(run.unkept).toEqual([]);
    });

    /** Each spoils `$f`, which is the person's own. */
    const spoils: Readonly<Record<string, string>> = {
      overwrite: 'echo evil > "$f"',
      append: 'echo evil >> "$f"',
      truncate: ': > "$f"',
      remove: 'rm "$f"',
      "move away": 'mv "$f" "$f.away"',
      "replace by a link": 'echo evil > evil; ln -sf "$PWD/evil" "$f"',
      "replace by a file": 'echo evil > "$f.tmp"; mv "$f.tmp" "$f"',
      "through another name": 'ln "$f" other; echo evil > other; rm -f other',
      "in place": 'sed -i s/mine/evil/ "$f"',
      "make it a folder": 'rm "$f"; mkdir "$f"; echo evil > "$f/x"',
      "make it a program": 'chmod +x "$f"',
      "swap the folder": 'd="$(dirname "$f")"; mv "$d" "$d.old"; mkdir "$d"; echo evil > "$f"',
      "link the folder":
        'd="$(dirname "$f")"; mv "$d" "$d.old"; cp -r "$d.old" fake; echo evil > "fake/$(basename "$f")"; ln -s "$PWD/fake" "$d"',
    };

    test("[PO-8] [SA-protected-existing] whatever is done to what the person has, it is as it was, and named", async () => {
      const existing = fc.tuple(
        fc.array(fc.constantFrom("a", "b c", "ü"), { minLength: 1, maxLength: 3 }),
        fc.constantFrom(...anywhere),
        fc.constantFrom(...Object.keys(spoils)),
      );
      await fc.assert(
        fc.asyncProperty(fc.array(existing, { minLength: 6, maxLength: 12 }), fc.boolean(), async (all, unconfined) => {
          const person = await fresh();
          const files = all.map(([above, { path, kind: what }], at) => {
            const name = path.replaceAll("*", "local");
            return [`w${at}`, ...above, what === "folder" ? `${name}/x.json` : name].join("/");
          });
          for (const file of files) person.write(join(person.workspace, file), "mine\n");
          const command = all.map(([, , way], at) => `(f=${quoted(files[at] ?? "")}; ${spoils[way]}) 2>&1`).join("\n");
          const run = await person.run({ command, unconfined });
          // A folder that was moved away as a whole stays so, as long as nothing else is obeyed in its place.
          const isOurs = (file: string, at: number): boolean => {
            const path = join(person.workspace, file);
            if (!existsSync(path)) return all[at]?.[2] === "link the folder";
            return lstatSync(path).isFile() && readFileSync(path, "utf8") === "mine\n";
          };
          const spoiled = files.filter((file, at) => !isOurs(file, at)).map((file, at) => [file, all[at]?.[2]]);
          expect({ spoiled, said: run.stdout, unconfined }).toEqual({ spoiled: [], said: run.stdout, unconfined });
          // Some are secret files too, which a confined command cannot reach at all.
          const told = [...run.planted, ...run.restored, ...run.hidden].join("\n");
          const unnamed = files.filter((file, at) => all[at]?.[2] !== "link the folder" && !told.includes(file));
          expect(unnamed).toEqual([]);
          expect(run.unkept).toEqual([]);
        }),
        runs(5),
      );
    });

    test("[PO-8] names that are not UTF-8, very long ones and very deep ones hide nothing", async () => {
      const person = await fresh();
      const { workspace } = person;
      const run = await person.run({
        command: `mkdir -p "$(printf 'a\\377b')/sub"; echo evil > "$(printf 'a\\377b')/sub/.envrc"; mkdir long; echo evil > "long/$(printf 'x%.0s' {1..240}).code-workspace"; d=.; for i in $(seq 60); do d=$d/$(printf 'd%.0s' {1..50}); done; mkdir -p $d/.vscode; echo evil > $d/.vscode/tasks.json`,
        unconfined: true,
      });
      expect([run.planted.length, run.unkept]).toEqual([3, []]);
      const found = await person.run({
        command: "find . -name .envrc -o -name '*.code-workspace' -o -name .vscode",
        free: true,
      });
      expect(found.stdout).toBe("");
      const deeper = await person.run({
        command:
          "mkdir deep; cd deep; for i in $(seq 90); do mkdir $(printf 'd%.0s' {1..50}); cd d*; done; mkdir .vscode; echo evil > .vscode/tasks.json",
        unconfined: true,
      });
      expect(deeper.unkept).toEqual([]);
      // What was too deep is at the top now, and was looked into there.
      expect(deeper.planted.map((path) => relative(workspace, path).replace(/d{50}/g, "d"))).toEqual([
        "d.set-aside",
        expect.stringMatching(/^d\.set-aside\/(?:d\/)*\.vscode$/),
      ]);
      await person.run({ command: "rm -rf deep d*", free: true });
    });

    test("[PO-8] a folder that is removed as a whole is not brought back for what was in it", async () => {
      const person = await fresh();
      person.write(join(person.workspace, "old/.vscode/settings.json"), "mine\n");
      await person.run({ command: "git init -q old/sub", free: true });
      const run = await person.run("rm -rf old; echo done");
      expect([run.planted, run.restored, run.unkept, run.exitCode]).toEqual([[], [], [], 0]);
      expect(readdirSync(person.workspace)).toEqual([]);
    });

    test("[PO-8] what lies in one another is set aside to the innermost", async () => {
      const person = await fresh();
      const deep = Array.from({ length: 20 }, (_, at) => (at % 2 ? ".git" : ".vscode")).join("/");
      const run = await person.run(`mkdir -p w/${deep}; echo evil > w/${deep}/config; git init -q --bare w/${deep}/x`);
      expect(run.unkept).toEqual([]);
      const left = await person.run({ command: "find w -name .git -o -name .vscode -o -name HEAD", free: true });
      expect(left.stdout).toBe("");
    });

    test("[PO-8] packages may bring files of editors along; a repository among them is set aside all the same", async () => {
      const person = await fresh();
      const made = ".vscode/settings.json .nvmrc .npmrc .travis.yml .github/workflows/ci.yml .idea/x.xml";
      const run = await person.run(
        `mkdir -p node_modules/p; cd node_modules/p; for f in ${made}; do mkdir -p $(dirname $f); echo x > $f; done; git init -q inner`,
      );
      expect(run.planted).toEqual([join(person.workspace, "node_modules/p/inner/.git")]);
    });

    test("[PO-8] what only a build server obeys counts where a repository begins, and nowhere else", async () => {
      const person = await fresh();
      await person.run({ command: "git init -q sub", free: true });
      const run = await person.run(
        "for d in sub fixture; do mkdir -p $d/.github/workflows; echo x > $d/.github/workflows/ci.yml; echo x > $d/.gitlab-ci.yml; done",
      );
      expect(run.planted.map((path) => path.slice(person.workspace.length + 1)).sort()).toEqual([
        "sub/.github/workflows",
        "sub/.gitlab-ci.yml",
      ]);
    });

    test("[PO-8] what the person writes at the same moment is set aside whole, or stays", async () => {
      const person = await fresh();
      const { workspace } = person;
      person.write(join(workspace, "sub/.zed/settings.json"), "old\n");
      const running = person.run({ command: `touch begun; ${untilFile("go")}`, unconfined: true });
      await until("the command runs", () => existsSync(join(workspace, "begun")));
      person.write(join(workspace, "sub/.zed/tasks.json"), "mine\n");
      person.write(join(workspace, "sub/.zed/settings.json"), "newer\n");
      person.write(join(workspace, "go"), "");
      const run = await running;
      expect(readFileSync(join(workspace, "sub/.zed/tasks.json.set-aside"), "utf8")).toBe("mine\n");
      expect(readFileSync(join(workspace, "sub/.zed/settings.json.set-aside"), "utf8")).toBe("newer\n");
      expect(readFileSync(join(workspace, "sub/.zed/settings.json"), "utf8")).toBe("old\n");
      expect(run.planted.length).toBe(2);
    });

    test("[PO-8] in the sandbox, what was kept from the command is the person's alone, also while it runs", async () => {
      const person = await fresh();
      const { workspace } = person;
      for (const name of [".vscode/settings.json", ".envrc"]) person.write(join(workspace, name), "old\n");
      const running = person.run(`touch begun; ${untilFile("go")}; echo evil > .envrc`);
      await until("the command runs", () => existsSync(join(workspace, "begun")));
      for (const name of [".vscode/settings.json", ".vscode/tasks.json"]) person.write(join(workspace, name), "mine\n");
      person.write(join(workspace, "go"), "");
      const run = await running;
      expect([run.planted, run.restored]).toEqual([[], []]);
      expect(readFileSync(join(workspace, ".vscode/settings.json"), "utf8")).toBe("mine\n");
      expect(readFileSync(join(workspace, ".vscode/tasks.json"), "utf8")).toBe("mine\n");
    });

    test("[PO-8] a link of the list stays where it led, and so does what it leads to", async () => {
      const person = await fresh();
      const { workspace } = person;
      person.write(join(workspace, "conf/settings.json"), "mine\n");
      person.write(join(workspace, "sub/x"), "");
      symlinkSync("../conf", join(workspace, "sub/.vscode"));
      for (const unconfined of [false, true]) {
        const run = await person.run({
          command:
            "echo evil > conf/settings.json; echo evil > conf/tasks.json; rm sub/.vscode; ln -s /tmp sub/.vscode",
          unconfined,
        });
        expect(readFileSync(join(workspace, "sub/.vscode/settings.json"), "utf8")).toBe("mine\n");
        expect(readdirSync(join(workspace, "conf")).filter((name) => !name.includes("set-aside"))).toEqual([
          "settings.json",
        ]);
        expect(run.unkept).toEqual([]);
      }
    });

    test("[PO-8] a command that removes the workspace keeps its result, and what is in its place then is left alone", async () => {
      const person = await fresh();
      const { workspace } = person;
      person.write(join(workspace, "sub/.envrc"), "mine\n");
      person.write(join(person.home, "other/.vscode/x.json"), "mine\n");
      for (const next of ["true", `ln -s ${person.home}/other ${workspace}`, `mv ${person.home}/other ${workspace}`]) {
        const command = `cd ..; mv ${workspace} ${workspace}.old; ${next}; echo gone`;
        const run = await person.run({ command, unconfined: true });
        expect([run.stdout, run.exitCode, run.planted, run.unkept]).toEqual(["gone\n", 0, [], [workspace]]);
        const there = next === "true" ? null : join(workspace, ".vscode/x.json");
        if (there !== null) expect(readFileSync(there, "utf8")).toBe("mine\n");
        rmSync(workspace, { recursive: true, force: true });
        renameSync(`${workspace}.old`, workspace);
      }
      const again = await person.run({ command: "echo evil > sub/.envrc", unconfined: true });
      expect([again.restored, readFileSync(join(workspace, "sub/.envrc"), "utf8")]).toEqual([
        [join(workspace, "sub/.envrc")],
        "mine\n",
      ]);
    });
  });
}

// The workspace's own secret files: there, and closed to commands.
import { describe, expect, test } from "bun:test";
import { mkdirSync, renameSync, rmSync, symlinkSync, utimesSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { isSecretPath } from "../../../src/contract/path/secret-path.ts";
import { people, sharedPerson, startPerson } from "../../support/sandbox-person.ts";

const secret = [
  ...[".env", ".env.local", "packages/a/.env", "a/b/c/d/.env.production", "web.env", "deploy/prod.tfvars", "team.kdbx"],
  ...[
    "certs/server.key",
    "certs/id_rsa",
    "config/credentials.json",
    "config/secrets.yml",
    ".aws/config",
    "x/.ssh/known",
  ],
  ...["terraform.tfstate", "dist/.env", "build/.env.bak", ".vault_pass", "kubeconfig", ".envrc", "certs/both.pem"],
];
const open = [
  ...[".env.example", "src/env.ts", "certs/readme.md", "keys/key.ts", "node_modules/dep/test/key.pem", "certs/ca.pem"],
  ...["docs/secrets.md", "packages/a/index.ts", "venv/lib/cacert.pem", ".gitignore"],
];
const texts: Readonly<Record<string, string>> = {
  "certs/both.pem": "-----BEGIN CERTIFICATE-----\n-----BEGIN PRIVATE KEY-----\nmine<certs/both.pem>",
  "certs/ca.pem": "-----BEGIN CERTIFICATE-----\nmine<certs/ca.pem>",
};
const readAll =
  "find . -type f -not -path './.git/*' -exec cat {} + 2>/dev/null | grep -ao 'mine<[^>]*>' | sed 's/mine<//; s/>//' | sort";

for (const kind of people) {
  describe(`as ${kind}`, () => {
    const ready = sharedPerson(kind);

    test("[PO-8] [SA-secrets] they cannot be opened, copied, moved or replaced, wherever they lie, and all else can be read", async () => {
      await using person = await startPerson(kind);
      const { workspace } = person;
      for (const path of [...secret, ...open]) person.write(join(workspace, path), texts[path] ?? `mine<${path}>`);
      person.write(join(workspace, "venv", "pyvenv.cfg"), "");
      expect((await person.run(readAll)).stdout.trim().split("\n")).toEqual(open.toSorted());
      expect((await person.run({ command: readAll, readOnly: true })).stdout.trim().split("\n")).toEqual(
        open.toSorted(),
      );
      const files = secret.filter((path) => !/\.(?:aws|ssh)\//.test(path));
      const ways = (path: string) => [
        `cat ${path}`,
        `cp ${path} c`,
        `mv ${path} c`,
        `rm -f ${path}`,
        `ln ${path} c`,
        `chmod 666 ${path}`,
        `echo x > ${path}`,
      ];
      const tries = files.flatMap(ways).map((one) => `${one} 2>/dev/null && echo ${JSON.stringify(one)}`);
      expect((await person.run(`${tries.join("\n")}\ncat c; true`)).stdout).toBe("");
      const kept = await person.run({ command: readAll, free: true });
      expect(kept.stdout.trim().split("\n")).toEqual([...secret, ...open].toSorted());
    });

    test("[PO-8] the command that needed one is told which, by the file's name or by that of a variable in it", async () => {
      const person = await ready();
      person.write(join(person.workspace, ".env"), "SERVICE_ADDRESS=word\nPORT=80\n");
      const denied = "the workspace's secret files are hidden from commands, and this one seems to need: .env";
      const says = async (command: string) => (await person.run(command)).blamed;
      expect(await says("cat .env")).toBe(denied);
      expect(await says(`node -e 'require("fs").readFileSync(".env")'`)).toBe(denied);
      expect(await says("perl -e 'die \"missing SERVICE_ADDRESS\\n\"'")).toBe(denied);
      expect(await says("echo 'PORT is not set'; exit 1")).toBeNull();
      expect(await says("echo 'expected 1 to be 2'; exit 1")).toBeNull();
      rmSync(join(person.workspace, ".env"));
    });

    test("[PO-8] what a command makes itself it can read, and so can others what says no more than the form beside it", async () => {
      await using person = await startPerson(kind);
      person.write(join(person.workspace, ".env.example"), "A=1\nB=\n");
      const first = await person.run(
        "mkdir sub && echo C=3 > sub/.env && cat sub/.env && cp .env.example .env && cat .env",
      );
      expect(first.stdout).toBe("C=3\nA=1\nB=\n");
      const next = await person.run("cat .env sub/.env");
      expect(next.stdout).toBe("A=1\nB=\n");
      person.write(join(person.workspace, ".env"), "A=1\nB=word\n");
      expect((await person.run("cat .env")).stdout).toBe("");
    });

    test("[PO-8] a file that comes, goes or moves between two commands is hidden where it is", async () => {
      await using person = await startPerson(kind);
      const at = (path: string) => join(person.workspace, path);
      const read = async () => (await person.run(readAll)).stdout;
      person.write(at("a/b/plain"), "mine<plain>");
      expect(await read()).toBe("plain\n");
      person.write(at("a/b/.env"), "mine<.env>");
      expect(await read()).toBe("plain\n");
      renameSync(at("a"), at("z"));
      expect(await read()).toBe("plain\n");
      mkdirSync(at("y"));
      person.own(at("y"));
      renameSync(at("z/b/.env"), at("y/server.key"));
      expect(await read()).toBe("plain\n");
      renameSync(at("y/server.key"), at("y/server.txt"));
      expect(await read()).toBe(".env\nplain\n");
      symlinkSync("y/server.txt", at(".env"));
      expect(await read()).toBe("plain\n");
    });

    test("[PO-8] git takes a hidden file for unchanged, commits around it, and never commits its stand-in", async () => {
      await using person = await startPerson(kind);
      const { workspace } = person;
      const token = "//host.example/:_authToken=word\nfund=false\n";
      for (const [path, text] of [
        [".env", "A=word\n"],
        [".npmrc", token],
        ["a.txt", "a\n"],
      ] as const) {
        person.write(join(workspace, path), text);
        // Long ago, so that git need not look into it.
        utimesSync(join(workspace, path), 1_000_000, 1_000_000);
      }
      const git = "git -c user.name=a -c user.email=a@b";
      await person.run({ command: `git init -q && ${git} add -A -f && ${git} commit -qm one`, free: true });
      const run = await person.run(
        `git status --short; echo b >> a.txt; ${git} commit -qam two; git status --short; git show --stat --format=`,
      );
      expect(run.stdout).toBe(" a.txt | 1 +\n 1 file changed, 1 insertion(+)\n");
      const added = await person.run(
        `rm -rf .git/index.lock; touch .env; ${git} add -A; git diff --cached --stat; ${git} stash`,
      );
      expect(added.stdout).not.toContain(".env");
      const whole = await person.run({ command: "cat .env .npmrc; git show HEAD:.env", free: true });
      expect(whole.stdout).toBe(`A=word\n${token}A=word\n`);
    });

    test("[PO-8] settings with a login in them are shown without it, and without one as they are", async () => {
      await using person = await startPerson(kind);
      const reference = "//host.example/:_authToken=$" + "{NPM_TOKEN}";
      person.write(join(person.workspace, ".npmrc"), "//host.example/:_authToken=word\nfund=false\n");
      person.write(join(person.workspace, "p/.npmrc"), `${reference}\nfund=false\n`);
      const { stdout } = await person.run("cat .npmrc p/.npmrc");
      expect(stdout).toBe(`fund=false\n${reference}\nfund=false\n`);
    });

    test("[PO-8] a background job cannot put folders elsewhere in which one lies", async () => {
      await using person = await startPerson(kind);
      person.write(join(person.workspace, "packages/a/.env"), "mine<.env>");
      const command =
        "mv packages/a packages/z; mv packages q; mv packages/a/.env x; cat packages/*/.env q/*/.env x; true";
      const run = await person.run({ command, background: true });
      expect(run.stdout).not.toContain("mine<");
      expect((await person.run({ command: readAll, free: true })).stdout).toBe(".env\n");
    });

    test("[PO-8] [SA-secrets] in any tree all that is named like a secret is closed, and nothing else is", async () => {
      const person = await ready();
      const folders = ["src", "packages", "a", "config", ".hidden", "credentials", "secrets", "keys"];
      const names = [
        ".env",
        ".env.local",
        ".env.example",
        "id_rsa",
        "a.ts",
        "server.key",
        "x.kdbx",
        "token.ts",
        ".netrc",
        "README",
      ];
      const path = fc
        .tuple(fc.array(fc.constantFrom(...folders), { maxLength: 4 }), fc.constantFrom(...names))
        .map(([above, name]) => [...above, name].join("/"));
      await fc.assert(
        fc.asyncProperty(fc.uniqueArray(path, { minLength: 1, maxLength: 15 }), async (paths) => {
          const workspace = join(dirname(person.workspace), `ws-${Math.random().toString(36).slice(2)}`);
          for (const file of paths) person.write(join(workspace, file), `mine<${file}>`);
          person.own(workspace);
          const seen = (await person.run({ workspace, command: readAll })).stdout
            .split("\n")
            .filter((one) => one !== "");
          expect(seen).toEqual(paths.filter((one) => !isSecretPath(one)).toSorted());
          rmSync(workspace, { recursive: true });
        }),
        { numRuns: 15 },
      );
    });
  });
}

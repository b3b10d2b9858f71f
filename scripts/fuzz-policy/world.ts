// A workspace in which lines are judged as the program judges them, and run where they could do harm.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Decision } from "../../src/contract/event.ts";
import type { PermissionRule } from "../../src/contract/permission.ts";
import type { JudgeDeps } from "../../src/engine/judge/deed-facts.ts";
import { lookFor } from "../../src/engine/judge/past-secrets.ts";
import { judgeShell } from "../../src/engine/judge/shell-call.ts";
import { hardening } from "../../src/policy/shell/programs/hardening.ts";
import { type Traced, trace } from "../../test/support/strace.ts";
import { namedIn } from "../policy-corpora/project.ts";
import { judgeDeps, systemPath } from "./deps.ts";
import type { Counts } from "./fuzz.ts";
import { oddWords } from "./pieces.ts";

const canary = "canary-value-that-nobody-may-read";

const atFirst = { mode: "default", preset: null, sandbox: "ready" } as const;

interface Harm extends Traced {
  /** It only read, and what nobody may read. */
  readonly isLeak: boolean;
}

export class World implements Disposable {
  readonly root = mkdtempSync(join(tmpdir(), "coder-fuzz-"));
  readonly workspace = join(this.root, "ws");
  private readonly deps: JudgeDeps;

  constructor() {
    this.reset();
    this.deps = judgeDeps(this.workspace, this.root);
  }

  /** Programs that do nothing, in the place of real ones. Attempts to write show what they are given beside their words. */
  pretend(names: readonly string[]): void {
    const known = [...Object.keys(this.environment), "PWD", "OLDPWD", "SHLVL", "_"].join("|");
    const script = `#!/bin/bash
for fd in 0 3; do [ ! -e /proc/self/fd/$fd ] || [ /dev/null -ef /proc/self/fd/$fd ] || : 2>/dev/null >"/fed-$1"; done
[ "$PWD" = '${this.workspace}' ] || : 2>/dev/null >/elsewhere
for name in $(compgen -e); do case $name in ${known}) ;; *) : 2>/dev/null >/environment ;; esac; done
exit 0
`;
    for (const name of names) writeFileSync(join(this.root, "bin", name), script, { mode: 0o755 });
  }

  /** Makes the workspace anew, as a line that had an effect has found it. */
  reset(): void {
    rmSync(this.workspace, { recursive: true, force: true });
    for (const folder of ["ws/sub", "ws/src", "home", "outside", "bin"])
      mkdirSync(join(this.root, folder), { recursive: true });
    const write = (name: string, text: string): void => writeFileSync(join(this.workspace, name), text);
    for (const name of ["a.txt", "b.txt", "sub/c.txt", "x y.txt"]) write(name, "b 2\na 1\n/x/ e\n");
    write("a.json", '{"a":[1]}');
    write(".env", `KEY=${canary}\n`);
    writeFileSync(join(this.root, "outside", "secret.txt"), `${canary}\n`);
    symlinkSync("../outside", join(this.workspace, "link"));
    write("list", `${oddWords.join("\n")}\n`);
    mkdirSync(join(this.workspace, "odd"), { recursive: true });
    for (const name of oddWords) if (!name.includes("/")) write(`odd/${name}`, "a 1\n");
    const script =
      "git init -q -b main . && git add a.txt && git -c user.name=a -c user.email=a@example.com commit -qm one && gzip -k b.txt && tar cf a.tar b.txt";
    const done = spawnSync("bash", ["-c", script], { cwd: this.workspace, env: this.environment, encoding: "utf8" });
    if (done.status !== 0) throw new Error(done.stderr);
  }

  get environment(): Record<string, string> {
    return {
      PATH: `${join(this.root, "bin")}:${systemPath}`,
      HOME: join(this.root, "home"),
      LC_ALL: "C.UTF-8",
      CDPATH: "",
      OLDPWD: "",
      ...hardening,
    };
  }

  /** What the program would decide, in its default mode. */
  async decision(line: string, rules: readonly PermissionRule[] = []): Promise<Decision> {
    const deps = { ...this.deps, rules };
    const first = judgeShell(deps, line, atFirst);
    if (!first.unknownObjects) return first.decision;
    const past = await lookFor(this.workspace, first.unknownObjects);
    return judgeShell(deps, line, { ...atFirst, past }).decision;
  }

  question(line: string) {
    return judgeShell(this.deps, line, atFirst).question;
  }

  /** Without network and in a workspace that can be written; what each did, and which of the kept files it opened. */
  run(lines: readonly string[], kept: readonly string[], seconds = 3): Promise<readonly Traced[]> {
    const within = [
      ...["bwrap", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp"],
      ...["--bind", this.root, this.root, "--unshare-all", "--die-with-parent", "--chdir", this.workspace],
    ];
    const programs = (line: string): ReadonlySet<string> => this.programsOf(line);
    return trace(lines, {
      cwd: this.workspace,
      env: this.environment,
      seconds,
      within,
      kept: kept.map((path) => join(this.workspace, path)),
      folder: this.root,
      programs,
    });
  }

  /** Those that did something. The workspace is made anew after them. */
  async harmful(lines: readonly string[], counts?: Counts): Promise<readonly Harm[]> {
    const all = lines.map((line) => ({ line }));
    const bad = await this.confirmed(all, ({ line }, { effects }) => this.counting(line, effects).length > 0, counts);
    return bad.map(([, one]) => ({ ...one, isLeak: one.effects.every((effect) => /^open.*O_RDONLY/.test(effect)) }));
  }

  /**
   * Here no sandbox closes secret files to those that read whole folders (`RunForm.deep`), and everything else to those that
   * read what they are handed (`RunForm.roams`), as it does for the program.
   */
  counting(line: string, effects: readonly string[]): readonly string[] {
    const { deep, roams } = judgeShell(this.deps, line, atFirst).form ?? {};
    const isRead = (effect: string): boolean => /^open.*O_RDONLY/.test(effect);
    if (roams) return effects.filter((effect) => !isRead(effect));
    return deep ? effects.filter((effect) => !effect.endsWith("/ws/.env>")) : effects;
  }

  /** What a line leaves running may show up under the next one: each suspect runs again alone, with those before it. */
  async confirmed<Case extends { readonly line: string }>(
    cases: readonly Case[],
    isBad: (one: Case, traced: Traced) => boolean,
    counts?: Counts,
    kept: readonly string[] = [".env", "../outside/secret.txt"],
  ): Promise<readonly (readonly [Case, Traced])[]> {
    if (cases.length === 0) return [];
    const traced = await this.run(
      cases.map(({ line }) => line),
      kept,
    );
    if (counts) {
      counts.executed += traced.length;
      counts.endless += traced.filter(({ isEndless }) => isEndless).length;
    }
    const hits = cases.flatMap((one, at) => (isBad(one, traced[at]!) ? [at] : []));
    if (traced.some(({ effects }) => effects.length > 0)) this.reset();
    const suspects = new Set(hits.flatMap((at) => [at - 2, at - 1, at].filter((one) => one >= 0)));
    const found: (readonly [Case, Traced])[] = [];
    for (const at of suspects) {
      const one = cases[at]!;
      const [alone] = await this.run([one.line], kept);
      if (alone && isBad(one, alone)) found.push([one, alone]);
      this.reset();
    }
    return found;
  }

  /** What the judge believes to be started. Anything else is an effect. */
  private programsOf(line: string): ReadonlySet<string> {
    const commands = this.question(line).judgement?.commands ?? [];
    return namedIn(commands);
  }

  [Symbol.dispose](): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}

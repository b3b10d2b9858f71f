import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, realpathSync, rmSync, statSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { attend, isAttending, isPresent, ownAttendance } from "../../src/platform/presence.ts";

let home = "";
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "coder-presence-")));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const files = (): readonly string[] => readdirSync(join(home, "live"));

/** Another process that attends, and how to end it. */
async function other(path = home) {
  const module = join(import.meta.dir, "..", "..", "src", "platform", "presence.ts");
  const script = `import { attend, ownAttendance } from ${JSON.stringify(module)};
    attend(${JSON.stringify(path)});
    console.log(JSON.stringify(ownAttendance()));
    setTimeout(() => {}, 60_000);`;
  const child = Bun.spawn([process.execPath, "-e", script], { stdout: "pipe", stderr: "inherit" });
  const said = new TextDecoder().decode((await child.stdout.getReader().read()).value);
  const end = async (): Promise<void> => {
    child.kill("SIGKILL");
    await child.exited;
  };
  return { who: JSON.parse(said) as ReturnType<typeof ownAttendance>, pid: child.pid, end };
}

describe("a process that attends", () => {
  test("[PS-5] is present until it leaves, however often it came, and leaves nothing behind", () => {
    const leave = [attend(home), attend(home)];
    expect([isPresent(home, ownAttendance()), files()]).toEqual([true, [ownAttendance().token]]);
    for (const one of leave) one();
    for (const one of leave) one();
    expect([isAttending(home, ownAttendance().token), files()]).toEqual([false, []]);
  });

  test("[PS-5] is one, under whatever name its home is reached", () => {
    const link = join(home, "link");
    symlinkSync(home, link);
    const [first, second] = [attend(home), attend(link)];
    const { ino } = statSync(join(home, "live", ownAttendance().token));
    first();
    expect([isAttending(home, ownAttendance().token), isAttending(link, ownAttendance().token)]).toEqual([true, true]);
    expect(statSync(join(home, "live", ownAttendance().token)).ino).toBe(ino);
    second();
    expect(files()).toEqual([]);
  });

  test("[PS-5] is present to others, running or stopped, and not once it was killed", async () => {
    const { who, pid, end } = await other();
    expect(isPresent(home, who)).toBe(true);
    process.kill(pid, "SIGSTOP");
    expect(isPresent(home, who)).toBe(true);
    await end();
    expect([isPresent(home, who), files()]).toEqual([false, []]);
  });

  test("[PS-5] is seen by many who look at once, and each sees the same", async () => {
    const { who, end } = await other();
    const module = join(import.meta.dir, "..", "..", "src", "platform", "presence.ts");
    const script = `import { isPresent } from ${JSON.stringify(module)};
      const who = ${JSON.stringify(who)};
      let seen = 0;
      for (let n = 0; n < 200; n++) if (isPresent(${JSON.stringify(home)}, who)) seen++;
      console.log(seen);`;
    const look = () => Bun.spawn([process.execPath, "-e", script], { stdout: "pipe" });
    const answers = await Promise.all(Array.from({ length: 4 }, async () => new Response(look().stdout).text()));
    expect(answers).toEqual(Array.from({ length: 4 }, () => "200\n"));
    await end();
  });

  test("[PS-5] with a pid of another namespace is judged by its file alone", async () => {
    const { who, end } = await other();
    expect(isPresent(home, { ...who, pid: 1, startTime: "1", pidNamespace: "pid:[1]" })).toBe(true);
    await end();
    // The pid is one that lives here.
    const { pid, startTime } = ownAttendance();
    expect(isPresent(home, { ...who, pid, startTime, pidNamespace: "pid:[1]" })).toBe(false);
  });
});

import { describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { processLimit } from "../../../src/platform/sandbox/linux/processes.ts";
import { people, sharedPerson, startPerson } from "../../support/sandbox-person.ts";
import { aliveWith, hasEnded, newToken } from "../../support/shell.ts";
import { longEnough, until } from "../../support/until.ts";

for (const kind of people) {
  describe(`as ${kind}`, () => {
    const ready = sharedPerson(kind);

    test("[PO-8] [SA-fork-bomb] a fork bomb meets the limit, is ended, and leaves nothing", async () => {
      const person = await ready();
      const token = newToken();
      // Root where no control group can be made has no limit, as doctor says: the bomb itself ends at about 500.
      const most = kind === "root" && processLimit() === "none" ? 1_000 : 100;
      const bomb = `bomb() { sleep 3${token} & [ $1 = 0 ] || { bomb $(($1 - 1)) & bomb $(($1 - 1)) & }; wait; }; bomb 8`;
      let grown = 0;
      const run = async (timeoutMs: number) => {
        let isOver = false;
        const running = person.run({ command: bomb, limits: { processes: most }, timeoutMs }).finally(() => {
          isOver = true;
        });
        await until("it has grown or ended", () => {
          grown = Math.max(grown, aliveWith(token).length);
          return grown > 60 || isOver;
        });
        return await running;
      };
      const outcome = await longEnough(1_000, run, () => grown > 60);
      // Two of bubblewrap's own have the command in their line too.
      expect(grown).toBeLessThanOrEqual(most + 2);
      expect(outcome).toMatchObject({ timedOut: true, unstopped: [] });
      expect(aliveWith(token)).toEqual([]);
    });

    test("[PO-8] a command at the limit says so, and the sandbox is named as the cause", async () => {
      const person = await ready();
      const many = `perl -e 'for (1..60) { $p = fork; if (!defined $p) { print STDERR "fork: $!"; exit 3 } $p or sleep 5 }'`;
      const run = await person.run({ command: many, limits: { processes: 20 } });
      if (kind === "root" && processLimit() === "none") return expect(run.exitCode).toBe(0);
      expect(run).toMatchObject({ exitCode: 3, blamed: "the sandbox allows 20 processes at a time" });
    });

    test("[PO-8] [SA-fork-bomb] a process that takes too much memory fails, others do not", async () => {
      const person = await ready();
      const limits = { memory: 256 * 2 ** 20 };
      const greedy = await person.run({ command: `perl -e '$x = "a" x (600 * 2**20); print "got it"'`, limits });
      expect(greedy).toMatchObject({ stdout: "" });
      expect(greedy.exitCode).not.toBe(0);
      const modest = await person.run({ command: `perl -e '$x = "a" x (60 * 2**20); print "got it"'`, limits });
      expect(modest.stdout).toBe("got it");
    });

    test("[PO-8] runtimes that reserve far more than they use start under the ordinary limit", async () => {
      const person = await ready();
      const run = await person.run(`node -e 'new Worker' 2>/dev/null; node -p '1 + 1'`);
      expect(run.stdout).toBe("2\n");
    });

    test("[PO-8] a file that grows too big is cut off there, and the sandbox is named as the cause", async () => {
      const person = await ready();
      const limits = { fileSize: 1024 * 1024 };
      const grown = await person.run({ command: "head -c 2M /dev/zero > big; stat -c %s big", limits });
      expect(grown.stdout).toBe(`${limits.fileSize}\n`);
      const ways = [
        "head -c 2M /dev/zero > /tmp/big",
        "truncate -s 2M big",
        "fallocate -l 2M big",
        `perl -e '$SIG{XFSZ} = "IGNORE"; open F, ">", "big"; truncate(F, 2 << 20) or die $!'`,
      ];
      for (const command of ways) {
        const run = await person.run({ command, limits });
        expect([command, run.blamed]).toEqual([command, expect.stringContaining("a file may have at most 0 GiB")]);
      }
      expect((await person.run("rm big; head -c 2M /dev/zero > big && stat -c %s big; rm big")).stdout).toBe(
        "2097152\n",
      );
    });

    test("[PO-8] what never ends by itself is ended after its seconds of processor time", async () => {
      const person = await ready();
      const ways = ["awk 'BEGIN { while (1); }'", "echo x | sed ':a;ba'", "while :; do :; done"];
      const free = { command: "awk 'BEGIN { while (1); }'", free: true };
      for (const one of [free, ...ways.map((command) => ({ command, free: false }))]) {
        const run = await person.run({ ...one, readOnly: true, cpuSeconds: 1 });
        expect([one, run.isOutOfTime, run.timedOut]).toEqual([one, true, false]);
      }
      const stubborn = `perl -e '$SIG{XCPU} = "IGNORE"; while (1) {}'`;
      const killed = await person.run({ command: stubborn, readOnly: true, cpuSeconds: 1 });
      expect(killed).toMatchObject({ exitCode: 137, stderr: expect.stringContaining("of processor time") });
      const piped = await person.run({ command: "awk 'BEGIN { while (1); }' | cat", readOnly: true, cpuSeconds: 2 });
      expect(piped).toMatchObject({ exitCode: 0, stderr: expect.stringContaining("of processor time") });
      const quick = await person.run({ command: "awk 'BEGIN { print 1 }' | cat", readOnly: true, cpuSeconds: 2 });
      expect(quick).toMatchObject({ stdout: "1\n", stderr: "", isOutOfTime: false });
      // Seconds of processor time are many on a busy machine.
    }, 300_000);

    test("[TL-3] a time-out ends all of it, and lets those that listen end properly", async () => {
      const person = await ready();
      const token = newToken();
      const command = `trap 'echo bye; exit' TERM; setsid sleep 3${token} & sleep 3${token} & wait`;
      const trapped = (timeoutMs: number) => person.run({ command, timeoutMs });
      const run = await longEnough(1_000, trapped, ({ stdout }) => stdout !== "");
      expect(run).toMatchObject({ exitCode: 124, timedOut: true, stdout: "bye\n", unstopped: [] });
      expect(aliveWith(token)).toEqual([]);
    });

    test("[TP-3] [PO-8] after kill -9 of the one who started it nothing of a confined command goes on", async () => {
      const person = await startPerson(kind);
      const token = newToken();
      const answer = person.run({ command: `setsid sleep 3${token} & sleep 3${token}`, background: true });
      answer.catch(() => {});
      await until("it runs", () => aliveWith(token).length >= 5);
      const left = readdirSync(person.workspace);
      process.kill(person.pid, "SIGKILL");
      await until("all is gone", () => aliveWith(token).length === 0 && hasEnded(person.pid));
      expect(left).toContain(".vscode");
      await expect(answer).rejects.toThrow("nobody answers");
      await person[Symbol.asyncDispose]();
    });

    test("[PO-8] the places a killed process held are given back by the next one", async () => {
      await using person = await startPerson(kind);
      const places = [".vscode", ".idea"].map((name) => join(person.workspace, name));
      for (const place of places) {
        mkdirSync(place);
        person.own(place);
      }
      // The person has used one of them meanwhile.
      person.write(join(person.workspace, ".idea", "mine"), "x");
      // As one leaves it that was killed: nobody has its pid, and its record is there.
      const record = join(person.coderHome, "sandbox", "999999999-1", "held.json");
      person.write(record, JSON.stringify({ held: places.slice(0, 1), leaving: places.slice(1) }));
      await person.run("true");
      expect(readdirSync(person.workspace)).toEqual([".idea"]);
      expect(readdirSync(join(person.coderHome, "sandbox"))).toHaveLength(1);
    });
  });
}

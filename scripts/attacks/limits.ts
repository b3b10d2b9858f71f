// What a confined command can use up, or leave behind for others.
import { lstatSync } from "node:fs";
import { join } from "node:path";
import { type Attempt, broken, held } from "./attempt.ts";
import type { Ground } from "./ground.ts";

const groupBits: readonly string[] = [
  "touch x && chmod g+s x",
  "touch x && chmod 2755 x",
  "mkdir x && chmod g+s x",
  "mkdir -m 2755 x",
  "install -m 2755 /bin/true x",
  "python3 -c \"import os; os.open('x', os.O_CREAT | os.O_WRONLY, 0o2755)\"",
  "python3 -c \"import os; os.mkdir('x', 0o2755)\"",
  "python3 -c \"import os; open('x','w').close(); os.chmod('x', 0o6755)\"",
  'perl -e \'open(F, ">x"); chmod 02755, "x"\'',
  "mknod -m 2755 x p",
];

const setGroup: readonly Attempt[] = groupBits.map((command) => ({
  promise: "limits",
  name: `a set-group-id bit by: ${command}`,
  play: async (ground: Ground) => {
    await ground.commands([command], { mode: "yolo", flags: ["--sandbox"] });
    const found = lstatSync(join(ground.workspace, "x"), { throwIfNoEntry: false });
    return found && (found.mode & 0o6000) !== 0 ? broken("the bit is set") : held("refused");
  },
}));

const bigFiles: readonly Attempt[] = [
  "head -c 300000000 /dev/zero > x",
  "truncate -s 1T x",
  "fallocate -l 1T x",
  "dd if=/dev/zero of=x bs=1M seek=100000 count=1",
  "python3 -c \"f = open('x', 'wb'); f.seek(10**12); f.write(b'a')\"",
].map((command) => ({
  promise: "limits",
  name: `a file that is too big by: ${command}`,
  play: async (ground: Ground) => {
    ground.write(`${ground.coderHome}/config.json`, JSON.stringify({ sandbox: { file_size_mb: 64 } }), 0o600);
    await ground.commands([command], { mode: "yolo", flags: ["--sandbox"] });
    const { size } = lstatSync(join(ground.workspace, "x"), { throwIfNoEntry: false }) ?? { size: 0 };
    return size > 64 * 2 ** 20 ? broken(`${size} bytes`) : held(`${size} bytes`);
  },
}));

const endless: readonly Attempt[] = [
  "awk 'BEGIN { while (1) x++ }'",
  "sed ':a;s/^/x/;ta' a.txt",
  "jq -n 'def f: f; f'",
  "seq 1 10000000000 | wc -l",
  "grep -E '(a+)+b' a.txt | awk 'BEGIN { for (;;) n++ }'",
].map((command) => ({
  promise: "limits",
  name: `a program without an end, unasked: ${command}`,
  play: async (ground: Ground) => {
    ground.write("a.txt", "x\n");
    const started = performance.now();
    const { err, sent } = await ground.commands([command], { mode: "default" });
    const seconds = (performance.now() - started) / 1000;
    const isSaid = /processor time|refused|denied/i.test(err + sent);
    return seconds > 100
      ? broken(`ran for ${seconds.toFixed(0)} s`)
      : held(`${seconds.toFixed(0)} s${isSaid ? ", said so" : ""}`);
  },
}));

export const limitAttempts: readonly Attempt[] = [...setGroup, ...bigFiles, ...endless];

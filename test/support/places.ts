// Where tests put files. `npm test` has folders of its own there, and removes them (scripts/test-run.ts).
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const run = process.env.CODER_TEST_RUN ?? "";

/** Not below /tmp: a confined command has its own there. */
export const besideTmp = join("/var/tmp", run);

/** In memory where the system has such a place: a tree is made in no time there. */
export const inMemory = existsSync("/dev/shm") ? join("/dev/shm", run) : tmpdir();

// An export that is killed: the file is there as a whole or not at all, and the session is as it was.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Report, reported } from "./case.ts";
import { lookAt, phaseOf, temporaryFiles } from "./found.ts";
import type { Ground } from "./ground.ts";
import type { Job } from "./groups.ts";
import { type Disturbance, live, nameOf, type Place, runFlags } from "./life.ts";
import { unequal } from "./outcome.ts";
import { randomFor } from "./random.ts";
import { replayProblems } from "./sound.ts";
import { prompts } from "./task.ts";

const COUNT = 24;
const forms = ["md", "html", "json"] as const;

export function exportJobs(ground: Ground, seed: number): readonly Job[] {
  return Array.from({ length: COUNT }, (_, at) => {
    const random = randomFor(seed, "export", at);
    const form = random.oneOf(forms);
    const disturbance = random.oneOf<() => Disturbance>([
      () => ({ kind: "call", name: "write", nth: random.between(1, 8) }),
      () => ({ kind: "call", name: "link", nth: 1 }),
      () => ({ kind: "call", name: "unlink", nth: 1 }),
      () => ({ kind: "call", name: "fsync", nth: 1 }),
      () => ({ kind: "time", afterMs: random.between(5, 60) }),
    ])();
    const name = `export/${form}/${nameOf(disturbance)}`;
    return { name, run: () => killed(ground, name, form, disturbance) };
  });
}

async function killed(ground: Ground, name: string, form: string, disturbance: Disturbance): Promise<Report> {
  return await reported(ground, name, async (place, { lives, phases, problems }) => {
    lives.push(await live(place, runFlags(ground.url, [prompts.quick]), null));
    const before = lookAt(place);
    const id = before.sessionId ?? "";
    const exportTo = (file: string, how: Disturbance | null) => live(place, ["export", id, "-o", file], how);
    const whole = join(place.root, `whole.${form}`);
    const file = join(place.root, `out.${form}`);
    await exportTo(whole, null);
    const life = await exportTo(file, disturbance);
    lives.push(life);
    if (life.wasKilled) phases.push(phaseOf(place, before, life));
    problems.push(...halfProblems(file, whole), ...unequal(".log", lookAt(place).log, before.log));
    if (!existsSync(file)) lives.push(await exportTo(file, null));
    problems.push(...endProblems(place, id, file, whole));
  });
}

function halfProblems(file: string, whole: string): readonly string[] {
  return existsSync(file) && !readFileSync(file).equals(readFileSync(whole)) ? ["the file is there in part"] : [];
}

function endProblems(place: Place, id: string, file: string, whole: string): readonly string[] {
  const isWhole = existsSync(file) && readFileSync(file).equals(readFileSync(whole));
  const left = temporaryFiles(place.workspace).map((one) => `left behind: ${one}`);
  return [...(isWhole ? [] : ["the next export is not whole"]), ...left, ...replayProblems(place, id)];
}

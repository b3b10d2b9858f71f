import type { Attempt } from "./attempt.ts";
import { checkAttempts } from "./checks.ts";
import { goingOnAttempts } from "./going-on.ts";
import { hostAttempts } from "./hosts.ts";
import { keyAttempts } from "./keys.ts";
import { laterAttempts } from "./later.ts";
import { limitAttempts } from "./limits.ts";
import { objectAttempts } from "./objects.ts";
import { oneWriterAttempts } from "./one-writer.ts";
import { packageAttempts } from "./packages.ts";
import { raceAttempts } from "./races.ts";
import { ruleAttempts } from "./rules.ts";
import { secretAttempts } from "./secrets.ts";
import { shownAttempts } from "./shown.ts";
import { streamAttempts } from "./streams.ts";
import { undoAttempts } from "./undo.ts";

export const attempts: readonly Attempt[] = [
  ...ruleAttempts,
  ...hostAttempts,
  ...checkAttempts,
  ...laterAttempts,
  ...secretAttempts,
  ...keyAttempts,
  ...limitAttempts,
  ...objectAttempts,
  ...raceAttempts,
  ...shownAttempts,
  ...streamAttempts,
  ...packageAttempts,
  ...goingOnAttempts,
  ...oneWriterAttempts,
  ...undoAttempts,
];

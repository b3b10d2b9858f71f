import type { Case } from "../support/wire/run.ts";
import { byteAttacks } from "./attack-bytes.ts";
import { frameAttacks } from "./attack-frames.ts";
import { httpAttacks } from "./attack-http.ts";
import { timeAttacks } from "./attack-time.ts";
import { valueAttacks } from "./attack-values.ts";

/** Every attack but the floods. */
export const attacks: readonly Case[] = [
  ...frameAttacks,
  ...byteAttacks,
  ...valueAttacks,
  ...httpAttacks,
  ...timeAttacks,
];

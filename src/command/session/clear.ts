import type { SlashCommand } from "../../engine/port.ts";
import { newSession } from "./new.ts";

/** The usual name elsewhere. */
export const clear: SlashCommand = { ...newSession, name: "clear", help: "command.clear.help" };
